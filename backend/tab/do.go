package tab

import (
	"context"
	"errors"
	"slices"
	"time"

	"baton/backend/access"
	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/redact"
	"baton/backend/store"
)

// Op says what an agent wants to do on a tab.
type Op struct {
	Actor  Actor
	Tab    string
	What   string // a few words for the person: "clicking Save"
	Reads  bool   // it only reads: its result is dropped when the person took over meanwhile
	Dialog bool   // it works while a dialog is open
	Crash  bool   // it works on a crashed page as it is: closing, listing
	Free   bool   // it needs no leave: it navigates, or only changes what is in view
	Code   bool   // it runs the agent's own code in the page
	Ask    Ask    // describes it where it needs the person's leave

	leave *Leave // given by Registry.Leave
}

// run is an agent's operation under way.
type run struct {
	agent  string
	what   string
	cancel context.CancelCauseFunc
	sent   bool // input was dispatched; guarded by Tab.in
}

// gate is the run's way to the page's input; it satisfies page.Gate.
type gate struct {
	r     *Registry
	t     *Tab
	run   *run
	leave *Leave // nil where none is needed
}

// Pass runs send unless the person has taken the tab or turned access off.
func (g gate) Pass(send func() error) error { return g.through(send, true) }

// Touch is Pass for what is no input yet.
func (g gate) Touch(send func() error) error { return g.through(send, false) }

func (g gate) through(send func() error, input bool) error {
	g.t.in.Lock()
	defer g.t.in.Unlock()
	if g.t.hold.Load() != nil {
		return interrupted(g.run.sent)
	}
	if g.r.off(g.run.agent) {
		return fault.New(fault.AccessOff, "the person turned agents' access to the browser off during the call").WithEffect(effect(g.run.sent))
	}
	if input && !g.run.sent && g.leave != nil && !g.leave.unmoved() {
		return changedMeanwhile()
	}
	g.run.sent = g.run.sent || input
	return send()
}

// interrupted is the fault of an action that the person cut off.
func interrupted(sent bool) *fault.Fault {
	words := "nothing had been sent to the page"
	if sent {
		words = "some of its input had reached the page"
	}
	return fault.New(fault.InterruptedByPerson, "the person took over the tab during the call; %s", words).WithEffect(effect(sent))
}

func effect(sent bool) string {
	if sent {
		return "unknown"
	}
	return "no"
}

// off tells whether the person keeps an agent from the browser.
func (r *Registry) off(agent string) bool {
	return r.rule(agent).Mode == access.Off
}

// rule gives what an agent may do; all, where nothing says otherwise.
func (r *Registry) rule(agent string) access.Rule {
	if r.cfg.Access == nil {
		return access.Rule{Mode: access.Full}
	}
	return r.cfg.Access(agent)
}

// Do runs fn on the tab's page, alone on that tab, once the actor may act: the
// page is loaded first when it sleeps or has crashed. ctx bounds the wait for
// the tab's turn and fn. After a takeover in between, the fault says so and
// fn's result is not to be used.
func (r *Registry) Do(ctx context.Context, op Op, fn func(ctx context.Context, p *page.Page) error) error {
	t, err := r.check(op)
	if err != nil {
		return err
	}
	failures := t.failures(op.Actor.Agent)
	select {
	case t.queue <- struct{}{}:
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.Canceled) {
			return fault.New(fault.Cancelled, "the call was cancelled before its turn on tab %s", t.num)
		}
		return fault.New(fault.PageBusy, "another operation on tab %s did not end in time", t.num).Then("try again, or use another tab meanwhile")
	}
	defer func() { <-t.queue }()
	if _, err := r.check(op); err != nil {
		return err
	}
	if !op.Reads && t.failures(op.Actor.Agent) != failures {
		return fault.New(fault.Cancelled, "an action before this one failed on tab %s, so this one was not begun", t.num).
			WithEffect("no").Then("look with browser_snapshot, then go on from what is there")
	}
	// Whatever the tab loads for an agent waits for nobody.
	ctx = page.WithDialogs(ctx, op.Actor.Agent)
	var p *page.Page
	if op.Crash {
		r.mu.Lock()
		p = t.page
		r.mu.Unlock()
	} else if p, err = r.awake(ctx, t); err != nil {
		return err
	}
	if d := openDialog(p); d != nil && !op.Dialog {
		if d.For == "" {
			return fault.New(fault.DialogOpen, "the page shows the person a %s", d.Kind).Then("wait for the person to answer it, or use another tab")
		}
		return fault.New(fault.DialogOpen, "the page shows a %s: %q", d.Kind, redact.Text(d.Message))
	}

	var leave *Leave
	if r.Asks(op) {
		if err := r.verify(ctx, op, p); err != nil {
			return err
		}
		leave = op.leave
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	me := &run{agent: op.Actor.Agent, what: op.What, cancel: cancel}
	t.in.Lock()
	if t.hold.Load() != nil {
		t.in.Unlock()
		return held(t)
	}
	t.run = me
	t.in.Unlock()
	r.changed()
	defer r.ended(t, me)

	ctx = page.WithGate(ctx, gate{r, t, me, leave})
	ctx = page.WithPointer(ctx, func(at page.Pointer) {
		r.Pointers.Publish(Pointer{Tab: t.num, Agent: op.Actor.Agent, Pointer: at})
	})
	err = fn(ctx, p)
	if err != nil && !op.Crash && r.died(ctx, t, me, p) {
		// Chromium ended before it was seen to: nothing was done yet.
		if p, err = r.awake(ctx, t); err == nil {
			err = fn(ctx, p)
		}
	}
	if err != nil {
		t.letGo(p)
		// What the agent itself broke off says nothing about the page.
		if !op.Reads && !fault.Is(fault.From(err), fault.Cancelled) && !errors.Is(ctx.Err(), context.Canceled) {
			t.fail(op.Actor.Agent)
		}
	}
	r.settle(ctx, t, p)
	if t.hold.Load() != nil {
		t.in.Lock()
		sent := me.sent
		t.in.Unlock()
		var f *fault.Fault
		if errors.As(err, &f) && f.Code == fault.InterruptedByPerson {
			return f
		}
		if op.Reads {
			return interrupted(false)
		}
		return interrupted(sent)
	}
	if _, gone := r.check(op); gone != nil && !op.Crash && err == nil {
		return gone
	}
	return t.crashed(me, err)
}

// crashed says of an action that the end of its page cut off whether it may have
// had its effect.
func (t *Tab) crashed(me *run, err error) error {
	var f *fault.Fault
	if !errors.As(err, &f) || f.Code != fault.PageCrashed {
		return err
	}
	t.in.Lock()
	sent := me.sent
	t.in.Unlock()
	c := *f
	if c.Effect == "" {
		c.Effect = effect(sent)
	}
	if c.Effect == "unknown" {
		c.Next = "look with browser_snapshot before trying again: the page is loaded anew and older refs are gone"
	}
	return &c
}

// settle takes over where the operation left the page and saves it before its
// result leaves: what an agent was told survives the death of the host.
func (r *Registry) settle(ctx context.Context, t *Tab, p *page.Page) {
	if p == nil {
		return
	}
	st, _ := p.State.Get()
	r.mu.Lock()
	if t.closed || t.page != p {
		r.mu.Unlock()
		return
	}
	was := [2]string{t.url, t.title}
	t.adopt(st)
	position := slices.Index(r.order, t)
	row := t.row(position)
	same := was == [2]string{t.url, t.title} && t.savedURL == row.URL
	t.savedURL = row.URL
	r.mu.Unlock()
	if same {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	r.unknown(&row)
	if err := r.cfg.Store.SaveTabs(ctx, []store.Tab{row}); err != nil {
		r.cfg.Log.Error("a tab could not be saved", "tab", t.num, "error", err)
	}
}

// failures counts the failed actions of an agent on the tab: what waits behind
// one of them is not begun (A11).
func (t *Tab) failures(agent string) int {
	t.in.Lock()
	defer t.in.Unlock()
	return t.failed[agent]
}

func (t *Tab) fail(agent string) {
	t.in.Lock()
	defer t.in.Unlock()
	if t.failed == nil {
		t.failed = map[string]int{}
	}
	t.failed[agent]++
}

// letGo releases what a failed or cancelled action still holds down, unless the
// person's own input is at work.
func (t *Tab) letGo(p *page.Page) {
	if p == nil {
		return
	}
	t.in.Lock()
	defer t.in.Unlock()
	if t.hold.Load() == nil {
		p.Release(context.Background())
	}
}

func (r *Registry) ended(t *Tab, me *run) {
	t.in.Lock()
	if t.run == me {
		t.run = nil
	}
	t.lastAgent, t.lastEnd = me.agent, time.Now()
	t.in.Unlock()
	r.mu.Lock()
	t.used = time.Now()
	r.mu.Unlock()
	r.changed()
	// The strip stops saying that the agent drives once the time has passed.
	time.AfterFunc(driveTime+50*time.Millisecond, r.changed)
}

// check is the one check that every operation on a tab passes (T3).
func (r *Registry) check(op Op) (*Tab, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := r.findFor(op.Tab, op.Actor)
	if err != nil {
		return nil, err
	}
	if op.Actor.IsPerson() {
		return t, nil
	}
	if r.off(op.Actor.Agent) {
		return nil, fault.New(fault.AccessOff, "the person has turned agents' access to the browser off")
	}
	if op.Code && r.rule(op.Actor.Agent).Bounded {
		return nil, fault.New(fault.AccessOff, "the person keeps this agent from running code in pages").Then("use the other tools")
	}
	if t.owner != op.Actor.owner() {
		if t.owner != Person {
			return nil, fault.New(fault.NotYourTab, "tab %s belongs to %s", t.num, ownerName(t.owner))
		}
		if t.private {
			return nil, fault.New(fault.NotYourTab, "the person keeps tab %s private", t.num)
		}
	}
	if t.hold.Load() != nil {
		return nil, held(t)
	}
	return t, nil
}

func held(t *Tab) *fault.Fault {
	return fault.New(fault.InUseByPerson, "the person is using tab %s", t.num)
}

func openDialog(p *page.Page) *page.Dialog {
	if p == nil {
		return nil
	}
	d, _ := p.Dialogs.Get()
	return d
}
