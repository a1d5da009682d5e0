// Package engine runs one profile's Chromium: it starts it on first use, makes
// and closes its pages, hears of popups, and starts it again after it died.
//
// One [Engine] belongs to one profile folder. [Engine.Open] gives a new blank
// page; popups that pages open come through Config.Popup.
package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/chromium"
	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/redact"
)

// startWait bounds the start of a Chromium, cold disk included.
const startWait = 30 * time.Second

// Config is fixed for an engine's life.
type Config struct {
	Chromium  string         // explicit path; empty finds one
	Folder    string         // the profile's user-data folder
	Downloads string         // where downloads go
	Scale     func() float64 // pixel ratio of moving pictures, asked at each start; nil is 1
	Proxy     string         // proxy of every request but loopback ones; empty is the system's
	Log       *slog.Logger
	// Own are Baton's own addresses, which no page loads; nil is none.
	Own *page.Own
	// Permissions gives what the person lets sites do; nil is nothing.
	Permissions func(ctx context.Context) ([]Permission, error)
	// Popup is told of a page that another page opened, before its first line
	// runs. from is the page that opened it, or nil when Chromium does not say;
	// opener tells whether the two stay connected.
	Popup func(p, from *page.Page, opener bool)
	// Saving is told of each download as it begins, goes on and ends; it must not
	// wait. Nil is nobody.
	Saving func(page.Download)
	// Closed is told of a page that closed by itself or with its Chromium
	// (then p's state says crashed).
	Closed func(p *page.Page)
}

// Engine is one profile's Chromium.
type Engine struct {
	cfg   Config
	known redact.Known  // what secret fields held, until Chromium is stopped
	trust page.Trust    // sites that the person opened in spite of their certificate
	news  chan struct{} // something became known

	opening sync.Mutex // one Open at a time, so that a fresh target is told from a popup
	tooling sync.Mutex // one OpenTools at a time

	mu      sync.Mutex
	run     *running
	starts  int
	stopped bool
}

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

// New makes an engine; nothing starts yet.
func New(cfg Config) *Engine {
	e := &Engine{cfg: cfg, news: make(chan struct{}, 1)}
	e.known.Changed(func() {
		select {
		case e.news <- struct{}{}:
		default:
		}
	})
	return e
}

// Known are the values that secret fields of the engine's pages were seen to
// hold.
func (e *Engine) Known() *redact.Known { return &e.known }

// Reblock tells the pages that Baton listens somewhere else now.
func (e *Engine) Reblock() {
	e.mu.Lock()
	r := e.run
	e.mu.Unlock()
	if r != nil {
		for _, p := range r.list() {
			p.Reblock()
		}
	}
}

// Flush waits until every page has told what its secret fields hold now. It
// costs nothing while no page has such a field.
func (e *Engine) Flush(ctx context.Context) {
	e.mu.Lock()
	r := e.run
	e.mu.Unlock()
	if r == nil {
		return
	}
	var wg sync.WaitGroup
	for _, p := range r.list() {
		wg.Go(func() { p.Flush(ctx) })
	}
	wg.Wait()
}

// Running tells whether its Chromium runs now, and its process id.
func (e *Engine) Running() (pid int, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.run == nil {
		return 0, false
	}
	return e.run.proc.PID(), true
}

// Start starts Chromium unless it runs. EngineUnavailable says why it cannot.
func (e *Engine) Start(ctx context.Context) error {
	_, err := e.start(ctx)
	return err
}

func (e *Engine) start(ctx context.Context) (*running, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stopped {
		return nil, fault.New(fault.EngineUnavailable, "Baton is stopping")
	}
	if e.run != nil {
		select {
		case <-e.run.proc.Exited():
			e.run = nil
		default:
			return e.run, nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	r, err := e.launch(ctx)
	if err != nil {
		if cause := ctx.Err(); errors.Is(cause, context.Canceled) {
			return nil, cause
		}
		f := fault.New(fault.EngineUnavailable, "Chromium could not be started: %v", err).Because(err)
		var locked *chromium.LockedError
		if errors.As(err, &locked) {
			f.Then("close the other Chromium (process %d on %s), then try again", locked.PID, locked.Host)
		}
		return nil, f
	}
	e.starts++
	e.run = r
	return r, nil
}

func (e *Engine) launch(ctx context.Context) (*running, error) {
	path, err := chromium.Find(e.cfg.Chromium)
	if err != nil {
		return nil, err
	}
	version, err := chromium.Version(ctx, path)
	if err != nil {
		return nil, err
	}
	ident := identity(version)
	scale := 1.0
	if e.cfg.Scale != nil {
		scale = max(1, e.cfg.Scale())
	}
	proc, err := chromium.Launch(ctx, chromium.Config{
		Path: path, Profile: e.cfg.Folder, Scale: scale, Proxy: e.cfg.Proxy, Root: os.Geteuid() == 0,
		Extra: []string{"--user-agent=" + ident.UserAgent},
	}, e.cfg.Log)
	if err != nil {
		return nil, err
	}
	arrivals := ""
	if e.cfg.Downloads != "" { // the profile is ours alone now
		if arrivals, err = e.sweep(); err != nil {
			proc.Kill()
			return nil, fmt.Errorf("the download folder: %w", err)
		}
	}
	r := &running{e: e, proc: proc, ident: ident, scale: scale, pages: map[string]*page.Page{}, from: map[string]*page.Page{}}
	b := proc.Conn.Browser()
	b.Handle(r.handle)
	yes := true
	pages := target.Filter{{Type: "browser", Exclude: true}, {Type: "tab", Exclude: true}, {Type: "browser_ui", Exclude: true}, {Type: "other", Exclude: true}, {}}
	attach := target.Filter{pages[0], pages[1], pages[2], {}} // developer tools begin as "other"
	for _, c := range []struct {
		method string
		params any
	}{
		{"Target.setDiscoverTargets", target.SetDiscoverTargetsParams{Discover: true, Filter: pages}},
		{"Target.setAutoAttach", target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &yes, Filter: attach}},
		{"Browser.setDownloadBehavior", browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllowAndName, DownloadPath: arrivals, EventsEnabled: &yes}},
	} {
		if c.method == "Browser.setDownloadBehavior" && e.cfg.Downloads == "" {
			continue
		}
		if err := b.Call(ctx, c.method, c.params, nil); err != nil {
			proc.Kill()
			return nil, err
		}
	}
	if e.cfg.Permissions != nil {
		list, err := e.cfg.Permissions(ctx)
		if err != nil {
			proc.Kill()
			return nil, err
		}
		for _, x := range list {
			if err := permit(ctx, b, x); err != nil {
				e.cfg.Log.Warn("a permission could not be set", "error", err)
			}
		}
	}
	go r.watch()
	go r.refresh()
	e.cfg.Log.Info("Chromium started", "version", proc.Version.Product, "process", proc.PID(), "profile", e.cfg.Folder)
	return r, nil
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

// Open makes a new blank page. It starts Chromium when needed.
func (e *Engine) Open(ctx context.Context) (*page.Page, error) {
	e.opening.Lock()
	defer e.opening.Unlock()
	r, err := e.start(ctx)
	if err != nil {
		return nil, err
	}
	fresh := make(chan *page.Page, 4)
	r.mu.Lock()
	r.fresh = fresh
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.fresh = nil
		r.mu.Unlock()
		for {
			select {
			case p := <-fresh: // a popup that came in between
				r.popup(p, target.Info{TargetID: target.ID(p.ID)})
			default:
				return
			}
		}
	}()
	behind := true // a tab of one window takes far less memory than a window of its own
	made, err := cdproto.Call(ctx, r.proc.Conn.Browser(), target.CreateTarget, target.CreateTargetParams{URL: "about:blank", Background: &behind})
	if err != nil {
		return nil, fault.New(fault.EngineUnavailable, "Chromium did not open a tab").Because(err)
	}
	for {
		select {
		case p := <-fresh:
			if p.ID == string(made.TargetID) {
				return p, nil
			}
			r.popup(p, target.Info{TargetID: target.ID(p.ID)})
		case <-ctx.Done():
			_, _ = r.proc.Conn.Browser().Send(context.Background(), "Target.closeTarget", target.CloseTargetParams(made))
			return nil, context.Cause(ctx)
		case <-r.proc.Exited():
			return nil, fault.New(fault.EngineUnavailable, "Chromium ended while it opened a tab")
		}
	}
}

// Close closes a page; one that does not answer is closed all the same.
func (e *Engine) Close(ctx context.Context, p *page.Page) error {
	e.mu.Lock()
	r := e.run
	e.mu.Unlock()
	if r == nil {
		return nil
	}
	r.mu.Lock()
	_, mine := r.pages[p.ID]
	r.mu.Unlock()
	if !mine {
		return nil
	}
	_, err := cdproto.Call(ctx, r.proc.Conn.Browser(), target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(p.ID)})
	if err != nil {
		return fmt.Errorf("closing a page: %w", err)
	}
	for again := time.NewTimer(closeWait); ; again.Reset(closeWait) {
		select {
		case <-p.Done():
		case <-ctx.Done():
		case <-again.C:
			// A page that loads itself again and again has its closing forgotten.
			p.Quiet(ctx)
			_, _ = r.proc.Conn.Browser().Send(ctx, "Target.closeTarget", target.CloseTargetParams{TargetID: target.ID(p.ID)})
			continue
		}
		again.Stop()
		r.forget(p.ID)
		return nil
	}
}

// closeWait is how long a page may take to close before it is told once more.
const closeWait = 400 * time.Millisecond

// Stop ends Chromium for good, within wait.
func (e *Engine) Stop(wait time.Duration) error {
	e.mu.Lock()
	e.stopped = true
	r := e.run
	e.mu.Unlock()
	defer e.known.Wipe()
	if r == nil {
		return nil
	}
	return r.proc.Stop(wait)
}

// Rest stops a Chromium that has had no page for a while; the next use starts
// it again. It tells whether one was stopped.
func (e *Engine) Rest(after, wait time.Duration) (bool, error) {
	e.opening.Lock() // nobody opens a page meanwhile
	defer e.opening.Unlock()
	e.mu.Lock()
	r := e.run
	if r == nil || !r.unused(after) {
		e.mu.Unlock()
		return false, nil
	}
	e.run = nil
	e.mu.Unlock()
	r.resting.Store(true)
	defer e.known.Wipe()
	return true, r.proc.Stop(wait)
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
