package page

import (
	"context"
	"slices"
	"strings"
	"time"

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
	if o.Dialog != nil {
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
	for round := 0; round < 2; round++ {
		a.drain()
		if a.halted() {
			return nil
		}
		if !a.leaving() {
			a.answered(ctx)
		}
		if a.halted() {
			return nil
		}
		if a.leaving() {
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
		if a.p.unanswered(a.begun, time.Until(a.sent.Add(answerWait))) <= 0 {
			break
		}
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

// answered waits for the requests that the action began, a moment at most.
func (a *act) answered(ctx context.Context) {
	end := a.sent.Add(answerWait)
	for {
		wait := a.p.unanswered(a.begun, time.Until(end))
		if wait <= 0 {
			return
		}
		t := time.NewTimer(wait)
		select {
		case s := <-a.w.c:
			t.Stop()
			a.take(s)
			if a.halted() || a.leaving() {
				return
			}
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return
		}
	}
}

// changes reads what changed in the documents watched. left says that the main
// document went away meanwhile.
func (a *act) changes(ctx context.Context, o *Outcome, near []resolved, again bool) (outline.Change, bool, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	got := make([]inject.Changed, len(a.worlds))
	gone := make([]bool, len(a.worlds))
	done := make(chan error, 1)
	go func() {
		done <- a.all(func(i int, w *world) error {
			first := firstFor
			if a.linger > 0 && !again {
				first = int(a.linger / time.Millisecond)
			}
			args := inject.ChangesArgs{QuietMS: quietFor, FirstMS: first, MaxMS: min(changesMost, timeLeft(ctx, time.Second)), Keep: true}
			for _, r := range near {
				if r.ref > 0 && r.world.unique == w.unique && !again {
					args.Near = append(args.Near, r.ref)
				}
			}
			err := a.p.numbered(inner, w, func(next int) (int, error) {
				var err error
				args.Next = next
				got[i], err = inject.Changes(inner, w, args)
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
		select {
		case err := <-done:
			if gone[0] {
				return outline.Change{}, true, nil
			}
			if err != nil {
				return outline.Change{}, false, err
			}
			return a.join(ctx, o, got, gone), false, nil
		case s := <-a.w.c:
			a.take(s)
			if a.halted() {
				return outline.Change{}, false, nil
			}
			if a.seen["committed"] {
				return outline.Change{}, true, nil
			}
		}
	}
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
