package liveview

import "time"

// ackWait is after what time an unanswered picture counts as lost.
const ackWait = 3 * time.Second

// Viewer is one view of one tab. Ready, Next and Ack are for one goroutine;
// Leave ends it.
type Viewer struct {
	hub   *hub
	ready chan struct{}
	gone  chan struct{}
	told  func(Under)
	hand  hand

	// Guarded by hub.mu.
	size   Size
	shown  *Picture // what it took last
	flying int      // pictures under way to it
	ahead  int      // how many may be
	since  time.Time
	left   bool
	eye    eye
}

func (h *hub) attach(size Size, told func(Under)) *Viewer {
	v := &Viewer{hub: h, ready: make(chan struct{}, 1), gone: make(chan struct{}), told: told, size: size, ahead: 1}
	v.hand.v = v
	h.mu.Lock()
	h.viewers[v] = struct{}{}
	h.lead(v)
	v.offer()
	if h.cast != nil && h.stills[size.Scale] == nil {
		h.rest.Reset(restAfter)
	}
	h.mu.Unlock()
	h.wake()
	return v
}

// Tab is the id of the tab that is shown.
func (v *Viewer) Tab() string { return v.hub.tab }

// Ready is sent on when there may be a newer picture.
func (v *Viewer) Ready() <-chan struct{} { return v.ready }

// Gone is closed when the viewer has left.
func (v *Viewer) Gone() <-chan struct{} { return v.gone }

// offer wakes the viewer when a newer picture waits for it. Call with hub.mu
// held.
func (v *Viewer) offer() {
	if v.left || v.best() == v.shown || v.full() {
		return
	}
	select {
	case v.ready <- struct{}{}:
	default:
	}
}

// best is the newest picture for this viewer. Call with hub.mu held.
func (v *Viewer) best() *Picture {
	if s := v.hub.stills[v.size.Scale]; s != nil {
		return s
	}
	return v.hub.last
}

// Next takes the newest picture that the viewer has not had; nil when there is
// none, or one is still under way. The page may go on to its next one.
func (v *Viewer) Next() *Picture {
	h := v.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	p := v.best()
	if v.left || p == nil || p == v.shown || v.full() {
		return nil
	}
	v.shown, v.since = p, time.Now()
	v.flying++
	h.release()
	return p
}

// full tells whether another picture has to wait. Call with hub.mu held.
func (v *Viewer) full() bool {
	if time.Since(v.since) >= ackWait {
		v.flying = 0
	}
	return v.flying >= v.ahead
}

// Ack says that n pictures have come; the next may come while they are drawn.
func (v *Viewer) Ack(n int) {
	v.hub.mu.Lock()
	defer v.hub.mu.Unlock()
	v.flying = max(0, v.flying-n)
	v.offer()
}

// SetAhead says how many pictures may be under way at a time; one unless it is
// called. Two are for a viewer so near that its answers take longer than its
// pictures, since whoever answers them waits for the processor.
func (v *Viewer) SetAhead(n int) {
	v.hub.mu.Lock()
	defer v.hub.mu.Unlock()
	v.ahead = n
}

// Again offers the newest picture once more, to one who has had none.
func (v *Viewer) Again() {
	v.hub.mu.Lock()
	defer v.hub.mu.Unlock()
	v.shown, v.flying = nil, 0
	v.offer()
}

// Resize gives the view another size; the page follows.
func (v *Viewer) Resize(size Size) {
	size = size.fit()
	h := v.hub
	h.mu.Lock()
	was := h.active
	same := v.size == size
	v.size = size
	h.lead(v)
	same = same && h.active == was
	if !same && h.cast != nil && h.stills[size.Scale] == nil {
		h.rest.Reset(restAfter)
	}
	h.mu.Unlock()
	if !same {
		h.wake()
	}
}

// lead makes the viewer the one that decides the page's size, unless it follows
// another one. Call with mu held.
func (h *hub) lead(v *Viewer) {
	if h.active == nil || !v.size.Follow || h.active.size.Follow {
		h.active = v
	}
}

// touch makes the viewer the one that decides the page's size.
func (v *Viewer) touch() {
	h := v.hub
	h.mu.Lock()
	was := h.active
	if !v.left {
		h.lead(v)
	}
	changed := h.active != was
	h.mu.Unlock()
	if changed {
		h.wake()
	}
}

// Leave ends the view: what its person holds down is released, and the stream
// ends with its last viewer.
func (v *Viewer) Leave() {
	h := v.hub
	h.mu.Lock()
	if v.left {
		h.mu.Unlock()
		return
	}
	v.left = true
	close(v.gone)
	delete(h.viewers, v)
	if h.active == v {
		h.active = nil
		for other := range h.viewers {
			h.active = other
		}
	}
	if len(h.viewers) == 0 {
		h.release()
	}
	h.mu.Unlock()
	v.hand.leave()
	h.wake()
}
