package engine

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"

	"baton/backend/cdp"
	"baton/backend/chromium"
	"baton/backend/page"
)

// running is one Chromium process and its pages.
type running struct {
	scale float64 // pixel ratio of its pictures
	e     *Engine
	proc  *chromium.Process
	ident page.Identity

	mu        sync.Mutex
	pages     map[string]*page.Page   // by target id
	from      map[string]*page.Page   // the page that opened a page, by target id
	fresh     chan *page.Page         // where Open waits for its page
	board     board                   // made at the person's first copy or paste
	arrived   chan *cdp.Session       // where the board's session is awaited
	tools     chan toolsAt            // where OpenTools awaits what it opened; nil when nobody does
	opened    opened                  // the last page that said it opens a window
	downloads map[string]*downloading // files that are being saved, by Chromium's name for them
	empty     time.Time               // when it was first seen without a page; zero while it has one

	resting atomic.Bool // it is being stopped for want of pages
}

type opened struct {
	by *page.Page
	at time.Time
}

// watch waits for the process's end and tells its pages.
func (r *running) watch() {
	<-r.proc.Exited()
	r.e.mu.Lock()
	stopped := r.e.stopped
	if r.e.run == r {
		r.e.run = nil
	}
	r.e.mu.Unlock()
	r.mu.Lock()
	pages := r.pages
	r.pages = map[string]*page.Page{}
	r.mu.Unlock()
	if !stopped && !r.resting.Load() {
		r.e.cfg.Log.Warn("Chromium ended; it is started again on next use", "process", r.proc.PID(), "pages", len(pages))
	}
	r.downloadsBreak()
	for _, p := range pages {
		p.Crash()
		if r.e.cfg.Closed != nil {
			r.e.cfg.Closed(p)
		}
	}
}

// refresh has the pages show nothing that became known.
func (r *running) refresh() {
	for {
		select {
		case <-r.e.news:
			for _, p := range r.list() {
				p.Refresh()
			}
		case <-r.proc.Exited():
			return
		}
	}
}

func (r *running) list() []*page.Page {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Collect(maps.Values(r.pages))
}

// unused tells whether there has been no page for so long.
func (r *running) unused(after time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.pages) > 0 || r.fresh != nil {
		r.empty = time.Time{}
		return false
	}
	if r.empty.IsZero() {
		r.empty = time.Now()
	}
	return time.Since(r.empty) >= after
}

func (r *running) handle(ev cdp.Event) {
	switch ev.Method {
	case "Target.attachedToTarget":
		if e, ok := cdp.Decode[target.EventAttachedToTarget](ev); ok && e.TargetInfo != nil {
			go r.attached(string(e.SessionID), *e.TargetInfo)
		}
	case "Target.targetInfoChanged":
		if e, ok := cdp.Decode[target.EventTargetInfoChanged](ev); ok && e.TargetInfo != nil {
			if p := r.page(string(e.TargetInfo.TargetID)); p != nil {
				p.Info(*e.TargetInfo)
			}
		}
	case "Browser.downloadWillBegin":
		if e, ok := cdp.Decode[browser.EventDownloadWillBegin](ev); ok {
			r.downloadBegins(e)
		}
	case "Browser.downloadProgress":
		if e, ok := cdp.Decode[browser.EventDownloadProgress](ev); ok {
			r.downloadMoves(e)
		}
	case "Target.targetCrashed":
		if e, ok := cdp.Decode[target.EventTargetCrashed](ev); ok {
			if p := r.page(string(e.TargetID)); p != nil {
				p.Crash()
			}
		}
	case "Target.targetDestroyed":
		if e, ok := cdp.Decode[target.EventTargetDestroyed](ev); ok {
			r.gone(string(e.TargetID))
		}
	case "Target.detachedFromTarget":
		if e, ok := cdp.Decode[target.EventDetachedFromTarget](ev); ok {
			r.left(string(e.SessionID))
		}
	}
}

func (r *running) page(id string) *page.Page {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pages[id]
}

// forget ends a page's object; nil when it was forgotten already.
func (r *running) forget(id string) *page.Page {
	r.mu.Lock()
	p := r.pages[id]
	delete(r.pages, id)
	delete(r.from, id)
	r.mu.Unlock()
	if p != nil {
		p.Gone()
	}
	return p
}

// attached takes a new page, or lets go of what is none.
func (r *running) attached(session string, info target.Info) {
	if isTools(info) && r.toolsArrived(session, info) {
		return
	}
	s := r.proc.Conn.Attach(session)
	ctx, cancel := context.WithTimeout(context.Background(), startWait)
	defer cancel()
	if info.Type != "page" || info.Subtype == "prerender" {
		s.Handle(func(cdp.Event) {})
		_, _ = s.Send(ctx, "Runtime.runIfWaitingForDebugger", nil)
		if info.Type != "service_worker" && info.Type != "shared_worker" {
			_, _ = r.proc.Conn.Browser().Send(ctx, "Target.detachFromTarget", target.DetachFromTargetParams{SessionID: target.SessionID(session)})
		}
		return
	}
	if r.isBoard(string(info.TargetID)) {
		r.mu.Lock()
		arrived := r.arrived
		r.mu.Unlock()
		r.boarded(context.Background(), s, arrived)
		return
	}
	p := page.New(info, s, page.Config{
		Scale:    r.scale,
		Identity: r.ident, Log: r.e.cfg.Log, Known: &r.e.known, Group: r.group(info), Own: r.e.cfg.Own, Trust: &r.e.trust,
	})
	r.mu.Lock()
	r.pages[p.ID] = p
	r.mu.Unlock()
	p.OpensWindow(func() {
		r.mu.Lock()
		r.opened = opened{by: p, at: time.Now()}
		r.mu.Unlock()
	})
	if info.OpenerID != "" {
		// Told before the page runs, so that its opener's action can name it.
		r.popup(p, info)
		if err := p.Init(ctx); err != nil {
			r.e.cfg.Log.Debug("a popup went away while it was prepared", "error", err)
		}
		return
	}
	if err := p.Init(ctx); err != nil {
		r.e.cfg.Log.Warn("a page could not be prepared", "error", err)
		if p := r.forget(string(info.TargetID)); p != nil && r.e.cfg.Closed != nil {
			r.e.cfg.Closed(p)
		}
		return
	}
	r.mu.Lock()
	fresh := r.fresh
	r.mu.Unlock()
	if fresh != nil {
		select {
		case fresh <- p:
			return
		default:
		}
	}
	r.popup(p, info)
}

// group names a page with those that it shares values with: its opener's.
func (r *running) group(info target.Info) string {
	if from := r.page(string(info.OpenerID)); from != nil {
		return from.Group()
	}
	return ""
}

// openedWait is how long after a page said that it opens a window a page
// without an opener may be that window.
const openedWait = 3 * time.Second

func (r *running) popup(p *page.Page, info target.Info) {
	r.mu.Lock()
	from := r.pages[string(info.OpenerID)]
	opener := from != nil && info.CanAccessOpener
	if from == nil && time.Since(r.opened.at) < openedWait {
		from = r.opened.by
	}
	if from != nil {
		r.from[p.ID] = from
	}
	r.mu.Unlock()
	if r.e.cfg.Popup != nil {
		r.e.cfg.Popup(p, from, opener)
	}
}
