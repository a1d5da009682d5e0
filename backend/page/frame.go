package page

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/inject"
)

// frame is one frame of the page; guarded by Page.mu.
type frame struct {
	id      cdproto.FrameID
	parent  *frame
	sess    *cdp.Session
	loader  cdproto.LoaderID
	url     string
	name    string
	mime    string // of its document
	main    string // unique id of the page's own execution context
	mainID  runtime.ExecutionContextID
	world   string // unique id of Baton's isolated world
	worldID runtime.ExecutionContextID
	local   *localFile // whose document it holds or is about to
	audible bool       // something in its document can be heard
	born    int        // which of the page's frames it was, by time
	owner   int        // ref of the iframe element in the parent's document, once an outline showed it
	ready   chan struct{}
}

func newFrame(id cdproto.FrameID, parent *frame, s *cdp.Session) *frame {
	return &frame{id: id, parent: parent, sess: s, ready: make(chan struct{})}
}

// adopt takes over what a session says of its frames.
func (p *Page) adopt(s *cdp.Session, tree *cdppage.FrameTree) {
	if tree == nil || tree.Frame == nil {
		return
	}
	p.mu.Lock()
	var walk func(t *cdppage.FrameTree)
	walk = func(t *cdppage.FrameTree) {
		f := p.frameFor(t.Frame.ID, t.Frame.ParentID, s)
		f.url, f.loader, f.name, f.mime = t.Frame.URL+t.Frame.URLFragment, t.Frame.LoaderID, t.Frame.Name, t.Frame.MimeType
		for _, c := range t.ChildFrames {
			walk(c)
		}
	}
	walk(tree)
	p.mu.Unlock()
}

// frameFor gives the frame, made when new. A frame that moves to another
// process keeps its place and changes its session.
func (p *Page) frameFor(id, parent cdproto.FrameID, s *cdp.Session) *frame {
	f := p.frames[id]
	if f == nil {
		f = newFrame(id, p.frames[parent], s)
		p.born++
		f.born = p.born
		p.frames[id] = f
	}
	if f.sess != s {
		f.sess = s
		f.unworld()
	}
	if f.parent == nil && parent != "" {
		f.parent = p.frames[parent]
	}
	return f
}

// unworld forgets the frame's execution contexts.
func (f *frame) unworld() {
	f.main, f.audible = "", false
	if f.world != "" {
		f.world = ""
		f.ready = make(chan struct{})
	}
}

// drop removes a frame and those in it.
func (p *Page) drop(id cdproto.FrameID) {
	for _, f := range p.frames {
		if f.parent != nil && f.parent.id == id {
			p.drop(f.id)
		}
	}
	delete(p.frames, id)
}

type auxData struct {
	FrameID   cdproto.FrameID `json:"frameId"`
	IsDefault bool            `json:"isDefault"`
	Type      string          `json:"type"`
}

func (p *Page) contextCreated(s *cdp.Session, c *runtime.ExecutionContextDescription) {
	var aux auxData
	if json.Unmarshal(c.AuxData, &aux) != nil || aux.FrameID == "" {
		return
	}
	p.mu.Lock()
	f := p.frames[aux.FrameID]
	if f == nil || f.sess != s {
		f = p.frameFor(aux.FrameID, "", s)
	}
	var came Document
	switch {
	case aux.IsDefault:
		f.main, f.mainID = c.UniqueID, c.ID
	case c.Name == inject.World:
		if f.world == "" {
			close(f.ready)
		}
		f.world, f.worldID = c.UniqueID, c.ID
		came = p.document(f)
	}
	muted := p.muted
	p.mu.Unlock()
	if came.w != nil && muted {
		go p.muteIn(came.w, true)
	}
	if came.w != nil {
		p.meet(came.w)
		p.Documents.Publish(came)
	}
}

func (p *Page) contextDestroyed(s *cdp.Session, unique string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.frames {
		if f.sess != s {
			continue
		}
		if f.main == unique {
			f.main = ""
		}
		if f.world == unique {
			f.world, f.audible = "", false
			f.ready = make(chan struct{})
		}
	}
}

func (p *Page) contextsCleared(s *cdp.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.frames {
		if f.sess == s {
			f.unworld()
		}
	}
}

// world is one document's isolated world; it satisfies inject.Caller and
// inject.NodeCaller.
type world struct {
	p      *Page
	frame  cdproto.FrameID
	sess   *cdp.Session
	unique string
	noted  bool // an action's call has begun, or will begin, to note what changes in it
}

// mainWorld gives the main frame's isolated world, waiting for it.
func (p *Page) mainWorld(ctx context.Context) (*world, error) { return p.world(ctx, p.root) }

// world gives a frame's isolated world, waiting until its document has one.
func (p *Page) world(ctx context.Context, id cdproto.FrameID) (*world, error) {
	for {
		p.mu.Lock()
		f := p.frames[id]
		if f == nil {
			p.mu.Unlock()
			return nil, fault.New(fault.TargetGone, "the frame is no longer in the page")
		}
		if f.world != "" {
			w := &world{p: p, frame: id, sess: f.sess, unique: f.world}
			p.mu.Unlock()
			return w, nil
		}
		ready := f.ready
		p.mu.Unlock()
		select {
		case <-ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// here tells whether the world's document is still in the page.
func (w *world) here() bool {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	f := w.p.frames[w.frame]
	return f != nil && f.world == w.unique
}

// Document names the document that this world belongs to; refs are bound to it.
func (w *world) Document() string { return w.unique }

// Call satisfies inject.Caller.
func (w *world) Call(ctx context.Context, fn string, arg, out any) error {
	raw, err := jsonv2.Marshal(arg)
	if err != nil {
		return err
	}
	if preparing[fn] {
		return w.answer(ctx, touch, inject.Function(fn), []*runtime.CallArgument{{Value: raw}}, out)
	}
	return w.call(ctx, inject.Function(fn), []*runtime.CallArgument{{Value: raw}}, out)
}

// preparing are the entries that do something to the page for an action: they
// stop where its input does.
var preparing = map[string]bool{"aim": true, "arm": true, "focus": true, "setTyped": true, "select": true, "later": true}

// CallNodes satisfies inject.NodeCaller.
func (w *world) CallNodes(ctx context.Context, fn string, objects []string, out any) error {
	args := make([]*runtime.CallArgument, len(objects))
	for i, o := range objects {
		args[i] = &runtime.CallArgument{ObjectID: runtime.RemoteObjectID(o)}
	}
	return w.call(ctx, inject.NodesFunction(fn), args, out)
}

// Load satisfies inject.Caller.
func (w *world) Load(ctx context.Context, source string) error {
	var r runtime.EvaluateResult
	err := w.sess.Call(ctx, "Runtime.evaluate", runtime.EvaluateParams{Expression: source + "\n;0", UniqueContextID: w.unique}, &r)
	if err != nil && gone(err) {
		return fault.New(fault.TargetGone, "the page went to another document during the call").Because(err)
	}
	if err == nil && r.ExceptionDetails != nil {
		err = fmt.Errorf("page script: %s", exceptionText(r.ExceptionDetails))
	}
	return err
}

func (w *world) call(ctx context.Context, declaration string, args []*runtime.CallArgument, out any) error {
	return w.answer(ctx, func(_ context.Context, send func() error) error { return send() }, declaration, args, out)
}

// answer sends a call by way of door and decodes its answer.
func (w *world) answer(ctx context.Context, door func(context.Context, func() error) error, declaration string, args []*runtime.CallArgument, out any) error {
	yes := true
	var r runtime.CallFunctionOnResult
	var sent *cdp.Pending
	err := door(ctx, func() (err error) {
		sent, err = w.sess.Send(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
			FunctionDeclaration: declaration, UniqueContextID: w.unique, Arguments: args, AwaitPromise: &yes, ReturnByValue: &yes,
		})
		return err
	})
	if err == nil {
		err = sent.Wait(ctx, &r)
	}
	if err != nil {
		if gone(err) {
			return fault.New(fault.TargetGone, "the page went to another document during the call").Because(err)
		}
		return err
	}
	if r.ExceptionDetails != nil {
		return fmt.Errorf("page script: %s", exceptionText(r.ExceptionDetails))
	}
	if out == nil || r.Result == nil || len(r.Result.Value) == 0 {
		return nil
	}
	return jsonv2.Unmarshal(r.Result.Value, out)
}

// element gives a remote object for a ref of this document; empty when gone.
func (w *world) element(ctx context.Context, ref int, group string) (runtime.RemoteObjectID, error) {
	var r runtime.CallFunctionOnResult
	err := w.sess.Call(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
		FunctionDeclaration: inject.ElementFunction(ref), UniqueContextID: w.unique, ObjectGroup: group,
	}, &r)
	if err != nil || r.Result == nil {
		return "", err
	}
	return r.Result.ObjectID, nil
}

// gone tells whether an error says that the execution context went away.
func gone(err error) bool {
	s := err.Error()
	return strings.Contains(s, "Cannot find context") || strings.Contains(s, "context was destroyed") ||
		strings.Contains(s, "uniqueContextId not found") || strings.Contains(s, "Inspected target navigated") || strings.Contains(s, "Execution context was destroyed") ||
		strings.Contains(s, "Promise was collected")
}

func exceptionText(d *runtime.ExceptionDetails) string {
	if d.Exception != nil {
		if d.Exception.Description != "" {
			first, _, _ := strings.Cut(d.Exception.Description, "\n    at ")
			return first
		}
		if len(d.Exception.Value) > 0 {
			return string(d.Exception.Value)
		}
	}
	return d.Text
}

// contextNumber gives the session's own number of an execution context.
func (p *Page) contextNumber(_ context.Context, s *cdp.Session, unique string) (runtime.ExecutionContextID, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.frames {
		if f.sess == s && f.main == unique {
			return f.mainID, nil
		}
	}
	return 0, fault.New(fault.TargetGone, "the page went to another document during the call")
}

// own records that refs were given out in a document.
func (p *Page) own(w *world, from, to int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for r := from; r < to; r++ {
		p.refs[r] = w.unique
	}
	p.nextRef = max(p.nextRef, to)
}

// worldOf gives the isolated world of the document that a ref was given in.
func (p *Page) worldOf(_ context.Context, ref int) (*world, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	doc, ok := p.refs[ref]
	if !ok {
		return nil, fault.New(fault.TargetNotFound, "no ref e%d was given out on this tab", ref)
	}
	for _, f := range p.frames {
		if f.world == doc {
			return &world{p: p, frame: f.id, sess: f.sess, unique: doc}, nil
		}
	}
	return nil, goneFault(ref)
}

func goneFault(ref int) error {
	return fault.New(fault.TargetGone, "the element e%d is no longer on the page", ref)
}
