package page

import (
	"context"
	"strings"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"baton/backend/cdp"
	"baton/backend/preview"
)

// A local file is shown from the preview server, under an origin of its own.
// Requests to that origin, and documents as ever, are all that is paused; a
// request gets the grant's header when a frame of this tab that holds a
// document of the grant made it. Frames of other sites, workers, redirects and
// other tabs get none, and without it the server refuses.

// localFile is a preview in this tab; guarded by Page.mu.
type localFile struct {
	grant  *preview.Grant
	coming bool // Baton is loading it: the main frame's next document may be it
	over   bool // the tab has left it; kept to name its address
}

// localsKept bounds the previews whose addresses a page can still name.
const localsKept = 32

// ShowLocal loads a granted file and waits as Navigate does. The grant ends
// when the tab leaves it, or when it cannot be loaded.
func (p *Page) ShowLocal(ctx context.Context, g *preview.Grant, fragment string) (Loaded, error) {
	l := &localFile{grant: g, coming: true}
	p.mu.Lock()
	p.locals = append(p.locals, l)
	if n := len(p.locals) - localsKept; n > 0 {
		p.locals = p.locals[n:]
	}
	p.mu.Unlock()
	for _, m := range g.Blocked {
		p.Console.add("warning", "not loaded: "+m.Name+": "+m.Why, "")
	}
	if err := p.sess.Call(ctx, "Fetch.enable", p.paused(), nil); err != nil {
		p.LeaveLocal()
		return Loaded{}, p.explain(ctx, err)
	}
	loaded, err := p.Navigate(ctx, g.URL(fragment))
	p.mu.Lock()
	l.coming = false
	at := p.frames[p.root].url
	p.mu.Unlock()
	if loaded.Dialog == nil || loaded.Dialog.Kind != "beforeunload" {
		p.leftLocal(at)
	}
	return loaded, err
}

// LeaveLocal ends the previews in this tab: its page has gone.
func (p *Page) LeaveLocal() { p.leftLocal("") }

// leftLocal ends the previews that an address of the main frame is not of.
func (p *Page) leftLocal(at string) {
	p.mu.Lock()
	var gone []*preview.Grant
	for _, l := range p.locals {
		if !l.over && (!l.coming || at == "") && !l.grant.Has(at) {
			l.over = true
			gone = append(gone, l.grant)
		}
	}
	ended := p.state.Closed || at == ""
	p.mu.Unlock()
	for _, g := range gone {
		g.Close()
	}
	if len(gone) > 0 && !ended {
		_, _ = p.sess.Send(context.Background(), "Fetch.enable", p.paused())
	}
}

// paused says which requests wait for Baton: documents, for sites' sign-ins, and
// what goes to a preview's origin.
func (p *Page) paused() fetch.EnableParams {
	yes := true
	e := fetch.EnableParams{Patterns: []*fetch.RequestPattern{{ResourceType: "Document"}}, HandleAuthRequests: &yes}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.locals {
		if !l.over {
			e.Patterns = append(e.Patterns, &fetch.RequestPattern{URLPattern: l.grant.Origin() + "/*"})
		}
	}
	return e
}

// frameSoon is how long a request may be ahead of the news of its frame.
const frameSoon = time.Second

// requested lets a paused request go on, with the header that it may have.
func (p *Page) requested(s *cdp.Session, e fetch.EventRequestPaused) {
	if p.owned(s, e) || p.distrust(s, e) {
		return
	}
	send := func(l *localFile) {
		if l != nil && e.ResourceType == network.ResourceTypeDocument {
			_, _ = s.Send(context.Background(), "Fetch.enable", p.paused()) // it may be one that was left
		}
		c := fetch.ContinueRequestParams{RequestID: e.RequestID}
		if l != nil {
			c.Headers = withHeader(e.Request.Headers, l.grant)
			if name, ok := l.grant.Serves(e.Request.URL); !ok {
				p.Console.add("error", "blocked: "+name+" is not part of this preview", "")
			}
		}
		_, _ = s.Send(context.Background(), "Fetch.continueRequest", c)
	}
	l, known := p.entitled(s, e)
	if known {
		send(l)
		return
	}
	go func() {
		end := time.Now().Add(frameSoon)
		for !known && time.Now().Before(end) {
			time.Sleep(10 * time.Millisecond)
			l, known = p.entitled(s, e)
		}
		send(l)
	}()
}

// subresources are the kinds of request that a document makes for itself.
var subresources = map[network.ResourceType]bool{
	network.ResourceTypeStylesheet: true, network.ResourceTypeImage: true, network.ResourceTypeMedia: true, network.ResourceTypeFont: true,
	network.ResourceTypeScript: true, network.ResourceTypeTextTrack: true, network.ResourceTypeXHR: true, network.ResourceTypeFetch: true,
	network.ResourceTypeManifest: true,
}

// entitled gives the preview whose header a request may have, or nil. known is
// false while its frame is not known yet.
func (p *Page) entitled(s *cdp.Session, e fetch.EventRequestPaused) (l *localFile, known bool) {
	if e.Request == nil || s != p.sess || e.RedirectedRequestID != "" {
		return nil, true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range p.locals {
		if x.grant.Has(e.Request.URL) {
			l = x
		}
	}
	if l == nil {
		return nil, true
	}
	f := p.frames[e.FrameID]
	switch {
	case f == nil:
		return nil, false
	case l.over:
		if f.id != p.root || e.ResourceType != network.ResourceTypeDocument {
			return nil, true
		}
		// The tab goes back to what it had left.
		g, err := l.grant.Revive()
		if err != nil {
			return nil, true
		}
		l.grant, l.over, f.local = g, false, l
		return l, true
	case subresources[e.ResourceType]:
		if f.sess == s && f.holds(l) {
			return l, true
		}
	case e.ResourceType != network.ResourceTypeDocument:
	case f.id == p.root:
		if l.coming || f.holds(l) {
			f.local = l
			return l, true
		}
	case f.parent != nil && f.parent.sess == s && f.parent.holds(l):
		f.local = l
		return l, true
	}
	return nil, true
}

// holds tells whether a frame's document is one of the preview's, or one without
// an address inside such a document. Call with Page.mu held.
func (f *frame) holds(l *localFile) bool {
	for f != nil && f.local != l && (f.url == "" || f.url == "about:blank" || f.url == "about:srcdoc") {
		f = f.parent
	}
	return f != nil && f.local == l
}

// localMoved takes a frame's preview away when its document is of another
// origin. Call with Page.mu held.
func (p *Page) localMoved(f *frame) {
	if f.local != nil && !f.local.grant.Has(f.url) {
		f.local = nil
	}
}

// withHeader adds the grant's header to a request's own.
func withHeader(own network.Headers, g *preview.Grant) []*fetch.HeaderEntry {
	out := make([]*fetch.HeaderEntry, 0, len(own)+1)
	for k, v := range own {
		if s, ok := v.(string); ok {
			out = append(out, &fetch.HeaderEntry{Name: k, Value: s})
		}
	}
	name, secret := g.Header()
	return append(out, &fetch.HeaderEntry{Name: name, Value: secret})
}

// ShownAs gives an address as people and agents see it: a local file's own
// instead of its preview's.
func (p *Page) ShownAs(url string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shownAs(url)
}

// shownAs is ShownAs with mu held.
func (p *Page) shownAs(url string) string {
	if p.source && strings.HasPrefix(url, "http") {
		return SourceScheme + url
	}
	for _, l := range p.locals {
		if l.grant.Has(url) {
			return l.grant.Shown(url)
		}
	}
	return url
}

// Local is the local file that the main frame shows, or nil.
func (p *Page) Local() *preview.Grant {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.frames[p.root]; f != nil && f.local != nil && !f.local.over {
		return f.local.grant
	}
	return nil
}

// Unshown has the tab say that a local file cannot be shown any more.
func (p *Page) Unshown(address string) {
	p.update(func(s *State) { s.URL, s.Failed = address, "net::ERR_FILE_NOT_FOUND" })
}
