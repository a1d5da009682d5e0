package page

import (
	"context"
	"sync"

	"github.com/chromedp/cdproto/input"
)

// carry is a drag that the person's mouse has under way. Chromium hands a drag
// over the moment that the page starts one, since it has no desktop to drag on;
// from then on the mouse's moves are told as a drag's. Only the person's drags
// are taken: an agent's press gives them back to Chromium.
type carry struct {
	mu      sync.Mutex
	takes   bool            // Chromium hands drags over
	held    bool            // the left button is down
	at      point2          // where the mouse was last
	mods    int64           // with what
	data    *input.DragData // of the drag under way; nil when there is none
	entered bool            // the page was told of it
	over    bool            // the drag was called off; the mouse does nothing until it is let go
}

// carries takes the person's mouse and keys into a drag. It is true for what
// the drag used up. It sends what is to be sent in its place.
func (p *Page) carries(ctx context.Context, ev any) bool {
	c := &p.carry
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := ev.(type) {
	case input.DispatchMouseEventParams:
		c.at, c.mods = point2{e.X, e.Y}, e.Modifiers
		switch {
		case e.Type == input.DispatchMouseEventTypeMousePressed && e.Button == input.MouseButtonLeft && c.data == nil:
			c.held, c.over = true, false
			if !c.takes {
				c.takes = true
				_, _ = p.sess.Send(ctx, "Input.setInterceptDrags", input.SetInterceptDragsParams{Enabled: true})
			}
		case e.Type == input.DispatchMouseEventTypeMouseReleased && e.Button == input.MouseButtonLeft:
			c.held = false
			if c.data != nil {
				p.note(e)
				p.dropCarried(ctx)
				return true
			}
			if c.over {
				c.over = false
				p.note(e)
				return true
			}
		case e.Type == input.DispatchMouseEventTypeMouseMoved && c.over:
			return true
		case e.Type == input.DispatchMouseEventTypeMouseMoved && c.data != nil:
			p.carryOn(ctx)
			return true
		}
	case input.DispatchKeyEventParams:
		if c.data != nil && e.Key == "Escape" {
			p.callOff(ctx)
			c.over = c.held
			return true
		}
	}
	return false
}

// carried takes a drag that Chromium hands over. One that comes after the mouse
// was let go ends where that was.
func (p *Page) carried(ctx context.Context, data *input.DragData) {
	c := &p.carry
	c.mu.Lock()
	defer c.mu.Unlock()
	if data == nil {
		return
	}
	c.data, c.entered = data, false
	p.carryOn(ctx)
	if !c.held {
		p.dropCarried(ctx)
	}
}

// carryOn tells the page where the drag is. Call with carry.mu held.
func (p *Page) carryOn(ctx context.Context) {
	c := &p.carry
	if !c.entered {
		c.entered = true
		p.drags(ctx, input.DispatchDragEventTypeDragEnter)
	}
	p.drags(ctx, input.DispatchDragEventTypeDragOver)
}

// dropCarried ends the drag where it is. Call with carry.mu held.
func (p *Page) dropCarried(ctx context.Context) {
	p.carryOn(ctx)
	p.drags(ctx, input.DispatchDragEventTypeDrop)
	p.carry.data = nil
}

// callOff ends the drag without a drop. Call with carry.mu held.
func (p *Page) callOff(ctx context.Context) {
	p.drags(ctx, input.DispatchDragEventTypeDragCancel)
	p.carry.data = nil
}

func (p *Page) drags(ctx context.Context, kind input.DispatchDragEventType) {
	c := &p.carry
	_, _ = p.sess.Send(ctx, "Input.dispatchDragEvent", input.DispatchDragEventParams{Type: kind, X: c.at.x, Y: c.at.y, Data: c.data, Modifiers: c.mods})
}

// letCarried calls a drag off that the person has under way: their input went
// elsewhere.
func (p *Page) letCarried(ctx context.Context) {
	c := &p.carry
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.data != nil {
		p.callOff(ctx)
	}
	c.held, c.over = false, false
}

// giveDrags leaves drags to Chromium again: what follows is an agent's input.
func (p *Page) giveDrags(ctx context.Context) {
	c := &p.carry
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.takes {
		c.takes = false
		_, _ = p.sess.Send(ctx, "Input.setInterceptDrags", input.SetInterceptDragsParams{Enabled: false})
	}
}
