package page

import (
	"context"
	"sync"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"

	"baton/backend/fault"
	"baton/backend/inject"
)

// barWait is how long the documents beside the target's may take to bar
// presses. One that does not answer is busy, and takes no press either until
// it has read this.
const barWait = 80 * time.Millisecond

// arm guards the next press: it reaches a spot's element or nothing, in
// whichever document it arrives. Pages move their frames while the pointer is
// on its way.
func (p *Page) arm(ctx context.Context, s spot) (others []*world, err error) {
	if s.ref == 0 {
		return nil, inject.Arm(ctx, s.world, 0)
	}
	others = p.beside(s.world)
	var wg sync.WaitGroup
	if len(others) > 0 {
		c, cancel := soon(ctx, barWait)
		defer cancel()
		for _, w := range others {
			wg.Go(func() { _ = inject.Arm(c, w, inject.Bar) })
		}
	}
	// Armed before the others were barred, it is armed again: the document may have gone meanwhile.
	if !s.aim.Armed || len(others) > 0 {
		err = inject.Arm(ctx, s.world, s.ref)
	}
	wg.Wait()
	return others, err
}

// beside gives the worlds of the page's documents but one.
func (p *Page) beside(w *world) []*world {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []*world
	for _, f := range p.frames {
		if f.world != "" && f.world != w.unique {
			out = append(out, &world{p: p, frame: f.id, sess: f.sess, unique: f.world})
		}
	}
	return out
}

// unbar lifts the bars again. astray gives what a press that never came to its target
// was stopped at.
func (p *Page) unbar(ctx context.Context, others []*world, astray bool) *inject.Guarded {
	if len(others) == 0 {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	if !astray {
		for _, w := range others {
			w.post(ctx, "disarm", struct{}{})
		}
		return nil
	}
	ctx, cancel := soon(ctx, 500*time.Millisecond)
	defer cancel()
	return p.lower(ctx, others)
}

// post calls a function of the page script without waiting for its answer.
func (w *world) post(ctx context.Context, fn string, arg any) {
	raw, err := jsonv2.Marshal(arg)
	if err != nil {
		return
	}
	_, _ = w.sess.Send(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
		FunctionDeclaration: inject.Function(fn), UniqueContextID: w.unique, Arguments: []*runtime.CallArgument{{Value: raw}},
	})
}

func (p *Page) lower(ctx context.Context, others []*world) *inject.Guarded {
	var mu sync.Mutex
	var stopped *inject.Guarded
	var wg sync.WaitGroup
	for _, w := range others {
		wg.Go(func() {
			g, err := inject.Disarm(ctx, w)
			if err == nil && g.Result == "missed" {
				mu.Lock()
				stopped = &g
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return stopped
}

// strayed is the fault of a press that came to another document than its
// target's, and was stopped there.
func strayed(what string, g *inject.Guarded) error {
	if g.CoverSecret || g.Cover == "" {
		return fault.New(fault.TargetCovered, "%s moved away as the pointer came", what).WithEffect("no").Then("take a fresh snapshot")
	}
	return fault.New(fault.TargetCovered, "%s moved away as the pointer came, and the press would have reached %s", what, g.Cover).WithEffect("no").Then("take a fresh snapshot")
}
