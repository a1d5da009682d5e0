package tab

import (
	"context"

	"baton/backend/fault"
	"baton/backend/page"
)

// The person's answers to what pages ask go to the page beside its queue, and
// take no tab over: a page that waits for them waits for an agent, too.

// live gives the page that a tab has now.
func (r *Registry) live(id string) (*page.Page, error) {
	_, p, err := r.page(id)
	if err == nil && p == nil {
		err = fault.New(fault.NoSuchTab, "tab %s is asleep", id)
	}
	return p, err
}

// Sign answers a site's question for a user name and password. It answers once
// the page goes on; how the load went shows in the tab's state.
func (r *Registry) Sign(ctx context.Context, id string, ask int, user, password string) error {
	p, err := r.live(id)
	if err != nil {
		return err
	}
	defer r.changed()
	return p.Sign(ctx, ask, user, password)
}

// CancelSignIn goes on without a user name and password.
func (r *Registry) CancelSignIn(id string, ask int) error {
	p, err := r.live(id)
	if err != nil {
		return err
	}
	defer r.changed()
	p.CancelSignIn(ask)
	return nil
}

// AskSignIn asks once more for what a load was refused without.
func (r *Registry) AskSignIn(id string) error {
	p, err := r.live(id)
	if err != nil {
		return err
	}
	defer r.changed()
	p.AskSignIn()
	return nil
}

// CancelChooser ends a page's request for files.
func (r *Registry) CancelChooser(id string, ask int) error {
	p, err := r.live(id)
	if err != nil {
		return err
	}
	defer r.changed()
	p.CancelChooser(ask)
	return nil
}

// MayOpenAnyway tells whether the person may go past the problem with the
// certificate of what the tab failed to load; the fault says why not.
func (r *Registry) MayOpenAnyway(ctx context.Context, id string) error {
	p, err := r.live(id)
	if err != nil {
		return err
	}
	return p.MayOpenAnyway(ctx)
}

// OpenAnyway loads what the tab failed to load for its certificate. A tab of an
// agent has to be held by the person.
func (r *Registry) OpenAnyway(ctx context.Context, id string) error {
	r.mu.Lock()
	t, err := r.find(id)
	r.mu.Unlock()
	if err != nil {
		return err
	}
	if t.owner != Person && t.hold.Load() == nil {
		return fault.New(fault.InUseByPerson, "the tab is %s's", ownerName(t.owner)).Then("take it over first")
	}
	return r.personally(ctx, id, func(ctx context.Context, _ *Tab, p *page.Page) error { return p.OpenAnyway(ctx) })
}

// QuietDialogs has the tab's document show no more dialogs.
func (r *Registry) QuietDialogs(id string) error {
	p, err := r.live(id)
	if err != nil {
		return err
	}
	p.QuietDialogs()
	return nil
}
