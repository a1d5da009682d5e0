package tab

import (
	"context"
	"errors"
	"slices"
	"time"

	"baton/backend/card"
	"baton/backend/fault"
	"baton/backend/page"
)

// Ask describes an action for the person, where its agent may act only with
// their leave (A10). It is called again right before the action and must act
// on nothing.
type Ask func(ctx context.Context, p *page.Page) (card.Action, error)

// Leave is the person's leave for one action: it holds for the page, the
// control of the tab and the target that the person was shown, and no others.
type Leave struct {
	page     *page.Page
	revision int64
	url      string
	control  int64
	action   card.Action
}

const (
	// askWait is how long a card waits for the person. Many clients give up on a
	// call after a minute.
	askWait = 55 * time.Second
	// describeWait bounds finding out what an action would act on.
	describeWait = 8 * time.Second
)

// Asks tells whether an operation needs the person's leave. Only what reads
// without running code and what is said to be free goes without.
func (r *Registry) Asks(op Op) bool {
	return !op.Actor.IsPerson() && (!op.Reads || op.Code) && !op.Free && r.rule(op.Actor.Agent).Asks()
}

// Leave asks the person for their leave where the operation needs it, and adds
// it to the operation. It waits up to 55 s; a refusal, and a question that
// nobody answers or that the page outlives, is a fault.
func (r *Registry) Leave(ctx context.Context, op Op) (Op, error) {
	if !r.Asks(op) {
		return op, nil
	}
	if op.Ask == nil || r.cfg.Cards == nil || !r.cfg.Cards.Attended() {
		return op, nobody()
	}
	l := &Leave{}
	look := Op{Actor: op.Actor, Tab: op.Tab, What: "asking to go on", Reads: true, Dialog: op.Dialog, Crash: op.Crash}
	looking, cancel := context.WithTimeout(ctx, describeWait)
	err := r.Do(looking, look, func(ctx context.Context, p *page.Page) error {
		r.mu.Lock()
		t, err := r.find(op.Tab)
		r.mu.Unlock()
		if err != nil {
			return err
		}
		l.page, l.control = p, t.control.Load()
		if p != nil {
			st, _ := p.State.Get()
			l.revision, l.url = st.Revision, st.URL
		}
		l.action, err = op.Ask(ctx, p)
		return err
	})
	cancel()
	if err != nil {
		return op, err
	}
	c := card.Card{Kind: card.Approval, Agent: op.Actor.Agent, Tab: op.Tab, Until: time.Now().Add(askWait), Action: l.action}
	outcome, err := r.cfg.Cards.Ask(ctx, c, func() bool { return r.fits(op, l) })
	switch {
	case errors.Is(err, card.ErrNobody):
		return op, nobody()
	case err != nil && ctx.Err() != nil:
		return op, fault.New(fault.Cancelled, "the call was cancelled while it waited for the person's leave").WithEffect("no")
	case err != nil:
		return op, err
	case outcome == card.Declined:
		return op, fault.New(fault.ApprovalDeclined, "the person declined this").WithEffect("no")
	case outcome == card.Expired && r.fits(op, l):
		return op, fault.New(fault.ApprovalExpired, "the person did not answer within %s", askWait).WithEffect("no").Then("ask the person in the conversation, then try again")
	case outcome == card.Expired:
		if _, err := r.check(op); err != nil {
			return op, err
		}
		return op, changedMeanwhile()
	}
	op.leave = l
	return op, nil
}

// fits tells whether the page and who controls it are as the person was shown.
func (r *Registry) fits(op Op, l *Leave) bool {
	t, err := r.check(op)
	if err != nil {
		return false
	}
	r.mu.Lock()
	p := t.page
	r.mu.Unlock()
	return p == l.page && t.control.Load() == l.control && l.unmoved()
}

// unmoved tells whether the page still shows the same document and address.
func (l *Leave) unmoved() bool {
	if l.page == nil {
		return true
	}
	st, _ := l.page.State.Get()
	return st.Revision == l.revision && st.URL == l.url
}

// verify looks once more, in the operation's own turn, that the leave fits what
// is about to happen.
func (r *Registry) verify(ctx context.Context, op Op, p *page.Page) error {
	if op.leave == nil {
		return nobody()
	}
	if p != op.leave.page || !r.fits(op, op.leave) {
		return changedMeanwhile()
	}
	now, err := op.Ask(ctx, p)
	if err != nil {
		return err
	}
	if !slices.EqualFunc(now.Targets, op.leave.action.Targets, card.Target.Same) {
		return changedMeanwhile()
	}
	return nil
}

func nobody() error {
	return fault.New(fault.ApprovalExpired, "this needs the person's leave, and nobody is there to give it").WithEffect("no").
		Then("tell the person to open Baton's window, then try again")
}

func changedMeanwhile() error {
	return fault.New(fault.ApprovalExpired, "the page changed before the person's leave could be used").WithEffect("no")
}
