package liveview

import (
	"context"
	"time"
)

const (
	lookEvery = 60 * time.Millisecond  // between two looks under a pointer
	lookWait  = 500 * time.Millisecond // a busy page is not asked for longer
)

// eye looks what lies under a viewer's pointer. Guarded by hub.mu.
type eye struct {
	x, y    float64
	over    bool // the pointer was over the page
	stale   bool // it moved since the last look
	looking bool
	seen    Under
}

// look notes where the pointer is.
func (v *Viewer) look(x, y float64) {
	v.hub.mu.Lock()
	v.eye.x, v.eye.y, v.eye.over, v.eye.stale = x, y, true, true
	v.watchPointer()
	v.hub.mu.Unlock()
}

// lookAgain looks at the same place: the page may have moved under it.
func (v *Viewer) lookAgain() {
	v.hub.mu.Lock()
	if v.eye.over {
		v.eye.stale = true
		v.watchPointer()
	}
	v.hub.mu.Unlock()
}

// watchPointer starts looking unless that is under way. Call with hub.mu held.
func (v *Viewer) watchPointer() {
	if v.eye.looking || v.left || v.told == nil || v.hub.ctx.Err() != nil {
		return
	}
	v.eye.looking = true
	v.hub.views.run(v.keepLooking)
}

func (v *Viewer) keepLooking() {
	h := v.hub
	for {
		h.mu.Lock()
		x, y, p := v.eye.x, v.eye.y, h.page
		if !v.eye.stale || v.left || p == nil || h.ctx.Err() != nil {
			v.eye.looking = false
			h.mu.Unlock()
			return
		}
		v.eye.stale = false
		h.mu.Unlock()

		ctx, cancel := context.WithTimeout(h.ctx, lookWait)
		u, err := p.UnderPointer(ctx, x, y)
		cancel()
		if err == nil {
			now := Under(u)
			h.mu.Lock()
			changed := now != v.eye.seen && !v.left
			v.eye.seen = now
			h.mu.Unlock()
			if changed {
				v.told(now)
			}
		}
		select {
		case <-time.After(lookEvery):
		case <-v.gone:
		case <-h.ctx.Done():
		}
	}
}
