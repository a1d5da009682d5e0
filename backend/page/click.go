package page

import (
	"context"
	"fmt"
	"strings"
	"time"

	pointer "github.com/chromedp/cdproto/input"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/input"
)

// ClickArgs say what to click and how.
type ClickArgs struct {
	Target Target
	Button string // left (also ""), right or middle
	Count  int    // 0 means 1; 2 is a double click
	Mods   input.Modifiers
}

// Click presses an element, or a point, with the mouse. A click on a native
// select is UseSelect, one on an option chooses it. Unless the press would reach
// the element it does not reach the page at all: TargetCovered names what is in
// the way.
func (p *Page) Click(ctx context.Context, a ClickArgs) (Outcome, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return Outcome{}, err
	}
	defer cancel()
	o, err := p.click(ctx, a)
	return o, p.explain(ctx, err)
}

func (p *Page) click(ctx context.Context, a ClickArgs) (Outcome, error) {
	b, err := button(a.Button)
	if err != nil {
		return Outcome{}, err
	}
	if a.Count == 0 {
		a.Count = 1
	}
	if a.Count < 1 || a.Count > 3 {
		return Outcome{}, fault.New(fault.BadArguments, "count is %d", a.Count).Then("use 1, 2 or 3")
	}
	r, err := p.resolve(ctx, a.Target)
	if err != nil {
		return Outcome{}, err
	}
	s, err := p.aim(ctx, r, inject.AimArgs{Watch: true, Arm: true})
	if err != nil {
		return Outcome{}, err
	}
	if r.ref > 0 && b == pointer.MouseButtonLeft {
		switch s.aim.Kind {
		case "select":
			return Outcome{}, p.useSelect(ctx, s)
		case "option":
			return p.choose(ctx, r, nil)
		}
	}
	k, err := p.act(ctx, r.world)
	if err != nil {
		return Outcome{}, err
	}
	defer k.end()
	k.defers = true
	o, err := p.pressAndSee(ctx, k, s, b, a)
	if k.guarded.Result == "missed" && r.ref > 0 {
		// Nothing was pressed: something moved over it, or it was drawn anew as the pointer came.
		again := r
		if k.guarded.Cover == s.aim.Desc {
			again, _ = p.redrawn(ctx, r, s.aim.Desc)
		}
		if now, fault := p.aim(ctx, again, inject.AimArgs{Watch: true, Arm: true}); fault == nil {
			r, s = again, now
			o, err = p.pressAndSee(ctx, k, s, b, a)
		}
	}
	if err != nil {
		return o, err
	}
	g := k.guarded
	stays := o.Snapshot == nil && o.Dialog == nil && !k.leaving()
	if r.ref > 0 && g.Result == "none" && stays {
		o.Notes = append(o.Notes, "the page did not say that the press reached it; look before trying again")
	}
	if r.ref > 0 && g.Result == "hit" && !g.Clicked && stays && o.Changed == "" && len(o.Now) == 0 {
		o.Notes = append(o.Notes, "it got the press and no click followed, as when it is moved or drawn anew meanwhile; look before trying again")
	}
	if r.ref > 0 && s.aim.Kind == "file" && o.Chooser {
		o.Notes = append(o.Notes, "it asks for files: give them with browser_upload and this target")
	}
	return o, nil
}

func clickedWord(b pointer.MouseButton, count int) string {
	w := [...]string{"clicked", "double-clicked", "triple-clicked"}[count-1]
	if b != pointer.MouseButtonLeft {
		w = string(b) + "-" + w
	}
	return w
}

// pressAndSee clicks on a spot and tells what that did.
func (p *Page) pressAndSee(ctx context.Context, k *act, s spot, b pointer.MouseButton, a ClickArgs) (Outcome, error) {
	if err := p.press(ctx, k, s, b, a.Count, a.Mods); err != nil {
		return Outcome{}, err
	}
	o := Outcome{Said: clickedWord(b, a.Count) + " " + s.desc()}
	return o, k.finish(ctx, &o, s.resolved)
}

// press sends a click on a spot and checks that it reached it. A press that
// would reach something else is stopped before the page sees it. An action that
// defers reads that with what changed, unless other documents are barred.
func (p *Page) press(ctx context.Context, k *act, s spot, b pointer.MouseButton, count int, mods input.Modifiers) error {
	k.guard, k.target, k.guarded = s.world, s, inject.Guarded{}
	p.closeNew(ctx)
	arrived := p.pressing()
	defer arrived(ctx)
	others, err := p.arm(ctx, s)
	astray := false
	var stray *inject.Guarded
	lowered := false
	lower := func() {
		if !lowered {
			lowered, stray = true, p.unbar(ctx, others, astray)
		}
	}
	defer lower()
	if err != nil {
		return err
	}
	if s.ref > 0 && !s.world.here() {
		return goneFault(s.ref) // another document would get the press
	}
	p.moved(ctx, s.at, "move", s.desc())
	events := []any{moveTo(s.at, mods, "")}
	for i := 1; i <= count; i++ {
		events = append(events, press(s.at, b, i, mods), release(s.at, b, i, mods))
	}
	p.moved(ctx, s.at, "down", s.desc())
	k.pressed = true
	err = k.send(ctx, events...)
	p.moved(ctx, s.at, "up", s.desc())
	if stopped := arrived(ctx); stopped && s.ref > 0 {
		return overtaken(s.desc())
	}
	if err != nil {
		return err
	}
	k.drain()
	if k.halted() || k.seen["committed"] {
		k.reached()
		return nil
	}
	if k.defers && len(others) == 0 {
		return nil
	}
	if err := k.unguard(ctx); err != nil || s.ref == 0 {
		return err
	}
	if astray = k.guarded.Result == "none"; astray {
		if lower(); stray != nil {
			return strayed(s.desc(), stray)
		}
	}
	return nil
}

// disarm reads what the guard saw. A dialog or another document that comes
// meanwhile means that the press had its effect.
func (p *Page) disarm(ctx context.Context, k *act, s spot) (inject.Guarded, error) {
	type answer struct {
		g   inject.Guarded
		err error
	}
	got := make(chan answer, 1)
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		g, err := inject.Disarm(inner, s.world)
		got <- answer{g, err}
	}()
	done := inject.Guarded{Result: "hit", Clicked: true}
	for {
		select {
		case a := <-got:
			if vanished(a.err) {
				k.guard = nil
				return done, nil
			}
			if a.err == nil {
				k.guard = nil
			}
			return a.g, k.blame(ctx, a.err)
		case sig := <-k.w.c:
			k.take(sig)
			if k.halted() || k.seen["committed"] && s.world.frame == p.root {
				k.guard = nil
				return done, nil
			}
		}
	}
}

// useSelect refuses a click on a native select and names its options.
func (p *Page) useSelect(ctx context.Context, s spot) error {
	f := fault.New(fault.UseSelect, "%s is a native select, whose list opens outside the page", s.desc())
	got, err := inject.Select(ctx, s.world, inject.SelectArgs{Ref: s.ref, Values: []string{"\x00"}})
	if err == nil && len(got.Options) > 0 {
		quoted := make([]string, len(got.Options))
		for i, o := range got.Options {
			quoted[i] = fmt.Sprintf("%q", o)
		}
		f.Message += "; its options are " + strings.Join(quoted, ", ")
		if more := got.Total - len(got.Options); more > 0 {
			f.Message += fmt.Sprintf(" (+%d more)", more)
		}
	}
	return f.WithEffect("no")
}

// Hover moves the pointer over an element.
func (p *Page) Hover(ctx context.Context, t Target) (Outcome, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return Outcome{}, err
	}
	defer cancel()
	o, err := p.hover(ctx, t)
	return o, p.explain(ctx, err)
}

func (p *Page) hover(ctx context.Context, t Target) (Outcome, error) {
	r, err := p.resolve(ctx, t)
	if err != nil {
		return Outcome{}, err
	}
	s, err := p.aim(ctx, r, inject.AimArgs{Hover: true})
	if err != nil {
		return Outcome{}, err
	}
	k, err := p.act(ctx, r.world)
	if err != nil {
		return Outcome{}, err
	}
	defer k.end()
	p.moved(ctx, s.at, "move", s.desc())
	near := input.Point{X: s.at.X - 1, Y: s.at.Y - 1}
	if err := k.send(ctx, moveTo(near, 0, ""), moveTo(s.at, 0, "")); err != nil {
		return Outcome{}, err
	}
	o := Outcome{Said: "the pointer is over " + s.desc()}
	// A tooltip often comes after a moment, and the menu below an item is opened
	// for a pointer that stays.
	k.linger, k.patient = 300*time.Millisecond, r.ref > 0
	if strings.HasPrefix(s.aim.Desc, "menuitem") {
		k.linger = 450 * time.Millisecond
	}
	return o, k.finish(ctx, &o, r)
}
