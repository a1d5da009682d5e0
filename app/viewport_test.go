package app

import (
	"fmt"
	"testing"
	"time"
)

func TestAPageIsShownInAnotherSizeAndAppearance(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/other.html")
	c.watch(id, 700, 500)
	c.until(0, patience, "at rest", func(f frame) bool { return f.Kind == 1 })
	size := `innerWidth + 'x' + innerHeight`
	h.eventually(id, size, "700x500")
	set := func(a ViewportArgs) {
		t.Helper()
		a.Tab = id
		c.must("tabs.viewport", a, nil)
	}
	told := func(want Viewport) {
		t.Helper()
		c.settled("the size", func(l []Tab) bool { return l[0].Viewport != nil && *l[0].Viewport == want })
	}
	set(ViewportArgs{Device: "iPhone 15"})
	h.eventually(id, size, "393x852")
	told(Viewport{Width: 393, Height: 852, Device: "iPhone 15", Scheme: "system", Fixed: true})
	var agent string
	h.js(id, "navigator.userAgent", &agent)
	newest := func() string {
		c.mu.Lock()
		defer c.mu.Unlock()
		f := c.frames[len(c.frames)-1]
		return fmt.Sprintf("%gx%g kind %d", f.Width, f.Height, f.Kind)
	}
	for end := time.Now().Add(patience); newest() != "393x852 kind 1"; settle() {
		if time.Now().After(end) {
			t.Fatalf("the newest picture is %s", newest())
		}
	}
	set(ViewportArgs{Turn: "landscape"})
	h.eventually(id, size, "852x393")
	set(ViewportArgs{Width: 500})
	told(Viewport{Width: 500, Height: 393, Scheme: "system", Fixed: true})
	c.watch(id, 640, 480) // the viewer's own size does not count now
	h.eventually(id, size, "500x393")

	set(ViewportArgs{Fill: true})
	h.eventually(id, size, "640x480")
	c.settled("nothing of it", func(l []Tab) bool { return l[0].Viewport == nil })
	var same string
	if h.js(id, "navigator.userAgent", &same); same != agent {
		t.Errorf("a preset changed the user agent from %q to %q", agent, same)
	}

	dark := "matchMedia('(prefers-color-scheme: dark)').matches"
	set(ViewportArgs{Scheme: "dark"})
	h.eventually(id, dark, "true")
	told(Viewport{Width: 640, Height: 480, Scheme: "dark"})
	set(ViewportArgs{Scheme: "light"})
	h.eventually(id, dark, "false")
	if err := c.call("tabs.viewport", ViewportArgs{Tab: id, Width: 5}, nil); err == nil {
		t.Error("a width of 5 pixels was taken")
	}
	var hello Hello
	if c.must("hello", nil, &hello); len(hello.Devices) < 17 {
		t.Errorf("%d presets", len(hello.Devices))
	}
}
