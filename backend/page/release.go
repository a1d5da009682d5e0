package page

import (
	"context"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"baton/backend/cdp"
	"baton/backend/inject"
)

// Yield makes every document stop what an agent's action has under way in it,
// and waits, at most so long, until that is so: what the person does next meets
// no guard and no late focus of the agent's. A document that does not answer is
// busy; what it was told comes before anything new.
func (p *Page) Yield(wait time.Duration) {
	ctx, cancel := context.WithTimeout(p.alive(), wait)
	defer cancel()
	p.mu.Lock()
	worlds := make([]*world, 0, len(p.frames))
	for _, f := range p.frames {
		if f.world != "" {
			worlds = append(worlds, &world{p: p, frame: f.id, sess: f.sess, unique: f.world})
		}
	}
	p.mu.Unlock()
	sent := make([]*cdp.Pending, 0, len(worlds))
	for _, w := range worlds {
		q, err := w.sess.Send(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
			FunctionDeclaration: inject.Function("release"), UniqueContextID: w.unique, Arguments: []*runtime.CallArgument{{Value: jsonv2.Value("{}")}},
		})
		if err == nil {
			sent = append(sent, q)
		}
	}
	for _, q := range sent {
		if q.Wait(ctx, nil) != nil && ctx.Err() != nil {
			return
		}
	}
}
