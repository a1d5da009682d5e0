package page_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"baton/backend/page"
)

// Chromium gives a page the size back that it had when a picture of it was asked
// for; a size that it got meanwhile must win.
func TestASizeThatComesWhileAPictureIsTakenStays(t *testing.T) {
	p := show(t, `<p>some words</p>`)
	for round := range 6 {
		width := 600 + 20*round
		var pictures sync.WaitGroup
		for _, scale := range []float64{1, 2, 0.5} {
			pictures.Go(func() {
				if _, err := p.Still(within(t, 10*time.Second), scale, "png", 0); err != nil {
					t.Error(err)
				}
			})
		}
		pictures.Go(func() {
			if _, err := p.Screenshot(within(t, 10*time.Second), page.ShotArgs{}); err != nil {
				t.Error(err)
			}
		})
		for _, by := range []int{0, 5, 10} {
			if err := p.Resize(within(t, 10*time.Second), width+by, 400+by); err != nil {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Millisecond)
		}
		pictures.Wait()
		want := strconv.Quote(fmt.Sprintf("%dx410 1", width+10))
		got := ""
		for end := time.Now().Add(20 * time.Second); got != want && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			got = js(t, p, "innerWidth + 'x' + innerHeight + ' ' + devicePixelRatio")
		}
		if got != want {
			t.Fatalf("round %d: the page is %s, want %s", round, got, want)
		}
	}
}
