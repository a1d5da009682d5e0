package input

import "unicode"

// Stroke is one step of typing a text: a key press, or, for what no key of the layout types, text put in whole.
type Stroke struct {
	Key  Key
	Text string // set when no key types it
}

// Strokes splits a text into the steps that type it. What belongs to one visible character (accents, joined emoji, flags)
// stays together.
func Strokes(text string) []Stroke {
	var out []Stroke
	for _, cluster := range Clusters(text) {
		r := []rune(cluster)
		if len(r) == 1 {
			switch k, ok := typed[r[0]]; {
			case r[0] == '\n':
				out = append(out, Stroke{Key: named["Enter"]})
				continue
			case r[0] == '\r':
				continue
			case r[0] == '\t':
				out = append(out, Stroke{Text: "\t"})
				continue
			case ok:
				out = append(out, Stroke{Key: k})
				continue
			}
		}
		out = append(out, Stroke{Text: cluster})
	}
	return out
}

// Clusters splits a text into what a reader sees as single characters.
func Clusters(text string) []string {
	var out []string
	start, prev, flags := 0, rune(0), 0
	for i, r := range text {
		if i > 0 && !joins(prev, r, flags) {
			out = append(out, text[start:i])
			start, flags = i, 0
		}
		if regional(r) {
			flags++
		}
		prev = r
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

func regional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }

// joins says that r belongs to the character that prev is part of.
func joins(prev, r rune, flags int) bool {
	const joiner = 0x200D
	switch {
	case prev == '\n' || prev == '\r' || r == '\n' || r == '\r':
		return false
	case r == joiner, r >= 0xFE00 && r <= 0xFE0F, r >= 0x1F3FB && r <= 0x1F3FF, r >= 0xE0020 && r <= 0xE007F:
		return true
	case unicode.Is(unicode.M, r):
		return true
	case prev == joiner:
		return r > 0x2000
	case regional(prev) && regional(r):
		return flags%2 == 1
	case prev >= 0x1100 && prev <= 0x115F && r >= 0x1160 && r <= 0x11FF: // Hangul letters
		return true
	case prev >= 0x1160 && prev <= 0x11FF && r >= 0x1160 && r <= 0x11FF:
		return true
	}
	return false
}
