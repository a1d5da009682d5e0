package page

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"baton/backend/cdp"
	"baton/backend/inject"
)

// muteWait bounds the muting of one document.
const muteWait = 5 * time.Second

// heard takes what a document told of its sound.
func (p *Page) heard(s *cdp.Session, e runtime.EventBindingCalled) {
	p.mu.Lock()
	for _, f := range p.frames {
		if f.sess == s && f.worldID == e.ExecutionContextID && f.world != "" {
			f.audible = e.Payload == "on"
		}
	}
	p.mu.Unlock()
	p.hear()
}

// hear works out whether the page can be heard.
func (p *Page) hear() {
	on := false
	p.mu.Lock()
	for _, f := range p.frames {
		on = on || f.audible
	}
	p.mu.Unlock()
	p.update(func(s *State) { s.Audible = on })
}

// Mute keeps the media elements of all documents silent, those to come as well,
// or lets them be heard again. Web Audio is not reached. It does not wait.
func (p *Page) Mute(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.muted == on {
		return
	}
	p.muted = on
	for _, f := range p.frames {
		if f.world != "" {
			go p.muteIn(&world{p: p, frame: f.id, sess: f.sess, unique: f.world}, on)
		}
	}
}

func (p *Page) muteIn(w *world, on bool) {
	ctx, cancel := context.WithTimeout(p.alive(), muteWait)
	defer cancel()
	if err := inject.Mute(ctx, w, on); err != nil && w.here() {
		p.log.Warn("a document could not be muted", "error", err)
	}
}
