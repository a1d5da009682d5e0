package app

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"baton/backend/page"
)

// The measures of the person's side, each against a bare client of the same
// page in the same run, in turns. They take a minute and a quiet machine:
// BATON_MEASURE=1.
func measures(t *testing.T) {
	if os.Getenv("BATON_MEASURE") == "" {
		t.Skip("set BATON_MEASURE=1 to measure")
	}
}

const measured = 3 * time.Second

func TestFrameRateAgainstABareClient(t *testing.T) {
	measures(t)
	h := newHost(t)
	for _, name := range []string{"boxes", "scroll"} {
		for _, n := range []int{1, 2, 4} {
			c := h.connect()
			var ids []string
			var pages []*page.Page
			for range n {
				id := c.open(h.pages + "/" + name + ".html")
				p, err := h.tabs.Page(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				if err := p.Resize(t.Context(), 1280, 800); err != nil {
					t.Fatal(err)
				}
				ids, pages = append(ids, id), append(pages, p)
			}
			var bare, live, bareBytes, liveBytes float64
			const turns = 3
			for range turns {
				f, b := bareRate(t, pages)
				bare, bareBytes = bare+f/turns, bareBytes+b/turns
				f, b = c.liveRate(ids)
				live, liveBytes = live+f/turns, liveBytes+b/turns
			}
			t.Logf("%s, %d tabs: bare %.1f frames/s of %.0f KB, live view %.1f of %.0f KB, ratio %.2f", name, n, bare, bareBytes, live, liveBytes, live/bare)
			if live < 0.9*bare {
				t.Errorf("%s, %d tabs: the live view has %.2f of a bare client's rate", name, n, live/bare)
			}
			for _, id := range ids {
				c.must("tabs.close", TabArgs{Tab: id}, nil)
			}
		}
	}
}

// bareRate gives the frames a second and kilobytes a frame of plain
// screencasts that are acknowledged at once.
func bareRate(t *testing.T, pages []*page.Page) (rate, kb float64) {
	var frames, bytes atomic.Int64
	for _, p := range pages {
		err := p.StartCast(t.Context(), 70, 1280, 800, func(f page.Frame) {
			frames.Add(1)
			bytes.Add(int64(len(f.Data)))
			f.Ack()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(500 * time.Millisecond)
	frames.Store(0)
	bytes.Store(0)
	time.Sleep(measured)
	n, b := frames.Load(), bytes.Load()
	for _, p := range pages {
		if err := p.StopCast(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return float64(n) / measured.Seconds(), float64(b) / float64(max(n, 1)) / 1024
}

func (c *client) liveRate(ids []string) (rate, kb float64) {
	for i, id := range ids {
		c.must("view.watch", WatchArgs{View: i, Tab: id, Width: 1280, Height: 800, Scale: 1}, nil)
	}
	time.Sleep(500 * time.Millisecond)
	from := c.count()
	time.Sleep(measured)
	c.mu.Lock()
	var bytes int
	for _, f := range c.frames[from:] {
		bytes += len(f.image)
	}
	n := len(c.frames) - from
	c.frames = nil
	c.mu.Unlock()
	for i := range ids {
		c.must("view.leave", ViewArgs{View: i}, nil)
	}
	return float64(n) / measured.Seconds(), float64(bytes) / float64(max(n, 1)) / 1024
}

func TestInputToPixelAgainstABareClient(t *testing.T) {
	measures(t)
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/flash.html")
	p, err := h.tabs.Page(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Resize(t.Context(), 1280, 800); err != nil {
		t.Fatal(err)
	}
	var bare, live []time.Duration
	for range 3 {
		bare = append(bare, bareLag(t, p, 20)...)
		live = append(live, c.liveLag(id, 20)...)
	}
	t.Logf("input to changed frame: bare %s, live view %s", spread(bare), spread(live))
}

func spread(d []time.Duration) string {
	slices.Sort(d)
	if len(d) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("median %.0f ms, p95 %.0f ms of %d", ms(d[len(d)/2]), ms(d[len(d)*95/100]), len(d))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func bareLag(t *testing.T, p *page.Page, n int) (out []time.Duration) {
	came := make(chan time.Time, 16)
	if err := p.StartCast(t.Context(), 70, 1280, 800, func(f page.Frame) {
		f.Ack()
		came <- time.Now()
	}); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		time.Sleep(time.Duration(400+i*7%37) * time.Millisecond)
		for len(came) > 0 {
			<-came
		}
		start := time.Now()
		if err := p.Queue(context.Background(), input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, X: 300, Y: 300, Button: input.MouseButtonLeft, ClickCount: 1}); err != nil {
			t.Fatal(err)
		}
		out = append(out, (<-came).Sub(start))
		_ = p.Queue(context.Background(), input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseReleased, X: 300, Y: 300, Button: input.MouseButtonLeft, ClickCount: 1})
	}
	if err := p.StopCast(t.Context()); err != nil {
		t.Fatal(err)
	}
	return out
}

func (c *client) liveLag(id string, n int) (out []time.Duration) {
	c.watch(id, 1280, 800)
	time.Sleep(time.Second)
	for i := range n {
		time.Sleep(time.Duration(400+i*7%37) * time.Millisecond)
		from, start := c.count(), time.Now()
		c.write(Input{In: "mouse", View: 1, Type: "down", X: 300, Y: 300, Button: "left", Buttons: 1, Count: 1})
		f := c.until(from, 3*time.Second, "after the press", func(frame) bool { return true })
		out = append(out, f.at.Sub(start))
		c.write(Input{In: "mouse", View: 1, Type: "up", X: 300, Y: 300, Button: "left", Count: 1})
	}
	c.must("view.leave", ViewArgs{View: 1}, nil)
	return out
}

func TestClickBehindMovesIsQuick(t *testing.T) {
	measures(t)
	h, c, id := watchEcho(t)
	h.js(id, `(addEventListener('mousedown', () => { window.pressed = Date.now() }), 1)`, new(int))
	var took []time.Duration
	for round := range 20 {
		for n := range 300 {
			c.write(Input{In: "mouse", View: 1, Type: "move", X: float64(100 + n%300), Y: float64(50 + round)})
		}
		start := time.Now()
		c.click(50, 50)
		for range 500 {
			var at int64
			h.js(id, `window.pressed || 0`, &at)
			if at > 0 {
				took = append(took, time.UnixMilli(at).Sub(start))
				h.js(id, `(window.pressed = 0, 1)`, new(int))
				break
			}
			time.Sleep(2 * time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("a click behind 300 moves: %s", spread(took))
}
