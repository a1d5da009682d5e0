package page

import (
	"context"
	"encoding/json"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"

	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/inject"
)

// Surface is what Chromium would draw outside the page and the person's
// interface draws instead: a list, a picker or a menu.
type Surface struct {
	inject.Surface
	Box inject.Box // in the main viewport, CSS pixels

	world *world
}

// surfaceMost bounds what a document may tell of a surface, in bytes.
const surfaceMost = 4 << 20

// surfaced takes what a document told of a surface.
func (p *Page) surfaced(s *cdp.Session, e runtime.EventBindingCalled) {
	var told inject.Surface
	if len(e.Payload) > surfaceMost || json.Unmarshal([]byte(e.Payload), &told) != nil {
		return
	}
	p.mu.Lock()
	var w *world
	for _, f := range p.frames {
		if f.sess == s && f.worldID == e.ExecutionContextID && f.world != "" {
			w = &world{p: p, frame: f.id, sess: f.sess, unique: f.world}
		}
	}
	p.mu.Unlock()
	if w == nil {
		return
	}
	if told.Kind == "full" { // the frames around an element that fills the screen tell the same
		if w.frame == p.root {
			p.update(func(st *State) { st.Full = told.Value == "on" })
		}
		return
	}
	if told.Kind == "print" {
		p.wantsPrint()
		return
	}
	if told.Kind == "" {
		if now, _ := p.Surfaces.Get(); now != nil && now.ID == told.ID && now.world.unique == w.unique {
			p.Surfaces.Set(nil)
		}
		return
	}
	out := &Surface{Surface: told, Box: told.Box, world: w}
	if told.Kind == "menu" {
		p.menu.Store(out)
	}
	if w.frame == p.root {
		p.Surfaces.Set(out)
		return
	}
	// Where a frame lies is asked of Chromium, which a session's own goroutine must not wait for.
	go func() {
		ctx, cancel := soon(p.alive(), 2*time.Second)
		defer cancel()
		if b, err := p.boxOf(ctx, w.frame, told.Box); err == nil {
			out.Box = b
			p.Surfaces.Set(out)
		}
	}()
}

// HoldsOpen tells whether Chromium holds a list or picker open. The interface
// draws it; a still would show Chromium's own as well.
func (p *Page) HoldsOpen() bool {
	s, _ := p.Surfaces.Get()
	return s != nil && s.Kind != "menu" && s.Kind != "list"
}

// surface gives the open surface that the person means.
func (p *Page) surface(id int) (*Surface, error) {
	if s, _ := p.Surfaces.Get(); s != nil && s.ID == id {
		return s, nil
	}
	return nil, fault.New(fault.TargetGone, "the list has closed meanwhile")
}

// keysMost bounds the presses that reach an option; a list that is longer is set
// without keys.
const keysMost = 400

// ChooseOption chooses an option of the open select list, as the person would
// with keys, so that the page sees real events.
func (p *Page) ChooseOption(ctx context.Context, id, index int) error {
	s, err := p.surface(id)
	if err != nil {
		return err
	}
	plan, err := inject.PlanSurface(ctx, s.world, id, index)
	switch {
	case err != nil:
		return p.explain(ctx, err)
	case plan.Gone:
		return fault.New(fault.TargetGone, "the list has closed meanwhile")
	case plan.Wrong:
		return fault.New(fault.TargetDisabled, "this option cannot be chosen")
	case plan.Same:
		return p.CloseSurface(ctx, id)
	}
	if plan.Open && plan.Downs <= keysMost {
		strokes := []input.DispatchKeyEventParams{stroke("Home", 36)}
		for range plan.Downs {
			strokes = append(strokes, stroke("ArrowDown", 40))
		}
		if err := p.strike(ctx, append(strokes, stroke("Enter", 13))...); err != nil {
			return err
		}
		now, err := inject.LookAtSurface(ctx, s.world, id, true)
		if err != nil || now.Gone {
			return p.explain(ctx, err)
		}
		if now.Index == index {
			p.Surfaces.Set(nil)
			return p.explain(ctx, inject.CloseSurface(ctx, s.world, id))
		}
	}
	return p.SetSurface(ctx, id, index, "")
}

// SetSurface sets the field of the open surface: a select's index, else a value.
func (p *Page) SetSurface(ctx context.Context, id, index int, value string) error {
	s, err := p.surface(id)
	if err != nil {
		return err
	}
	if err := p.dismiss(ctx, s); err != nil {
		return err
	}
	shown, gone, err := inject.SetSurface(ctx, s.world, id, index, value)
	switch {
	case err != nil:
		return p.explain(ctx, err)
	case gone:
		return fault.New(fault.TargetGone, "the field is no longer on the page")
	case s.Kind != "select" && shown != value && value != "" && shown == "":
		return fault.New(fault.BadArguments, "the field did not take %q", value)
	}
	return nil
}

// CloseSurface closes the open surface and changes nothing.
func (p *Page) CloseSurface(ctx context.Context, id int) error {
	s, err := p.surface(id)
	if err != nil {
		return nil // it has gone already
	}
	if err := p.dismiss(ctx, s); err != nil {
		return err
	}
	p.Surfaces.Set(nil)
	return p.explain(ctx, inject.CloseSurface(ctx, s.world, id))
}

// dismiss has Chromium close the list or picker that it holds open unseen. The
// key goes there and the page sees nothing of it.
func (p *Page) dismiss(ctx context.Context, s *Surface) error {
	now, err := inject.LookAtSurface(ctx, s.world, s.ID, true)
	if err != nil || !now.Open {
		return p.explain(ctx, err)
	}
	return p.strike(ctx, stroke("Escape", 27))
}

// strike sends strokes at once and waits for the last one's answer. They count
// as nothing that is held down.
func (p *Page) strike(ctx context.Context, strokes ...input.DispatchKeyEventParams) error {
	var last *cdp.Pending
	for _, s := range strokes {
		var err error
		if last, err = p.sess.Send(ctx, "Input.dispatchKeyEvent", s); err != nil {
			return err
		}
	}
	return last.Wait(ctx, nil)
}

// stroke is a key going down. What Chromium holds open takes it; its release, or
// the character that it types, would reach the page.
func stroke(key string, code int64) input.DispatchKeyEventParams {
	return input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: key, Code: key, WindowsVirtualKeyCode: code, NativeVirtualKeyCode: code}
}
