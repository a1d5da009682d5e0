package page

import (
	"context"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"baton/backend/cdp"
)

// Own are the addresses of Baton itself: its interface, its MCP endpoint, its
// views. No page of a tab loads them, by whatever way it comes there (X2).
type Own struct {
	// Has tells whether an address is one.
	Has func(url string) bool
	// Hosts gives host and port of each, as Chromium writes them.
	Hosts func() []string
}

// ownPatterns give what a page's own requests are refused for; nil while Baton
// listens nowhere. Documents are refused as they are asked for.
func (p *Page) ownPatterns() *network.SetBlockedURLsParams {
	if p.cfg.Own == nil {
		return nil
	}
	hosts := p.cfg.Own.Hosts()
	if len(hosts) == 0 {
		return nil
	}
	out := &network.SetBlockedURLsParams{}
	for _, h := range hosts {
		for _, scheme := range []string{"http", "ws"} {
			out.URLPatterns = append(out.URLPatterns, &network.BlockPattern{URLPattern: scheme + "://" + h + "/*", Block: true})
		}
	}
	return out
}

// Reblock refuses what Baton listens on now.
func (p *Page) Reblock() {
	own := p.ownPatterns()
	if own == nil || p.cfg.Tools {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.sessions {
		_, _ = s.Send(p.life, "Network.setBlockedURLs", own)
	}
}

// owned refuses a document that is Baton's own.
func (p *Page) owned(s *cdp.Session, e fetch.EventRequestPaused) bool {
	if p.cfg.Own == nil || e.Request == nil || !p.cfg.Own.Has(e.Request.URL) {
		return false
	}
	_, _ = s.Send(context.Background(), "Fetch.failRequest", fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: network.ErrorReasonBlockedByClient})
	return true
}
