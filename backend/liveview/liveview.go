// Package liveview shows tabs to people and carries their input: one hub a tab,
// which streams pictures while somebody watches, at the size of the one who
// used the tab last.
//
// [New] makes the hubs' owner and [Views.Serve] runs it; [Views.Watch] gives a
// [Viewer]. A viewer takes pictures with Next when Ready says so and answers
// each with Ack: one is under way to a viewer, the newest wins, and a slow
// viewer never slows another. While the page moves, pictures come from its
// screencast; at rest each viewer gets one still in full quality at its own
// pixel ratio, and then nothing until the page moves again.
package liveview

import (
	"context"
	"log/slog"
	"math"
	"sync"

	"baton/backend/fault"
	"baton/backend/tab"
)

// Size is a viewer's size in CSS pixels and its pixel ratio.
type Size struct {
	Width, Height int
	Scale         float64
	Follow        bool // another viewer's size goes before it
}

// fit keeps a size within what a page can be shown at.
func (s Size) fit() Size {
	s.Width = min(max(s.Width, 64), 8192)
	s.Height = min(max(s.Height, 64), 8192)
	if math.IsNaN(s.Scale) || s.Scale <= 0 {
		s.Scale = 1
	}
	s.Scale = math.Round(min(max(s.Scale, 0.5), 4)*1000) / 1000
	return s
}

// Formats of a picture.
const (
	JPEG = 1
	PNG  = 2
)

// Picture is one picture of a tab's page.
type Picture struct {
	Data           []byte
	Format         uint8
	Still          bool    // full quality, at rest
	Width, Height  float64 // the viewport shown, CSS pixels
	PixelW, PixelH int
	Zoom           float64 // of the page; 0 is none
}

// Under is what a viewer's pointer is over.
type Under struct{ Cursor, Link, Title string }

// Views owns the hubs. Make it with New.
type Views struct {
	tabs *tab.Registry
	log  *slog.Logger

	ctx  context.Context // ends with Serve
	end  context.CancelFunc
	gate sync.Mutex     // nothing starts once the context has ended
	work sync.WaitGroup // everything that runs for a hub

	mu     sync.Mutex
	closed bool
	hubs   map[string]*hub
}

// New makes the owner of the hubs of a registry's tabs.
func New(tabs *tab.Registry, log *slog.Logger) *Views {
	v := &Views{tabs: tabs, log: log, hubs: map[string]*hub{}}
	v.ctx, v.end = context.WithCancel(context.Background())
	return v
}

// Serve follows the registry: pages that come, go and are replaced. When ctx
// ends, all streams end and nothing of a hub runs any more.
func (v *Views) Serve(ctx context.Context) error {
	changed, stop := v.tabs.State.Watch()
	defer stop()
	for {
		select {
		case <-changed:
			v.look()
		case <-ctx.Done():
			v.mu.Lock()
			v.closed = true
			v.mu.Unlock()
			v.gate.Lock()
			v.end()
			v.gate.Unlock()
			v.work.Wait()
			return nil
		}
	}
}

// look tells the hubs that their tab may have another page, and ends those
// whose tab is gone.
func (v *Views) look() {
	infos, _ := v.tabs.State.Get()
	open := make(map[string]bool, len(infos))
	for _, i := range infos {
		open[i.ID] = true
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for id, h := range v.hubs {
		if !open[id] && v.tabs.Live(id) == nil {
			if _, err := v.tabs.Get(id, tab.Actor{}); err != nil {
				delete(v.hubs, id)
				h.close()
				continue
			}
		}
		h.wake()
	}
}

// Watch shows a tab to a new viewer, loading the tab when it sleeps. told hears
// what lies under the viewer's pointer whenever that changes.
func (v *Views) Watch(id string, size Size, told func(Under)) (*Viewer, error) {
	info, err := v.tabs.Get(id, tab.Actor{})
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed {
		return nil, fault.New(fault.Cancelled, "Baton is stopping")
	}
	h := v.hubs[info.ID]
	if h == nil {
		h = newHub(v, info.ID)
		v.hubs[info.ID] = h
		v.run(h.direct)
	}
	return h.attach(size.fit(), told), nil
}

// run starts work that ends with Serve.
func (v *Views) run(f func()) {
	v.gate.Lock()
	defer v.gate.Unlock()
	if v.ctx.Err() == nil {
		v.work.Go(f)
	}
}
