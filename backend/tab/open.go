package tab

import (
	"context"
	"slices"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/store"
)

// New says what tab to make.
type New struct {
	Actor   Actor
	URL     string // loaded on first use; empty is a blank page
	Profile string // empty is the shared one
}

// Shared is the default profile.
const Shared = "shared"

// Open makes a tab at the strip's end. Its page comes with its first use.
func (r *Registry) Open(ctx context.Context, n New) (Info, error) {
	if n.Profile == "" {
		n.Profile = Shared
	}
	if _, err := r.cfg.Engine(n.Profile); err != nil {
		return Info{}, err
	}
	if !n.Actor.IsPerson() && r.off(n.Actor.Agent) {
		return Info{}, fault.New(fault.AccessOff, "the person has turned agents' access to the browser off")
	}
	if n.URL == "" {
		n.URL = "about:blank"
	}
	t, err := r.add(ctx, store.Tab{Owner: n.Actor.owner(), Profile: n.Profile, URL: clean(n.URL)}, nil)
	if err != nil {
		return Info{}, err
	}
	r.mu.Lock()
	t.url = n.URL
	r.mu.Unlock()
	r.changed()
	return r.Get(t.num, n.Actor)
}

// add saves a tab and puts it in the strip: after another one, or at the end.
func (r *Registry) add(ctx context.Context, row store.Tab, after *Tab) (*Tab, error) {
	r.mu.Lock()
	row.Position = len(r.order)
	r.mu.Unlock()
	r.unknown(&row)
	id, err := r.cfg.Store.AddTab(ctx, row)
	if err != nil {
		r.cfg.Log.Error("a tab could not be saved", "error", err)
		return nil, fault.New(fault.Internal, "the tab could not be saved in Baton's data folder").Because(err).
			Then("tell the person to check that the disk is not full and the folder can be written")
	}
	t := newTab(id)
	t.owner, t.profile, t.url, t.title, t.private, t.pinned = row.Owner, row.Profile, row.URL, row.Title, row.Private, row.Pinned
	t.used = time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tabs[id] = t
	at := len(r.order)
	if after != nil {
		if i := slices.Index(r.order, after); i >= 0 {
			at = i + 1
		}
	}
	r.put(t, at)
	return t, nil
}

// Close closes a tab. The person may close any; an agent its own, and not one
// that is held. What the person closes can be reopened.
func (r *Registry) Close(ctx context.Context, id string, a Actor) error {
	t, err := r.check(Op{Actor: a, Tab: id})
	if fault.Is(err, fault.InUseByPerson) {
		return fault.From(err).Then("leave it open: the person gives it back, or closes it; go on in another tab")
	}
	if err != nil {
		return err
	}
	r.mu.Lock()
	if !a.IsPerson() && t.owner != a.owner() {
		r.mu.Unlock()
		return fault.New(fault.NotYourTab, "tab %s is the person's; only the person closes it", t.num).Then("leave it open")
	}
	r.mu.Unlock()
	t.in.Lock()
	if t.run != nil {
		// An action that another call's closing cut off is not done: it says so.
		f := fault.New(fault.NoSuchTab, "tab %s was closed by another call during this one", t.num)
		t.run.cancel(f.WithEffect(effect(t.run.sent)).Then("call browser_tabs"))
	}
	t.in.Unlock()
	return r.close(ctx, t, a.IsPerson())
}

// close takes a tab out of the strip and closes its page.
func (r *Registry) close(ctx context.Context, t *Tab, keep bool) error {
	r.mu.Lock()
	if t.closed {
		r.mu.Unlock()
		return nil
	}
	t.closed = true
	p := t.page
	t.page = nil
	last := t.row(slices.Index(r.order, t))
	delete(r.tabs, t.id)
	r.order = slices.DeleteFunc(r.order, func(x *Tab) bool { return x == t })
	delete(r.pages, p)
	var dependent []*Tab
	for _, x := range r.order {
		if x.opener == t.id && x.live {
			dependent = append(dependent, x)
		}
	}
	tools := r.toolsOf(t)
	r.mu.Unlock()
	t.in.Lock()
	running := t.run
	t.in.Unlock()
	if running != nil {
		running.cancel(fault.New(fault.NoSuchTab, "the tab was closed during the call"))
	}
	r.changed()
	for _, x := range tools { // while their page is there to close
		if err := r.close(ctx, x, false); err != nil {
			return err
		}
	}
	r.unknown(&last)
	if t.inspects == 0 {
		if err := r.cfg.Store.SaveTabs(ctx, []store.Tab{last}); err != nil {
			return err
		}
		if err := r.cfg.Store.CloseTab(ctx, t.id, keep && last.URL != "about:blank"); err != nil {
			return err
		}
	}
	if p != nil {
		if e, err := r.cfg.Engine(t.profile); err == nil {
			if err := e.Close(ctx, p); err != nil {
				r.cfg.Log.Warn("a page did not close", "tab", t.num, "error", err)
			}
		}
	}
	// Popups that keep an opener close with it (T8).
	for _, x := range dependent {
		if err := r.close(ctx, x, false); err != nil {
			return err
		}
	}
	return nil
}

// Reopen brings back the tab that the person closed last: under a new id, at its
// place and with its history.
func (r *Registry) Reopen(ctx context.Context) (Info, error) {
	var row store.Tab
	for {
		var ok bool
		var err error
		row, ok, err = r.cfg.Store.ClosedTab(ctx)
		if err != nil {
			return Info{}, err
		}
		if !ok {
			return Info{}, fault.New(fault.NoSuchTab, "no closed tab is left to reopen")
		}
		if _, err := r.cfg.Engine(row.Profile); err == nil {
			break
		}
		// Its profile is gone: the tab before it is meant.
		if err := r.cfg.Store.DropClosed(ctx, row.ID); err != nil {
			return Info{}, err
		}
	}
	old, place := row.ID, row.Position
	row.Hold, row.Owner = "", Person
	t, err := r.add(ctx, row, nil)
	if err != nil {
		return Info{}, err
	}
	r.mu.Lock()
	if len(row.History) > 0 {
		t.past, t.future = row.History[:row.Entry:row.Entry], row.History[row.Entry+1:]
	}
	r.put(t, place)
	r.mu.Unlock()
	r.changed()
	if err := r.cfg.Store.DropClosed(ctx, old); err != nil {
		return Info{}, err
	}
	return r.Get(t.num, Actor{})
}

// Move gives a tab another place in the strip. Pinned tabs stay before the
// others: a place on the other side means the nearest on its own.
func (r *Registry) Move(id string, index int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := r.find(id)
	if err != nil {
		return err
	}
	r.put(t, index)
	r.changed()
	return nil
}

// SetPrivate hides a tab of the person's from agents, or shows it again.
func (r *Registry) SetPrivate(id string, private bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := r.find(id)
	if err != nil {
		return err
	}
	if t.owner != Person {
		return fault.New(fault.Unsupported, "tab %s is an agent's: it cannot be hidden from it", t.num).Then("close it, or take it over")
	}
	t.private = private
	r.changed()
	return nil
}

// Popup takes a page that another page opened (T8): a tab of the same owner and
// profile, next to the one it came from.
func (r *Registry) Popup(profile string, p, from *page.Page, opener bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r.mu.Lock()
	parent := r.pages[from]
	if from != nil && parent == nil {
		r.mu.Unlock()
		r.drop(ctx, profile, p) // its opener's tab closed meanwhile
		return
	}
	owner, private := Person, false
	if parent != nil {
		owner, private = parent.owner, parent.private
		parent.in.Lock()
		if agent := parent.driven(time.Now()); agent != "" && parent.hold.Load() == nil && owner == Person {
			owner = agentPrefix + agent // an agent's action opened it on the person's page
		}
		parent.in.Unlock()
	}
	r.mu.Unlock()
	t, err := r.add(ctx, store.Tab{Owner: owner, Profile: profile, URL: "about:blank", Private: private}, parent)
	if err != nil {
		r.cfg.Log.Error("a popup could not be kept", "error", err)
		return
	}
	r.mu.Lock()
	r.attach(t, p)
	ev := Popup{Tab: t.num}
	if parent != nil {
		t.opener, t.live = parent.id, opener
		ev.From = parent.num
	}
	r.mu.Unlock()
	r.changed()
	r.Popups.Publish(ev)
}

// drop closes a page that is no tab's.
func (r *Registry) drop(ctx context.Context, profile string, p *page.Page) {
	e, err := r.cfg.Engine(profile)
	if err == nil {
		err = e.Close(ctx, p)
	}
	if err != nil {
		r.cfg.Log.Warn("a page without a tab did not close", "error", err)
	}
}

// PageGone hears that a page closed by itself or died with its Chromium. A page
// that closed itself takes its tab along; a dead Chromium's tabs stay.
func (r *Registry) PageGone(p *page.Page) {
	r.mu.Lock()
	t := r.pages[p]
	delete(r.pages, p)
	if t == nil || t.page != p || r.stopping {
		r.mu.Unlock()
		return
	}
	st, _ := p.State.Get()
	if st.Closed && !st.Crashed || t.inspects != 0 {
		r.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := r.close(ctx, t, false); err != nil {
			r.cfg.Log.Error("a closed page's tab stayed", "tab", t.num, "error", err)
		}
		return
	}
	r.detach(t, p)
	t.notice = "Chromium had ended and was started again; the page was loaded anew and refs from before are stale."
	r.mu.Unlock()
	r.changed()
}

func before(t *Tab) []store.Entry {
	if t.entry > 0 && t.entry <= len(t.entries) {
		return t.entries[:t.entry]
	}
	return nil
}
