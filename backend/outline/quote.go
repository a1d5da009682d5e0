package outline

import (
	"strings"
	"unicode/utf8"
)

const hex = "0123456789abcdef"

// Halves of surrogate pairs travel in these code points of plane 16 (see Node.Name).
const (
	halfFirst = 0x10d800
	halfLast  = 0x10dfff
)

// Quote writes s as a JSON string. Controls, bidirectional controls, invisible tag characters and halves of surrogate
// pairs become \uXXXX escapes, so that nothing in an outline reorders or hides text; bytes that are no UTF-8 become
// U+FFFD.
func Quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	quote(&b, s)
	return b.String()
}

func quote(b *strings.Builder, s string) {
	b.WriteByte('"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < 0x7f && c != '"' && c != '\\' {
			i++
			continue
		}
		r, n := rune(c), 1
		if c >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		if e := escape(r, n); e != "" {
			b.WriteString(s[start:i])
			b.WriteString(e)
			start = i + n
		}
		i += n
	}
	b.WriteString(s[start:])
	b.WriteByte('"')
}

// escape returns what r is written as, or "" when it stands for itself. A width of 1 above ASCII means invalid UTF-8.
func escape(r rune, width int) string {
	switch {
	case r == '"' || r == '\\':
		return "\\" + string(r)
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r == '\b':
		return `\b`
	case r == '\f':
		return `\f`
	case r == utf8.RuneError && width == 1:
		return "\ufffd"
	case r < 0x20, r >= 0x7f && r <= 0x9f, r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e,
		r >= 0x2066 && r <= 0x2069, r == 0xfeff:
		return unit(uint16(r))
	case r >= halfFirst && r <= halfLast:
		return unit(uint16(r - 0x100000))
	case r >= 0xe0000 && r <= 0xe007f:
		v := r - 0x10000
		return unit(uint16(0xd800+v>>10)) + unit(uint16(0xdc00+v&0x3ff))
	}
	return ""
}

func unit(u uint16) string {
	return string([]byte{'\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15]})
}

// Length counts UTF-16 units, the unit of budgets: never fewer than the characters.
func Length(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}
