package page

import (
	"context"
	"net/url"

	"baton/backend/inject"
	"baton/backend/input"
)

// Described is what a target names now, in words and without any value.
type Described struct {
	inject.Described
	Ref   int          // 0 for a point
	Point *input.Point // where the target is a point
	Host  string       // the host of the element's document
	Box   inject.Box   // in the main viewport; zero when it cannot be told
}

// Describe finds what a target names, or what has the focus when it is nil, and
// says what it is. It acts on nothing.
func (p *Page) Describe(ctx context.Context, t *Target) (Described, error) {
	ctx, cancel, err := p.reading(ctx)
	if err != nil {
		return Described{}, err
	}
	defer cancel()
	if t == nil {
		at, w, err := p.focusNow(ctx)
		if err != nil {
			return Described{}, p.explain(ctx, err)
		}
		d := Described{Ref: at.Ref, Host: p.hostOf(w)}
		d.Described, err = inject.DescribeFocus(ctx, w)
		return d, p.explain(ctx, err)
	}
	r, err := p.resolve(ctx, *t)
	if err != nil {
		return Described{}, p.explain(ctx, err)
	}
	d := Described{Ref: r.ref, Host: p.hostOf(r.world)}
	if r.ref == 0 {
		d.Point = &r.point
		d.Described, err = inject.DescribeAt(ctx, r.world, r.point.X, r.point.Y)
	} else {
		d.Described, err = inject.Describe(ctx, r.world, r.ref)
	}
	if err != nil {
		return d, p.explain(ctx, err)
	}
	if d.Gone && r.ref != 0 {
		return d, goneFault(r.ref)
	}
	d.Box = d.Described.Box
	if r.world.frame != p.root {
		if d.Box, err = p.boxOf(ctx, r.world.frame, d.Described.Box); err != nil {
			d.Box = inject.Box{}
		}
	}
	return d, nil
}

// hostOf gives the host of a world's document; "" for one without.
func (p *Page) hostOf(w *world) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for f := p.frames[w.frame]; f != nil; f = f.parent {
		if u, err := url.Parse(f.url); err == nil && u.Host != "" {
			return u.Host
		}
	}
	return ""
}
