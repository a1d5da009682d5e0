package page

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/chromedp/cdproto/runtime"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/fault"
)

// Crash marks the page as crashed: what runs on it ends with PageCrashed.
func (p *Page) Crash() {
	p.update(func(s *State) { s.Crashed, s.Loading = true, false })
	p.finish(fault.New(fault.PageCrashed, "the page's process ended"))
	p.dialog(nothing)
}

// Revive makes a crashed page usable again: its next load starts a new process.
func (p *Page) Revive() {
	p.mu.Lock()
	if context.Cause(p.life) != nil && !p.state.Closed {
		p.life, p.end = context.WithCancelCause(context.Background())
		p.revived = true
	}
	p.mu.Unlock()
	p.update(func(s *State) { s.Crashed = false })
}

// alive is the context of the page's present life.
func (p *Page) alive() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.life
}

func (p *Page) finish(why error) {
	p.mu.Lock()
	end := p.end
	p.mu.Unlock()
	end(why)
}

// Gone marks the page as closed: what runs on it ends with NoSuchTab.
func (p *Page) Gone() {
	p.LeaveLocal()
	p.update(func(s *State) { s.Closed, s.Loading = true, false })
	p.finish(fault.New(fault.NoSuchTab, "the tab was closed"))
	p.mu.Lock()
	sessions := make([]*cdp.Session, 0, len(p.sessions))
	for _, s := range p.sessions {
		sessions = append(sessions, s)
	}
	p.mu.Unlock()
	for _, s := range sessions {
		s.Detached()
	}
	p.dialog(nothing)
}

// Done is closed when the page has crashed or closed.
func (p *Page) Done() <-chan struct{} { return p.alive().Done() }

// Alive says whether the page's main thread answers within wait.
func (p *Page) Alive(ctx context.Context, wait time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return p.sess.Call(ctx, "Runtime.evaluate", runtime.EvaluateParams{Expression: "1"}, nil) == nil
}

// Watched tells whether pictures of the page are streamed to somebody.
func (p *Page) Watched() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cast != nil
}

// Quiet stops what a page loads and lets it run no more script: it is about to
// be closed.
func (p *Page) Quiet(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.sessions {
		_, _ = s.Send(ctx, "Emulation.setScriptExecutionDisabled", map[string]any{"value": true})
	}
	_, _ = p.sess.Send(ctx, "Page.stopLoading", nil)
}

// NextRef is the first ref number that the page has not given out.
func (p *Page) NextRef() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.nextRef
}

// RefsFrom makes the page number its refs from n on: a tab's refs are never
// used again, whatever page it holds.
func (p *Page) RefsFrom(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nextRef = max(p.nextRef, n)
}

// plays tells whether a document plays something that can be heard.
const plays = `function(){
 for (const m of document.querySelectorAll('audio,video')) if (!m.paused && !m.muted && m.volume > 0 && !m.ended && m.readyState > 2) return true;
 return false;
}`

// Playing tells whether a media element of the page can be heard. Web Audio is
// not known to it. A page that does not answer counts as playing.
func (p *Page) Playing(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	p.mu.Lock()
	ids := make([]cdproto.FrameID, 0, len(p.frames))
	for id, f := range p.frames {
		if f.world != "" {
			ids = append(ids, id)
		}
	}
	p.mu.Unlock()
	heard := make([]bool, len(ids))
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Go(func() {
			w, err := p.world(ctx, id)
			if err != nil {
				return
			}
			var v json.RawMessage
			if err := w.call(ctx, plays, nil, &v); err != nil {
				heard[i] = ctx.Err() != nil
				return
			}
			heard[i] = string(v) == "true"
		})
	}
	wg.Wait()
	for _, h := range heard {
		if h {
			return true
		}
	}
	return false
}
