package liveview

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chromedp/cdproto/input"

	keys "baton/backend/input"
)

// Input is one input of a person on a view: the fields of the wire's message.
// Positions and distances are CSS pixels of the page's viewport.
type Input struct {
	In   string // mouse, wheel, key, compose, commit, blur, paste, touch
	View int    // the client's number of the view; not used here

	Type    string
	X, Y    float64
	DX, DY  float64
	Button  string
	Buttons int
	Count   int
	Mods    int

	Key      string
	Code     string
	KeyCode  int
	Location int
	Repeat   bool

	Finger       int
	Pointer      string
	Pressure     float64
	TiltX, TiltY float64
	Twist        float64

	Text  string
	HTML  string // paste
	Image string // paste: a PNG in base64
	Start int
	End   int
}

// textMost bounds a text that goes into a page at once, in bytes.
const textMost = 4 << 20

// events gives the commands for Chromium; none when the input means nothing.
func (in Input) events() []any {
	switch in.In {
	case "mouse":
		return in.mouse()
	case "wheel":
		if !finite(in.X, in.Y, in.DX, in.DY) {
			return nil
		}
		return []any{input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseWheel, X: in.X, Y: in.Y, DeltaX: sent(in.DX), DeltaY: sent(in.DY),
			Modifiers: int64(in.Mods & 15), Button: input.MouseButtonNone, PointerType: input.DispatchMouseEventPointerTypeMouse,
		}}
	case "key":
		return in.key()
	case "compose":
		n := int64(len([]rune(in.Text)))
		return []any{input.ImeSetCompositionParams{Text: in.Text, SelectionStart: clamp(in.Start, n), SelectionEnd: clamp(in.End, n)}}
	case "commit":
		if in.Text == "" || len(in.Text) > textMost {
			return nil
		}
		return []any{input.InsertTextParams{Text: in.Text}}
	}
	return nil
}

// sent makes a zero go out: Chromium asks for both distances, a plain zero is
// left out of the command, and so small a distance is zero to Chromium.
func sent(v float64) float64 {
	if v == 0 {
		return 1e-300
	}
	return v
}

func clamp(v int, most int64) int64 { return min(max(int64(v), 0), most) }

func finite(all ...float64) bool {
	for _, v := range all {
		if math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 1e6 {
			return false
		}
	}
	return true
}

func (in Input) mouse() []any {
	types := map[string]input.DispatchMouseEventType{
		"move": input.DispatchMouseEventTypeMouseMoved,
		"down": input.DispatchMouseEventTypeMousePressed,
		"up":   input.DispatchMouseEventTypeMouseReleased,
	}
	buttons := map[string]input.MouseButton{
		"": input.MouseButtonNone, "none": input.MouseButtonNone, "left": input.MouseButtonLeft, "middle": input.MouseButtonMiddle,
		"right": input.MouseButtonRight, "back": input.MouseButtonBack, "forward": input.MouseButtonForward,
	}
	kind, ok := types[in.Type]
	button, known := buttons[in.Button]
	if !ok || !known || !finite(in.X, in.Y) || (in.Type != "move" && button == input.MouseButtonNone) {
		return nil
	}
	held := int64(in.Buttons & 31)
	e := input.DispatchMouseEventParams{
		Type: kind, X: in.X, Y: in.Y, Button: button, Buttons: held, Modifiers: int64(in.Mods & 15),
		PointerType: input.DispatchMouseEventPointerTypeMouse,
	}
	if in.Type != "move" {
		e.ClickCount = int64(min(max(in.Count, 1), 3))
	}
	if in.Pointer == "pen" && finite(in.Pressure, in.TiltX, in.TiltY, in.Twist) {
		e.PointerType = input.DispatchMouseEventPointerTypePen
		e.Force = min(max(in.Pressure, 0), 1)
		e.TiltX, e.TiltY = min(max(in.TiltX, -90), 90), min(max(in.TiltY, -90), 90)
		e.Twist = int64(min(max(in.Twist, 0), 359))
	}
	return []any{e}
}

// key gives a key as Chromium expects it: keyDown with the text that it types,
// rawKeyDown for one that types nothing, and for shortcuts of editing the
// command that they mean.
func (in Input) key() []any {
	if in.Key == "" || len(in.Key) > 32 {
		return nil
	}
	e := input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeKeyUp, Modifiers: int64(in.Mods & 15), Key: in.Key, Code: in.Code,
		WindowsVirtualKeyCode: int64(in.keyCode()),
	}
	e.NativeVirtualKeyCode = e.WindowsVirtualKeyCode
	if yes := true; in.Location == 3 {
		e.IsKeypad = &yes
	}
	if yes := true; in.Repeat {
		e.AutoRepeat = &yes
	}
	if in.Location == 1 || in.Location == 2 {
		e.Location = int64(in.Location)
	}
	switch in.Type {
	case "up":
		return []any{e}
	case "down":
	default:
		return nil
	}
	e.Type = input.DispatchKeyEventTypeRawKeyDown
	if text := in.text(); text != "" {
		e.Type, e.Text, e.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, text, text
	}
	if c := in.command(); c != "" {
		e.Commands = []string{c}
	}
	return []any{e}
}

// text is what the key types.
func (in Input) text() string {
	m := keys.Modifiers(in.Mods)
	if m&(keys.Control|keys.Meta|keys.Alt) != 0 {
		return ""
	}
	if in.Key == "Enter" {
		return "\r"
	}
	if named(in.Key) {
		return ""
	}
	return in.Key
}

// named tells a key's name (Enter, F5, ArrowUp) from what a key types, which
// may be several code points.
func named(key string) bool {
	if len(key) < 2 {
		return false
	}
	return key[0] >= 'A' && key[0] <= 'Z' && strings.IndexFunc(key, func(r rune) bool { return r > 127 }) < 0
}

func (in Input) keyCode() int {
	if in.KeyCode > 0 && in.KeyCode < 256 && in.KeyCode != 229 {
		return in.KeyCode
	}
	if k, ok := keys.Named(in.Key); ok {
		return k.VK
	}
	return 0
}

// command is the editing command of a shortcut, which Chromium would take from
// the system's own keys where it has a window.
func (in Input) command() string {
	m := keys.Modifiers(in.Mods)
	shift := m&keys.Shift != 0
	switch m &^ keys.Shift {
	case keys.Mod():
		switch in.letter() {
		case "a":
			return only(!shift, "selectAll")
		case "c", "insert":
			return only(!shift, "copy")
		case "x":
			return only(!shift, "cut")
		case "z":
			if shift {
				return "redo"
			}
			return "undo"
		case "y":
			return only(!shift && keys.Mod() == keys.Control, "redo")
		}
	case 0:
		if in.Key == "Delete" && shift {
			return "cut"
		}
	}
	return ""
}

// letter is the Latin letter of a shortcut's key: on a layout without Latin
// letters its place decides.
func (in Input) letter() string {
	place, ok := strings.CutPrefix(in.Code, "Key")
	if r, _ := utf8.DecodeRuneInString(in.Key); ok && len(place) == 1 && !named(in.Key) && r > unicode.MaxASCII && unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) {
		return strings.ToLower(place)
	}
	return strings.ToLower(in.Key)
}

func only(when bool, s string) string {
	if when {
		return s
	}
	return ""
}

// copies tells whether the key takes something to the clipboard.
func (in Input) copies() bool {
	if in.In != "key" || in.Type != "down" {
		return false
	}
	c := in.command()
	return c == "copy" || c == "cut"
}
