package page

import (
	"context"
	"slices"
	"strings"
	"time"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/outline"
	"baton/backend/redact"
)

// finish waits for the page's reaction and tells it. near are elements whose
// surroundings are read again in any case.
func (a *act) finish(ctx context.Context, o *Outcome, near ...resolved) error {
	err := a.react(ctx, o, near)
	a.drain()
	if d, _ := a.p.Dialogs.Get(); d == nil && err == nil {
		a.saved(ctx, o)
	}
	o.Windows = a.windows
	o.Chooser = a.chooser != nil
	if d, _ := a.p.Dialogs.Get(); d != nil {
		o.Dialog = d
	}
	if o.Dialog != nil && a.missed() == nil {
		err = nil
	}
	st, _ := a.p.State.Get()
	if o.URL == "" {
		o.URL = redact.URL(st.URL)
	}
	if o.Title == "" {
		o.Title = st.Title
	}
	return a.blame(ctx, err)
}

func (a *act) react(ctx context.Context, o *Outcome, near []resolved) error {
	changes := make([]outline.Change, 0, 2)
	until := time.Now().Add(a.linger)
	for round := 0; round < 2; round++ {
		a.drain()
		if a.halted() {
			a.reached()
			return nil
		}
		if a.leaving() {
			if err := a.unguard(ctx); err != nil {
				return err
			}
		}
		if a.leaving() { // still: what was read meanwhile may have told that it stays
			if gone, err := a.follow(ctx, o); gone || err != nil {
				return err
			}
		}
		got, left, err := a.changes(ctx, o, near, round > 0)
		if err != nil {
			return err
		}
		if a.halted() {
			return nil
		}
		if left {
			a.seen["started"] = true
			if gone, err := a.follow(ctx, o); gone || err != nil {
				return err
			}
			break
		}
		changes = append(changes, got)
		a.drain()
		if a.leaving() {
			continue
		}
		if a.unanswered() > 0 {
			continue
		}
		// A class that was set is no tooltip: what is waited for is to show.
		if left := time.Until(until); a.patient && left > 20*time.Millisecond && got.Empty() {
			a.linger = left
			round = 0
			continue
		}
		break
	}
	for _, c := range changes {
		a.p.cleanChange(&c)
		for _, r := range near {
			c = a.own(o, c, r.ref)
		}
		o.Changed += outline.RenderChange(c)
	}
	return nil
}

// own takes the action's own target out of what changed, when it only changed
// itself: the first line says what became of it, and refs seen before stay the
// agent's.
func (a *act) own(o *Outcome, c outline.Change, ref int) outline.Change {
	if ref == 0 {
		return c
	}
	var own *outline.Node
	c.Nodes = without(c.Nodes, ref, &own)
	if own == nil {
		return c
	}
	o.Now = append(o.Now[:0], own.State...)
	o.Now = slices.DeleteFunc(o.Now, func(s string) bool {
		switch s {
		case "focused", "required", "readonly", "multiline", "secret", "active":
			return true
		}
		return false
	})
	for _, x := range own.Text {
		if x.Key == "hint" { // how it looks is all that there is to say of it
			o.Now = append(o.Now, "hint="+outline.Quote(x.Text))
		}
	}
	if own.Value != nil {
		o.Now = append(o.Now, valueIs+outline.Quote(*own.Value))
	}
	if o.Said != "" && own.Name != "" && !strings.Contains(o.Said, outline.Quote(own.Name)) {
		o.Now = append([]string{own.Role + " " + outline.Quote(own.Name)}, o.Now...)
	}
	return c
}

const valueIs = "value="

// withoutValue is for actions whose result tells the value by itself.
func (o *Outcome) withoutValue() {
	o.Now = slices.DeleteFunc(o.Now, func(s string) bool { return strings.HasPrefix(s, valueIs) })
}

// without gives the nodes without a changed one and the lines that only placed
// it.
func without(nodes []outline.Node, ref int, found **outline.Node) []outline.Node {
	out := make([]outline.Node, 0, len(nodes))
	for _, n := range nodes {
		if n.Ref == ref && n.Mark == "changed" && len(n.Kids) == 0 {
			*found = &n
			continue
		}
		if len(n.Kids) > 0 {
			had := len(n.Kids)
			n.Kids = without(n.Kids, ref, found)
			if len(n.Kids) == 0 && had > 0 && n.Mark == "" {
				continue
			}
		}
		out = append(out, n)
	}
	return out
}

// changes reads what changed in the documents watched, once the requests that
// the action began are answered, a moment at most. left says that the main
// document went away meanwhile.
func (a *act) changes(ctx context.Context, o *Outcome, near []resolved, again bool) (outline.Change, bool, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	got := make([]inject.Changed, len(a.worlds))
	gone := make([]bool, len(a.worlds))
	done := make(chan error, 1)
	held := a.unanswered()
	if held > 0 {
		held = time.Until(a.sent.Add(answerWait))
	}
	go func() {
		done <- a.all(func(i int, w *world) error {
			args := a.asking(ctx, w, near, again)
			args.HoldMS = int(held / time.Millisecond)
			err := a.p.numbered(inner, w, func(next int) (int, error) {
				var err error
				args.Next = next
				got[i], err = a.read(inner, w, args)
				return max(got[i].Next, next), err
			})
			if vanished(err) {
				gone[i] = true
				return nil
			}
			return err
		})
	}()
	for {
		// A body that does not end is no news: then time tells.
		var over <-chan time.Time
		if wait := a.unanswered(); wait > 0 {
			over = time.After(wait)
			if held <= 0 {
				held = time.Until(a.sent.Add(answerWait))
				a.hold(ctx, held)
			}
		} else if held > 0 {
			held = 0
			a.hold(ctx, 0)
		}
		select {
		case err := <-done:
			if gone[0] {
				a.reached()
				return outline.Change{}, true, nil
			}
			if err == nil {
				err = a.heard(got, gone)
			}
			if err != nil {
				return outline.Change{}, false, err
			}
			return a.join(ctx, o, got, gone), false, nil
		case <-over:
		case s := <-a.w.c:
			a.take(s)
			if a.halted() {
				a.reached()
				return outline.Change{}, false, nil
			}
			if a.seen["committed"] {
				a.reached()
				return outline.Change{}, true, nil
			}
		}
	}
}

// read reads what changed in one document. Elements that come are looked through
// for listeners while the page goes on, so that they have their refs at once.
func (a *act) read(ctx context.Context, w *world, args inject.ChangesArgs) (inject.Changed, error) {
	args.Marks = !a.hasty
	got, err := inject.Changes(ctx, w, args)
	for left := 2; err == nil && got.Added; left-- {
		guarded := got.Guard
		a.p.markAdded(ctx, w)
		args.Guard, args.Again, args.Marks = false, true, left > 1
		got, err = inject.Changes(ctx, w, args)
		if guarded != nil {
			got.Guard = guarded
		}
	}
	return got, err
}

// unanswered says how long the requests that the action began are still worth
// waiting for; 0 or less when they are not.
func (a *act) unanswered() time.Duration {
	if a.sent.IsZero() || a.leaving() {
		return 0
	}
	return a.p.unanswered(a.begun, time.Until(a.sent.Add(answerWait)))
}

// hold has the readings under way wait for so long; 0 lets them go on.
func (a *act) hold(ctx context.Context, d time.Duration) {
	for _, w := range a.worlds {
		w.post(ctx, inject.Hold, inject.HoldArgs{MS: int(max(d, 0) / time.Millisecond)})
	}
}

// asking is what is asked of one document.
func (a *act) asking(ctx context.Context, w *world, near []resolved, again bool) inject.ChangesArgs {
	args := inject.ChangesArgs{QuietMS: quietFor, FrameMS: frameFor, FirstMS: firstFor, MaxMS: min(changesMost, timeLeft(ctx, time.Second)), Keep: true}
	if a.hasty {
		args.QuietMS, args.FrameMS, args.FirstMS = hasteFor, 0, hasteFor
	}
	if a.linger > 0 {
		args.FirstMS = int(a.linger / time.Millisecond)
	}
	for _, r := range near {
		if r.ref > 0 && r.world.unique == w.unique && !again {
			args.Near = append(args.Near, r.ref)
		}
	}
	args.Guard = a.guard != nil && a.guard.unique == w.unique
	if a.ask.world != nil && a.ask.world.unique == w.unique {
		args.Field, args.Checked = a.ask.field, a.ask.checked
	}
	return args
}

// heard takes what the documents answered beside what changed. A press that
// would have reached something else is a fault.
func (a *act) heard(got []inject.Changed, gone []bool) error {
	for i, w := range a.worlds {
		if gone[i] {
			if a.guard != nil && a.guard.unique == w.unique {
				a.reached()
			}
			continue
		}
		if a.ask.world != nil && a.ask.world.unique == w.unique {
			a.told, a.answered = got[i], true
		}
		if g := got[i].Guard; g != nil {
			a.guard, a.guarded = nil, *g
		}
	}
	return a.missed()
}

// reached notes that the press had its effect: a dialog or another document
// came before the guard was read.
func (a *act) reached() {
	if a.guard != nil {
		a.guard, a.guarded = nil, inject.Guarded{Result: "hit", Clicked: true}
	}
}

// unguard reads the guard by itself, if that is still to be done.
func (a *act) unguard(ctx context.Context) error {
	if a.guard == nil {
		return nil
	}
	g, err := a.p.disarm(ctx, a, a.target)
	if err != nil {
		return err
	}
	a.guarded = g
	return a.missed()
}

func (a *act) missed() error {
	if a.guarded.Result != "missed" || a.target.ref == 0 {
		return nil
	}
	if a.guarded.Disabled {
		return fault.New(fault.TargetDisabled, "%s became disabled as it was pressed", a.target.desc()).WithEffect("no")
	}
	return coveredFault(a.target.desc(), a.guarded.Cover, 0, a.guarded.CoverSecret)
}

// join makes one change of those of the documents.
func (a *act) join(ctx context.Context, o *Outcome, got []inject.Changed, gone []bool) outline.Change {
	o.Title, o.URL = a.p.clean(got[0].Title), redact.URL(a.p.clean(a.p.ShownAs(got[0].URL)))
	all := got[0].Change
	ctx, cancel := soon(ctx, 400*time.Millisecond)
	defer cancel()
	for i, w := range a.worlds {
		if gone[i] {
			o.Notes = append(o.Notes, "the frame went to another document; look at it with browser_snapshot")
			continue
		}
		if len(got[i].Frames) > 0 {
			rd := &outlining{p: a.p, a: SnapshotArgs{MaxChars: 2000}, inner: map[int][]outline.Node{}}
			rd.descend(ctx, w, got[i].Frames)
			got[i].Nodes = outline.Join(got[i].Nodes, rd.inner)
			if i == 0 {
				all.Nodes = got[i].Nodes
			}
		}
		if got[i].Unwatched {
			o.Notes = append(o.Notes, "what changed could not be told; look with browser_snapshot")
		}
		if i == 0 {
			continue
		}
		if len(got[i].Nodes) > 0 {
			_, _, owner, _ := a.p.above(w.frame)
			all.Nodes = append(all.Nodes, outline.Node{Role: "iframe", Ref: owner, Kids: got[i].Nodes})
		}
		all.Gone = append(all.Gone, got[i].Gone...)
		all.GoneMore += got[i].GoneMore
		if all.Focus == "" {
			all.Focus = got[i].Focus
		}
	}
	return all
}
