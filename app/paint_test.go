package app

import (
	"strconv"
	"testing"
	"time"
)

// A window's second connection draws what the first one watches.
func TestAWindowsSecondConnectionGetsItsFrames(t *testing.T) {
	h := newHost(t)
	first := h.connect()
	id := first.open(h.pages + "/boxes.html")
	first.watch(id, 400, 300)
	any := func(frame) bool { return true }
	first.until(0, 20*time.Second, "before", any)

	second := h.connect()
	name := h.nameOf(first)
	browser := h.browser()
	for what, err := range map[string]error{
		"a name that nobody has": second.call("view.paint", PaintArgs{Client: "nobody"}, nil),
		"a browser":              browser.call("view.paint", PaintArgs{Client: name}, nil),
		"a browser's frames":     second.call("view.paint", PaintArgs{Client: h.nameOf(browser)}, nil),
		"its own":                second.call("view.paint", PaintArgs{Client: h.nameOf(second)}, nil),
	} {
		if err == nil {
			t.Errorf("%s was taken for a window to paint for", what)
		}
	}

	second.must("view.paint", PaintArgs{Client: name}, nil)
	second.until(0, 20*time.Second, "to the second connection", any)
	second.until(second.count(), 20*time.Second, "more: its acknowledgements count", any)
	was := first.count()
	second.until(second.count()+3, 20*time.Second, "and more", any)
	if n := first.count(); n > was {
		t.Errorf("the first connection got %d frames too", n-was)
	}

	// A page at rest sends nothing by itself: what shows comes once more.
	rest := first.open(h.pages + "/still.html")
	first.watch(rest, 400, 300)
	number, _ := strconv.ParseUint(rest[1:], 10, 32)
	second.until(0, 20*time.Second, "of the page at rest", func(f frame) bool { return f.Tab == uint32(number) && f.Kind == 1 })
	was = first.count()
	second.ws.CloseNow()
	first.until(was, 20*time.Second, "to the first connection again", func(f frame) bool { return f.Tab == uint32(number) })
}

// nameOf gives what the host calls a connection.
func (h *host) nameOf(c *client) string {
	h.t.Helper()
	var hello Hello
	c.must("hello", nil, &hello)
	if hello.Client == "" {
		h.t.Fatal("a connection has no name")
	}
	return hello.Client
}
