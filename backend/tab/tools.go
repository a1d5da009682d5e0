package tab

import (
	"context"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
)

// Developer tools are the person's alone: a tab that agents neither see nor name,
// that is saved nowhere and goes with the tab whose page it is for.

// Clip is text that developer tools put on the person's clipboard.
type Clip struct{ Tab, Text string }

// Inspection says what developer tools are to begin with.
type Inspection struct {
	Menu int  // the context menu whose element is shown; 0 is none
	Pick bool // the person points at an element in the page
	Dark bool // they are drawn dark
}

// Inspect opens the developer tools of a tab for the person, beside it, or gives
// those that are open.
func (r *Registry) Inspect(ctx context.Context, id string, how Inspection) (Info, error) {
	t, _, err := r.page(id)
	if err != nil {
		return Info{}, err
	}
	if t.inspects != 0 {
		return Info{}, fault.New(fault.Unsupported, "the developer tools cannot be inspected")
	}
	p, err := r.awake(ctx, t)
	if err != nil {
		return Info{}, err
	}
	var at page.Element
	if how.Menu != 0 {
		if at, err = p.MenuElement(ctx, how.Menu); err != nil {
			return Info{}, err
		}
	}
	e, err := r.cfg.Engine(t.profile)
	if err != nil {
		return Info{}, err
	}
	tools, err := e.OpenTools(ctx, p)
	if err != nil {
		return Info{}, err
	}
	if err := tools.DrawTools(ctx, how.Dark); err != nil {
		r.cfg.Log.Debug("the developer tools kept their colours", "tab", t.num, "error", err)
	}
	x, err := r.toolsTab(ctx, t, tools)
	if err != nil {
		return Info{}, err
	}
	switch {
	case how.Menu != 0:
		err = tools.Reveal(ctx, at)
	case how.Pick:
		err = tools.Pick(ctx)
	}
	if err != nil {
		r.cfg.Log.Debug("the developer tools did not show an element", "tab", t.num, "error", err)
	}
	return r.Get(x.num, Actor{})
}

// toolsTab gives the tab that developer tools are in, made when there is none.
func (r *Registry) toolsTab(ctx context.Context, of *Tab, tools *page.Page) (*Tab, error) {
	id, err := r.cfg.Store.NewTabID(ctx)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if x := r.pages[tools]; x != nil {
		return x, nil
	}
	if of.closed {
		return nil, fault.New(fault.NoSuchTab, "tab %s was closed", of.num)
	}
	x := newTab(id)
	x.owner, x.profile, x.url, x.inspects, x.used = Person, of.profile, page.ToolsScheme, of.id, time.Now()
	r.tabs[x.id] = x
	at := len(r.order)
	for i, y := range r.order {
		if y == of {
			at = i + 1
		}
	}
	r.put(x, at)
	r.attach(x, tools)
	r.changed()
	return x, nil
}

// toolsOf gives the tabs of a tab's developer tools. Call with mu held.
func (r *Registry) toolsOf(t *Tab) []*Tab {
	var out []*Tab
	for _, x := range r.order {
		if x.inspects == t.id {
			out = append(out, x)
		}
	}
	return out
}

// inspected gives the tab that an operation of the person's is for: of developer
// tools the one that they are for.
func (r *Registry) inspected(id string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t, err := r.find(id); err == nil && t.inspects != 0 {
		return Name(t.inspects)
	}
	return id
}

// toolsAsk does what developer tools ask of their surroundings.
func (r *Registry) toolsAsk(t *Tab, w page.ToolsWord) {
	switch {
	case w.Copy != "":
		r.Clips.Publish(Clip{Tab: t.num, Text: w.Copy})
	case w.Front:
		r.Popups.Publish(Popup{Tab: t.num, From: Name(t.inspects)})
	case w.Open != "":
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		made, err := r.Open(ctx, New{URL: w.Open, Profile: t.profile})
		if err != nil {
			r.cfg.Log.Warn("developer tools could not open a tab", "error", err)
			return
		}
		r.Popups.Publish(Popup{Tab: made.ID, From: t.num})
	}
}
