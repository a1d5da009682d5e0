package app

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// Chromium starts with the display's pixel ratio: moving pictures and the one at
// rest have it, the page knows it, and presses land where they are aimed, on the
// whole page and in one shown smaller.
func TestPicturesHaveTheDisplaysPixelRatio(t *testing.T) {
	for _, scale := range []float64{1, 1.25, 2} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			h := newHost(t)
			c := h.connect()
			id := c.open(h.pages + "/moving.html")
			c.must("view.watch", WatchArgs{View: 1, Tab: id, Width: 800, Height: 600, Scale: scale}, nil)
			exact := func(f frame) bool {
				return f.Width == 800 && f.Height == 600 && math.Abs(float64(f.PixelW)-800*scale) < 2 && math.Abs(float64(f.PixelH)-600*scale) < 2
			}
			c.until(0, 20*time.Second, "a moving picture at the ratio", func(f frame) bool { return f.Kind == 0 && exact(f) })
			h.eventually(id, "devicePixelRatio", fmt.Sprint(scale))

			c.must("tabs.navigate", NavigateArgs{Tab: id, URL: h.pages + "/echo.html"}, nil)
			h.eventually(id, "document.readyState + location.pathname", "complete/echo.html")
			c.until(c.count(), 20*time.Second, "a still at the ratio", func(f frame) bool { return f.Kind == 1 && exact(f) })
			c.click(371.5, 171.5)
			h.eventually(id, `log.filter(e => e.kind === 'click').map(e => [Math.round(e.x), Math.round(e.y)].join()).join(' ')`, "371,171")
		})
	}
}
