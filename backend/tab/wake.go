package tab

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/store"
)

// wakeWait bounds the loading of a sleeping tab on its next use.
const wakeWait = 20 * time.Second

// Page gives the tab's page for the live view, loaded when it sleeps.
func (r *Registry) Page(ctx context.Context, id string) (*page.Page, error) {
	r.mu.Lock()
	t, err := r.find(id)
	r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return r.awake(ctx, t)
}

// awake gives the tab's page, making and loading it when there is none and
// loading it again when it crashed. Once at a time for a tab.
func (r *Registry) awake(ctx context.Context, t *Tab) (*page.Page, error) {
	select {
	case t.wake <- struct{}{}:
	case <-ctx.Done():
		return nil, fault.From(context.Cause(ctx))
	}
	defer func() { <-t.wake }()
	r.mu.Lock()
	p, url, closed := t.page, t.url, t.closed
	r.mu.Unlock()
	if closed {
		return nil, fault.New(fault.NoSuchTab, "tab %s was closed", t.num)
	}
	if p != nil {
		st, _ := p.State.Get()
		if !st.Crashed {
			return p, nil
		}
		if t.hold.Load() != nil {
			return nil, fault.New(fault.PageCrashed, "the page's process ended while the person held the tab").Then("wait for the person")
		}
		r.note(t, "The page had crashed and was loaded again; refs from before are stale.")
		wctx, cancel := context.WithTimeout(ctx, wakeWait)
		defer cancel()
		if _, err := p.Reload(wctx, false); err == nil || !fault.Is(err, fault.PageCrashed) {
			return p, ignoreLoad(err)
		}
		return nil, fault.New(fault.PageCrashed, "the page crashed again while it loaded").Then("open another address")
	}
	if t.inspects != 0 {
		return nil, fault.New(fault.NoSuchTab, "the developer tools in tab %s have ended", t.num)
	}
	p, err := r.fill(ctx, t)
	if err != nil {
		return nil, err
	}
	if url != "" && url != "about:blank" {
		wctx, cancel := context.WithTimeout(ctx, wakeWait)
		defer cancel()
		_, err := r.load(wctx, t, p, loadable(url), false)
		if fault.Is(err, fault.FileNotAllowed) || fault.Is(err, fault.Unsupported) {
			r.note(t, fault.From(err).Message+"; open it again with path.")
			err = nil
		}
		if ignoreLoad(err) != nil {
			return nil, err
		}
	}
	return p, nil
}

// deathWait bounds how long an ended Chromium may take to be seen as that.
const deathWait = 5 * time.Second

// died tells whether a page went with its Chromium before the operation had
// sent it any input, once its tab has let go of it.
func (r *Registry) died(ctx context.Context, t *Tab, me *run, p *page.Page) bool {
	t.in.Lock()
	sent := me.sent
	t.in.Unlock()
	if sent || p == nil || ctx.Err() != nil {
		return false
	}
	select {
	case <-p.Session().Ended():
	default:
		return false
	}
	for end := time.Now().Add(deathWait); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
		r.mu.Lock()
		gone, closed := t.page != p, t.closed
		r.mu.Unlock()
		if gone || closed {
			return !closed && t.hold.Load() == nil
		}
	}
	return false
}

// ignoreLoad drops the faults of a load: the tab is awake and shows why.
func ignoreLoad(err error) error {
	var f *fault.Fault
	if errors.As(err, &f) {
		switch f.Code {
		case fault.NavigationFailed, fault.TLSError, fault.AuthRequired, fault.Timeout, fault.PageBusy, fault.DialogOpen:
			return nil
		}
	}
	return err
}

// fill gives a tab a new blank page.
func (r *Registry) fill(ctx context.Context, t *Tab) (*page.Page, error) {
	e, err := r.cfg.Engine(t.profile)
	if err != nil {
		return nil, err
	}
	p, err := e.Open(ctx)
	if r.unfilled(t, err); err != nil {
		return nil, err
	}
	r.mu.Lock()
	if t.closed {
		r.mu.Unlock()
		_ = e.Close(ctx, p)
		return nil, fault.New(fault.NoSuchTab, "tab %s was closed", t.num)
	}
	r.attach(t, p)
	r.mu.Unlock()
	r.changed()
	return p, nil
}

// unfilled keeps why a tab has no page, for the person, until it has one.
func (r *Registry) unfilled(t *Tab, err error) {
	why := ""
	if fault.Is(err, fault.EngineUnavailable) {
		why = fault.From(err).Message
	}
	r.mu.Lock()
	same := t.unfilled == why
	t.unfilled = why
	r.mu.Unlock()
	if !same {
		r.changed()
	}
}

// attach joins a tab and its page. Call with mu held.
func (r *Registry) attach(t *Tab, p *page.Page) {
	t.page = p
	p.Mute(t.muted)
	own := t.owner == Person
	p.Personal(func() bool { return own || t.hold.Load() != nil })
	p.RefsFrom(t.refs)
	t.entries, t.entry, t.zoomOf = nil, 0, ""
	r.pages[p] = t
	go r.follow(t, p)
}

// follow keeps the tab's facts up with its page until the page has gone.
func (r *Registry) follow(t *Tab, p *page.Page) {
	looked, end := context.WithCancel(context.Background())
	defer end()
	go r.guard(looked, t, p)
	states, stop := p.State.Watch()
	defer stop()
	dialogs, stopDialogs := p.Dialogs.Watch()
	defer stopDialogs()
	surfaces, stopSurfaces := p.Surfaces.Watch()
	defer stopSurfaces()
	findings, stopFindings := p.Findings.Watch()
	defer stopFindings()
	deeds, stopDeeds := p.Deeds.Subscribe(16)
	defer stopDeeds()
	asks, stopAsks := p.Asks.Watch()
	defer stopAsks()
	words, stopWords := p.Words.Subscribe(4)
	defer stopWords()
	prints, stopPrints := p.Prints.Subscribe(1)
	defer stopPrints()
	programs, stopPrograms := p.Programs.Subscribe(1)
	defer stopPrograms()
	tools, stopTools := p.Tools.Subscribe(8)
	defer stopTools()
	var revision int64
	for {
		select {
		case <-states:
			st, _ := p.State.Get()
			r.mu.Lock()
			mine := t.page == p
			if mine {
				if t.url != st.URL {
					t.did(func(a *account) { a.visited(st.URL) })
				}
				t.adopt(st)
			}
			r.mu.Unlock()
			if !mine || st.Closed {
				return
			}
			if st.Revision != revision || !st.Loading {
				if st.Revision != revision {
					r.zoomed(t, p)
				}
				revision = st.Revision
				r.remember(t, p)
			}
		case <-dialogs:
		case <-surfaces:
		case <-findings:
		case d := <-deeds:
			t.did(func(a *account) { a.add(&a.deeds, d.String()) })
			continue
		case <-asks:
		case w := <-words:
			r.Words.Publish(Words{Tab: t.num, Words: w})
		case <-prints:
			r.Words.Publish(Words{Tab: t.num, Words: "This page asks to be printed.", Print: true})
			continue
		case url := <-programs:
			scheme, _, _ := strings.Cut(url, ":")
			r.Words.Publish(Words{Tab: t.num, Words: fmt.Sprintf("This page asks another program to open a %s: address.", scheme), Program: url})
			continue
		case w := <-tools:
			r.toolsAsk(t, w)
			continue
		}
		r.changed()
	}
}

// adopt takes over what the page says of itself. A page that has loaded nothing
// yet leaves what the tab is to load. Call with Registry.mu held.
func (t *Tab) adopt(st page.State) {
	if st.URL != "" && (st.URL != "about:blank" || st.Revision > 0) {
		t.url = st.URL
	}
	if st.Title != "" || st.Revision > 0 {
		t.title = st.Title
	}
	t.favicon = st.Favicon
}

// remember reads the page's history for saving.
func (r *Registry) remember(t *Tab, p *page.Page) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	list, at, err := p.Entries(ctx)
	if err != nil {
		return
	}
	entries := make([]store.Entry, 0, len(list))
	for _, e := range list {
		entries = append(entries, store.Entry{URL: e.URL, Title: e.Title})
	}
	r.mu.Lock()
	if t.page == p {
		t.entries, t.entry = entries, max(at, 0)
	}
	r.mu.Unlock()
}

// note leaves word for the next result on the tab.
func (r *Registry) note(t *Tab, words string) {
	r.mu.Lock()
	t.notice = words
	r.mu.Unlock()
}

// Notice takes the word that was left for the next result on a tab.
func (r *Registry) Notice(id string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := r.find(id)
	if err != nil {
		return ""
	}
	s := t.notice
	t.notice = ""
	return s
}
