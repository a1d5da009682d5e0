package redact

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// unit is one character of a text as it reads, and where it stands there.
type unit struct {
	r        rune // in lower case
	raw      rune
	piece    int32
	from, to int32 // bytes of the piece
}

// plain gives the characters of texts one behind another.
func plain(texts []*string) (out []unit, escapes bool) {
	n := 0
	for _, s := range texts {
		n += len(*s)
	}
	out = make([]unit, 0, n)
	for p, s := range texts {
		for i, r := range *s {
			size := utf8.RuneLen(r)
			if r == utf8.RuneError {
				_, size = utf8.DecodeRuneInString((*s)[i:])
			}
			escapes = escapes || r == '%' || r == '\\' || r == '&'
			out = append(out, unit{lower(r), wide(r), int32(p), int32(i), int32(i + size)})
		}
	}
	return out, escapes
}

// wide gives the usual form of a full-width character.
func wide(r rune) rune {
	if r >= 0xff01 && r <= 0xff5e {
		return r - 0xfee0
	}
	return r
}

func lower(r rune) rune {
	r = wide(r)
	if r < utf8.RuneSelf {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	return unicode.ToLower(r)
}

// tight tells the characters that spell a value; the others separate them.
func tight(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// tightOf gives the letters and digits of a text in lower case.
func tightOf(s string) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		if r = lower(r); tight(r) {
			out = append(out, r)
		}
	}
	return out
}

// undo reads percent, JSON, JavaScript and HTML escapes. some says that there
// was one.
func undo(in []unit) (out []unit, some bool) {
	out = make([]unit, 0, len(in))
	for i := 0; i < len(in); {
		n, runes := 0, []rune(nil)
		switch in[i].raw {
		case '%':
			n, runes = percent(in[i:])
		case '\\':
			n, runes = backslash(in[i:])
		case '&':
			n, runes = entity(in[i:])
		}
		if n == 0 {
			out = append(out, in[i])
			i++
			continue
		}
		some = true
		last := in[i+n-1]
		for _, r := range runes {
			out = append(out, unit{lower(r), wide(r), in[i].piece, in[i].from, last.to})
		}
		i += n
	}
	return out, some
}

// unescaped gives a text with its escapes read, as often as a text is.
func unescaped(s string) string {
	seq, some := plain([]*string{&s})
	for range 3 {
		if !some {
			break
		}
		seq, some = undo(seq)
	}
	var b strings.Builder
	for _, u := range seq {
		b.WriteRune(u.raw)
	}
	return b.String()
}

// digits reads up to most digits of a base from in, all of one piece; n is how
// many there are.
func digits(in []unit, base rune, most int) (value rune, n int) {
	for n < len(in) && n < most && in[n].piece == in[0].piece {
		d := in[n].r
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case base == 16 && d >= 'a' && d <= 'f':
			d -= 'a' - 10
		default:
			return value, n
		}
		value = value*base + d
		n++
	}
	return value, n
}

// percent reads one character of %XX bytes.
func percent(in []unit) (int, []rune) {
	var b []byte
	n := 0
	for n+2 < len(in) && in[n].raw == '%' && len(b) < utf8.UTFMax {
		v, got := digits(in[n+1:], 16, 2)
		if got != 2 || in[n+1].piece != in[0].piece {
			break
		}
		b = append(b, byte(v))
		n += 3
		if utf8.FullRune(b) {
			break
		}
	}
	if n == 0 {
		return 0, nil
	}
	r, _ := utf8.DecodeRune(b)
	return n, []rune{r}
}

func backslash(in []unit) (int, []rune) {
	if len(in) < 2 || in[1].piece != in[0].piece {
		return 0, nil
	}
	switch c := in[1].raw; c {
	case 'n', 'r', 't', 'b', 'f', 'v':
		return 2, []rune{' '}
	case 'x':
		if v, n := digits(in[2:], 16, 2); n == 2 {
			return 4, []rune{v}
		}
	case 'u':
		if len(in) > 3 && in[2].raw == '{' {
			if v, n := digits(in[3:], 16, 6); n > 0 && len(in) > 3+n && in[3+n].raw == '}' {
				return 4 + n, []rune{v}
			}
		}
		v, n := digits(in[2:], 16, 4)
		if n != 4 {
			return 0, nil
		}
		if utf16.IsSurrogate(v) && len(in) > 12 && in[6].raw == '\\' && in[7].raw == 'u' {
			if w, n := digits(in[8:], 16, 4); n == 4 {
				return 12, []rune{utf16.DecodeRune(v, w)}
			}
		}
		return 6, []rune{v}
	case '"', '\'', '\\', '/', '`':
		return 2, []rune{c}
	}
	return 0, nil
}

func entity(in []unit) (int, []rune) {
	if len(in) < 3 {
		return 0, nil
	}
	if in[1].raw == '#' {
		at, base, most := 2, rune(10), 7
		if in[2].r == 'x' {
			at, base, most = 3, 16, 6
		}
		v, n := digits(in[at:], base, most)
		if n == 0 || v > unicode.MaxRune {
			return 0, nil
		}
		at += n
		if at < len(in) && in[at].raw == ';' {
			at++
		}
		return at, []rune{v}
	}
	name := make([]rune, 0, 10)
	for i := 1; i < len(in) && i < 10 && in[i].piece == in[0].piece; i++ {
		name = append(name, in[i].raw)
		if in[i].raw == ';' {
			whole := "&" + string(name)
			if got := html.UnescapeString(whole); got != whole {
				return i + 1, []rune(got)
			}
			return 0, nil
		}
		if !tight(in[i].raw) {
			return 0, nil
		}
	}
	return 0, nil
}

// numbered tells the numbers that head the lines of a list, by index: a value
// spelled over such lines reads without them.
func numbered(in []unit) map[int32]bool {
	var out map[int32]bool
	fresh := true
	for i := 0; i < len(in); i++ {
		switch r := in[i].r; {
		case r == '\n' || i > 0 && in[i].piece != in[i-1].piece:
			fresh = true
			if r == '\n' {
				continue
			}
		case r == ' ' || r == '\t' || r == '-' || r == '*' || r == '#':
			continue
		}
		if !fresh {
			continue
		}
		fresh = false
		_, n := digits(in[i:], 10, 5)
		if n > 0 && i+n < len(in) && (in[i+n].r == '.' || in[i+n].r == ')') {
			if out == nil {
				out = map[int32]bool{}
			}
			for j := range n {
				out[int32(i+j)] = true
			}
			i += n - 1
		}
	}
	return out
}

func decimals(v []rune) string {
	var b []byte
	for _, r := range v {
		b = strconv.AppendInt(b, int64(r), 10)
	}
	return string(b)
}
