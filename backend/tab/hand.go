package tab

import (
	"context"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
)

// Hand runs what the person does to a tab's page beside the queue, as their
// input: a tab that an agent drives is taken over first.
func (r *Registry) Hand(ctx context.Context, id string, f func(ctx context.Context, p *page.Page) error) error {
	t, p, err := r.page(id)
	if err != nil {
		return err
	}
	if p == nil {
		return fault.New(fault.NoSuchTab, "tab %s is asleep", id)
	}
	cut := func() {}
	t.in.Lock()
	took := t.hold.Load() == nil && t.driven(time.Now()) != ""
	if took {
		cut = t.take(p, ByTouch)
	}
	t.input.Store(time.Now().UnixNano())
	t.in.Unlock()
	cut()
	if took {
		r.unguard(p)
		r.changed()
	}
	return f(ctx, p)
}
