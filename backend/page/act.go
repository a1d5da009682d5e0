package page

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/inject"
)

const (
	// answerWait is how long a request that an action began is waited for.
	answerWait = 150 * time.Millisecond
	// requestWait is how long a navigation that the page asked for may take to begin.
	requestWait = 400 * time.Millisecond
	// reserve is what is kept of a call's time for reading the page at the end.
	reserve = 700 * time.Millisecond
	// quietFor, frameFor, firstFor and changesMost bound the wait for the page's reaction, in milliseconds.
	quietFor, frameFor, firstFor, changesMost = 8, 4, 6, 600
	// hasteFor is all of it where the next step follows at once.
	hasteFor = 3
)

// Outcome is what an action did, as far as the page shows.
type Outcome struct {
	Said     string    // the first line: `clicked button "Save"`
	Now      []string  // states of the target, when they are news: checked, expanded
	Changed  string    // an outline of what changed; empty when nothing that shows did
	Snapshot *Snapshot // the outline of the document that came, when the action led to another
	Dialog   *Dialog   // the dialog that the action opened
	Title    string
	URL      string // redacted
	Windows  int    // how many windows the page asked for
	Chooser  bool   // the page asked for files
	Notes    []string
}

// act is an action under way: it hears what the page does from before the
// first input until the page has settled.
type act struct {
	p      *Page
	w      *waiter
	worlds []*world // the documents watched, the main one first
	disown func()
	begun  int64
	url    string

	sent    time.Time // when the first input went out
	seen    map[string]bool
	windows int
	chooser *signal
	within  bool
	pressed bool          // the mouse was pressed
	stayed  bool          // it began to load another address, and stayed
	saves   []string      // downloads that began
	program string        // the scheme of an address that it asked another program to open
	linger  time.Duration // how long a first reaction is waited for; 0 means firstFor
	patient bool          // so long for one that shows, not for any

	guard    *world         // whose guard is still to be read
	target   spot           // what it lets through
	guarded  inject.Guarded // what it saw
	hasty    bool           // the page's reaction is waited for as short as can be
	defers   bool           // the guard is read with what changed
	ask      asked          // what is read back with what changed
	told     inject.Changed // the answer to that
	answered bool           // there is one
}

// asked is what an action reads back when the page has reacted.
type asked struct {
	world   *world
	field   *inject.FieldAsk
	checked int
}

// act begins an action on documents: dialogs that it opens belong to the
// agent, and what changes in them is noted from now on, unless their worlds say
// that it is noted already. end must be called.
func (p *Page) act(ctx context.Context, targets ...*world) (*act, error) {
	main, err := p.mainWorld(ctx)
	if err != nil {
		return nil, err
	}
	a := &act{p: p, worlds: []*world{main}, seen: map[string]bool{}}
	for _, w := range targets {
		a.add(w)
	}
	a.w = p.wait()
	a.disown = p.Own(ctx)
	_, a.begun = p.Requests()
	st, _ := p.State.Get()
	a.url = st.URL
	err = a.all(func(_ int, w *world) error {
		if w.noted {
			return nil
		}
		return inject.Watch(ctx, w)
	})
	if err != nil {
		a.end()
		return nil, err
	}
	return a, nil
}

// add takes a document among those watched, once; it says whether it is new.
func (a *act) add(w *world) bool {
	if w == nil {
		return false
	}
	for _, x := range a.worlds {
		if x.unique == w.unique {
			x.noted = x.noted || w.noted
			return false
		}
	}
	a.worlds = append(a.worlds, w)
	return true
}

// watch adds a document to an action that has begun.
func (a *act) watch(ctx context.Context, w *world) {
	if a.add(w) && inject.Watch(ctx, w) != nil {
		a.worlds = a.worlds[:len(a.worlds)-1]
	}
}

// end gives the dialogs back to the person and stops listening. No guard stays.
func (a *act) end() {
	if a.guard != nil {
		a.guard.post(context.Background(), "disarm", struct{}{})
	}
	a.disown()
	a.p.unwait(a.w)
}

// all runs f on every document watched, side by side.
func (a *act) all(f func(i int, w *world) error) error {
	if len(a.worlds) == 1 {
		return f(0, a.worlds[0])
	}
	errs := make([]error, len(a.worlds))
	var wg sync.WaitGroup
	for i, w := range a.worlds {
		wg.Go(func() { errs[i] = f(i, w) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// take notes one signal.
func (a *act) take(s signal) {
	a.seen[s.kind] = true
	switch s.kind {
	case "window":
		a.windows++
	case "chooser":
		a.chooser = &s
	case "within":
		a.within = true
		if !a.seen["navigating"] && !a.seen["requested"] {
			delete(a.seen, "started") // Chromium calls even this a start of loading
		}
	case "download":
		a.saves = append(a.saves, s.download)
	case "program":
		a.program = s.program
	case "undialog":
		delete(a.seen, "dialog")
	case "stopped":
		if !a.seen["committed"] {
			a.stayed = a.stayed || a.leaving() && a.program == ""
			delete(a.seen, "started")
			delete(a.seen, "navigating")
			delete(a.seen, "requested")
		}
	}
}

// drain takes the signals that are there.
func (a *act) drain() {
	for {
		select {
		case s := <-a.w.c:
			a.take(s)
		default:
			return
		}
	}
}

// leaving says that the main document is about to go, or has gone.
func (a *act) leaving() bool {
	return a.seen["requested"] || a.seen["started"] || a.seen["committed"]
}

// halted says that the page cannot react now: a dialog is open.
func (a *act) halted() bool { return a.seen["dialog"] }

// send dispatches input and waits until the page has handled it, shows a
// dialog, or is on its way to another document.
func (a *act) send(ctx context.Context, events ...any) error {
	last, sent, err := a.p.dispatch(ctx, events...)
	if sent {
		a.began()
	}
	if err != nil || last == nil {
		return a.blame(ctx, err)
	}
	return a.blame(ctx, a.await(ctx, last))
}

// began notes that the page has got something to react to.
func (a *act) began() {
	if a.sent.IsZero() {
		a.sent = time.Now()
	}
}

func (a *act) await(ctx context.Context, q *cdp.Pending) error {
	for {
		select {
		case <-q.Done():
			if err := q.Wait(ctx, nil); err != nil && !a.leaving() {
				a.drain()
				if !a.leaving() {
					return err
				}
			}
			return nil
		case s := <-a.w.c:
			a.take(s)
			if a.halted() || a.seen["committed"] {
				return nil
			}
		case <-ctx.Done():
			return q.Wait(ctx, nil)
		}
	}
}

// blame explains an error and says whether input had gone out before it.
func (a *act) blame(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	f := fault.From(a.p.explain(ctx, err))
	if f.Effect != "" {
		return f
	}
	c := *f
	switch {
	case a.sent.IsZero():
		c.Effect = "no"
	case c.Code == fault.PageBusy:
		c.Effect = "unknown"
		c.Message = "the input was sent, and the page's main thread did not answer in time"
		c.Next = "look with browser_snapshot before trying again"
	default:
		c.Effect = "unknown"
	}
	return &c
}

// follow waits for the document that the action leads to and reads it. gone is
// false when no other document came.
func (a *act) follow(ctx context.Context, o *Outcome) (gone bool, err error) {
	most := 10 * time.Second
	if t, ok := ctx.Deadline(); ok {
		most = min(most, time.Until(t)-reserve)
	}
	end := time.NewTimer(max(most, 0))
	defer end.Stop()
	var begin, patience <-chan time.Time
	if !a.seen["started"] && !a.seen["committed"] {
		begin = time.After(requestWait)
	}
	committed := a.seen["committed"]
	if a.seen["dom"] && committed {
		patience = time.After(afterDOM)
	}
	for !(committed && a.seen["load"]) {
		select {
		case s := <-a.w.c:
			if s.kind == "committed" {
				delete(a.seen, "dom")
				delete(a.seen, "load")
				committed, begin = true, nil
			}
			a.take(s)
			switch {
			case a.halted():
				return true, nil
			case s.kind == "started":
				begin = nil
			case s.kind == "stopped" && !committed:
				a.stayed = a.program == ""
				return false, nil
			case s.kind == "within" && !committed:
				return false, nil
			case s.kind == "dom" && patience == nil:
				patience = time.After(afterDOM)
			case s.kind == "auth":
				if f := a.p.authFault(); f != nil {
					o.Notes = append(o.Notes, fault.From(f).Message)
				}
			}
		case <-begin:
			delete(a.seen, "requested")
			return false, nil
		case <-patience:
			a.seen["load"], committed = true, true
		case <-end.C:
			if !committed {
				o.Notes = append(o.Notes, "another page is being loaded and has not come yet; wait with browser_wait load")
				return true, nil
			}
			a.seen["load"] = true
		case <-ctx.Done():
			return true, context.Cause(ctx)
		}
	}
	s, err := a.p.snapshot(ctx, SnapshotArgs{})
	if err != nil {
		o.Notes = append(o.Notes, fmt.Sprintf("another page came, and it could not be read: %s", fault.From(a.p.explain(ctx, err)).Message))
		return true, nil
	}
	o.Snapshot, o.Title, o.URL = &s, s.Title, s.URL
	return true, nil
}
