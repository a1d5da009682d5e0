package app

import (
	"encoding/json"
	"testing"
	"time"

	"baton/backend/tab"
)

// tabs waits for a list of tabs that fits.
func (c *client) tabs(wait time.Duration, fits func([]Tab) bool) {
	c.t.Helper()
	c.event(EventTabs, wait, func(raw json.RawMessage) bool {
		var list []Tab
		return json.Unmarshal(raw, &list) == nil && fits(list)
	})
}

func TestStateFollowsHello(t *testing.T) {
	h := newHost(t)
	first := h.connect()
	id := first.open(h.pages + "/still.html")
	c := h.connect()
	c.tabs(2*time.Second, func(l []Tab) bool {
		return len(l) == 1 && l[0].ID == id && l[0].Owner == "person" && l[0].Control.By == "nobody"
	})
	c.event(EventAgents, 2*time.Second, func(raw json.RawMessage) bool { return string(raw) == "[]" })
	c.event(EventSettings, 2*time.Second, func(raw json.RawMessage) bool {
		var s Settings
		return json.Unmarshal(raw, &s) == nil && s.Theme == "system" && s.SearchURL != ""
	})

	t.Run("who is in control", func(t *testing.T) {
		c.must("tabs.take", TabArgs{Tab: id}, nil)
		c.tabs(2*time.Second, func(l []Tab) bool { return len(l) == 1 && l[0].Control == Control{By: "person", Held: "button"} })
		c.must("tabs.give", GiveArgs{Tab: id}, nil)
		c.tabs(2*time.Second, func(l []Tab) bool { return len(l) == 1 && l[0].Control.By == "nobody" })
	})
	t.Run("settings", func(t *testing.T) {
		var s Settings
		if err := c.call("settings.set", Settings{Theme: "pink"}, nil); err == nil {
			t.Error("a wrong setting is taken")
		}
		want := Settings{Theme: "dark", RevealAutomation: false, SearchURL: "https://s.example/?q=%s", AgentAccess: "full", TouchHoldSeconds: 60}
		c.must("settings.set", want, &s)
		if s != want {
			t.Errorf("settings are %+v", s)
		}
		first.event(EventSettings, 2*time.Second, func(raw json.RawMessage) bool {
			var s Settings
			return json.Unmarshal(raw, &s) == nil && s == want
		})
	})
	t.Run("the strip", func(t *testing.T) {
		var copied, back TabResult
		c.must("tabs.duplicate", TabArgs{Tab: id}, &copied)
		last := c.open("about:blank")
		c.must("tabs.move", MoveArgs{Tab: last, Index: 0}, nil)
		c.tabs(2*time.Second, func(l []Tab) bool {
			return len(l) == 3 && l[0].ID == last && l[1].ID == id && l[2].ID == copied.Tab && l[2].URL == l[1].URL
		})
		c.must("tabs.private", PrivateArgs{Tab: id, Private: true}, nil)
		c.must("tabs.close", TabArgs(copied), nil)
		c.must("tabs.reopen", nil, &back)
		c.tabs(2*time.Second, func(l []Tab) bool { return len(l) == 3 && l[1].Private && l[2].ID == back.Tab })
		if err := c.call("tabs.close", TabArgs(copied), nil); err == nil {
			t.Error("a closed tab is closed again")
		}
	})
	t.Run("wrong calls", func(t *testing.T) {
		for call, args := range map[string]any{
			"tabs.close": map[string]any{"tab": id, "force": true},
			"tabs.none":  nil,
			"tabs.move":  map[string]any{"tab": 3},
			"view.watch": WatchArgs{View: 1, Tab: "t99", Width: 100, Height: 100, Scale: 1},
		} {
			if err := c.call(call, args, nil); err == nil {
				t.Errorf("%s with %v is taken", call, args)
			}
		}
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	revs := map[string]int64{}
	for _, e := range c.events {
		if e.Rev <= revs[e.Event] {
			t.Errorf("the %s event has revision %d after %d", e.Event, e.Rev, revs[e.Event])
		}
		revs[e.Event] = e.Rev
	}
}

func TestDialogIsShownAndAnswered(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/still.html")
	c.watch(id, 800, 500)
	c.until(0, 10*time.Second, "at rest", func(f frame) bool { return f.Kind == 1 })
	h.js(id, `(setTimeout(() => { document.title = 'answered ' + prompt('your name?', 'nobody') }, 0), 1)`, new(int))
	dialog := func(fits func(Dialog) bool) {
		t.Helper()
		c.event(EventDialog, 3*time.Second, func(raw json.RawMessage) bool {
			var d Dialog
			return json.Unmarshal(raw, &d) == nil && d.Tab == id && fits(d)
		})
	}
	dialog(func(d Dialog) bool {
		return d.Open && d.Kind == "prompt" && d.Message == "your name?" && d.Default == "nobody" && d.For == "person" && d.Origin == h.pages
	})
	late := h.connect()
	late.event(EventDialog, 2*time.Second, func(raw json.RawMessage) bool { return json.Valid(raw) })
	c.must("dialog.answer", DialogArgs{Tab: id, Accept: true, Text: "Ada"}, nil)
	dialog(func(d Dialog) bool { return !d.Open })
	h.eventually(id, "document.title", "answered Ada")
	c.tabs(3*time.Second, func(l []Tab) bool { return len(l) == 1 && l[0].Title == "answered Ada" })
}

func TestPopupIsShownWhereItsOpenerIs(t *testing.T) {
	h := newHost(t)
	c, other := h.connect(), h.connect()
	id := c.open(h.pages + "/still.html")
	c.watch(id, 800, 500)
	elsewhere := other.open(h.pages + "/other.html")
	other.watch(elsewhere, 800, 500)
	c.until(0, 10*time.Second, "of the page", func(frame) bool { return true })
	h.js(id, `(left.onclick = () => { window.open('/other.html') }, 1)`, new(int))
	c.click(50, 50)
	c.event(EventView, 5*time.Second, func(raw json.RawMessage) bool {
		var v ViewState
		return json.Unmarshal(raw, &v) == nil && v.View == 1 && v.Tab != id
	})
	other.mu.Lock()
	defer other.mu.Unlock()
	for _, e := range other.events {
		if e.Event == EventView && string(e.Data) != `{"view":1,"tab":"`+elsewhere+`"}` {
			t.Errorf("another interface was led to %s", e.Data)
		}
	}
}

func TestRevealWaitsForThePersonsHands(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/still.html")
	c.watch(id, 800, 500)
	c.until(0, 10*time.Second, "of the page", func(frame) bool { return true })
	info, err := h.tabs.Open(t.Context(), tab.New{Actor: tab.Actor{Agent: "robot"}, URL: h.pages + "/other.html"})
	if err != nil {
		t.Fatal(err)
	}
	revealed := func() bool {
		time.Sleep(300 * time.Millisecond)
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, e := range c.events {
			if e.Event == EventView && string(e.Data) == `{"view":1,"tab":"`+info.ID+`"}` {
				return true
			}
		}
		return false
	}
	c.click(50, 300)
	time.Sleep(50 * time.Millisecond)
	if h.server.Reveal(info.ID); revealed() {
		t.Error("the view changed under the person's hands")
	}
	c2 := h.connect()
	c2.watch(id, 800, 500)
	time.Sleep(50 * time.Millisecond)
	h.server.Reveal(info.ID)
	c2.event(EventView, 2*time.Second, func(raw json.RawMessage) bool { return string(raw) == `{"view":1,"tab":"`+info.ID+`"}` })
}

func TestIconComesAsData(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/icon.html")
	c.watch(id, 800, 500)
	c.tabs(10*time.Second, func(l []Tab) bool {
		return len(l) == 1 && l[0].Favicon != "" && l[0].Favicon[:19] == "data:image/svg+xml;"
	})
	for b, want := range map[string]bool{"<html>": false, "\x89PNG\r\n\x1a\n....": true, "": false, "GIF89a": true} {
		if got := imageAddress([]byte(b)) != ""; got != want {
			t.Errorf("%q is taken for an image: %v", b, got)
		}
	}
}
