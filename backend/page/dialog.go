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
	sess    *cdp.Session
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
	p.Dialogs.Set(&Dialog{Kind: string(e.Type), Message: e.Message, Default: e.DefaultPrompt, URL: p.ShownAs(e.URL), For: owner, sess: s})
	p.signal(signal{kind: "dialog"})
}

func (p *Page) dialogClosed() {
	p.Dialogs.Set(nil)
	p.signal(signal{kind: "undialog"})
}

// HandOver makes the open dialog the person's.
func (p *Page) HandOver() {
	if d, _ := p.Dialogs.Get(); d != nil && d.For != "" {
		c := *d
		c.For = ""
		p.Dialogs.Set(&c)
	}
}

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
		params.PromptText = d.Default
	}
	if err := d.sess.Call(ctx, "Page.handleJavaScriptDialog", params, nil); err != nil {
		if now, _ := p.Dialogs.Get(); now == nil {
			return nil, fault.New(fault.DialogClosed, "the dialog was closed before the answer").Because(err)
		}
		return nil, p.explain(ctx, err)
	}
	if now, _ := p.Dialogs.Get(); now == d {
		p.Dialogs.Set(nil)
	}
	// A dialog that the same script opens next follows within a moment.
	t := time.NewTimer(250 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case s := <-w.c:
			if s.kind == "dialog" {
				next, _ := p.Dialogs.Get()
				if next != nil {
					c := *next
					c.For = d.For
					p.Dialogs.Set(&c)
					next = &c
				}
				return next, nil
			}
		case <-t.C:
			return nil, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
