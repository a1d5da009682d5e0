package page

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/inject"
)

// begin is how every reading and action starts: it binds ctx to the page's
// life and refuses while a dialog holds the page's thread.
func (p *Page) begin(ctx context.Context) (context.Context, context.CancelFunc, error) {
	if err := context.Cause(p.alive()); err != nil {
		return nil, nil, err
	}
	if d, _ := p.Dialogs.Get(); d != nil {
		return nil, nil, d.fault()
	}
	ctx, cancel := p.bind(ctx)
	return ctx, cancel, nil
}

// reading begins what only looks at the page. A dialog that opens meanwhile
// ends it at once: the page's thread stands still then.
func (p *Page) reading(ctx context.Context) (context.Context, context.CancelFunc, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	w := p.wait()
	go func() {
		defer p.unwait(w)
		for {
			select {
			case s := <-w.c:
				if d, _ := p.Dialogs.Get(); s.kind == "dialog" && d != nil {
					stop(d.fault())
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() { stop(nil); cancel() }, nil
}

// numbered runs one reading of a document that may give out refs. f gets the
// tab's next free number and returns the first one still free.
func (p *Page) numbered(ctx context.Context, w *world, f func(next int) (int, error)) error {
	var failed error
	err := p.together(ctx, func(next int) {
		to, err := f(next)
		if err != nil {
			// The reading may go on in the page and use numbers: leave them to it.
			failed, to = err, next+skipped
		}
		p.own(w, next, to)
	})
	return cmp.Or(err, failed)
}

// together runs readings of several documents that share out the refs from the
// tab's next free number on.
func (p *Page) together(ctx context.Context, f func(next int)) error {
	select {
	case p.numbering <- struct{}{}:
		defer func() { <-p.numbering }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	p.mu.Lock()
	next := p.nextRef
	p.mu.Unlock()
	f(next)
	return nil
}

// skipped is more refs than one reading gives out.
const skipped = 2000

// locateIn runs a locator in one document.
func (p *Page) locateIn(ctx context.Context, w *world, l inject.Locator) (inject.Located, error) {
	if !p.known.Some() {
		got, err := p.locate(ctx, w, inject.LocateArgs{Locator: l})
		if err != nil || !p.known.Some() { // the document may just have told of a value
			return got, err
		}
	}
	return p.locateBlind(ctx, w, l)
}

func (p *Page) locate(ctx context.Context, w *world, a inject.LocateArgs) (inject.Located, error) {
	var out inject.Located
	a.Boundary = true
	err := p.numbered(ctx, w, func(next int) (int, error) {
		var err error
		a.Next = next
		out, err = inject.Locate(ctx, w, a)
		return max(out.Next, next), err
	})
	return out, err
}

// frameOf gives the frame that an iframe element holds.
func (p *Page) frameOf(ctx context.Context, w *world, ref int) (cdproto.FrameID, error) {
	p.mu.Lock()
	for _, f := range p.frames {
		if f.owner == ref && f.parent != nil && f.parent.id == w.frame {
			p.mu.Unlock()
			return f.id, nil
		}
	}
	p.mu.Unlock()
	object, err := w.element(ctx, ref, "frames")
	if err != nil {
		return "", p.explain(ctx, err)
	}
	if object == "" {
		return "", goneFault(ref)
	}
	var d struct {
		Node struct {
			Frame   cdproto.FrameID `json:"frameId"`
			Content *struct {
				Frame cdproto.FrameID `json:"frameId"`
			} `json:"contentDocument"`
		} `json:"node"`
	}
	if err := w.sess.Call(ctx, "DOM.describeNode", map[string]any{"objectId": object}, &d); err != nil {
		return "", p.explain(ctx, err)
	}
	id := d.Node.Frame
	if id == "" && d.Node.Content != nil {
		id = d.Node.Content.Frame
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.frames[id]
	if f == nil {
		return "", fault.New(fault.TargetGone, "the frame e%d has no document now", ref)
	}
	f.owner = ref
	return id, nil
}

// above gives a frame's parent, its own session and the parent's, and the ref
// of the iframe element between them (0 when no outline showed it yet). ok is
// false for the main frame.
func (p *Page) above(id cdproto.FrameID) (parent cdproto.FrameID, s *cdp.Session, owner int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.frames[id]
	if f == nil || f.parent == nil || id == p.root {
		return "", nil, 0, false
	}
	return f.parent.id, f.parent.sess, f.owner, true
}

// loopback says that the frame's document comes from this computer.
func (p *Page) loopback(id cdproto.FrameID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for f := p.frames[id]; f != nil; f = f.parent {
		if f.url == "about:blank" || f.url == "about:srcdoc" || f.url == "" {
			continue
		}
		return isLoopback(f.url)
	}
	return false
}

// frameIDs lists the frames below the main one that hold documents: those inside
// a PDF are the viewer's own.
func (p *Page) frameIDs() []cdproto.FrameID {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []cdproto.FrameID
	for id, f := range p.frames {
		if id != p.root && !f.inPDF() {
			out = append(out, id)
		}
	}
	return out
}

// soon bounds ctx by d.
func soon(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}

// vanished tells whether an error means that the document went away.
func vanished(err error) bool {
	return fault.Is(err, fault.TargetGone) || errors.Is(err, cdp.ErrDetached)
}

// isLoopback says that an address is one of this computer's.
func isLoopback(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
