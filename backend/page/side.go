package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	pointer "github.com/chromedp/cdproto/input"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/fault"
	"baton/backend/inject"
)

// Document is one document of the page, seen from Baton's isolated world in
// it: what looks after pages beside the tools works on it. It satisfies
// inject.Caller; calls fail once the document has gone.
type Document struct {
	w    *world
	main bool
}

// document gives a frame's present document. Call with mu held.
func (p *Page) document(f *frame) Document {
	return Document{w: &world{p: p, frame: f.id, sess: f.sess, unique: f.world}, main: f.id == p.root}
}

// Present gives the documents that the page shows now, the main one first.
func (p *Page) Present() []Document {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []Document
	for id, f := range p.frames {
		switch {
		case f.world == "":
		case id == p.root:
			out = append([]Document{p.document(f)}, out...)
		default:
			out = append(out, p.document(f))
		}
	}
	return out
}

// Document gives the main frame's document, once it is there.
func (p *Page) Document(ctx context.Context) (Document, error) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	w, err := p.mainWorld(ctx)
	if err != nil {
		return Document{}, p.explain(ctx, err)
	}
	return Document{w: w, main: true}, nil
}

// ID names the document; no other document ever has the same.
func (d Document) ID() string { return d.w.unique }

// Main tells whether it is the main frame's.
func (d Document) Main() bool { return d.main }

// URL is the frame's address as last known.
func (d Document) URL() string {
	d.w.p.mu.Lock()
	defer d.w.p.mu.Unlock()
	if f := d.w.p.frames[d.w.frame]; f != nil {
		return f.url
	}
	return ""
}

// Here tells whether the document is still in the page.
func (d Document) Here() bool { return d.w.here() }

// Call satisfies inject.Caller.
func (d Document) Call(ctx context.Context, fn string, arg, out any) error {
	return d.w.Call(ctx, fn, arg, out)
}

// Load satisfies inject.Caller.
func (d Document) Load(ctx context.Context, source string) error { return d.w.Load(ctx, source) }

// Numbered runs a call that may give an element a ref: f gets the next free
// number and returns the first one still free.
func (d Document) Numbered(ctx context.Context, f func(next int) (int, error)) error {
	return d.w.p.numbered(ctx, d.w, f)
}

// Mark tells the document's world of what it cannot see by itself: closed
// shadow roots, and what listens for presses.
func (d Document) Mark(ctx context.Context) { d.w.p.mark(ctx, d.w) }

// pressWait bounds how long Press waits for the element to be still.
const pressWait = 1500 * time.Millisecond

// Press clicks an element where it stands, by trusted input through the gate in
// ctx; nothing is scrolled. Unless the press would reach the element it reaches
// nothing. sent says that input went out.
func (d Document) Press(ctx context.Context, ref int) (sent bool, err error) {
	p := d.w.p
	ctx, cancel, err := p.reading(ctx)
	if err != nil {
		return false, err
	}
	defer cancel()
	defer p.Own(ctx)()
	s, err := p.aim(ctx, resolved{world: d.w, ref: ref}, inject.AimArgs{NoScroll: true, TimeoutMS: timeLeft(ctx, pressWait)})
	if err != nil {
		return false, p.explain(ctx, err)
	}
	arrived := p.pressing()
	defer arrived(ctx)
	others, err := p.arm(ctx, s)
	if err != nil {
		p.unbar(ctx, others, false)
		return false, p.explain(ctx, err)
	}
	p.moved(ctx, s.at, "down", s.desc())
	last, sent, err := p.dispatch(ctx, moveTo(s.at, 0, ""), press(s.at, pointer.MouseButtonLeft, 1, 0), release(s.at, pointer.MouseButtonLeft, 1, 0))
	if err == nil && last != nil {
		err = last.Wait(ctx, nil)
	}
	p.moved(ctx, s.at, "up", s.desc())
	if arrived(ctx) {
		p.unbar(ctx, others, false)
		return false, overtaken(s.desc())
	}
	g, gerr := inject.Disarm(ctx, d.w)
	stray := p.unbar(ctx, others, err == nil && gerr == nil && g.Result == "none")
	switch {
	case stray != nil:
		return false, strayed(s.desc(), stray)
	case err != nil:
		return sent, p.explain(ctx, err)
	case vanished(gerr):
		return true, nil
	case gerr != nil:
		return sent, p.explain(ctx, gerr)
	case g.Result == "missed":
		return false, coveredFault(s.desc(), g.Cover, 0, g.CoverSecret)
	}
	return true, nil
}

// Aside is a further isolated world of a document, for scripts that are not
// Baton's own.
type Aside struct {
	d  Document
	id runtime.ExecutionContextID
}

// Aside gives the document's isolated world of a name, made when new.
func (d Document) Aside(ctx context.Context, name string) (Aside, error) {
	id, err := cdproto.Call(ctx, d.w.sess, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: d.w.frame, WorldName: name})
	if err != nil {
		return Aside{}, err
	}
	if !d.Here() {
		return Aside{}, fault.New(fault.TargetGone, "the page went to another document")
	}
	return Aside{d: d, id: id.ExecutionContextID}, nil
}

// Evaluate runs an expression there, waits for its promise and decodes its
// value into out (nil drops it).
func (a Aside) Evaluate(ctx context.Context, expression string, out any) error {
	yes := true
	var r struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails *runtime.ExceptionDetails `json:"exceptionDetails"`
	}
	err := a.d.w.sess.Call(ctx, "Runtime.evaluate", runtime.EvaluateParams{Expression: expression, ContextID: a.id, AwaitPromise: &yes, ReturnByValue: &yes}, &r)
	switch {
	case err != nil && gone(err):
		return fault.New(fault.TargetGone, "the page went to another document").Because(err)
	case err != nil:
		return err
	case r.ExceptionDetails != nil:
		return fmt.Errorf("page script: %s", exceptionText(r.ExceptionDetails))
	case out == nil || len(r.Result.Value) == 0:
		return nil
	}
	return json.Unmarshal(r.Result.Value, out)
}

// Gone tells whether an error says that a document went away.
func Gone(err error) bool { return vanished(err) || errors.Is(err, context.Canceled) }
