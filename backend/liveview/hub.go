package liveview

import (
	"bytes"
	"context"
	"hash/maphash"
	"image"
	_ "image/jpeg" // sizes of pictures
	_ "image/png"  // sizes of pictures
	"math"
	"sync"
	"time"

	"baton/backend/page"
)

const (
	movingQuality = 60                     // JPEG, while the page moves
	stillQuality  = 92                     // JPEG stills, of pages whose PNG is too large
	restAfter     = 250 * time.Millisecond // without a new picture the page is at rest
	stillWait     = 5 * time.Second        // bounds the taking of one still
	// With so many pictures unanswered Chromium may have left out the next ones,
	// and it never sends them later: only a still tells what the page shows.
	lossy = 2
)

// hub shows one tab. Its fields are guarded by mu; direct alone acts on the page.
type hub struct {
	views *Views
	tab   string
	ctx   context.Context // ends with the tab or with Views
	end   context.CancelFunc
	kick  chan struct{} // tells direct to look again
	seed  maphash.Seed

	mu      sync.Mutex
	viewers map[*Viewer]struct{}
	active  *Viewer // decides the page's size: the one who watched or touched last
	page    *page.Page
	cast    *castOf // the stream that runs, or nil
	ratio   float64 // pixels of a moving picture a CSS pixel; 0 until one came
	motion  int64   // grows with every picture that differs from the one before
	last    *Picture
	hash    uint64               // of last
	stills  map[float64]*Picture // by viewer's scale, of what last shows
	known   *memory
	acks    []func()  // of pictures that no viewer has taken yet
	came    time.Time // when the last picture did
	rest    *time.Timer
	taking  bool      // a still is being taken
	strange time.Time // since when pictures have a size that is not the page's
	large   bool      // the document's stills are large as PNG
	failed  int       // stills that failed in a row
}

// castOf is one stream: what it was started with.
type castOf struct {
	page *page.Page
	// What the page is laid out in, CSS pixels: a stream that goes on while that
	// changes does not always show it.
	width, height float64
	size          Size // the page's size; Scale is the pixel ratio that it is limited to, 0 for none
}

func newHub(v *Views, id string) *hub {
	h := &hub{views: v, tab: id, kick: make(chan struct{}, 1), seed: maphash.MakeSeed(), viewers: map[*Viewer]struct{}{}, known: &memory{}}
	h.ctx, h.end = context.WithCancel(v.ctx)
	h.rest = time.AfterFunc(time.Hour, h.rested)
	h.rest.Stop()
	return h
}

// wake lets direct look again.
func (h *hub) wake() {
	select {
	case h.kick <- struct{}{}:
	default:
	}
}

func (h *hub) close() {
	h.end()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rest.Stop()
	h.forget()
}

// forget drops what was seen of a page. Call with mu held.
func (h *hub) forget() {
	h.last, h.stills, h.hash, h.large, h.failed = nil, nil, 0, false, 0
	h.known = &memory{}
	h.release()
}

// release acknowledges what waits for a viewer. Call with mu held.
func (h *hub) release() {
	if len(h.acks) >= lossy && h.cast != nil {
		h.moved()
	}
	for _, ack := range h.acks {
		ack()
	}
	h.acks = nil
}

// picture takes one picture of the stream c. It runs on the page's event
// goroutine.
func (h *hub) picture(c *castOf, f page.Frame) {
	size, _, err := image.DecodeConfig(bytes.NewReader(f.Data))
	sum := maphash.Bytes(h.seed, f.Data)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cast != c || err != nil || h.odd(c.page, f) || (h.last != nil && sum == h.hash) {
		f.Ack()
		return
	}
	h.motion++
	h.last = &Picture{Data: f.Data, Format: JPEG, Width: f.Width, Height: f.Height, PixelW: size.Width, PixelH: size.Height, Zoom: c.page.InForce().Zoom}
	h.hash = sum
	if c.size.Scale == 0 && f.Width > 0 {
		h.ratio = math.Round(float64(size.Width)/f.Width*100) / 100
	}
	// A remembered still is for a page at rest that changes once, as a blinking
	// caret does it. In a burst this picture may not be the last look.
	h.stills = nil
	if len(h.acks) == 0 && time.Since(h.came) >= restAfter {
		h.stills = h.known.of(sum)
	}
	h.came = time.Now()
	h.acks = append(h.acks, f.Ack)
	if !h.offer() {
		h.release()
	}
	if h.complete() {
		h.rest.Stop()
		return
	}
	h.rest.Reset(restAfter)
}

// odd tells whether a picture shows the page at a size that is not its own:
// somebody takes a picture of it at another pixel ratio, which makes the page
// that large for a moment. One that stays so is its size after all. Call with
// mu held.
func (h *hub) odd(p *page.Page, f page.Frame) bool {
	w, ht := p.Viewport()
	if math.Abs(f.Width-w) <= 1 && math.Abs(f.Height-ht) <= 1 {
		h.strange = time.Time{}
		return false
	}
	if h.strange.IsZero() {
		h.strange = time.Now()
	}
	return time.Since(h.strange) < time.Second
}

// offer tells every viewer that is free of a newer picture. Call with mu held.
// It is false when there is no viewer at all.
func (h *hub) offer() bool {
	for v := range h.viewers {
		v.offer()
	}
	return len(h.viewers) > 0
}

// complete tells whether every viewer's still is there. Call with mu held.
func (h *hub) complete() bool {
	for v := range h.viewers {
		if h.stills[v.size.Scale] == nil {
			return false
		}
	}
	return true
}

// moved makes the hub take stills anew once the page rests. Call with mu held.
func (h *hub) moved() {
	h.motion++
	h.stills = nil
	h.rest.Reset(restAfter)
}
