package page

import (
	"context"
	"fmt"
	"strings"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/input"
)

// Target names an element or a place: exactly one of Ref, Point and the fields
// of Locator is set.
type Target struct {
	Ref     int
	Point   *input.Point // CSS pixels of the main viewport
	Locator inject.Locator
	Frame   *Target // look inside this frame
}

// String shows the target as an agent would write it.
func (t Target) String() string {
	l := t.Locator
	switch {
	case t.Ref > 0:
		return fmt.Sprintf("e%d", t.Ref)
	case t.Point != nil:
		return fmt.Sprintf("the point %g,%g", t.Point.X, t.Point.Y)
	case l.Role != "" && l.Name != "":
		return fmt.Sprintf("%s %q", l.Role, l.Name)
	case l.Role != "":
		return "the role " + l.Role
	case l.Text != "":
		return fmt.Sprintf("the text %q", l.Text)
	case l.Label != "":
		return fmt.Sprintf("the label %q", l.Label)
	case l.Placeholder != "":
		return fmt.Sprintf("the placeholder %q", l.Placeholder)
	case l.TestID != "":
		return fmt.Sprintf("the test id %q", l.TestID)
	}
	return fmt.Sprintf("the selector %q", l.CSS)
}

// resolved is an element in a document, or a place when ref is 0.
type resolved struct {
	world *world
	ref   int
	point input.Point
}

// resolve finds what a target names. TargetNotFound names the nearest
// candidates, TargetAmbiguous the count and what fits.
func (p *Page) resolve(ctx context.Context, t Target) (resolved, error) {
	if t.Point != nil {
		w, err := p.mainWorld(ctx)
		return resolved{world: w, point: *t.Point}, err
	}
	if t.Ref > 0 {
		w, err := p.worldOf(ctx, t.Ref)
		return resolved{world: w, ref: t.Ref}, err
	}
	w, err := p.within(ctx, t.Frame)
	if err != nil {
		return resolved{}, err
	}
	got, err := p.locateIn(ctx, w, t.Locator)
	if err != nil {
		return resolved{}, err
	}
	if got.Error != "" {
		return resolved{}, fault.New(fault.BadArguments, "%s cannot be looked for: %s", t, got.Error)
	}
	if got.Ref > 0 {
		return resolved{world: w, ref: got.Ref}, nil
	}
	if got.Count == 0 && t.Frame == nil {
		// Nothing in the main document: the frames that it shows, as one.
		if r, err, ok := p.locateInFrames(ctx, t); ok {
			return r, err
		}
	}
	return resolved{}, notOne(t, got)
}

// within gives the world that a locator looks in.
func (p *Page) within(ctx context.Context, frame *Target) (*world, error) {
	if frame == nil {
		return p.mainWorld(ctx)
	}
	r, err := p.resolve(ctx, *frame)
	if err != nil {
		return nil, err
	}
	if r.ref == 0 {
		return nil, fault.New(fault.BadArguments, "frame must name an iframe, not a point")
	}
	id, err := p.frameOf(ctx, r.world, r.ref)
	if err != nil {
		if fault.Is(err, fault.TargetGone) {
			return nil, fault.New(fault.BadArguments, "frame must name an iframe; %s is none", *frame)
		}
		return nil, err
	}
	return p.world(ctx, id)
}

func (p *Page) locateInFrames(ctx context.Context, t Target) (resolved, error, bool) {
	var (
		hit   resolved
		total inject.Located
	)
	for _, id := range p.frameIDs() {
		c, cancel := soon(ctx, frameWait)
		w, err := p.world(c, id)
		var got inject.Located
		if err == nil {
			got, err = p.locateIn(c, w, t.Locator)
		}
		cancel()
		if err != nil || got.Count == 0 {
			continue
		}
		total.Count += got.Count
		total.Found = append(total.Found, got.Found...)
		if got.Ref > 0 {
			hit = resolved{world: w, ref: got.Ref}
		}
	}
	switch {
	case total.Count == 0:
		return resolved{}, nil, false
	case total.Count == 1 && hit.ref > 0, t.Locator.Nth != nil && hit.ref > 0:
		return hit, nil, true
	}
	return resolved{}, notOne(t, total), true
}

func notOne(t Target, got inject.Located) error {
	if got.Count == 0 {
		f := fault.New(fault.TargetNotFound, "nothing on the page fits %s", t)
		if list := candidates(got.Near, len(got.Near)); list != "" {
			f.Message += "; the nearest are " + list
			f.Then("use one of these refs, or take browser_snapshot with query")
		}
		return f
	}
	if n := t.Locator.Nth; n != nil {
		return fault.New(fault.TargetNotFound, "%s fits %d elements, so there is no nth %d", t, got.Count, *n).Then("count nth from 0")
	}
	f := fault.New(fault.TargetAmbiguous, "%s fits %d elements", t, got.Count)
	if list := candidates(got.Found, got.Count); list != "" {
		f.Message += ": " + list
		f.Then("use one of these refs, or add nth (from 0)")
	}
	return f
}

func candidates(list []inject.Candidate, count int) string {
	parts := make([]string, 0, len(list))
	for _, c := range list {
		s := c.Desc
		if c.Ref > 0 {
			s += fmt.Sprintf(" [e%d]", c.Ref)
		}
		if c.Hidden {
			s += " (hidden)"
		}
		parts = append(parts, s)
	}
	out := strings.Join(parts, ", ")
	if more := count - len(list); more > 0 && out != "" {
		out += fmt.Sprintf(" (+%d more)", more)
	}
	return out
}
