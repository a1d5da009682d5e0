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
	"os"
	"sync"
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
		case <-e.run.proc.Conn.Done():
			e.run.proc.Kill() // it is dying: its pipe closes a little before it has ended
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

// Open makes a new blank page. It starts Chromium when needed.
func (e *Engine) Open(ctx context.Context) (*page.Page, error) {
	e.opening.Lock()
	defer e.opening.Unlock()
	p, err := e.open(ctx)
	if errors.Is(err, errEnded) && ctx.Err() == nil { // a blank page that went with it did nothing yet
		return e.open(ctx)
	}
	return p, err
}

// errEnded says that Chromium ended, not that it cannot do something.
var errEnded = errors.New("the browser ended")

// open makes a page. Call with opening held.
func (e *Engine) open(ctx context.Context) (*page.Page, error) {
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
	if errors.Is(err, cdp.ErrClosed) {
		err = errors.Join(errEnded, err)
	}
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
			return nil, fault.New(fault.EngineUnavailable, "Chromium ended while it opened a tab").Because(errEnded)
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
