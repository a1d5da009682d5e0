package page

import (
	"context"
	"math"

	pointer "github.com/chromedp/cdproto/input"

	"baton/backend/inject"
	"baton/backend/input"
)

// Drag presses the mouse on one element, moves to another and lets go there.
// Both ends must be in view; HTML drag and drop works too.
func (p *Page) Drag(ctx context.Context, from, to Target) (Outcome, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return Outcome{}, err
	}
	defer cancel()
	o, err := p.drag(ctx, from, to)
	return o, p.explain(ctx, err)
}

func (p *Page) drag(ctx context.Context, from, to Target) (Outcome, error) {
	rf, err := p.resolve(ctx, from)
	if err != nil {
		return Outcome{}, err
	}
	rt, err := p.resolve(ctx, to)
	if err != nil {
		return Outcome{}, err
	}
	// The end first: scrolling to it must not move the start out of view.
	if _, err := p.aim(ctx, rt, inject.AimArgs{Hover: true}); err != nil {
		return Outcome{}, err
	}
	a, err := p.aim(ctx, rf, inject.AimArgs{Hover: true})
	if err != nil {
		return Outcome{}, err
	}
	b, err := p.aim(ctx, rt, inject.AimArgs{Hover: true, NoScroll: true})
	if err != nil {
		return Outcome{}, err
	}
	k, err := p.act(ctx, rf.world, rt.world)
	if err != nil {
		return Outcome{}, err
	}
	defer k.end()
	p.closeNew(ctx)
	arrived := p.pressing()
	defer arrived(ctx)
	others, err := p.arm(ctx, a)
	if err != nil {
		p.unbar(ctx, others, false)
		return Outcome{}, err
	}
	p.moved(ctx, a.at, "down", a.desc())
	if err := k.send(ctx, moveTo(a.at, 0, ""), press(a.at, pointer.MouseButtonLeft, 1, 0)); err != nil {
		p.unbar(ctx, others, false)
		p.Release(context.WithoutCancel(ctx))
		return Outcome{}, err
	}
	if arrived(ctx) && rf.ref > 0 {
		p.unbar(ctx, others, false)
		p.Release(context.WithoutCancel(ctx))
		return Outcome{}, overtaken(a.desc())
	}
	g, err := p.disarm(ctx, k, a)
	stray := p.unbar(ctx, others, err == nil && g.Result == "none")
	if err == nil && stray != nil {
		err = strayed(a.desc(), stray)
	}
	if err == nil && rf.ref > 0 && g.Result == "missed" {
		err = coveredFault(a.desc(), g.Cover, 0, g.CoverSecret)
	}
	if err != nil {
		p.Release(context.WithoutCancel(ctx))
		return Outcome{}, err
	}
	// Step by step, each one handled by the page before the next: lists and
	// boards work out the drop from the moves.
	way := input.Path(a.at, b.at, 0)
	if rt.ref > 0 {
		way = append(way, beyond(a.at, b))
	}
	for _, at := range append(way, b.at) {
		if k.halted() {
			break
		}
		p.moved(ctx, at, "move", b.desc())
		if err := k.send(ctx, moveTo(at, 0, pointer.MouseButtonLeft)); err != nil {
			p.Release(context.WithoutCancel(ctx))
			return Outcome{}, err
		}
	}
	if err := k.send(ctx, release(b.at, pointer.MouseButtonLeft, 1, 0)); err != nil {
		p.Release(context.WithoutCancel(ctx))
		return Outcome{}, err
	}
	p.moved(ctx, b.at, "up", b.desc())
	o := Outcome{Said: "dragged " + a.desc() + " to " + b.desc()}
	return o, k.finish(ctx, &o, rf, rt)
}

// beyond is a place on the target a little past its middle: lists that sort make
// room once the pointer has crossed it. Past is further in reading order for what
// comes from before the target, and back for what comes from behind it; along
// both axes, as no hand moves along one alone and some lists go by the other.
func beyond(from input.Point, to spot) input.Point {
	w, h := to.aim.Box.W, to.aim.Box.H
	way := to.at.Y - from.Y
	if math.Abs(way) < h/2 {
		way = to.at.X - from.X
	}
	far := func(size float64) float64 { return math.Copysign(math.Min(5, size/4), way) }
	return input.Point{X: to.at.X + far(w), Y: to.at.Y + far(h)}
}
