package app

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/mtibben/confusables"
	"golang.org/x/net/idna"
)

// shownHost gives an address's host in letters (bücher.example), where it has
// letters beyond ASCII and nothing in them deceives; else "", and it is shown as
// Chromium writes it (xn--bcher-kva.example).
func shownHost(address string) string {
	u, err := url.Parse(address)
	if err != nil || !strings.Contains(u.Hostname(), "xn--") {
		return ""
	}
	host, err := idna.Display.ToUnicode(strings.ToLower(u.Hostname()))
	if err != nil {
		return ""
	}
	// What is written back otherwise is not the same name.
	if back, err := idna.Lookup.ToASCII(host); err != nil || back != strings.ToLower(u.Hostname()) {
		return ""
	}
	labels := strings.Split(host, ".")
	top := scriptOf(labels[len(labels)-1])
	for _, l := range labels {
		if !plainLabel(l, top) {
			return ""
		}
	}
	return host
}

// scripts that a host's name is shown in. Others are hardly met, and look like
// these.
var scripts = map[string]*unicode.RangeTable{
	"Latin": unicode.Latin, "Cyrillic": unicode.Cyrillic, "Greek": unicode.Greek, "Armenian": unicode.Armenian, "Hebrew": unicode.Hebrew,
	"Arabic": unicode.Arabic, "Devanagari": unicode.Devanagari, "Bengali": unicode.Bengali, "Gurmukhi": unicode.Gurmukhi,
	"Gujarati": unicode.Gujarati, "Oriya": unicode.Oriya, "Tamil": unicode.Tamil, "Telugu": unicode.Telugu, "Kannada": unicode.Kannada,
	"Malayalam": unicode.Malayalam, "Sinhala": unicode.Sinhala, "Thai": unicode.Thai, "Lao": unicode.Lao, "Georgian": unicode.Georgian,
	"Khmer": unicode.Khmer, "Myanmar": unicode.Myanmar, "Ethiopic": unicode.Ethiopic,
	"Han": unicode.Han, "Hiragana": unicode.Hiragana, "Katakana": unicode.Katakana, "Bopomofo": unicode.Bopomofo, "Hangul": unicode.Hangul,
}

// together are scripts that languages write in one word, with Latin beside them
// (UTS 39, highly restrictive).
var together = []map[string]bool{
	{"Latin": true, "Han": true, "Hiragana": true, "Katakana": true},
	{"Latin": true, "Han": true, "Bopomofo": true},
	{"Latin": true, "Han": true, "Hangul": true},
}

// plainLabel tells whether a label can be taken for no other one: its letters
// are of one script or of scripts that go together, and it does not look like a
// label of ASCII letters. A whole word in letters of another script that looks
// like one (раура) is only itself under a top name of that script.
func plainLabel(label, top string) bool {
	used := map[string]bool{}
	ascii := true
	for _, r := range label {
		switch {
		case r < 0x80:
			if unicode.IsLetter(r) {
				used["Latin"] = true
			}
			continue
		case unicode.In(r, unicode.Inherited):
			if ascii {
				return false // a mark on a letter that needs none
			}
			continue
		}
		ascii = false
		s := scriptOfRune(r)
		if s == "" || s == "Latin" && looksPlain(string(r)) && len(skeleton(string(r))) == 1 {
			return false
		}
		used[s] = true
	}
	if ascii {
		return !strings.HasPrefix(label, "xn--") // one that could not be read
	}
	if !goTogether(used) {
		return false
	}
	for s := range used {
		if s == "Latin" || s == top {
			return true
		}
	}
	return !looksPlain(label)
}

func goTogether(used map[string]bool) bool {
	if len(used) <= 1 {
		return true
	}
	for _, set := range together {
		all := true
		for s := range used {
			all = all && set[s]
		}
		if all {
			return true
		}
	}
	return false
}

func scriptOfRune(r rune) string {
	if r == 'ー' || r == '・' || r == '々' { // common to Japanese writing
		return "Katakana"
	}
	for name, table := range scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return ""
}

// scriptOf gives the script of a label's first letter beyond ASCII.
func scriptOf(label string) string {
	for _, r := range label {
		if r >= 0x80 {
			return scriptOfRune(r)
		}
	}
	return "Latin"
}

func skeleton(s string) string { return confusables.Skeleton(s) }

// looksPlain tells whether a text looks like one of ASCII letters and digits.
func looksPlain(s string) bool {
	for _, r := range skeleton(s) {
		if r >= 0x80 {
			return false
		}
	}
	return true
}
