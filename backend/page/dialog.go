package page

import (
	"context"
	"time"

	cdppage "github.com/chromedp/cdproto/page"

	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/redact"
)

// Dialog is an open alert, confirm, prompt or beforeunload.
type Dialog struct {
	Kind    string // alert, confirm, prompt, beforeunload
	Message string
	Default string // a prompt's default text
	URL     string // of the frame that opened it
	For     string // the agent whose action opened it, or "" for the person
	More    bool   // the document has shown several: the person may have no more of them
	sess    *cdp.Session
	said    *said // its words as the page gave them
}

type said struct{ message, preset string }

// dialog sets the open dialog to what f makes of the present one, without known
// values.
func (p *Page) dialog(f func(*Dialog) *Dialog) {
	p.showing.Lock()
	defer p.showing.Unlock()
	now, _ := p.Dialogs.Get()
	d := f(now)
	if d == nil {
		if now != nil {
			p.Dialogs.Set(nil)
		}
		return
	}
	c := *d
	c.Message, c.Default, c.URL = p.clean(c.said.message), p.clean(c.said.preset), p.clean(c.URL)
	if now == nil || *now != c {
		p.Dialogs.Set(&c)
	}
}

// nothing closes the dialog.
func nothing(*Dialog) *Dialog { return nil }

// same tells whether two are one dialog.
func (d *Dialog) same(x *Dialog) bool { return d != nil && x != nil && d.said == x.said }

// give gives the present dialog to an agent, or to the person with "".
func (p *Page) give(agent string) {
	p.dialog(func(d *Dialog) *Dialog {
		if d == nil || d.For == agent {
			return d
		}
		c := *d
		c.For = agent
		return &c
	})
}

func (d *Dialog) fault() *fault.Fault {
	return fault.New(fault.DialogOpen, "the page shows a %s: %q", d.Kind, redact.Text(d.Message))
}

type ownerKey struct{}

// WithDialogs gives a context whose actions own the dialogs that they open:
// from its first input until the action ends, a dialog belongs to agent.
func WithDialogs(ctx context.Context, agent string) context.Context {
	return context.WithValue(ctx, ownerKey{}, agent)
}

// Own says that dialogs opened from now on belong to the agent in ctx, until
// the returned func is called.
func (p *Page) Own(ctx context.Context) func() {
	agent, _ := ctx.Value(ownerKey{}).(string)
	if agent == "" {
		return func() {}
	}
	p.mu.Lock()
	before := p.dialogFor
	p.dialogFor = agent
	p.mu.Unlock()
	return func() {
		p.mu.Lock()
		p.dialogFor = before
		p.mu.Unlock()
	}
}

func (p *Page) dialogOpened(s *cdp.Session, e cdppage.EventJavascriptDialogOpening) {
	p.mu.Lock()
	owner := p.dialogFor
	p.mu.Unlock()
	if s != p.sess {
		owner = "" // a frame of another site: the person's
	}
	quiet, more := p.alerted(string(e.Type), owner)
	if quiet {
		_, _ = s.Send(context.Background(), "Page.handleJavaScriptDialog", cdppage.HandleJavaScriptDialogParams{Accept: e.Type == cdppage.DialogTypeAlert})
		return
	}
	at := p.ShownAs(e.URL)
	p.dialog(func(*Dialog) *Dialog {
		return &Dialog{Kind: string(e.Type), URL: at, For: owner, More: more, sess: s, said: &said{e.Message, e.DefaultPrompt}}
	})
	p.signal(signal{kind: "dialog"})
}

// alerts counts a document's dialogs.
type alerts struct {
	shown int
	quiet bool // the person wants no more of them
}

// alerted counts a dialog that opens: quiet says that the person wants none of
// it, more that they may say so. Leaving a page is always asked, and what an
// agent's action opens is the agent's.
func (p *Page) alerted(kind, owner string) (quiet, more bool) {
	if kind == "beforeunload" || owner != "" {
		return false, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.alerts.shown++
	return p.alerts.quiet, p.alerts.shown > 1
}

// QuietDialogs answers the document's further dialogs by itself, but those that ask
// whether to leave: an alert is closed, anything else declined.
func (p *Page) QuietDialogs() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.alerts.quiet = true
}

func (p *Page) dialogClosed() {
	p.dialog(nothing)
	p.signal(signal{kind: "undialog"})
}

// HandOver makes the open dialog the person's.
func (p *Page) HandOver() { p.give("") }

// Answer answers the open dialog and gives the next one when it follows at
// once, else nil. NoDialog when none is open.
func (p *Page) Answer(ctx context.Context, accept bool, text *string) (*Dialog, error) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	d, _ := p.Dialogs.Get()
	if d == nil {
		return nil, fault.New(fault.NoDialog, "no dialog is open on this tab")
	}
	w := p.wait()
	defer p.unwait(w)
	params := cdppage.HandleJavaScriptDialogParams{Accept: accept}
	if text != nil {
		params.PromptText = *text
	} else if d.Kind == "prompt" && accept {
		params.PromptText = d.said.preset
	}
	if err := d.sess.Call(ctx, "Page.handleJavaScriptDialog", params, nil); err != nil {
		if now, _ := p.Dialogs.Get(); now == nil {
			return nil, fault.New(fault.DialogClosed, "the dialog was closed before the answer").Because(err)
		}
		return nil, p.explain(ctx, err)
	}
	p.dialog(func(now *Dialog) *Dialog {
		if now.same(d) {
			return nil
		}
		return now
	})
	// A dialog that the same script opens next follows within a moment.
	t := time.NewTimer(250 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case s := <-w.c:
			if s.kind == "dialog" {
				p.give(d.For)
				next, _ := p.Dialogs.Get()
				return next, nil
			}
		case <-t.C:
			return nil, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
