package page

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/fetch"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/redact"
)

// SignIn is a site's or proxy's request for a user name and password (HTTP
// authentication). The answer goes to Chromium, which keeps it for as long as
// it runs and nowhere else.
type SignIn struct {
	ID     int
	Origin string
	Realm  string // as the site has it
	Scheme string // basic, digest, …
	Proxy  bool   // a proxy asks, not the site
	Wrong  bool   // the last answer was not taken
	For    string // the agent whose load was refused for want of it, or ""
	URL    string // of the document that is asked for

	sess     *cdp.Session
	request  fetch.RequestID  // the request that waits for the answer; "" when it was refused
	document cdproto.LoaderID // what stands in the document's place when it was refused; "" before that is known
}

// signInWait is how long a document waits for the person to sign in.
const signInWait = 10 * time.Minute

// failedSignIn and failedProxySignIn stand in State.Failed for a document that
// nobody signed in for.
const (
	failedSignIn      = "baton::SIGN_IN"
	failedProxySignIn = "baton::PROXY_SIGN_IN"
)

// offered is an answer that waits for the challenge it is meant for.
type offered struct {
	SignIn
	user, password string
	until          time.Time
}

// challenged answers a site's HTTP authentication. What an agent loads is
// refused at once; else the document waits for the person.
func (p *Page) challenged(s *cdp.Session, e fetch.EventAuthRequired) {
	if e.AuthChallenge == nil {
		p.authenticate(s, e.RequestID, fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseCancelAuth})
		return
	}
	a := &SignIn{
		Origin: e.AuthChallenge.Origin, Realm: cutRunes(e.AuthChallenge.Realm, 200), Scheme: e.AuthChallenge.Scheme,
		Proxy: e.AuthChallenge.Source == fetch.AuthChallengeSourceProxy, sess: s, request: e.RequestID,
	}
	if e.Request != nil {
		a.URL = e.Request.URL
	}
	main := e.FrameID == p.root
	p.mu.Lock()
	agent := p.dialogFor
	o := p.offer
	if o != nil && a.same(&o.SignIn) && time.Now().Before(o.until) {
		p.offer = nil
	} else {
		o = nil
	}
	if p.answered != nil && a.same(p.answered) {
		a.Wrong = true
	}
	if o != nil {
		p.answered = &o.SignIn
	}
	p.signIns++
	a.ID = p.signIns
	p.mu.Unlock()
	switch {
	case o != nil:
		p.authenticate(s, e.RequestID, fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseProvideCredentials, Username: o.user, Password: o.password})
		o.user, o.password = "", ""
	case agent != "" || !main:
		a.For = agent
		p.refuse(a, main)
		p.signal(signal{kind: "auth"})
	default:
		p.asking(func(x *Asks) { x.SignIn = a })
		p.signal(signal{kind: "sign-in"})
		time.AfterFunc(signInWait, func() { p.CancelSignIn(a.ID) })
	}
}

// same tells whether both ask for the same user name and password.
func (a *SignIn) same(b *SignIn) bool {
	return a.Origin == b.Origin && a.Realm == b.Realm && a.Proxy == b.Proxy
}

// refuse has Chromium go on without an answer. The main frame's question stays
// for the person, beside what the site says to those without.
func (p *Page) refuse(a *SignIn, main bool) {
	s, request := a.sess, a.request
	if main {
		b := *a
		b.request, b.Wrong = "", false
		p.mu.Lock()
		p.auth = &b
		p.authShown = ""
		p.mu.Unlock()
		p.asking(func(x *Asks) { x.SignIn = &b })
	}
	p.authenticate(s, request, fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseCancelAuth})
}

func (p *Page) authenticate(s *cdp.Session, id fetch.RequestID, r fetch.AuthChallengeResponse) {
	_, _ = s.Send(context.Background(), "Fetch.continueWithAuth", fetch.ContinueWithAuthParams{RequestID: id, AuthChallengeResponse: &r})
}

// unsigned tells what a document that has just come stands for, when it came
// since nobody signed in; "" for any other. Call with mu held.
func (p *Page) unsigned(url string, loader cdproto.LoaderID) string {
	a := p.auth
	if a == nil || (p.authShown != "" && p.authShown != loader) || (!a.Proxy && hostOf(url) != hostOf(a.URL)) {
		p.auth, p.authShown = nil, ""
		return ""
	}
	p.authShown = loader
	if a.Proxy {
		return failedProxySignIn
	}
	return failedSignIn
}

// signIn takes an open question away.
func (p *Page) signIn(id int) *SignIn {
	var a *SignIn
	p.asking(func(x *Asks) {
		if x.SignIn != nil && x.SignIn.ID == id {
			a, x.SignIn = x.SignIn, nil
		}
	})
	return a
}

// Sign answers a question with the person's user name and password. Where the
// document was refused meanwhile it is loaded again, and the answer goes to no
// other question than the one it was given to.
func (p *Page) Sign(ctx context.Context, id int, user, password string) error {
	a := p.signIn(id)
	if a == nil {
		return fault.New(fault.AuthRequired, "the site does not ask for this any more")
	}
	if a.request != "" {
		p.mu.Lock()
		p.answered = a
		p.mu.Unlock()
		p.authenticate(a.sess, a.request, fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseProvideCredentials, Username: user, Password: password})
		return nil
	}
	p.mu.Lock()
	p.offer = &offered{SignIn: *a, user: user, password: password, until: time.Now().Add(time.Minute)}
	p.mu.Unlock()
	_, err := p.Navigate(ctx, a.URL)
	var f *fault.Fault
	if errors.As(err, &f) {
		return nil // the page shows why
	}
	return err
}

// CancelSignIn goes on without an answer: the page shows why it did not load.
func (p *Page) CancelSignIn(id int) {
	a := p.signIn(id)
	if a == nil {
		return
	}
	if a.request == "" {
		return
	}
	p.refuse(a, true)
	p.asking(func(x *Asks) { x.SignIn = nil })
}

// AskSignIn asks the question once more whose document was refused.
func (p *Page) AskSignIn() {
	p.mu.Lock()
	var a *SignIn
	if p.auth != nil {
		b := *p.auth
		p.signIns++
		b.ID, b.For = p.signIns, ""
		a = &b
	}
	p.mu.Unlock()
	if a != nil {
		p.asking(func(x *Asks) { x.SignIn = a })
	}
}

// leaveSignIn ends a question whose document is not wanted any more.
func (p *Page) leaveSignIn() {
	var a *SignIn
	p.asking(func(x *Asks) { a, x.SignIn = x.SignIn, nil })
	if a != nil && a.request != "" {
		p.authenticate(a.sess, a.request, fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseCancelAuth})
	}
}

func (p *Page) authFault() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.auth == nil {
		return nil
	}
	return p.auth.fault()
}

func (a *SignIn) fault() *fault.Fault {
	if a.Proxy {
		return fault.New(fault.AuthRequired, "the proxy %s asks for a user name and password (%s authentication, realm %q)", hostOf(a.Origin), a.Scheme, a.Realm).
			Then("tell the person to sign in to the proxy in Baton's window, then try again")
	}
	return fault.New(fault.AuthRequired, "%s asks for a user name and password (%s authentication, realm %q)", a.Origin, a.Scheme, a.Realm).
		Then("the person can sign in on the card that Baton shows them; then open %s again", redact.URL(a.URL))
}

func cutRunes(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
