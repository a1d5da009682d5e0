package liveview

import (
	"context"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
)

const (
	commandWait = 5 * time.Second  // bounds a command to the page
	wakeWait    = 40 * time.Second // bounds the loading of a sleeping tab, a start of Chromium included
	wakeAgain   = 3 * time.Second  // between two tries to wake a tab
)

// direct makes the page do what the viewers need: awake, at the size of the
// active one, streaming while anybody watches. It ends with the hub.
func (h *hub) direct() {
	defer h.stopCast()
	var (
		woken time.Time
		woke  = make(chan struct{}, 1)
		busy  bool
		retry = time.NewTimer(time.Hour)
	)
	defer retry.Stop()
	for {
		select {
		case <-h.kick:
		case <-woke:
			busy = false
		case <-retry.C:
		case <-h.ctx.Done():
			return
		}
		p := h.views.tabs.Live(h.tab)
		h.bind(p)
		if p == nil && h.watched() && !busy {
			if wait := wakeAgain - time.Since(woken); !woken.IsZero() && wait > 0 {
				retry.Reset(wait)
				continue
			}
			woken, busy = time.Now(), true
			h.views.run(func() {
				h.load()
				woke <- struct{}{}
			})
			continue
		}
		if err := h.adjust(p); err != nil && h.ctx.Err() == nil {
			h.views.log.Debug("the live view could not be set up", "tab", h.tab, "error", err)
			retry.Reset(time.Second)
		}
	}
}

// load wakes the tab; its page shows as soon as it is made.
func (h *hub) load() {
	ctx, cancel := context.WithTimeout(h.ctx, wakeWait)
	defer cancel()
	if _, err := h.views.tabs.Page(ctx, h.tab); err != nil && !fault.Is(err, fault.NoSuchTab) && h.ctx.Err() == nil {
		h.views.log.Warn("a watched tab could not be loaded", "tab", h.tab, "error", err)
	}
}

func (h *hub) watched() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.viewers) > 0
}

// bind takes over another page of the tab, or none.
func (h *hub) bind(p *page.Page) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.page == p {
		return
	}
	h.page, h.cast = p, nil
	h.ratio = 0
	h.motion++
	h.rest.Stop()
	h.forget()
}

// adjust resizes the page, and starts or stops its stream, as the viewers want
// it now.
func (h *hub) adjust(p *page.Page) error {
	if p == nil {
		return nil
	}
	if st, _ := p.State.Get(); st.Crashed {
		h.mu.Lock()
		h.hash = 0 // the first picture of the next process counts; the page streams on by itself
		h.mu.Unlock()
		return nil
	}
	h.mu.Lock()
	cast := h.cast
	var want *castOf
	if len(h.viewers) > 0 && h.active != nil {
		want = &castOf{page: p, size: Size{Width: h.active.size.Width, Height: h.active.size.Height, Scale: h.limit()}}
	}
	h.mu.Unlock()
	switch {
	case want == nil && cast == nil:
		return nil
	case want == nil:
		h.stopCast()
		return nil
	}
	ctx, cancel := context.WithTimeout(h.ctx, commandWait)
	defer cancel()
	if s := p.Size(); s.Width != want.size.Width || s.Height != want.size.Height {
		if err := p.Resize(ctx, want.size.Width, want.size.Height); err != nil {
			return err
		}
	}
	if want.width, want.height = p.Viewport(); cast != nil && *cast == *want {
		return nil
	}
	h.mu.Lock()
	h.cast = want
	h.hash = 0 // the stream's first picture counts, whatever it shows
	h.moved()
	h.release()
	h.mu.Unlock()
	w, ht := 0, 0
	if want.size.Scale > 0 {
		w, ht = pixels(want.size.Width, want.size.Scale), pixels(want.size.Height, want.size.Scale)
	}
	if err := p.StartCast(ctx, movingQuality, w, ht, func(f page.Frame) { h.picture(want, f) }); err != nil {
		h.mu.Lock()
		if h.cast == want {
			h.cast = nil
		}
		h.mu.Unlock()
		return err
	}
	return nil
}

// limit is the pixel ratio that moving pictures are shrunk to: none unless
// Chromium draws more pixels than any viewer shows. Call with mu held.
func (h *hub) limit() float64 {
	most := 0.0
	for v := range h.viewers {
		most = max(most, v.size.Scale)
	}
	if h.ratio <= most || h.ratio == 0 {
		return 0
	}
	return most
}

func pixels(css int, scale float64) int { return int(float64(css)*scale + 0.5) }

// stopCast ends the stream that runs.
func (h *hub) stopCast() {
	h.mu.Lock()
	cast := h.cast
	h.cast = nil
	h.rest.Stop()
	h.release()
	h.mu.Unlock()
	if cast == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(h.ctx), time.Second)
	defer cancel()
	if err := cast.page.StopCast(ctx); err != nil {
		h.views.log.Debug("a stream did not stop", "tab", h.tab, "error", err)
	}
}
