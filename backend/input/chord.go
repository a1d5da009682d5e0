package input

import (
	"fmt"
	"runtime"
	"strings"
)

// MaxChords bounds how many chords one text may hold.
const MaxChords = 100

// Mod is the modifier that shortcuts use on this system.
func Mod() Modifiers {
	if runtime.GOOS == "darwin" {
		return Meta
	}
	return Control
}

// Parse reads chords, several apart by spaces: `Control+K`, `Mod+Enter`, `Shift+Tab`, `ArrowDown ArrowDown Enter`. A
// single space is the space bar, and `Control++` holds the plus key.
func Parse(s string) ([]Chord, error) {
	if s == " " {
		return []Chord{{Key: named["Space"]}}, nil
	}
	words := strings.Fields(s)
	if len(words) == 0 {
		return nil, fmt.Errorf("no key is named")
	}
	if len(words) > MaxChords {
		return nil, fmt.Errorf("%d keys in one call; at most %d are taken", len(words), MaxChords)
	}
	out := make([]Chord, len(words))
	for i, w := range words {
		var err error
		if out[i], err = chord(w); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func chord(s string) (Chord, error) {
	var c Chord
	parts := split(s)
	for _, p := range parts[:len(parts)-1] {
		m, ok := modifier(p)
		if !ok {
			return Chord{}, fmt.Errorf("%q in %q is no modifier: use Control, Alt, Shift, Meta or Mod", p, s)
		}
		c.Mods |= m
	}
	last := parts[len(parts)-1]
	if strings.EqualFold(last, "mod") || strings.EqualFold(last, "controlormeta") {
		last = map[Modifiers]string{Control: "Control", Meta: "Meta"}[Mod()]
	}
	k, ok := Named(last)
	if !ok {
		return Chord{}, fmt.Errorf("%q is no key: use names such as Enter, Escape, ArrowDown, F5 or a, or chords such as Control+K", last)
	}
	// Shift+a types A; a key of the upper row needs Shift of its own.
	if c.Mods&Shift != 0 && k.Text != "" && !k.Shifted {
		if up, ok := shifted(k); ok {
			k = up
		}
	}
	if k.Shifted && len(parts) == 1 {
		c.Mods |= Shift
	}
	if c.Mods&(Control|Alt|Meta) != 0 {
		// Control+K means the k key, as everybody writes it.
		if r := []rune(k.Key); len(r) == 1 && k.Shifted && c.Mods&Shift == 0 && r[0] >= 'A' && r[0] <= 'Z' {
			k, _ = Named(strings.ToLower(k.Key))
		}
	}
	c.Key = k
	return c, nil
}

// split parts a chord at its plus signs; the last part may be the plus key.
func split(s string) []string {
	if s == "+" {
		return []string{s}
	}
	if strings.HasSuffix(s, "++") {
		return append(strings.Split(s[:len(s)-2], "+"), "+")
	}
	if !strings.Contains(s, "+") && len(s) > 2 && strings.Contains(s, "-") {
		// Control-K, as some write it; a name never holds a hyphen.
		parts := strings.Split(s, "-")
		if _, ok := modifier(parts[0]); ok && parts[len(parts)-1] != "" {
			return parts
		}
	}
	return strings.Split(s, "+")
}

func modifier(s string) (Modifiers, bool) {
	switch strings.ToLower(s) {
	case "mod", "controlormeta", "cmdorctrl", "commandorcontrol":
		return Mod(), true
	}
	k, ok := Named(s)
	if !ok || k.Modifier() == 0 {
		return 0, false
	}
	return k.Modifier(), true
}

// ParseModifiers reads modifier names, as a click takes them.
func ParseModifiers(names []string) (Modifiers, error) {
	var m Modifiers
	for _, n := range names {
		for _, one := range strings.Split(n, "+") {
			b, ok := modifier(strings.TrimSpace(one))
			if !ok {
				return 0, fmt.Errorf("%q is no modifier: use Control, Alt, Shift, Meta or Mod", n)
			}
			m |= b
		}
	}
	return m, nil
}

func shifted(k Key) (Key, bool) {
	for _, u := range typed {
		if u.Shifted && u.Code == k.Code {
			return u, true
		}
	}
	return k, false
}
