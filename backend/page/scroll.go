package page

import (
	"context"
	"fmt"
	"math"
	"time"

	pointer "github.com/chromedp/cdproto/input"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/input"
)

// ScrollArgs say what to scroll and how far, in CSS pixels; without To, DX and
// DY the page moves on by most of its height.
type ScrollArgs struct {
	Target *Target // the scroller, or something in it; nil is the page
	DX, DY float64
	To     string // top, bottom or target
}

// Scrolled says how far a scroller went and where it stands.
type Scrolled struct {
	Outcome
	DX, DY    float64
	Top, End  bool // it stands at its beginning, or its end
	X, Y      float64
	MaxX      float64
	MaxY      float64
	Unmovable bool
}

// Scroll turns the wheel over the scroller that a target lies in, or brings it
// to its top or bottom, or the target into view.
func (p *Page) Scroll(ctx context.Context, a ScrollArgs) (Scrolled, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return Scrolled{}, err
	}
	defer cancel()
	s, err := p.scroll(ctx, a)
	return s, p.explain(ctx, err)
}

func (p *Page) scroll(ctx context.Context, a ScrollArgs) (Scrolled, error) {
	switch a.To {
	case "", "top", "bottom", "target":
	default:
		return Scrolled{}, fault.New(fault.BadArguments, "there is nothing called %q to scroll to", a.To).Then("use top, bottom or target")
	}
	if a.To == "target" && a.Target == nil {
		return Scrolled{}, fault.New(fault.BadArguments, "to target needs a target")
	}
	var (
		r   resolved
		err error
	)
	if a.Target != nil {
		if r, err = p.resolve(ctx, *a.Target); err != nil {
			return Scrolled{}, err
		}
	} else if r.world, err = p.mainWorld(ctx); err != nil {
		return Scrolled{}, err
	}
	if a.To == "" && a.DX == 0 && a.DY == 0 {
		a.DY = math.Round(float64(p.viewport().Height) * 0.85)
	}
	before, err := inject.Scroller(ctx, r.world, inject.ScrollArgs{Ref: r.ref, DX: a.DX, DY: a.DY})
	if err != nil {
		return Scrolled{}, err
	}
	switch {
	case before.Status == inject.StatusGone:
		return Scrolled{}, goneFault(r.ref)
	case before.Status == inject.StatusHidden:
		return Scrolled{}, fault.New(fault.TargetHidden, "what was to be scrolled has no visible box")
	}
	k, err := p.act(ctx, r.world)
	if err != nil {
		return Scrolled{}, err
	}
	defer k.end()
	after, err := p.scrollNow(ctx, k, r, a, before)
	if err != nil {
		return Scrolled{}, k.blame(ctx, err)
	}
	out := Scrolled{
		DX: after.X - before.X, DY: after.Y - before.Y, X: after.X, Y: after.Y, MaxX: after.MaxX, MaxY: after.MaxY,
		Top: after.Y <= 1, End: after.Y >= after.MaxY-1, Unmovable: after.None,
	}
	if math.Abs(a.DX) > math.Abs(a.DY) {
		out.Top, out.End = after.X <= 1, after.X >= after.MaxX-1
	}
	what := after.Desc
	if after.Page || what == "" {
		what = "the page"
	}
	out.Said = scrollWords(what, out)
	if a.To == "target" {
		out.Said += "; the target is in view"
	}
	return out, k.finish(ctx, &out.Outcome)
}

func scrollWords(what string, s Scrolled) string {
	if s.Unmovable {
		return "turned the wheel; " + what + " does not scroll"
	}
	far := fmt.Sprintf("scrolled %s by %.0f px", what, s.DY)
	switch {
	case s.DX != 0 && s.DY != 0:
		far = fmt.Sprintf("scrolled %s by %.0f px across and %.0f px down", what, s.DX, s.DY)
	case s.DX != 0:
		far = fmt.Sprintf("scrolled %s by %.0f px across", what, s.DX)
	case s.DY == 0:
		far = what + " did not move"
	}
	where := fmt.Sprintf("at %.0f of %.0f", s.Y, s.MaxY)
	switch {
	case s.Top && s.End:
		where = "all of it is in view"
	case s.End:
		where = "the end is reached"
	case s.Top:
		where = "at the top"
	}
	return far + "; " + where
}

// scrollNow moves the scroller and reads where it stands afterwards.
func (p *Page) scrollNow(ctx context.Context, k *act, r resolved, a ScrollArgs, before inject.Scrolled) (inject.Scrolled, error) {
	if a.To != "" {
		var got inject.Scrolled
		err := p.scripted(ctx, k, func(ctx context.Context) error {
			var err error
			got, err = inject.Scroller(ctx, r.world, inject.ScrollArgs{Ref: r.ref, To: a.To})
			return err
		})
		if err != nil {
			return got, err
		}
		if a.To == "target" && r.world.frame != p.root {
			if _, _, err := p.lift(ctx, r.world.frame, input.Point{X: got.Point.X, Y: got.Point.Y}, true); err != nil {
				return got, err
			}
		}
		return inject.ScrollState(ctx, r.world, got.Key)
	}
	at, err := p.wheelAt(ctx, r, a, before)
	if err != nil {
		return before, err
	}
	p.moved(ctx, at, "move", "scrolling")
	wheel := pointer.DispatchMouseEventParams{Type: pointer.DispatchMouseEventTypeMouseWheel, X: at.X, Y: at.Y, DeltaX: a.DX, DeltaY: a.DY}
	if err := k.send(ctx, moveTo(at, 0, ""), wheel); err != nil {
		return before, err
	}
	if k.halted() || k.leaving() {
		return before, nil
	}
	// The wheel's scroll may begin a frame after its answer.
	end := time.Now().Add(250 * time.Millisecond)
	for {
		after, err := inject.ScrollState(ctx, r.world, before.Key)
		if err != nil || after.X != before.X || after.Y != before.Y || time.Now().After(end) {
			return after, err
		}
		if stuck(before, a) {
			return after, nil
		}
	}
}

// wheelAt gives the point to turn the wheel over: the scroller, or the target
// itself where nothing smaller than the page scrolls, since it may listen for
// the wheel.
func (p *Page) wheelAt(ctx context.Context, r resolved, a ScrollArgs, before inject.Scrolled) (input.Point, error) {
	at := input.Point{X: before.Point.X, Y: before.Point.Y}
	if r.ref == 0 && a.Target != nil {
		return r.point, nil
	}
	if r.ref > 0 && (before.None || before.Page) {
		if s, err := p.aim(ctx, r, inject.AimArgs{Hover: true, NoScroll: !before.None, TimeoutMS: 120}); err == nil {
			return s.at, nil
		}
	}
	if r.world.frame == p.root {
		return at, nil
	}
	at, _, err := p.lift(ctx, r.world.frame, at, true)
	return at, err
}

// stuck says that the scroller stood at its end already.
func stuck(s inject.Scrolled, a ScrollArgs) bool {
	y := a.DY == 0 || a.DY > 0 && s.Y >= s.MaxY-1 || a.DY < 0 && s.Y <= 1
	x := a.DX == 0 || a.DX > 0 && s.X >= s.MaxX-1 || a.DX < 0 && s.X <= 1
	return s.None || x && y
}
