package liveview

import (
	"bytes"
	"context"
	"image"
	"math"

	"baton/backend/page"
)

// remembered is how many looks of a page are kept with their stills, so that a
// blinking caret or a hovered button costs no new ones.
const remembered = 4

// memory keeps the stills of what a page looked like lately.
type memory struct{ looks []look }

type look struct {
	hash   uint64
	stills map[float64]*Picture
}

func (m *memory) of(hash uint64) map[float64]*Picture {
	for _, l := range m.looks {
		if l.hash == hash {
			return l.stills
		}
	}
	return nil
}

func (m *memory) keep(hash uint64, stills map[float64]*Picture) {
	for i, l := range m.looks {
		if l.hash == hash {
			m.looks[i].stills = stills
			return
		}
	}
	m.looks = append(m.looks, look{hash, stills})
	if n := len(m.looks); n > remembered {
		m.looks = append(m.looks[:0:0], m.looks[n-remembered:]...)
	}
}

// rested runs when no new picture came for a while.
func (h *hub) rested() {
	if h.ctx.Err() != nil {
		return
	}
	h.mu.Lock()
	start := !h.taking && h.page != nil && len(h.viewers) > 0
	if start {
		h.taking = true
	}
	h.mu.Unlock()
	if start {
		h.views.run(h.takeStills)
	}
}

// takeStills takes one still for each pixel ratio that is watched at, unless
// the page moves meanwhile.
func (h *hub) takeStills() {
	again := false
	defer func() {
		h.mu.Lock()
		h.taking = false
		if again {
			h.rest.Reset(restAfter)
		}
		h.mu.Unlock()
	}()
	h.mu.Lock()
	p, motion := h.page, h.motion
	h.mu.Unlock()
	if p == nil {
		return
	}
	if d, _ := p.Dialogs.Get(); d != nil {
		again = !h.shown() // its script stands still and would not answer
		return
	}
	if p.HoldsOpen() {
		again = true
		return
	}
	for {
		h.mu.Lock()
		scale, ok := h.missing()
		if h.motion != motion || h.page != p || !ok {
			again = ok && h.page == p && h.motion != motion
			h.mu.Unlock()
			h.hover()
			return
		}
		rel := 1.0
		if h.ratio > 0 {
			rel = math.Round(scale/h.ratio*1000) / 1000
		} else if scale != 1 {
			rel = scale
		}
		large := h.large
		h.mu.Unlock()

		pic, err := still(h.ctx, p, rel, large)
		h.mu.Lock()
		switch {
		case err != nil:
			h.failed++
			again = h.failed < 5 && h.page == p
			h.mu.Unlock()
			h.views.log.Debug("a still was not taken", "tab", h.tab, "error", err)
			return
		case h.motion != motion || h.page != p || p.HoldsOpen():
			again = h.page == p
			h.mu.Unlock()
			return
		}
		h.failed = 0
		if pic.Format == PNG && len(pic.Data) > pic.PixelW*pic.PixelH {
			h.large = true // more than a byte a pixel: pictures, where JPEG is far smaller
		}
		next := map[float64]*Picture{scale: pic}
		for s, old := range h.stills {
			next[s] = old
		}
		h.stills = next
		if h.last != nil {
			h.known.keep(h.hash, next)
		}
		for v := range h.viewers {
			if v.size.Scale == scale {
				v.offer()
			}
		}
		h.mu.Unlock()
	}
}

// missing gives a viewer's scale that has no still. Call with mu held.
func (h *hub) missing() (float64, bool) {
	for v := range h.viewers {
		if h.stills[v.size.Scale] == nil {
			return v.size.Scale, true
		}
	}
	return 0, false
}

// shown tells whether there is any picture to show.
func (h *hub) shown() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last != nil || len(h.stills) > 0
}

// still takes one picture in full quality. PNG is exact, and on pages of text
// smaller than a good JPEG; large says that it was not on this page.
func still(ctx context.Context, p *page.Page, scale float64, large bool) (*Picture, error) {
	ctx, cancel := context.WithTimeout(ctx, stillWait)
	defer cancel()
	pic := &Picture{Format: PNG, Still: true, Zoom: p.InForce().Zoom}
	format := "png"
	if large {
		pic.Format, format = JPEG, "jpeg"
	}
	f, err := p.Still(ctx, scale, format, stillQuality)
	if err != nil {
		return nil, err
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(f.Data))
	if err != nil {
		return nil, err
	}
	pic.Data, pic.Width, pic.Height, pic.PixelW, pic.PixelH = f.Data, f.Width, f.Height, c.Width, c.Height
	return pic, nil
}

// hover looks again what lies under the viewers' pointers: the page may have
// moved under them.
func (h *hub) hover() {
	h.mu.Lock()
	viewers := make([]*Viewer, 0, len(h.viewers))
	for v := range h.viewers {
		viewers = append(viewers, v)
	}
	h.mu.Unlock()
	for _, v := range viewers {
		v.lookAgain()
	}
}
