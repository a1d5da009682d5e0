package tab

import (
	"context"
	"slices"
	"time"

	"baton/backend/page"
)

// When an idle tab's page is unloaded (T6).
const (
	sleepAfter    = 15 * time.Minute
	sleepAfterLow = 5 * time.Minute // when the computer's memory is low
	spareTabs     = 3               // idle tabs that stay loaded …
	spareAfter    = 2 * time.Minute // … beyond which the least recently used sleep after this
	napEvery      = 20 * time.Second
)

// nap puts idle tabs to sleep: their page is unloaded and its renderer ends;
// the tab stays and loads on its next use.
func (r *Registry) nap(now time.Time, low bool) {
	limit := sleepAfter
	if low {
		limit = sleepAfterLow
	}
	r.mu.Lock()
	var idle []*Tab
	for _, t := range r.order {
		if r.idle(t) {
			idle = append(idle, t)
		}
	}
	slices.SortFunc(idle, func(a, b *Tab) int { return b.used.Compare(a.used) }) // newest first
	var tired []*Tab
	for n, t := range idle {
		if d := now.Sub(t.used); d > limit || (n >= spareTabs && d > spareAfter) {
			tired = append(tired, t)
		}
	}
	r.mu.Unlock()
	for _, t := range tired {
		r.sleep(t)
	}
}

// idle tells whether a tab could sleep. Call with mu held.
func (r *Registry) idle(t *Tab) bool {
	if t.inspects != 0 || len(r.toolsOf(t)) > 0 {
		return false
	}
	if t.page == nil || t.hold.Load() != nil || t.num == r.Shown() || t.page.Watched() || len(t.queue) > 0 || openDialog(t.page) != nil {
		return false
	}
	if st, _ := t.page.State.Get(); st.Loading || st.Crashed || st.Closed {
		return false
	}
	if t.live || slices.ContainsFunc(r.order, func(x *Tab) bool { return x.live && x.opener == t.id }) {
		return false // connected pages cannot be brought back connected
	}
	return true
}

// sleep unloads a tab's page, unless it is used in that moment or plays sound.
func (r *Registry) sleep(t *Tab) {
	select {
	case t.queue <- struct{}{}:
	default:
		return
	}
	defer func() { <-t.queue }()
	select {
	case t.wake <- struct{}{}:
	default:
		return
	}
	defer func() { <-t.wake }()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	r.mu.Lock()
	p := t.page
	r.mu.Unlock()
	if p == nil || p.Playing(ctx) {
		return
	}
	r.remember(t, p)
	r.mu.Lock()
	if t.page != p || t.closed || !r.idleBut(t) {
		r.mu.Unlock()
		return
	}
	r.detach(t, p)
	t.notice = "The tab had slept and was loaded again; refs from before are stale."
	r.mu.Unlock()
	r.changed()
	if e, err := r.cfg.Engine(t.profile); err == nil {
		if err := e.Close(ctx, p); err != nil {
			r.cfg.Log.Warn("a sleeping tab's page did not close", "tab", t.num, "error", err)
		}
	}
}

// idleBut is idle for a tab whose queue the caller holds. Call with mu held.
func (r *Registry) idleBut(t *Tab) bool {
	return t.hold.Load() == nil && t.num != r.Shown() && !t.page.Watched() && openDialog(t.page) == nil
}

// detach takes a tab's page away and keeps what is needed to load it again.
// Call with mu held.
func (r *Registry) detach(t *Tab, p *page.Page) {
	delete(r.pages, p)
	p.LeaveLocal()
	t.page = nil
	t.past = slices.Concat(t.past, before(t))
	if t.entry+1 < len(t.entries) {
		t.future = slices.Concat(t.entries[t.entry+1:], t.future)
	}
	t.entries, t.entry = nil, 0
	t.refs = p.NextRef()
	t.live = false
}
