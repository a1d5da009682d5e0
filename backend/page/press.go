package page

import (
	"context"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/input"
)

// Pressed says what had the focus after keys were pressed.
type Pressed struct {
	Outcome
	Focused string // what has the focus now; empty when nothing has
}

// Press presses keys where the focus is, or on a target, which must take the
// focus first. secrets says that the person allows typing into secret fields.
func (p *Page) Press(ctx context.Context, chords []input.Chord, words string, t *Target, secrets bool) (Pressed, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return Pressed{}, err
	}
	defer cancel()
	out, err := p.pressKeys(ctx, chords, words, t, secrets)
	return out, p.explain(ctx, err)
}

func (p *Page) pressKeys(ctx context.Context, chords []input.Chord, words string, t *Target, secrets bool) (Pressed, error) {
	var (
		r   resolved
		err error
	)
	if t != nil {
		if r, err = p.resolve(ctx, *t); err != nil {
			return Pressed{}, err
		}
		if r.ref == 0 {
			return Pressed{}, fault.New(fault.BadArguments, "a point takes no keys").Then("click the point, then press without target")
		}
	}
	if t != nil {
		r.world.noted = true // by focus
	}
	k, err := p.act(ctx, r.world)
	if err != nil {
		return Pressed{}, err
	}
	defer k.end()
	where := ""
	if r.ref > 0 {
		f, err := inject.Focus(ctx, r.world, inject.FocusArgs{Ref: r.ref, Mode: "keep", Any: true, Watch: true})
		if err != nil {
			return Pressed{}, k.blame(ctx, err)
		}
		if f.Status == inject.StatusNotFocused {
			return Pressed{}, fault.New(fault.TargetNotEditable, "%s did not take the focus, so no key was pressed", orRef(f.Desc, r.ref)).
				WithEffect("no").Then("press without target, or click it")
		}
		if f.Status != inject.StatusOK {
			return Pressed{}, focusFault(r.ref, f)
		}
		where = " on " + f.Desc
		p.label(ctx, r, f)
	}
	at, frame, err := p.focusNow(ctx)
	if err != nil {
		return Pressed{}, k.blame(ctx, err)
	}
	if at.Secret && !secrets && !p.loopback(frame.frame) {
		for _, c := range chords {
			if c.Types() {
				return Pressed{}, secretFault(at.Desc)
			}
		}
	}
	if frame.frame != p.root && r.ref == 0 {
		k.watch(ctx, frame)
	}
	var events []any
	for _, c := range chords {
		events = append(events, chordEvents(c)...)
	}
	if err := k.send(ctx, events...); err != nil {
		return Pressed{}, err
	}
	out := Pressed{}
	out.Said = "pressed " + words + where
	if err := k.finish(ctx, &out.Outcome, r, resolved{world: frame, ref: at.Ref}); err != nil {
		return out, err
	}
	if out.Outcome.Dialog == nil && out.Outcome.Snapshot == nil {
		if at, _, err := p.focusNow(ctx); err == nil {
			out.Focused = at.Desc
		}
	}
	return out, nil
}

// focusNow tells what has the focus, through frames, and in which document.
func (p *Page) focusNow(ctx context.Context) (inject.FocusedState, *world, error) {
	w, err := p.mainWorld(ctx)
	if err != nil {
		return inject.FocusedState{}, nil, err
	}
	for {
		at, err := inject.Focused(ctx, w, 0)
		if err != nil || !at.IsFrame || at.Ref == 0 {
			return at, w, err
		}
		id, err := p.frameOf(ctx, w, at.Ref)
		if err != nil {
			return at, w, nil
		}
		in, err := p.world(ctx, id)
		if err != nil {
			return at, w, nil
		}
		w = in
	}
}
