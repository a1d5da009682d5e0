package app

import (
	"encoding/json"
	"testing"
	"time"
)

// surface waits for what the interface is to draw.
func (c *client) surface(kind string, fits func(Surface) bool) (out Surface) {
	c.t.Helper()
	c.event(EventSurface, 20*time.Second, func(raw json.RawMessage) bool {
		out = Surface{}
		return json.Unmarshal(raw, &out) == nil && out.Kind == kind && (fits == nil || fits(out))
	})
	return out
}

func watchFields(t *testing.T) (*host, *client, string) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/fields.html")
	c.watch(id, 800, 600)
	c.until(0, 20*time.Second, "at rest", func(f frame) bool { return f.Kind == 1 })
	h.eventually(id, "document.readyState", "complete")
	return h, c, id
}

func labels(s Surface) (out []string) {
	for _, o := range s.Options {
		out = append(out, o.Label)
	}
	return out
}

func TestASelectListIsToldAndChosenWithRealEvents(t *testing.T) {
	h, c, id := watchFields(t)
	c.click(50, 25)
	s := c.surface("select", nil)
	if got := labels(s); len(got) != 4 || got[0] != "Apple" || !s.Options[1].Disabled || s.Options[2].Label != "Cherry" || s.Options[2].Group != "More" || s.Options[2].Index != 3 || !s.Options[0].Selected {
		t.Fatalf("the list is %+v", s)
	}
	if s.Left != 10 || s.Top != 10 || s.Width != 160 || s.Height != 30 {
		t.Errorf("the field is at %+v", s)
	}
	c.must("surface.choose", SurfaceArgs{Tab: id, ID: s.ID, Index: 3}, nil)
	h.eventually(id, "fruit.value", "c")
	h.eventually(id, "log.join(' ')", "input,fruit,true, change,fruit,true,")
	h.eventually(id, "fruit.matches(':open')", "false")
	c.surface("", func(g Surface) bool { return g.Tab == id })

	t.Run("leaving changes nothing", func(t *testing.T) {
		h.eventually(id, "log.splice(0).length > 0", "true")
		c.click(50, 25)
		s := c.surface("select", func(g Surface) bool { return g.ID != s.ID && g.Index == 3 })
		c.must("surface.close", SurfaceArgs{Tab: id, ID: s.ID}, nil)
		h.eventually(id, "fruit.matches(':open')", "false")
		h.eventually(id, "fruit.value + log.join(' ')", "c")
	})
	t.Run("a disabled option is refused", func(t *testing.T) {
		c.click(50, 25)
		s := c.surface("select", func(g Surface) bool { return g.ID > s.ID+1 })
		if err := c.call("surface.choose", SurfaceArgs{Tab: id, ID: s.ID, Index: 1}, nil); err == nil {
			t.Error("a disabled option was chosen")
		}
		h.eventually(id, "fruit.value", "c")
		c.must("surface.close", SurfaceArgs{Tab: id, ID: s.ID}, nil)
	})
	t.Run("a long list", func(t *testing.T) {
		c.click(250, 25)
		s := c.surface("select", func(g Surface) bool { return len(g.Options) == 1200 })
		c.must("surface.choose", SurfaceArgs{Tab: id, ID: s.ID, Index: 1100}, nil)
		h.eventually(id, "many.value", "Line 1100")
	})
	t.Run("in a frame", func(t *testing.T) {
		c.click(450, 145)
		s := c.surface("select", func(g Surface) bool { return len(g.Options) == 2 })
		if s.Left != 420 || s.Top != 130 {
			t.Errorf("it is at %v,%v", s.Left, s.Top)
		}
		c.must("surface.choose", SurfaceArgs{Tab: id, ID: s.ID, Index: 1}, nil)
		h.eventually(id, "inner.contentDocument.querySelector('select').value", "Two")
	})
}

func TestPickersAreToldAndSet(t *testing.T) {
	h, c, id := watchFields(t)
	c.click(155, 75)
	s := c.surface("date", nil)
	if s.Value != "2027-02-03" || s.Min != "2027-01-01" {
		t.Errorf("the picker is %+v", s)
	}
	c.must("surface.set", SurfaceArgs{Tab: id, ID: s.ID, Value: "2027-03-04"}, nil)
	h.eventually(id, "day.value + ' ' + log.filter(l => !l.startsWith('key')).map(l => l.split(',').slice(0, 2)).join(' ')", "2027-03-04 input,day change,day")
	c.surface("", nil)

	c.click(250, 75)
	hue := c.surface("color", nil)
	c.must("surface.set", SurfaceArgs{Tab: id, ID: hue.ID, Value: "#ff0000"}, nil)
	h.eventually(id, "hue.value", "#ff0000")

	t.Run("that a script opens", func(t *testing.T) {
		c.click(220, 225)
		again := c.surface("date", func(g Surface) bool { return g.ID > hue.ID })
		c.must("surface.close", SurfaceArgs{Tab: id, ID: again.ID}, nil)
		h.eventually(id, "day.matches(':open')", "false")
	})
}

func TestSuggestionsGoWithWhatIsTyped(t *testing.T) {
	h, c, id := watchFields(t)
	c.click(50, 125)
	if s := c.surface("list", nil); len(s.Options) != 3 || s.Options[1].Value != "Bergen" || s.Options[1].Label != "Norway" {
		t.Errorf("the list is %+v", s)
	}
	c.press("b", "KeyB", 0)
	c.press("e", "KeyE", 0)
	s := c.surface("list", func(g Surface) bool { return len(g.Options) == 1 })
	c.must("surface.set", SurfaceArgs{Tab: id, ID: s.ID, Value: "Bergen"}, nil)
	h.eventually(id, "town.value", "Bergen")
	c.surface("", nil)
}

func TestAMenuSaysWhatIsUnderThePointer(t *testing.T) {
	h, c, id := watchFields(t)
	right := func(x, y float64) {
		c.write(Input{In: "mouse", View: 1, Type: "down", X: x, Y: y, Button: "right", Buttons: 2, Count: 1})
		c.write(Input{In: "mouse", View: 1, Type: "up", X: x, Y: y, Button: "right", Count: 1})
	}
	right(30, 175)
	if s := c.surface("menu", nil); s.Link != h.pages+"/other.html" || s.LinkText != "Other page" || s.Left != 30 || s.Top != 175 || s.Editable {
		t.Errorf("the menu is %+v", s)
	}
	right(250, 175) // the page has a menu of its own
	h.eventually(id, "(pass.select(), 1)", "1")
	right(250, 125)
	if s := c.surface("menu", func(g Surface) bool { return g.Link == "" }); !s.Secret || s.Text != "" || !s.Editable || s.Top != 125 {
		t.Errorf("the menu of a password field is %+v", s)
	}
	h.eventually(id, "(town.focus(), town.value = 'Basel town', town.setSelectionRange(0, 5), 1)", "1")
	right(20, 125)
	if s := c.surface("menu", func(g Surface) bool { return g.Left == 20 }); s.Text != "Basel" || !s.Editable || s.Secret {
		t.Errorf("the menu of a field is %+v", s)
	}
}
