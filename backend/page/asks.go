package page

import (
	cdproto "github.com/chromedp/cdproto/cdp"
)

// Asks is what the page asks of the person beside its dialogs. Each is nil
// while it asks no such thing.
type Asks struct {
	Chooser *Chooser
	SignIn  *SignIn
}

// asking changes what the page asks.
func (p *Page) asking(f func(*Asks)) {
	p.showing.Lock()
	defer p.showing.Unlock()
	was, _ := p.Asks.Get()
	now := was
	f(&now)
	if now != was {
		p.Asks.Set(now)
	}
}

// asksOver ends what the document before asked. What has come in the place of a
// document that nobody signed in for keeps that question.
func (p *Page) asksOver(loader cdproto.LoaderID, unsigned bool) {
	var left *Chooser
	p.asking(func(a *Asks) {
		left, a.Chooser = a.Chooser, nil
		switch {
		case a.SignIn == nil:
		case unsigned && a.SignIn.request == "" && a.SignIn.document == "":
			b := *a.SignIn
			b.document = loader
			a.SignIn = &b
		case a.SignIn.document != loader:
			a.SignIn = nil
		}
	})
	if left != nil {
		left.release()
	}
}

// tell gives the person word of what the page cannot have.
func (p *Page) tell(words string) { p.Words.Publish(words) }

// agent names the agent whose action is under way, or "".
func (p *Page) agent() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialogFor
}
