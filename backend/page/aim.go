package page

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/dom"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/input"
)

// spot is where an element can be pressed.
type spot struct {
	resolved
	at     input.Point // in the main viewport
	inside input.Point // in the viewport of the element's own frame
	aim    inject.Aimed
}

// desc names the spot for a person: `button "Save"`.
func (s spot) desc() string {
	if s.ref == 0 {
		return fmt.Sprintf("the point %g,%g", s.at.X, s.at.Y)
	}
	return s.aim.Desc
}

// viewport gives the size of the layout's viewport in CSS pixels.
func (p *Page) viewport() Size {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.size
	if z := p.shown.zoom; z != 0 {
		s.Width, s.Height = int(float64(s.Width)/z), int(float64(s.Height)/z)
	}
	return s
}

// timeLeft gives the milliseconds until the call has to end, at most most.
func timeLeft(ctx context.Context, most time.Duration) int {
	if t, ok := ctx.Deadline(); ok {
		most = min(most, time.Until(t)-300*time.Millisecond)
	}
	return int(max(most, time.Millisecond) / time.Millisecond)
}

// aim scrolls an element into view, through its frames too, and finds the
// point that reaches it.
func (p *Page) aim(ctx context.Context, r resolved, args inject.AimArgs) (spot, error) {
	if r.ref == 0 {
		size := p.viewport()
		if r.point.X < 0 || r.point.Y < 0 || r.point.X >= float64(size.Width) || r.point.Y >= float64(size.Height) {
			return spot{}, fault.New(fault.BadArguments, "the point %g,%g lies outside the viewport of %d by %d", r.point.X, r.point.Y, size.Width, size.Height).
				Then("take browser_screenshot and read the point off it")
		}
		return spot{resolved: r, at: r.point, inside: r.point}, nil
	}
	args.Ref = r.ref
	if r.world.frame != p.root {
		args.Arm = false // the frame's own place is found and tested first
	}
	if args.TimeoutMS == 0 {
		args.TimeoutMS = timeLeft(ctx, 5*time.Second)
	}
	for try := 0; ; try++ {
		a, err := inject.Aim(ctx, r.world, args)
		if err != nil {
			return spot{}, err
		}
		if a.Status == inject.StatusGone && a.Scrolled && try == 0 {
			if again, ok := p.redrawn(ctx, r, a.Desc); ok {
				r, args.Ref = again, again.ref
				continue
			}
		}
		r.world.noted = a.Watched
		s := spot{resolved: r, aim: a, inside: input.Point{X: a.Point.X, Y: a.Point.Y}}
		if err := aimFault(r, a); err != nil {
			return s, err
		}
		var moved bool
		s.at, moved, err = p.lift(ctx, r.world.frame, s.inside, !args.NoScroll)
		if err != nil {
			return s, err
		}
		if !moved || try > 0 {
			return s, nil
		}
		// A parent scrolled: what shows of the frame may be another part now.
	}
}

// redrawn finds an element again that a list drew anew because this call
// scrolled it: the only one of the same role and whole name. Lists that draw
// only what is in view leave no other way to reach what is just outside.
func (p *Page) redrawn(ctx context.Context, r resolved, desc string) (resolved, bool) {
	role, quoted, ok := strings.Cut(desc, " ")
	if !ok {
		return r, false
	}
	name, err := strconv.Unquote(quoted)
	if err != nil || name == "" || strings.HasSuffix(name, "…") {
		return r, false
	}
	got, err := p.locateIn(ctx, r.world, inject.Locator{Role: role, Name: name, Exact: true})
	if err != nil || got.Count != 1 || got.Ref == 0 {
		return r, false
	}
	return resolved{world: r.world, ref: got.Ref}, true
}

// aimFault says why an element cannot be pressed.
func aimFault(r resolved, a inject.Aimed) error {
	switch a.Status {
	case inject.StatusOK:
		return nil
	case inject.StatusGone:
		return goneFault(r.ref)
	case inject.StatusHidden:
		return fault.New(fault.TargetHidden, "%s has no visible box", orRef(a.Desc, r.ref))
	case inject.StatusDisabled:
		return fault.New(fault.TargetDisabled, "%s is disabled", orRef(a.Desc, r.ref))
	case inject.StatusUnstable:
		return fault.New(fault.Timeout, "%s did not stand still", orRef(a.Desc, r.ref)).Then("wait with browser_wait quiet, then try again")
	case inject.StatusCovered:
		return coveredFault(orRef(a.Desc, r.ref), a.Cover, a.CoverRef, a.CoverSecret)
	}
	return fault.New(fault.Internal, "an unknown answer of the page script: %s", a.Status)
}

func orRef(desc string, ref int) string {
	if desc == "" {
		return fmt.Sprintf("the element e%d", ref)
	}
	return desc
}

func coveredFault(what, cover string, ref int, secret bool) error {
	if secret {
		return fault.New(fault.TargetCovered, "%s is covered by another element", what).WithEffect("no")
	}
	if cover == "" {
		cover = "another element"
	}
	if ref > 0 {
		cover += fmt.Sprintf(" [e%d]", ref)
	}
	return fault.New(fault.TargetCovered, "%s is covered by %s", what, cover).WithEffect("no")
}

// affine maps a frame's viewport into another one: o + x·u + y·v.
type affine struct{ o, u, v input.Point }

func (m affine) to(p input.Point) input.Point {
	return input.Point{X: m.o.X + p.X*m.u.X + p.Y*m.v.X, Y: m.o.Y + p.X*m.u.Y + p.Y*m.v.Y}
}

func (m affine) from(p input.Point) input.Point {
	det := m.u.X*m.v.Y - m.u.Y*m.v.X
	if math.Abs(det) < 1e-9 {
		return p
	}
	x, y := p.X-m.o.X, p.Y-m.o.Y
	return input.Point{X: (x*m.v.Y - y*m.v.X) / det, Y: (y*m.u.X - x*m.u.Y) / det}
}

// place is an iframe element's geometry, in the viewport of the outermost
// frame of its process.
type place struct {
	content affine // of the frame's own viewport
	border  affine // of the element's border box
	backend cdproto.BackendNodeID
}

// placeOf measures the iframe element that holds a frame.
func (p *Page) placeOf(ctx context.Context, id cdproto.FrameID) (place, error) {
	_, s, _, ok := p.above(id)
	if !ok {
		return place{}, fault.New(fault.TargetGone, "the frame is no longer in the page")
	}
	owner, err := cdproto.Call(ctx, s, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: id})
	if err != nil {
		return place{}, fault.New(fault.TargetGone, "the frame is no longer in the page").Because(err)
	}
	box, err := cdproto.Call(ctx, s, dom.GetBoxModel, dom.GetBoxModelParams{BackendNodeID: owner.BackendNodeID})
	if err != nil || box.Model == nil || len(box.Model.Content) < 8 || len(box.Model.Border) < 8 {
		return place{}, fault.New(fault.TargetHidden, "the frame of the element has no visible box").Because(err)
	}
	w, err := p.world(ctx, id)
	if err != nil {
		return place{}, err
	}
	facts, err := inject.Info(ctx, w)
	if err != nil {
		return place{}, err
	}
	return place{
		content: fromQuad(box.Model.Content, facts.InnerWidth, facts.InnerHeight),
		border:  fromQuad(box.Model.Border, float64(box.Model.Width), float64(box.Model.Height)),
		backend: owner.BackendNodeID,
	}, nil
}

func fromQuad(q dom.Quad, w, h float64) affine {
	w, h = max(w, 1), max(h, 1)
	return affine{
		o: input.Point{X: q[0], Y: q[1]},
		u: input.Point{X: (q[2] - q[0]) / w, Y: (q[3] - q[1]) / w},
		v: input.Point{X: (q[6] - q[0]) / h, Y: (q[7] - q[1]) / h},
	}
}

// lift maps a point of a frame's viewport to the main viewport. With scroll,
// it first brings the point into view in every document above, and says
// whether that moved anything. The iframe elements must receive the point.
func (p *Page) lift(ctx context.Context, id cdproto.FrameID, at input.Point, scroll bool) (input.Point, bool, error) {
	moved := false
	for {
		parent, s, owner, ok := p.above(id)
		if !ok {
			return at, moved, nil
		}
		pl, err := p.placeOf(ctx, id)
		if err != nil {
			return at, moved, err
		}
		if scroll {
			b := pl.border.from(pl.content.to(at))
			err := s.Call(ctx, "DOM.scrollIntoViewIfNeeded", dom.ScrollIntoViewIfNeededParams{
				BackendNodeID: pl.backend, Rect: &dom.Rect{X: b.X - 1, Y: b.Y - 1, Width: 2, Height: 2},
			}, nil)
			if err != nil {
				return at, moved, fault.New(fault.TargetHidden, "the frame of the element cannot be scrolled into view").Because(err)
			}
			now, err := p.placeOf(ctx, id)
			if err != nil {
				return at, moved, err
			}
			moved = moved || now.content.o != pl.content.o
			pl = now
		}
		up := pl.content.to(at)
		// The measure is that of the process's outermost frame; the parent may be further in.
		if _, ps, _, inner := p.above(parent); inner && ps == s {
			outer, err := p.placeOf(ctx, parent)
			if err != nil {
				return at, moved, err
			}
			up = outer.content.from(up)
		}
		w, err := p.world(ctx, parent)
		if err != nil {
			return at, moved, err
		}
		hit, err := inject.Hit(ctx, w, inject.HitArgs{Ref: owner, X: up.X, Y: up.Y})
		if err != nil {
			return at, moved, err
		}
		if owner == 0 && !hit.IsFrame || owner != 0 && !hit.Hit {
			return at, moved, coveredFault("the frame of the element", hit.Cover, 0, hit.CoverSecret)
		}
		at, id = up, parent
	}
}

// boxOf maps a box of a frame's viewport to the main viewport.
func (p *Page) boxOf(ctx context.Context, id cdproto.FrameID, b inject.Box) (inject.Box, error) {
	m, err := p.toMain(ctx, id)
	if err != nil {
		return b, err
	}
	return through(m, b), nil
}

// through maps a box by steps, to the box around what comes of it.
func through(steps []func(input.Point) input.Point, b inject.Box) inject.Box {
	corners := []input.Point{{X: b.X, Y: b.Y}, {X: b.X + b.W, Y: b.Y}, {X: b.X, Y: b.Y + b.H}, {X: b.X + b.W, Y: b.Y + b.H}}
	lo, hi := input.Point{X: math.Inf(1), Y: math.Inf(1)}, input.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, c := range corners {
		for _, step := range steps {
			c = step(c)
		}
		lo.X, lo.Y, hi.X, hi.Y = min(lo.X, c.X), min(lo.Y, c.Y), max(hi.X, c.X), max(hi.Y, c.Y)
	}
	return inject.Box{X: lo.X, Y: lo.Y, W: hi.X - lo.X, H: hi.Y - lo.Y}
}

// toMain gives the steps that map a frame's viewport to the main one.
func (p *Page) toMain(ctx context.Context, id cdproto.FrameID) ([]func(input.Point) input.Point, error) {
	var out []func(input.Point) input.Point
	for {
		parent, s, _, ok := p.above(id)
		if !ok {
			return out, nil
		}
		pl, err := p.placeOf(ctx, id)
		if err != nil {
			return nil, err
		}
		out = append(out, pl.content.to)
		if _, ps, _, inner := p.above(parent); inner && ps == s {
			outer, err := p.placeOf(ctx, parent)
			if err != nil {
				return nil, err
			}
			out = append(out, outer.content.from)
		}
		id = parent
	}
}
