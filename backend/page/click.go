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
	s, err := p.aim(ctx, r, inject.AimArgs{})
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
	g, err := p.press(ctx, k, s, b, a.Count, a.Mods)
	if g.Result == "missed" && g.Cover == s.aim.Desc {
		// Drawn anew as the pointer came over it; nothing was pressed.
		if again, ok := p.redrawn(ctx, r, s.aim.Desc); ok {
			if s, err = p.aim(ctx, again, inject.AimArgs{}); err == nil {
				r = again
				g, err = p.press(ctx, k, s, b, a.Count, a.Mods)
			}
		}
	}
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{Said: clickedWord(b, a.Count) + " " + s.desc()}
	if r.ref > 0 && g.Result == "none" && !k.halted() && !k.leaving() {
		o.Notes = append(o.Notes, "the page did not say that the press reached it; look before trying again")
	}
	if err := k.finish(ctx, &o, r); err != nil {
		return o, err
	}
	quiet := o.Changed == "" && len(o.Now) == 0 && o.Snapshot == nil && o.Dialog == nil && !k.leaving()
	if r.ref > 0 && g.Result == "hit" && !g.Clicked && quiet {
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

// press sends a click on a spot and checks that it reached it. A press that
// would reach something else is stopped before the page sees it.
func (p *Page) press(ctx context.Context, k *act, s spot, b pointer.MouseButton, count int, mods input.Modifiers) (inject.Guarded, error) {
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
		return inject.Guarded{}, err
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
	if err != nil {
		return inject.Guarded{}, err
	}
	k.drain()
	if k.halted() || k.seen["committed"] {
		return inject.Guarded{Result: "hit", Clicked: true}, nil
	}
	g, err := p.disarm(ctx, k, s)
	if err != nil || s.ref == 0 {
		return g, err
	}
	if g.Result == "missed" {
		return g, coveredFault(s.desc(), g.Cover, 0, g.CoverSecret)
	}
	if astray = g.Result == "none"; astray {
		if lower(); stray != nil {
			return g, strayed(s.desc(), stray)
		}
	}
	return g, nil
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
				return done, nil
			}
			return a.g, k.blame(ctx, a.err)
		case sig := <-k.w.c:
			k.take(sig)
			if k.halted() || k.seen["committed"] && s.world.frame == p.root {
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
	// A tooltip often comes after a moment.
	k.linger = 300 * time.Millisecond
	return o, k.finish(ctx, &o, r)
}
