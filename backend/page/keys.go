package page

import (
	"strings"

	pointer "github.com/chromedp/cdproto/input"

	"baton/backend/input"
)

func keyDown(k input.Key, mods input.Modifiers) pointer.DispatchKeyEventParams {
	e := pointer.DispatchKeyEventParams{
		Type: pointer.DispatchKeyEventTypeRawKeyDown, Key: k.Key, Code: k.Code, WindowsVirtualKeyCode: int64(k.VK), NativeVirtualKeyCode: int64(k.VK),
		Location: int64(k.Location), Modifiers: int64(mods), Commands: commands(k, mods),
	}
	if k.Text != "" && mods&(input.Control|input.Alt|input.Meta) == 0 {
		e.Type, e.Text, e.UnmodifiedText = pointer.DispatchKeyEventTypeKeyDown, k.Text, k.Text
	}
	return e
}

func keyUp(k input.Key, mods input.Modifiers) pointer.DispatchKeyEventParams {
	return pointer.DispatchKeyEventParams{
		Type: pointer.DispatchKeyEventTypeKeyUp, Key: k.Key, Code: k.Code, WindowsVirtualKeyCode: int64(k.VK), NativeVirtualKeyCode: int64(k.VK),
		Location: int64(k.Location), Modifiers: int64(mods),
	}
}

// chordEvents presses a chord: modifiers down, the key, modifiers up.
func chordEvents(c input.Chord) []any {
	var out []any
	held := c.Mods.Held()
	var on input.Modifiers
	for _, m := range held {
		on |= m.Modifier()
		out = append(out, keyDown(m, on))
	}
	own := on | c.Key.Modifier()
	out = append(out, keyDown(c.Key, own), keyUp(c.Key, on))
	for i := len(held) - 1; i >= 0; i-- {
		on &^= held[i].Modifier()
		out = append(out, keyUp(held[i], on))
	}
	return out
}

// commands are the editing commands that a Mac binds to shortcuts; elsewhere
// Chromium's own editing knows them.
func commands(k input.Key, mods input.Modifiers) []string {
	if mods&input.Meta == 0 {
		return nil
	}
	switch strings.ToLower(k.Key) {
	case "a":
		return []string{"selectAll"}
	case "c":
		return []string{"copy"}
	case "v":
		return []string{"paste"}
	case "x":
		return []string{"cut"}
	case "z":
		if mods&input.Shift != 0 {
			return []string{"redo"}
		}
		return []string{"undo"}
	}
	return nil
}

func key(name string) input.Key {
	k, _ := input.Named(name)
	return k
}

func tap(name string, mods input.Modifiers) []any {
	return chordEvents(input.Chord{Mods: mods, Key: key(name)})
}
