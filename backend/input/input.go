// Package input knows keyboards and pointers: the keys of a US layout, chords such as `Control+K`, `Mod+Enter` and
// `Shift+Tab`, the strokes that type a text, and the path that a pointer takes. It is pure: no page, no clock, no I/O.
//
// [Parse] reads what an agent wrote, [Strokes] splits a text, [Path] gives a pointer's way. Package page turns the results
// into events.
package input

// Modifiers are the modifier keys that are down, in the protocol's bits.
type Modifiers int

// The bits.
const (
	Alt     Modifiers = 1
	Control Modifiers = 2
	Meta    Modifiers = 4
	Shift   Modifiers = 8
)

// Key is one key as a page's keyboard event describes it.
type Key struct {
	Key      string // "a", "Enter", "ArrowLeft"
	Code     string // the physical key: "KeyA", "Enter"
	VK       int    // the Windows virtual key code
	Text     string // what it types; "" for keys that type nothing
	Location int    // 1 left, 2 right, 3 keypad
	Shifted  bool   // the key needs Shift on a US keyboard
}

// Printable says that the key types a visible character.
func (k Key) Printable() bool { return k.Text != "" && k.Text != "\r" && k.Text != "\t" }

// Modifier gives the modifier that the key is, or 0.
func (k Key) Modifier() Modifiers {
	switch k.Key {
	case "Alt":
		return Alt
	case "Control":
		return Control
	case "Meta":
		return Meta
	case "Shift":
		return Shift
	}
	return 0
}

// Chord is a key pressed while modifiers are down.
type Chord struct {
	Mods Modifiers
	Key  Key
}

// Types says that the chord types a character.
func (c Chord) Types() bool { return c.Key.Printable() && c.Mods&(Control|Alt|Meta) == 0 }

// Held gives the modifier keys to press first, in the order in which a hand does.
func (m Modifiers) Held() []Key {
	var out []Key
	for _, x := range []struct {
		bit  Modifiers
		name string
	}{{Control, "Control"}, {Alt, "Alt"}, {Shift, "Shift"}, {Meta, "Meta"}} {
		if m&x.bit != 0 {
			out = append(out, named[x.name])
		}
	}
	return out
}
