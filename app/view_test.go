package app

import (
	"fmt"
	"image/color"
	"strconv"
	"testing"
	"time"
)

var (
	red    = color.RGBA{200, 40, 20, 255}
	blue   = color.RGBA{20, 40, 200, 255}
	green  = color.RGBA{20, 160, 40, 255}
	yellow = color.RGBA{230, 200, 40, 255}
)

// shows tells whether a frame is the still page's.
func shows(t *testing.T, f frame) bool {
	return near(f.pixel(t, 100, 100), red) && near(f.pixel(t, 300, 100), blue)
}

// quiet fails when a frame comes within a time.
func quiet(t *testing.T, c *client, wait time.Duration) {
	t.Helper()
	n := c.count()
	time.Sleep(wait)
	if m := c.count(); m != n {
		t.Errorf("%d frames came of a page at rest", m-n)
	}
}

func TestStillPageShowsWithinASecond(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/still.html")
	c.watch(id, 800, 500)
	first := c.until(0, 10*time.Second, "of the page", func(f frame) bool { return shows(t, f) })
	if first.Width != 800 || first.Height != 500 {
		t.Errorf("the page is %vx%v, want 800x500", first.Width, first.Height)
	}
	sharp := c.until(0, 2*time.Second, "at rest", func(f frame) bool { return f.Kind == 1 && shows(t, f) })
	if sharp.PixelW != 800 || sharp.PixelH != 500 {
		t.Errorf("the still has %dx%d pixels, want 800x500", sharp.PixelW, sharp.PixelH)
	}
	time.Sleep(300 * time.Millisecond)
	quiet(t, c, 3*time.Second)

	t.Run("watched late", func(t *testing.T) {
		late := h.connect()
		start := time.Now()
		late.watch(id, 800, 500)
		f := late.until(0, time.Second, "for the late viewer", func(f frame) bool { return shows(t, f) })
		t.Logf("first picture after %v", f.at.Sub(start))
		late.ws.CloseNow()
	})
	t.Run("left and watched again", func(t *testing.T) {
		for range 2 {
			c.must("view.leave", ViewArgs{View: 1}, nil)
			time.Sleep(200 * time.Millisecond)
			n, start := c.count(), time.Now()
			c.watch(id, 800, 500)
			f := c.until(n, time.Second, "after coming back", func(f frame) bool { return shows(t, f) })
			t.Logf("first picture after %v", f.at.Sub(start))
		}
	})
	t.Run("resized", func(t *testing.T) {
		for _, w := range []int{640, 1000, 800} {
			n, start := c.count(), time.Now()
			c.watch(id, w, 500)
			f := c.until(n, time.Second, "of the new size", func(f frame) bool { return int(f.Width) == w && shows(t, f) })
			t.Logf("%d wide after %v", w, f.at.Sub(start))
		}
	})
	t.Run("switched away and back", func(t *testing.T) {
		other := c.open(h.pages + "/other.html")
		c.watch(other, 800, 500)
		number := func(id string) uint32 { n, _ := strconv.Atoi(id[1:]); return uint32(n) }
		c.until(0, 5*time.Second, "of the other tab", func(f frame) bool { return f.Tab == number(other) && near(f.pixel(t, 100, 100), yellow) })
		time.Sleep(600 * time.Millisecond)
		n, start := c.count(), time.Now()
		c.watch(id, 800, 500)
		f := c.until(n, time.Second, "of the first tab", func(f frame) bool { return f.Tab == number(id) && shows(t, f) })
		t.Logf("back after %v", f.at.Sub(start))
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, f := range c.frames[n:] {
			if near(f.pixel(t, 300, 100), yellow) {
				t.Error("a frame of the other tab came in the view")
			}
		}
	})
	t.Run("clicked after rest", func(t *testing.T) {
		time.Sleep(1200 * time.Millisecond)
		n, start := c.count(), time.Now()
		c.click(300, 100)
		f := c.until(n, 500*time.Millisecond, "of the click's effect", func(f frame) bool { return near(f.pixel(t, 300, 100), green) })
		t.Logf("changed pixel after %v", f.at.Sub(start))
		time.Sleep(700 * time.Millisecond)
		quiet(t, c, time.Second)
	})
}

func (c *client) click(x, y float64) {
	c.write(Input{In: "mouse", View: 1, Type: "move", X: x, Y: y})
	c.write(Input{In: "mouse", View: 1, Type: "down", X: x, Y: y, Button: "left", Buttons: 1, Count: 1})
	c.write(Input{In: "mouse", View: 1, Type: "up", X: x, Y: y, Button: "left", Count: 1})
}

func TestStillIsSharpAtTheViewersRatio(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/still.html")
	for _, scale := range []float64{2, 1.25} {
		n := c.count()
		c.must("view.watch", WatchArgs{View: 1, Tab: id, Width: 400, Height: 300, Scale: scale}, nil)
		f := c.until(n, 10*time.Second, "at rest", func(f frame) bool { return f.Kind == 1 && f.PixelW == uint32(400*scale) })
		if f.PixelH != uint32(300*scale) || f.Width != 400 {
			t.Errorf("at scale %v the still has %dx%d pixels of %v CSS pixels", scale, f.PixelW, f.PixelH, f.Width)
		}
		if !shows(t, f) {
			t.Errorf("at scale %v the still shows something else", scale)
		}
		time.Sleep(500 * time.Millisecond)
		quiet(t, c, 2*time.Second)
	}
}

func TestSlowViewerNeverSlowsAFastOne(t *testing.T) {
	h := newHost(t)
	fast, slow := h.connect(), h.connect()
	slow.pause = 700 * time.Millisecond
	silent := h.connect()
	silent.silent = true
	id := fast.open(h.pages + "/moving.html")
	fast.watch(id, 800, 500)
	fast.until(0, 10*time.Second, "of the page", func(f frame) bool { return f.Kind == 0 })
	time.Sleep(time.Second)
	rate := func() float64 {
		time.Sleep(300 * time.Millisecond)
		n := fast.count()
		time.Sleep(time.Second)
		return float64(fast.count() - n)
	}
	// In turns and by the best of each: other programs take their share too.
	var alone, beside float64
	for range 3 {
		alone = max(alone, rate())
		slow.watch(id, 800, 500)
		silent.watch(id, 800, 500)
		beside = max(beside, rate())
		slow.must("view.leave", ViewArgs{View: 1}, nil)
		silent.must("view.leave", ViewArgs{View: 1}, nil)
	}
	t.Logf("alone %.0f frames/s, beside slow viewers %.0f", alone, beside)
	if beside < 0.75*alone {
		t.Errorf("the fast viewer fell from %.0f to %.0f frames/s", alone, beside)
	}
	if n := slow.count(); n == 0 || n > 12 {
		t.Errorf("the slow viewer got %d frames", n)
	}
	if n := silent.count(); n > 4 {
		t.Errorf("a viewer that acknowledges nothing got %d frames", n)
	}
}

func TestAViewerThatWasSlowGetsTheLastLook(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/other.html")
	c.watch(id, 800, 500)
	c.until(0, 20*time.Second, "at rest", func(f frame) bool { return f.Kind == 1 && near(f.pixel(t, 100, 100), yellow) })
	c.mu.Lock()
	c.silent = true
	c.mu.Unlock()
	// Every change comes after the one before was shown in full, so that Chromium
	// has no picture under way when it leaves the next ones out.
	last := color.RGBA{10, 20, 30, 255}
	for n := range 8 {
		last.R, last.B = uint8(10+30*n), uint8(250-30*n)
		h.js(id, fmt.Sprintf(`document.documentElement.style.background = 'rgb(%d,%d,%d)', 1`, last.R, last.G, last.B), new(int))
		time.Sleep(500 * time.Millisecond)
	}
	c.mu.Lock()
	c.silent = false
	seq := c.frames[len(c.frames)-1].Seq
	c.mu.Unlock()
	c.write(Ack{Ack: seq, View: 1})
	c.until(0, 20*time.Second, "of the last look", func(f frame) bool { return near(f.pixel(t, 100, 100), last) })
}

func TestAViewThatFollowsLeavesThePageItsSize(t *testing.T) {
	h := newHost(t)
	c, small := h.connect(), h.connect()
	id := c.open(h.pages + "/still.html")
	c.watch(id, 900, 600)
	c.until(0, 20*time.Second, "at rest", func(f frame) bool { return f.Kind == 1 })
	h.eventually(id, "innerWidth", "900")
	small.must("view.watch", WatchArgs{View: 1, Tab: id, Width: 1280, Height: 800, Scale: 0.5, Follow: true}, nil)
	small.until(0, 20*time.Second, "the page at its size", func(f frame) bool { return f.Width == 900 && f.Height == 600 })
	small.write(Input{In: "mouse", View: 1, Type: "down", X: 5, Y: 5, Button: "left", Buttons: 1, Count: 1})
	small.write(Input{In: "mouse", View: 1, Type: "up", X: 5, Y: 5, Button: "left", Count: 1})
	h.eventually(id, "innerWidth", "900")
	c.must("view.leave", ViewArgs{View: 1}, nil)
	h.eventually(id, "innerWidth", "1280") // alone it decides
}
