package liveview

import (
	"context"
	"maps"
	"slices"

	"github.com/chromedp/cdproto/input"
)

// fingersMost bounds the fingers that touch a page at a time.
const fingersMost = 10

// touch gives the command for one finger's change: Chromium is told of the
// finger that changed, and knows the others.
func (d *hand) touch(in Input) []any {
	types := map[string]input.DispatchTouchEventType{
		"start": input.DispatchTouchEventTypeTouchStart, "move": input.DispatchTouchEventTypeTouchMove,
		"end": input.DispatchTouchEventTypeTouchEnd, "cancel": input.DispatchTouchEventTypeTouchCancel,
	}
	kind, ok := types[in.Type]
	id, known := d.fingers[in.Finger]
	if !ok || !finite(in.X, in.Y, in.Pressure) || known == (in.Type == "start") || len(d.fingers) >= fingersMost && !known {
		return nil
	}
	e := input.DispatchTouchEventParams{Type: kind, Modifiers: int64(in.Mods & 15), TouchPoints: []*input.TouchPoint{}}
	switch in.Type {
	case "start":
		id = d.free()
		if d.fingers == nil {
			d.fingers = map[int]float64{}
		}
		d.fingers[in.Finger] = id
	case "end":
		delete(d.fingers, in.Finger)
	case "cancel": // the system took the gesture over, with all fingers of it
		clear(d.fingers)
		return []any{e}
	}
	p := &input.TouchPoint{X: in.X, Y: in.Y, ID: &id}
	if force := min(in.Pressure, 1); force > 0 {
		p.Force = &force
	}
	e.TouchPoints = append(e.TouchPoints, p)
	return []any{e}
}

// free gives the lowest number that no finger has, as a touch screen does.
func (d *hand) free() float64 {
	taken := slices.Collect(maps.Values(d.fingers))
	n := 0.0
	for slices.Contains(taken, n) {
		n++
	}
	return n
}

// lift ends all touches: the view lost its input.
func (d *hand) lift(ctx context.Context) {
	if len(d.fingers) == 0 {
		return
	}
	clear(d.fingers)
	h := d.v.hub
	e := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchCancel, TouchPoints: []*input.TouchPoint{}}
	if err := h.views.tabs.Input(ctx, h.tab, e); err != nil && ctx.Err() == nil {
		h.views.log.Debug("fingers were not lifted", "tab", h.tab, "error", err)
	}
}
