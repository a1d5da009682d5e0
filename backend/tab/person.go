package tab

import (
	"context"
	"slices"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/store"
)

// The person's own navigation goes beside the queue, as their input does, and
// takes over a tab that an agent drives.

// navigateWait bounds a person's navigation; the page goes on loading after it.
const navigateWait = 60 * time.Second

// Navigate loads an address for the person. It answers once the load has
// begun; how it goes shows in the tab's state.
func (r *Registry) Navigate(ctx context.Context, id, url string) error {
	if r.inspected(id) != id {
		return fault.New(fault.Unsupported, "this tab shows developer tools").Then("open the address in another tab")
	}
	r.mu.Lock()
	if t, err := r.find(id); err == nil && t.page == nil {
		// A sleeping tab loads the new address instead of its old one.
		if t.url != "" && t.url != "about:blank" {
			t.past = append(t.past, store.Entry{URL: t.url, Title: t.title})
		}
		t.url, t.title, t.future, t.local = url, "", nil, nil
		r.mu.Unlock()
		return r.personally(ctx, id, func(context.Context, *Tab, *page.Page) error { return nil })
	}
	r.mu.Unlock()
	return r.personally(ctx, id, func(ctx context.Context, t *Tab, p *page.Page) error {
		r.mu.Lock()
		if len(t.future) > 0 { // a new address ends what was forward
			t.future = nil
		}
		t.url = url
		r.mu.Unlock()
		_, err := r.load(ctx, t, p, url, true)
		return err
	})
}

// Reload loads the page again for the person.
func (r *Registry) Reload(ctx context.Context, id string, hard bool) error {
	return r.personally(ctx, r.inspected(id), func(ctx context.Context, _ *Tab, p *page.Page) error {
		_, err := p.Reload(ctx, hard)
		return err
	})
}

// Stop ends loading.
func (r *Registry) Stop(ctx context.Context, id string) error {
	return r.personally(ctx, r.inspected(id), func(ctx context.Context, _ *Tab, p *page.Page) error { return p.Stop(ctx) })
}

// History goes back or forward for the person.
func (r *Registry) History(ctx context.Context, id string, delta int) error {
	return r.personally(ctx, r.inspected(id), func(ctx context.Context, t *Tab, p *page.Page) error { return r.move(ctx, t, p, delta) })
}

// Answer answers the tab's dialog for the person.
func (r *Registry) Answer(ctx context.Context, id string, accept bool, text *string) error {
	_, p, err := r.page(id)
	if err != nil {
		return err
	}
	if p == nil {
		return nil
	}
	_, err = p.Answer(ctx, accept, text)
	r.changed()
	return err
}

func (r *Registry) personally(ctx context.Context, id string, f func(context.Context, *Tab, *page.Page) error) error {
	t, p, err := r.page(id)
	if err != nil {
		return err
	}
	t.in.Lock()
	cut := func() {}
	if t.hold.Load() == nil && t.driven(time.Now()) != "" {
		cut = t.take(p, ByTouch)
	}
	t.input.Store(time.Now().UnixNano())
	t.in.Unlock()
	cut()
	r.changed()
	if p, err = r.awake(ctx, t); err != nil {
		return err
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), navigateWait)
		defer cancel()
		if err := f(ctx, t, p); err != nil {
			r.cfg.Log.Debug("the person's navigation ended", "tab", t.num, "error", err)
		}
		r.changed()
	}()
	return nil
}

// move goes through the page's own history first and then through what was
// restored, of which only the chosen entry loads (T5).
func (r *Registry) move(ctx context.Context, t *Tab, p *page.Page, delta int) error {
	st, _ := p.State.Get()
	r.mu.Lock()
	here := store.Entry{URL: t.url, Title: t.title}
	var to store.Entry
	// The page's own entries that way, whose count is known where it matters.
	own := 0
	switch {
	case delta < -1:
		own = t.entry
	case delta > 1:
		own = max(len(t.entries)-1-t.entry, 0)
	case delta < 0 && st.CanBack, delta > 0 && st.CanNext:
		own = 1
	}
	switch beyond := max(delta, -delta) - own; {
	case beyond <= 0:
	case delta < 0 && len(t.past) >= beyond:
		at := len(t.past) - beyond
		to = t.past[at]
		t.future = slices.Concat(t.past[at+1:], t.before(), []store.Entry{here}, t.after(), t.future)
		t.past = t.past[:at:at]
	case delta > 0 && len(t.future) >= beyond:
		to = t.future[beyond-1]
		t.past = slices.Concat(t.past, t.before(), []store.Entry{here}, t.after(), t.future[:beyond-1])
		t.future = t.future[beyond:]
	}
	r.mu.Unlock()
	if to.URL == "" {
		_, err := p.History(ctx, delta)
		return err
	}
	_, err := r.load(ctx, t, p, loadable(to.URL), false)
	// The page's own list now has both documents; the order is kept here.
	if e := p.Session().Call(ctx, "Page.resetNavigationHistory", nil, nil); err == nil {
		err = e
	}
	p.RefreshHistory()
	return err
}

// before and after give the page's own entries round the present one. Call with
// Registry.mu held.
func (t *Tab) before() []store.Entry {
	if t.entry < len(t.entries) {
		return t.entries[:t.entry]
	}
	return nil
}

func (t *Tab) after() []store.Entry {
	if t.entry < len(t.entries) {
		return t.entries[t.entry+1:]
	}
	return nil
}

// Step is an entry that a tab can go to, and how far it is.
type Step struct {
	Delta int
	URL   string
	Title string
}

// Steps gives where a tab can go: back, the nearest first, and forward.
func (r *Registry) Steps(id string) (back, forward []Step, err error) {
	t, _, err := r.page(id)
	if err != nil {
		return nil, nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	past, future := slices.Concat(t.past, t.before()), slices.Concat(t.after(), t.future)
	for i := range past {
		e := past[len(past)-1-i]
		back = append(back, Step{-1 - i, e.URL, e.Title})
	}
	for i, e := range future {
		forward = append(forward, Step{i + 1, e.URL, e.Title})
	}
	return back, forward, nil
}

// MoveIn goes back or forward for an agent, inside Do.
func (r *Registry) MoveIn(ctx context.Context, id string, p *page.Page, delta int) error {
	r.mu.Lock()
	t, err := r.find(id)
	r.mu.Unlock()
	if err != nil {
		return err
	}
	return r.move(ctx, t, p, delta)
}
