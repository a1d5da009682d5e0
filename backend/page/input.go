package page

import (
	"cmp"
	"context"
	"time"

	"github.com/chromedp/cdproto/input"

	"baton/backend/cdp"
	"baton/backend/fault"
	keys "baton/backend/input"
)

// wheel is a turn of the wheel, whose two deltas must both be sent.
type wheel struct {
	input.DispatchMouseEventParams
	X float64 `json:"deltaX"`
	Y float64 `json:"deltaY"`
}

// held is what the page believes to be pressed; guarded by Page.mu.
type held struct {
	buttons map[input.MouseButton]point2
	keys    map[string]input.DispatchKeyEventParams
}

type point2 struct{ x, y float64 }

// Send queues input commands in order, through the gate in ctx, and waits for
// the last one's answer. Input is delivered in the order it is sent, so one
// wait serves a move, a press and a release.
func (p *Page) Send(ctx context.Context, events ...any) error {
	p.giveDrags(ctx)
	var last *cdp.Pending
	for _, ev := range events {
		var err error
		if e := pass(ctx, func() error { last, err = p.queue(ctx, ev); return err }); e != nil {
			return e
		}
	}
	if last == nil {
		return nil
	}
	return last.Wait(ctx, nil)
}

// dispatch sends input through the gate in ctx and gives the last command,
// without waiting for its answer. sent says that some of it went out.
func (p *Page) dispatch(ctx context.Context, events ...any) (last *cdp.Pending, sent bool, err error) {
	p.giveDrags(ctx)
	for _, ev := range events {
		var q *cdp.Pending
		if e := pass(ctx, func() error { q, err = p.queue(ctx, ev); return err }); e != nil {
			if sent && !fault.Is(e, fault.InterruptedByPerson) {
				p.Release(context.WithoutCancel(ctx)) // cut off between a press and its release
			}
			return last, sent, e
		}
		last, sent = q, true
	}
	return last, sent, nil
}

// Queue queues input without waiting for its answer: the person's input, which
// a busy page must not hold back.
func (p *Page) Queue(ctx context.Context, events ...any) error {
	for _, ev := range events {
		if p.carries(ctx, ev) {
			continue
		}
		q, err := p.queue(ctx, ev)
		if err != nil {
			return err
		}
		p.mu.Lock()
		p.queued = q
		p.mu.Unlock()
	}
	return nil
}

// handled waits until the page has taken what was queued, at most so long: a page
// may be busy, or hold a dialog.
func (p *Page) handled(ctx context.Context, most time.Duration) {
	p.mu.Lock()
	q := p.queued
	p.mu.Unlock()
	if q == nil {
		return
	}
	late := time.NewTimer(most)
	defer late.Stop()
	select {
	case <-q.Done():
	case <-late.C:
	case <-ctx.Done():
	}
}

func (p *Page) queue(ctx context.Context, ev any) (*cdp.Pending, error) {
	switch e := ev.(type) {
	case input.DispatchMouseEventParams:
		if e.Type == input.DispatchMouseEventTypeMouseWheel {
			return p.sess.Send(ctx, "Input.dispatchMouseEvent", wheel{e, e.DeltaX, e.DeltaY})
		}
		p.note(e)
		if e.Type == input.DispatchMouseEventTypeMouseReleased && p.window != nil && opens(e) {
			p.window() // Chromium does not say whose page a link opened with a key held comes from
		}
		return p.sess.Send(ctx, "Input.dispatchMouseEvent", e)
	case input.DispatchKeyEventParams:
		p.noteKey(e)
		if mods := keys.Modifiers(e.Modifiers); mods&(keys.Control|keys.Alt|keys.Meta) != 0 && e.Type == input.DispatchKeyEventTypeRawKeyDown {
			e.Type = input.DispatchKeyEventTypeKeyDown // a raw one in front of Chromium's window may open and close its tabs, unseen by the page
		}
		return p.sess.Send(ctx, "Input.dispatchKeyEvent", e)
	case input.InsertTextParams:
		return p.sess.Send(ctx, "Input.insertText", e)
	case input.ImeSetCompositionParams:
		return p.sess.Send(ctx, "Input.imeSetComposition", e)
	case input.DispatchTouchEventParams:
		return p.sess.Send(ctx, "Input.dispatchTouchEvent", e)
	}
	panic("page: unknown input event")
}

// opens tells whether letting go of the mouse on a link opens it beside the page.
func opens(e input.DispatchMouseEventParams) bool {
	const held = 2 | 4 | 8 // Control, Meta, Shift
	return e.Button == input.MouseButtonMiddle || (e.Button == input.MouseButtonLeft && e.Modifiers&held != 0)
}

func (p *Page) note(e input.DispatchMouseEventParams) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held.buttons == nil {
		p.held.buttons = map[input.MouseButton]point2{}
	}
	switch e.Type {
	case input.DispatchMouseEventTypeMousePressed:
		p.held.buttons[e.Button] = point2{e.X, e.Y}
	case input.DispatchMouseEventTypeMouseReleased:
		delete(p.held.buttons, e.Button)
	case input.DispatchMouseEventTypeMouseMoved:
		for b := range p.held.buttons {
			p.held.buttons[b] = point2{e.X, e.Y}
		}
	}
}

func (p *Page) noteKey(e input.DispatchKeyEventParams) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held.keys == nil {
		p.held.keys = map[string]input.DispatchKeyEventParams{}
	}
	switch e.Type {
	case input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeRawKeyDown:
		p.held.keys[keyID(e)] = e
	case input.DispatchKeyEventTypeKeyUp:
		delete(p.held.keys, keyID(e))
	}
}

// keyID tells keys apart by where they are, and those of no keyboard by name.
func keyID(e input.DispatchKeyEventParams) string { return cmp.Or(e.Code, e.Key) }

// IsDown tells whether the button or key of an event is down in the page.
func (p *Page) IsDown(ev any) (held bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := ev.(type) {
	case input.DispatchMouseEventParams:
		_, held = p.held.buttons[e.Button]
	case input.DispatchKeyEventParams:
		_, held = p.held.keys[keyID(e)]
	}
	return held
}

// Release lets go of every button and key that is held, whoever pressed it. It
// only queues, so it may be called with a lock held.
func (p *Page) Release(ctx context.Context) {
	p.letCarried(ctx)
	p.mu.Lock()
	h := p.held
	p.held = held{}
	p.mu.Unlock()
	for b, at := range h.buttons {
		_, _ = p.sess.Send(ctx, "Input.dispatchMouseEvent", input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseReleased, X: at.x, Y: at.y, Button: b, ClickCount: 1,
		})
	}
	for _, k := range h.keys {
		_, _ = p.sess.Send(ctx, "Input.dispatchKeyEvent", input.DispatchKeyEventParams{
			Type: input.DispatchKeyEventTypeKeyUp, Key: k.Key, Code: k.Code, WindowsVirtualKeyCode: k.WindowsVirtualKeyCode,
		})
	}
}
