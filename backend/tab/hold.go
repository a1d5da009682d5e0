package tab

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/input"

	"baton/backend/fault"
	"baton/backend/page"
)

// Take gives the tab to the person: from the moment it returns no input of an
// agent reaches the page, and what the agent held down is released. The
// agent's action under way ends as interrupted.
func (r *Registry) Take(id, how string) error {
	t, p, err := r.page(id)
	if err != nil {
		return err
	}
	t.in.Lock()
	cut := t.take(p, how)
	t.in.Unlock()
	cut()
	r.unguard(p)
	r.changed()
	return nil
}

// take closes the gate. Call with in held and the returned func after it is
// let go.
func (t *Tab) take(p *page.Page, how string) (cut func()) {
	now := time.Now()
	old := t.hold.Load()
	h := &Hold{How: how, Since: now, Agent: t.driven(now)}
	if old != nil {
		h.Since, h.Agent = old.Since, old.Agent
		if old.How == ByCard || old.How == ByButton && how == ByTouch {
			h.How = old.How // a touch never weakens what a button took, and nothing what a card holds
		}
	}
	if old == nil {
		t.account.Store(&account{})
	}
	t.hold.Store(h)
	t.control.Add(1)
	t.input.Store(now.UnixNano())
	running := t.run
	if old == nil && p != nil {
		if h.Agent != "" {
			p.Yield(yieldWait)
		}
		p.Release(context.Background())
	}
	return func() {
		if p != nil {
			p.HandOver()
		}
		if running != nil {
			t.in.Lock()
			sent := running.sent
			t.in.Unlock()
			running.cancel(interrupted(sent))
		}
	}
}

// yieldWait bounds how long a takeover waits for the page to let go of what the
// agent's action has under way in it. An ordinary page takes a millisecond.
const yieldWait = 80 * time.Millisecond

// Give hands a held tab back to the agents. The next result on the tab says so,
// with the person's note when there is one.
func (r *Registry) Give(id, note string) error {
	t, p, err := r.page(id)
	if err != nil {
		return err
	}
	r.give(t, p, note)
	return nil
}

// noteMost bounds a person's note, in characters.
const noteMost = 500

// give ends a hold and leaves word of it for the agent's next result.
func (r *Registry) give(t *Tab, p *page.Page, note string) {
	t.in.Lock()
	if p != nil {
		p.Release(context.Background())
	}
	was := t.hold.Swap(nil)
	did := t.account.Swap(nil)
	t.control.Add(1)
	t.lastAgent = ""
	t.in.Unlock()
	if was == nil {
		return
	}
	words := "The person used this tab and gave it back"
	if r := []rune(note); len(r) > noteMost {
		note = string(r[:noteMost]) + "…"
	}
	if note != "" {
		words += fmt.Sprintf(", saying %q", note)
	}
	words += "; look at it anew."
	if d := did.words(); d != "" {
		words += " " + d
	}
	if p != nil {
		words = p.Clean(words)
	}
	r.note(t, words)
	r.changed()
}

// expire ends the holds by touch that the person no longer uses.
func (r *Registry) expire(now time.Time) {
	limit := 30 * time.Second
	if r.cfg.TouchHold != nil {
		limit = r.cfg.TouchHold()
	}
	r.mu.Lock()
	var over []*Tab
	for _, t := range r.order {
		if h := t.hold.Load(); h != nil && h.How == ByTouch && now.Sub(time.Unix(0, t.input.Load())) > limit {
			over = append(over, t)
		}
	}
	pages := make([]*page.Page, len(over))
	for i, t := range over {
		pages[i] = t.page
	}
	r.mu.Unlock()
	for i, t := range over {
		r.give(t, pages[i], "")
	}
}

// Input sends the person's input to a tab's page, ahead of whatever an agent
// has waiting. A press, key, wheel, touch or text takes over a tab that an
// agent drives. A move never does, nor does letting go of what is not held any
// more: of the keys that gave the tab back. Both are dropped while the agent's
// own input is at work.
func (r *Registry) Input(ctx context.Context, id string, events ...any) error {
	t, p, err := r.page(id)
	if err != nil {
		return err
	}
	if p == nil {
		return fault.New(fault.NoSuchTab, "tab %s is asleep", id)
	}
	now := time.Now()
	cut := func() {}
	took := false
	t.in.Lock()
	driver := t.driven(now)
	if touches(p, events) {
		if t.hold.Load() == nil && driver != "" {
			cut = t.take(p, ByTouch)
			took = true
		}
		t.input.Store(now.UnixNano())
	} else if t.hold.Load() == nil && t.run != nil {
		t.in.Unlock()
		return nil
	}
	err = p.Queue(ctx, events...)
	t.in.Unlock()
	cut()
	if took {
		r.unguard(p)
		r.changed()
	}
	return err
}

// touches tells whether any of the events is more than a move or a late end.
func touches(p *page.Page, events []any) bool {
	return slices.ContainsFunc(events, func(ev any) bool {
		switch e := ev.(type) {
		case input.DispatchMouseEventParams:
			return e.Type != input.DispatchMouseEventTypeMouseMoved && (e.Type != input.DispatchMouseEventTypeMouseReleased || p.IsDown(e))
		case input.DispatchKeyEventParams:
			return e.Type != input.DispatchKeyEventTypeKeyUp || p.IsDown(e)
		}
		return true
	})
}

// LetGo releases what the person holds down on a tab: their view lost focus.
func (r *Registry) LetGo(id string) {
	t, p, err := r.page(id)
	if err != nil || p == nil {
		return
	}
	t.in.Lock()
	defer t.in.Unlock()
	if t.run == nil {
		p.Release(context.Background())
	}
}

// HandOver makes the dialogs that an agent's actions opened the person's: the
// agent has left.
func (r *Registry) HandOver(agent string) {
	r.mu.Lock()
	var pages []*page.Page
	for _, t := range r.order {
		if t.page != nil {
			if d, _ := t.page.Dialogs.Get(); d != nil && d.For == agent {
				pages = append(pages, t.page)
			}
		}
	}
	r.mu.Unlock()
	for _, p := range pages {
		p.HandOver()
	}
	r.changed()
}

// Stopping says that the host is ending: from now on a page that goes away
// leaves its tab to be restored.
func (r *Registry) Stopping() {
	r.mu.Lock()
	r.stopping = true
	r.mu.Unlock()
}
