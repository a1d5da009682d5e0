package tab

import (
	"context"
	"strings"

	"baton/backend/fault"
	"baton/backend/page"
)

// Guard looks after the pages of agents' tabs, beside what agents do there.
type Guard interface {
	// Attend looks after p until ctx ends. act runs fn in the tab's turn as an
	// operation of the agent that owns it: it fails when the agent may not act
	// there now, and the person's takeover ends it. note leaves word for the next
	// result on the tab.
	Attend(ctx context.Context, p *page.Page, act func(ctx context.Context, what string, fn func(context.Context) error) error, note func(string))
	// Stop ends what is under way on p's present documents, for good: the person
	// took the tab.
	Stop(p *page.Page)
}

// guard has the page of an agent's tab looked after until ctx ends.
func (r *Registry) guard(ctx context.Context, t *Tab, p *page.Page) {
	r.mu.Lock()
	owner := t.owner
	r.mu.Unlock()
	if r.cfg.Guard == nil || owner == Person {
		return
	}
	act := func(ctx context.Context, what string, fn func(context.Context) error) error {
		op := Op{Actor: Actor{Agent: ownerName(owner)}, Tab: t.num, What: what, Crash: true, Free: true}
		return r.Do(ctx, op, func(ctx context.Context, now *page.Page) error {
			if now != p {
				return fault.New(fault.TargetGone, "the tab shows another page now")
			}
			return fn(ctx)
		})
	}
	note := func(words string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		switch {
		case strings.Contains(t.notice, words): // of a page before, and nobody has heard it yet
		case t.notice != "":
			t.notice += " " + words
		default:
			t.notice = words
		}
	}
	r.cfg.Guard.Attend(ctx, p, act, note)
}

// unguard stops what looks after a page that the person took.
func (r *Registry) unguard(p *page.Page) {
	if r.cfg.Guard != nil && p != nil {
		r.cfg.Guard.Stop(p)
	}
}
