package page

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	cdppage "github.com/chromedp/cdproto/page"

	"baton/backend/fault"
	"baton/backend/inject"
)

// A press that is on its way when another document comes would land there. So
// where an agent acts, documents start closed to presses, and are opened as soon
// as it is known here that no press is on its way.

// closes marks a document that starts closed.
const closes = `globalThis.__batonCloses = true`

// newcomers are the documents that came while a press was on its way; guarded by
// Page.mu.
type newcomers struct {
	closed  bool // documents start closed
	presses int
	worlds  []*world
}

// closeNew has documents start closed from now on: an agent acts on the page.
func (p *Page) closeNew(ctx context.Context) {
	p.mu.Lock()
	if p.new.closed {
		p.mu.Unlock()
		return
	}
	p.new.closed = true
	all := slices.Collect(maps.Values(p.sessions))
	p.mu.Unlock()
	for _, s := range all {
		_, _ = s.Send(ctx, "Page.addScriptToEvaluateOnNewDocument", closesScript)
	}
}

var closesScript = cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: closes, WorldName: inject.World}

// meet opens a document that has come, now or once no press is on its way.
func (p *Page) meet(w *world) {
	p.mu.Lock()
	wait := p.new.presses > 0
	if wait {
		p.new.worlds = append(p.new.worlds, w)
	}
	p.mu.Unlock()
	if !wait {
		w.post(context.Background(), "admit", struct{}{})
	}
}

// meetAll does so for a page that comes back with all its frames.
func (p *Page) meetAll() {
	p.mu.Lock()
	var all []*world
	for _, f := range p.frames {
		if f.world != "" {
			all = append(all, &world{p: p, frame: f.id, sess: f.sess, unique: f.world})
		}
	}
	p.mu.Unlock()
	for _, w := range all {
		p.meet(w)
	}
}

// pressing says that a press is on its way. The returned func says that it has
// arrived, and tells whether a document that came meanwhile has stopped it.
func (p *Page) pressing() (arrived func(ctx context.Context) (stopped bool)) {
	p.mu.Lock()
	p.new.presses++
	p.mu.Unlock()
	var once sync.Once
	return func(ctx context.Context) bool {
		var met []*world
		once.Do(func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.new.presses--; p.new.presses == 0 {
				met, p.new.worlds = p.new.worlds, nil
			}
		})
		if len(met) == 0 {
			return false
		}
		ctx, cancel := soon(context.WithoutCancel(ctx), 300*time.Millisecond)
		defer cancel()
		var stopped atomic.Bool
		var wg sync.WaitGroup
		for _, w := range met {
			wg.Go(func() {
				if yes, err := inject.Admit(ctx, w); err == nil && yes {
					stopped.Store(true)
				}
			})
		}
		wg.Wait()
		return stopped.Load()
	}
}

// overtaken is the fault of a press that another document came before.
func overtaken(what string) error {
	return fault.New(fault.TargetGone, "another document came as %s was pressed; nothing of it was pressed", what).WithEffect("no")
}
