package liveview

import (
	"context"
	"reflect"
	"testing"

	"github.com/chromedp/cdproto/input"

	keys "baton/backend/input"
)

func TestKeysAsChromiumExpectsThem(t *testing.T) {
	mod := int(keys.Mod())
	for name, c := range map[string]struct {
		in       Input
		kind     input.DispatchKeyEventType
		text     string
		commands []string
	}{
		"a letter":           {Input{Type: "down", Key: "a", Code: "KeyA", KeyCode: 65}, "keyDown", "a", nil},
		"a capital":          {Input{Type: "down", Key: "A", Code: "KeyA", KeyCode: 65, Mods: 8}, "keyDown", "A", nil},
		"an emoji":           {Input{Type: "down", Key: "👩‍💻"}, "keyDown", "👩‍💻", nil},
		"a letter's release": {Input{Type: "up", Key: "a", Code: "KeyA", KeyCode: 65}, "keyUp", "", nil},
		"enter":              {Input{Type: "down", Key: "Enter", Code: "Enter"}, "keyDown", "\r", nil},
		"an arrow":           {Input{Type: "down", Key: "ArrowUp", Code: "ArrowUp"}, "rawKeyDown", "", nil},
		"a function key":     {Input{Type: "down", Key: "F5", Code: "F5"}, "rawKeyDown", "", nil},
		"a menu's letter":    {Input{Type: "down", Key: "f", Code: "KeyF", Mods: 1}, "rawKeyDown", "", nil},
		"select all":         {Input{Type: "down", Key: "a", Code: "KeyA", Mods: mod}, "rawKeyDown", "", []string{"selectAll"}},
		"undo":               {Input{Type: "down", Key: "z", Code: "KeyZ", Mods: mod}, "rawKeyDown", "", []string{"undo"}},
		"redo":               {Input{Type: "down", Key: "Z", Code: "KeyZ", Mods: mod | 8}, "rawKeyDown", "", []string{"redo"}},
		"another shortcut":   {Input{Type: "down", Key: "k", Code: "KeyK", Mods: mod}, "rawKeyDown", "", nil},
	} {
		c.in.In = "key"
		events := c.in.events()
		if len(events) != 1 {
			t.Errorf("%s gives %d events", name, len(events))
			continue
		}
		e := events[0].(input.DispatchKeyEventParams)
		if e.Type != c.kind || e.Text != c.text || !reflect.DeepEqual(e.Commands, c.commands) {
			t.Errorf("%s gives %s with %q and %v", name, e.Type, e.Text, e.Commands)
		}
		if len(c.in.Key) > 1 && c.in.Code == c.in.Key && e.WindowsVirtualKeyCode == 0 {
			t.Errorf("%s has no key code", name)
		}
	}
}

func TestWrongInputIsDropped(t *testing.T) {
	for _, in := range []Input{
		{},
		{In: "mouse"},
		{In: "mouse", Type: "down", Button: "none"},
		{In: "mouse", Type: "down", Button: "sixth"},
		{In: "mouse", Type: "move", X: 1e300},
		{In: "wheel", DY: 1e9},
		{In: "key", Type: "down"},
		{In: "key", Type: "held", Key: "a"},
		{In: "paste"},

		{In: "shake"},
	} {
		if events := in.events(); len(events) > 0 {
			t.Errorf("%+v gives %v", in, events)
		}
	}
}

func TestMovesThatWaitBecomeOne(t *testing.T) {
	d := hand{running: true} // nothing is sent
	for n := range 100 {
		d.add(job{in: Input{In: "mouse", Type: "move", X: float64(n)}})
	}
	d.add(job{in: Input{In: "mouse", Type: "down", Button: "left", Buttons: 1}})
	d.add(job{in: Input{In: "mouse", Type: "move", X: 7, Buttons: 1, Button: "left"}})
	d.add(job{in: Input{In: "mouse", Type: "move", X: 8, Buttons: 1, Button: "left"}})
	d.add(job{in: Input{In: "wheel", DY: 3}})
	d.add(job{in: Input{In: "wheel", DY: 4, DX: 1}})
	d.add(job{in: Input{In: "wheel", DY: 4, Mods: 2}})
	d.add(job{then: func(context.Context) {}})
	d.add(job{in: Input{In: "wheel", DY: 1, Mods: 2}})
	var got []Input
	for _, j := range d.queue {
		got = append(got, j.in)
	}
	want := []Input{
		{In: "mouse", Type: "move", X: 99},
		{In: "mouse", Type: "down", Button: "left", Buttons: 1},
		{In: "mouse", Type: "move", X: 8, Buttons: 1, Button: "left"},
		{In: "wheel", DY: 7, DX: 1},
		{In: "wheel", DY: 4, Mods: 2},
		{},
		{In: "wheel", DY: 1, Mods: 2},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("queued %+v", got)
	}
}

func TestLooksAreRememberedBriefly(t *testing.T) {
	var m memory
	still := &Picture{}
	for n := range uint64(remembered + 1) {
		m.keep(n, map[float64]*Picture{1: still})
	}
	if m.of(0) != nil {
		t.Error("the oldest look is still remembered")
	}
	if m.of(1)[1] != still || m.of(remembered)[1] != still {
		t.Error("a newer look is forgotten")
	}
}

func TestSizesAreKeptInBounds(t *testing.T) {
	for _, s := range []Size{{}, {Width: -5, Height: 1 << 30, Scale: 100}, {Width: 800, Height: 600, Scale: -1}} {
		got := s.fit()
		if got.Width < 64 || got.Height < 64 || got.Width > 8192 || got.Height > 8192 || got.Scale < 0.5 || got.Scale > 4 {
			t.Errorf("%+v becomes %+v", s, got)
		}
	}
}
