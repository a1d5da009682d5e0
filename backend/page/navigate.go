package page

import (
	"context"
	"errors"
	"strings"
	"time"

	cdppage "github.com/chromedp/cdproto/page"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/redact"
)

// afterDOM is how long a load is waited for once the document is parsed: some
// pages never finish a request.
const afterDOM = 2 * time.Second

// readReserve is what is kept of a load's time for reading what came of it.
const readReserve = 4 * time.Second

// signal is something that a navigation waits for.
type signal struct {
	kind     string // started, committed, within, dom, load, stopped, program, dialog, auth, sign-in, chooser
	loader   cdproto.LoaderID
	download string // the id of the one that began
	program  string // the scheme of an address that another program opens
	chooser  *cdppage.EventFileChooserOpened
	sess     *cdp.Session
}

// waiter gets the page's signals from the moment it is made.
type waiter struct{ c chan signal }

func (p *Page) wait() *waiter {
	w := &waiter{c: make(chan signal, 256)}
	p.mu.Lock()
	p.waiters[w] = struct{}{}
	p.mu.Unlock()
	return w
}

func (p *Page) unwait(w *waiter) {
	p.mu.Lock()
	delete(p.waiters, w)
	p.mu.Unlock()
}

func (p *Page) signal(s signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.waiters {
		select {
		case w.c <- s:
		default:
		}
	}
}

// Loaded says how a navigation ended.
type Loaded struct {
	Complete bool // the load event came; else the page is usable and still loads
	Download bool // the address was a download; the page stayed
	Same     bool // the document stayed (a fragment, or history within it)
	Dialog   *Dialog
}

// Navigate loads an address and waits until the page is loaded, or parsed and
// still loading afterDOM later, or shows a dialog. A load that fails is a fault:
// NavigationFailed, TLSError or AuthRequired.
func (p *Page) Navigate(ctx context.Context, url string) (Loaded, error) {
	return p.load(ctx, func(ctx context.Context) (cdproto.LoaderID, bool, error) {
		// Loading may have its effect on the site, as input may.
		var r cdppage.NavigateResult
		if err := passing(ctx, p.sess, "Page.navigate", cdppage.NavigateParams{URL: url, TransitionType: cdppage.TransitionTypeTyped}, &r); err != nil {
			var refused *cdp.Error
			if errors.As(err, &refused) {
				return "", false, fault.New(fault.NavigationFailed, "the address %q cannot be opened", redact.URL(url)).Because(err)
			}
			return "", false, err
		}
		if r.IsDownload {
			return "", true, nil
		}
		if r.ErrorText != "" {
			if f := p.authFault(); f != nil {
				return "", false, f
			}
			name := p.refused(r.ErrorText)
			p.update(func(s *State) { s.Failed = name })
			return "", false, loadFault(name, url)
		}
		return r.LoaderID, false, nil
	})
}

// Reload loads the page again; hard goes round the cache.
func (p *Page) Reload(ctx context.Context, hard bool) (Loaded, error) {
	p.Revive()
	return p.load(ctx, func(ctx context.Context) (cdproto.LoaderID, bool, error) {
		return "any", false, passing(ctx, p.sess, "Page.reload", cdppage.ReloadParams{IgnoreCache: &hard}, nil)
	})
}

// Stop ends loading.
func (p *Page) Stop(ctx context.Context) error {
	err := p.sess.Call(ctx, "Page.stopLoading", nil, nil)
	p.leaveSignIn()
	return err
}

// History moves by delta entries; NavigationFailed when there are not so many.
func (p *Page) History(ctx context.Context, delta int) (Loaded, error) {
	return p.load(ctx, func(ctx context.Context) (cdproto.LoaderID, bool, error) {
		h, err := cdproto.Call(ctx, p.sess, cdppage.GetNavigationHistory, cdproto.Empty{})
		if err != nil {
			return "", false, err
		}
		i := int(h.CurrentIndex) + delta
		if i < first(h) || i >= len(h.Entries) {
			way := "forward"
			if delta < 0 {
				way = "back"
			}
			return "", false, fault.New(fault.NavigationFailed, "there is no page to go %s to", way).Then("open an address with browser_navigate url")
		}
		return "any", false, passing(ctx, p.sess, "Page.navigateToHistoryEntry", cdppage.NavigateToHistoryEntryParams{EntryID: h.Entries[i].ID}, nil)
	})
}

// load runs start and waits for what it set off. A loader id of "any" means
// that whatever the page loads next is meant.
func (p *Page) load(ctx context.Context, start func(context.Context) (cdproto.LoaderID, bool, error)) (Loaded, error) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	defer p.Own(ctx)()
	w := p.wait()
	defer p.unwait(w)
	p.leaveSignIn()
	p.mu.Lock()
	p.auth, p.authShown, p.distrusted = nil, "", ""
	p.mu.Unlock()

	p.unstick(ctx)
	type begun struct {
		loader   cdproto.LoaderID
		download bool
		err      error
	}
	var slow <-chan time.Time
	if t, ok := ctx.Deadline(); ok {
		timer := time.NewTimer(time.Until(t) - readReserve)
		defer timer.Stop()
		slow = timer.C
	}
	started := make(chan begun, 1)
	go func() {
		var b begun
		b.loader, b.download, b.err = start(ctx)
		started <- b
	}()
	var (
		loader    cdproto.LoaderID
		known     bool
		committed bool
		within    bool
		early     []signal
		patience  <-chan time.Time
	)
	for {
		select {
		case b := <-started:
			switch {
			case b.err != nil:
				return Loaded{}, p.explain(ctx, b.err)
			case b.download:
				var ids []string
				for _, s := range early {
					if s.kind == "download" {
						ids = append(ids, s.download)
					}
				}
				p.saved(ctx, w, ids, askedWait)
				return Loaded{Download: true}, nil
			case b.loader == "":
				return Loaded{Same: true, Complete: true}, nil
			}
			loader, known = b.loader, true
			if loader == "any" && within {
				return Loaded{Same: true, Complete: true}, nil
			}
			// What came while the command was under way counts too.
			for _, s := range early {
				if done, l := loadStep(s, loader, &committed, &patience); done {
					return l, p.failed()
				}
			}
		case s := <-w.c:
			switch s.kind {
			case "dialog":
				d, _ := p.Dialogs.Get()
				return Loaded{Dialog: d}, nil
			case "within":
				within = true
				if known && loader == "any" {
					return Loaded{Same: true, Complete: true}, nil
				}
			case "auth":
				continue
			case "sign-in":
				if a, _ := p.Asks.Get(); a.SignIn != nil {
					return Loaded{}, a.SignIn.fault()
				}
			}
			if !known {
				early = append(early, s)
				continue
			}
			if done, l := loadStep(s, loader, &committed, &patience); done {
				return l, p.failed()
			}
		case <-patience:
			return Loaded{}, p.failed()
		case <-slow:
			if committed {
				return Loaded{}, p.failed() // a document without end can be read, too
			}
		case <-ctx.Done():
			if committed {
				return Loaded{}, p.failed() // usable, still loading
			}
			return Loaded{}, p.explain(ctx, fault.From(context.Cause(ctx)))
		}
	}
}

// stuckFor is how long a document's thread must not answer to be stuck.
const stuckFor = 700 * time.Millisecond

// unstick ends the scripts of a document that is about to be left and whose
// thread does not answer: one without end would keep the next document from
// coming. Once Chromium is ready to show that, it passes nothing on any more.
func (p *Page) unstick(ctx context.Context) {
	p.mu.Lock()
	revived := p.revived
	p.mu.Unlock()
	if revived {
		return // there is no process that could be stuck
	}
	for range 3 {
		if d, _ := p.Dialogs.Get(); d != nil || ctx.Err() != nil || p.Alive(ctx, stuckFor) {
			return
		}
		if d, _ := p.Dialogs.Get(); d != nil {
			return
		}
		c, cancel := soon(ctx, stuckFor)
		_ = p.sess.Call(c, "Runtime.terminateExecution", nil, nil)
		cancel()
	}
}

// loadStep takes one signal; done says that the page is loaded.
func loadStep(s signal, loader cdproto.LoaderID, committed *bool, patience *<-chan time.Time) (done bool, l Loaded) {
	mine := s.loader == loader || (loader == "any" && *committed)
	switch s.kind {
	case "committed":
		if s.loader == loader || loader == "any" {
			*committed = true
		}
	case "dom":
		if mine && *patience == nil {
			*patience = time.After(afterDOM)
		}
	case "load":
		if mine {
			return true, Loaded{Complete: true}
		}
	}
	return false, Loaded{}
}

// failed gives the fault of a load that ended in a challenge or in Chromium's
// error page.
func (p *Page) failed() error {
	if f := p.authFault(); f != nil {
		return f
	}
	if st, _ := p.State.Get(); st.Failed != "" {
		return loadFault(st.Failed, st.URL)
	}
	return nil
}

// loadFault explains a net::ERR_ name.
func loadFault(name, url string) *fault.Fault {
	host := hostOf(url)
	switch name {
	case failedSignIn:
		return fault.New(fault.AuthRequired, "%s asks for a user name and password", host)
	case failedProxySignIn:
		return fault.New(fault.AuthRequired, "the proxy asks for a user name and password")
	}
	why, ok := map[string]string{
		"net::ERR_NAME_NOT_RESOLVED":          "the name of the site cannot be found",
		"net::ERR_CONNECTION_REFUSED":         "the site refuses connections",
		"net::ERR_CONNECTION_RESET":           "the site broke the connection off",
		"net::ERR_CONNECTION_CLOSED":          "the site closed the connection",
		"net::ERR_CONNECTION_TIMED_OUT":       "the site does not answer",
		"net::ERR_TIMED_OUT":                  "the site does not answer",
		"net::ERR_ADDRESS_UNREACHABLE":        "the site's address cannot be reached",
		"net::ERR_INTERNET_DISCONNECTED":      "this computer is offline",
		"net::ERR_PROXY_CONNECTION_FAILED":    "the proxy cannot be reached",
		"net::ERR_TUNNEL_CONNECTION_FAILED":   "the proxy refuses the connection",
		"net::ERR_SOCKS_CONNECTION_FAILED":    "the proxy cannot be reached",
		"net::ERR_TOO_MANY_REDIRECTS":         "the site redirects without end",
		"net::ERR_EMPTY_RESPONSE":             "the site sent nothing",
		"net::ERR_UNSAFE_PORT":                "the port is one that browsers do not open",
		"net::ERR_BLOCKED_BY_CLIENT":          "Baton does not open this address",
		"net::ERR_BLOCKED_BY_RESPONSE":        "the site does not allow this",
		"net::ERR_INVALID_RESPONSE":           "the site's answer is no web page",
		"net::ERR_ABORTED":                    "the load was broken off",
		"net::ERR_HTTP_RESPONSE_CODE_FAILURE": "the site answered with an error and no page",
		"net::ERR_FILE_NOT_FOUND":             "the file cannot be shown any more; open it again",
	}[name]
	if strings.HasPrefix(name, "net::ERR_CERT_") || strings.HasPrefix(name, "net::ERR_SSL_") || strings.HasPrefix(name, "net::ERR_BAD_SSL_") {
		return tlsFault(name, host)
	}
	if !ok {
		why = "Chromium gave up"
	}
	return fault.New(fault.NavigationFailed, "the page at %s could not be loaded: %s (%s)", host, why, strings.TrimPrefix(name, "net::"))
}

// FailureText gives a sentence for a net::ERR_ name, for the person.
func FailureText(name, url string) string { return loadFault(name, url).Message }

func hostOf(raw string) string {
	rest := raw
	if _, after, ok := strings.Cut(raw, "://"); ok {
		rest = after
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return rest
}

// RefreshHistory asks which ways the page can go; the answer shows in State.
func (p *Page) RefreshHistory() {
	go func() {
		ctx, cancel := context.WithTimeout(p.alive(), 5*time.Second)
		defer cancel()
		h, err := cdproto.Call(ctx, p.sess, cdppage.GetNavigationHistory, cdproto.Empty{})
		if err != nil || int(h.CurrentIndex) >= len(h.Entries) {
			return
		}
		p.update(func(s *State) {
			now := h.Entries[h.CurrentIndex]
			if p.source = sourceOf(now); p.told != s.Revision && now.Title != "" {
				s.Title = now.Title // a document that comes back does not tell it again
			}
			s.CanBack, s.CanNext = int(h.CurrentIndex) > first(h), int(h.CurrentIndex) < len(h.Entries)-1
		})
	}()
}

// first gives the index of the oldest entry to go back to: the blank page that
// every target starts with is none.
func first(h cdppage.GetNavigationHistoryResult) int {
	if len(h.Entries) > 1 && h.Entries[0].URL == "about:blank" {
		return 1
	}
	return 0
}

// SourceScheme opens the address of a page's source.
const SourceScheme = "view-source:"

// sourceOf tells whether an entry is a page's source: Chromium names it by the
// page's own address.
func sourceOf(e *cdppage.NavigationEntry) bool {
	return strings.HasPrefix(e.UserTypedURL, SourceScheme)
}

// Entry is one entry of the page's history.
type Entry struct{ URL, Title string }

// Entries gives the page's history and the index of the present entry.
func (p *Page) Entries(ctx context.Context) ([]Entry, int, error) {
	h, err := cdproto.Call(ctx, p.sess, cdppage.GetNavigationHistory, cdproto.Empty{})
	if err != nil {
		return nil, 0, err
	}
	from := min(first(h), int(h.CurrentIndex))
	out := make([]Entry, 0, len(h.Entries))
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range h.Entries[from:] {
		u := p.shownAs(e.URL)
		if sourceOf(e) {
			u = SourceScheme + strings.TrimPrefix(u, SourceScheme)
		}
		out = append(out, Entry{URL: p.clean(u), Title: p.clean(e.Title)})
	}
	return out, int(h.CurrentIndex) - from, nil
}
