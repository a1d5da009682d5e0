package app

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// last gives the strip as told last.
func (c *client) last() (out []Tab) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range slices.Backward(c.events) {
		if e.Event == EventTabs {
			_ = json.Unmarshal(e.Data, &out)
			return out
		}
	}
	return nil
}

// settled waits until the strip as told last fits.
func (c *client) settled(what string, fits func([]Tab) bool) []Tab {
	c.t.Helper()
	for range 1000 {
		if l := c.last(); fits(l) {
			return l
		}
		settle()
	}
	c.t.Fatalf("the strip does not show %s: %+v", what, c.last())
	return nil
}

// heard gives the data of all events of a kind, as they came.
func (c *client) heard(kind string) (out []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.events {
		if e.Event == kind {
			out = append(out, string(e.Data))
		}
	}
	return out
}

// settle is how long a test waits between two looks.
func settle() { time.Sleep(20 * time.Millisecond) }

func order(list []Tab) string {
	var out []string
	for _, t := range list {
		id := t.ID
		if t.Pinned {
			id += "*"
		}
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

func (c *client) shows(want string) {
	c.t.Helper()
	c.settled(want, func(l []Tab) bool { return order(l) == want })
}

func TestPinnedTabsStayAtTheLeft(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	for range 4 {
		c.open(h.pages + "/other.html")
	}
	c.must("tabs.pin", PinArgs{Tab: "t3", Pinned: true}, nil)
	c.shows("t3* t1 t2 t4")
	c.must("tabs.pin", PinArgs{Tab: "t2", Pinned: true}, nil)
	c.shows("t3* t2* t1 t4")
	// A place among the pinned ones means the first of the others, and the
	// other way round.
	c.must("tabs.move", MoveArgs{Tab: "t4", Index: 0}, nil)
	c.shows("t3* t2* t4 t1")
	c.must("tabs.move", MoveArgs{Tab: "t3", Index: 9}, nil)
	c.shows("t2* t3* t4 t1")
	c.must("tabs.pin", PinArgs{Tab: "t2"}, nil)
	c.shows("t3* t2 t4 t1")
	var r TabResult
	c.must("tabs.duplicate", TabArgs{Tab: "t3"}, &r)
	c.shows("t3* t5 t2 t4 t1")
}

func TestClosedTabsComeBackInOrderWithTheirPlaceAndHistory(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	for range 3 {
		c.open(h.pages + "/other.html")
	}
	c.watch("t2", 400, 300)
	c.settled("the page", func(l []Tab) bool {
		return len(l) == 3 && l[1].State == "ready" && strings.HasSuffix(l[1].URL, "/other.html")
	})
	c.must("tabs.navigate", NavigateArgs{Tab: "t2", URL: h.pages + "/scroll.html"}, nil)
	c.settled("its history", func(l []Tab) bool {
		return strings.HasSuffix(l[1].URL, "/scroll.html") && l[1].CanBack && l[1].State == "ready"
	})
	c.must("tabs.pin", PinArgs{Tab: "t1", Pinned: true}, nil)
	for _, id := range []string{"t2", "t1", "t3"} {
		c.must("tabs.close", TabArgs{Tab: id}, nil)
	}
	c.shows("")
	reopen := func() string {
		var r TabResult
		c.must("tabs.reopen", nil, &r)
		return r.Tab
	}
	third, first, second := reopen(), reopen(), reopen()
	c.shows(first + "* " + second + " " + third)
	back := c.last()[1]
	if !strings.HasSuffix(back.URL, "/scroll.html") || !back.CanBack {
		t.Fatalf("the tab came back as %+v", back)
	}
	c.must("tabs.history", HistoryArgs{Tab: second, Delta: -1}, nil)
	c.settled("the page before", func(l []Tab) bool { return strings.HasSuffix(l[1].URL, "/other.html") && l[1].CanNext })
	if err := c.call("tabs.reopen", nil, nil); err == nil {
		t.Error("a fourth tab came back")
	}
}

func TestATabTellsItsSoundAndCanBeMuted(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/sound.html")
	c.watch(id, 400, 300)
	c.until(0, patience, "at rest", func(f frame) bool { return f.Kind == 1 })
	c.click(50, 30)
	c.settled("sound", func(l []Tab) bool { return l[0].Audible && !l[0].Muted })
	c.must("tabs.mute", MuteArgs{Tab: id, Muted: true}, nil)
	c.settled("muted", func(l []Tab) bool { return l[0].Muted })
	h.eventually(id, "tone.muted && !tone.paused", "true")
	// The page's own unmuting changes nothing while the person keeps it silent.
	h.js(id, "(tone.muted = false, 1)", new(int))
	h.eventually(id, "tone.muted", "true")

	t.Run("the next document is silent too", func(t *testing.T) {
		c.must("tabs.reload", ReloadArgs{Tab: id}, nil)
		c.settled("no sound", func(l []Tab) bool { return !l[0].Audible && l[0].State == "ready" })
		h.eventually(id, "document.readyState + tone.muted", "completetrue")
		c.click(50, 30)
		h.eventually(id, "tone.muted && !tone.paused", "true")
		c.must("tabs.mute", MuteArgs{Tab: id}, nil)
		h.eventually(id, "tone.muted", "false")
		c.settled("sound again", func(l []Tab) bool { return l[0].Audible && !l[0].Muted })
		h.js(id, "(tone.pause(), 1)", new(int))
		c.settled("silence", func(l []Tab) bool { return !l[0].Audible })
	})
}
