package page

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/fault"
)

// Chooser is a page's request that the person choose files. The page goes on
// meanwhile, and one that is never answered hangs nothing.
type Chooser struct {
	ID       int
	Multiple bool
	Folder   bool     // a whole folder is asked for
	Accept   []string // as the page has it: ".pdf", "image/*", "text/plain"

	sess   *cdp.Session
	node   cdproto.BackendNodeID
	object runtime.RemoteObjectID // keeps an input that is in no document alive
}

// chooserGroup holds the inputs that choosers are for.
const chooserGroup = "chooser"

// acceptMost bounds how many kinds of files a page can name.
const acceptMost = 40

// noPicker says what a page with a picker of the newer sort is told about.
const noPicker = "This page asked for files with showOpenFilePicker, which Baton cannot answer. Drop the files onto the page, or use its other way to add files."

// choosing hears that the page asks for files: the agent's action under way has
// them for its upload, else they are the person's to choose.
func (p *Page) choosing(s *cdp.Session, e cdppage.EventFileChooserOpened) {
	p.signal(signal{kind: "chooser", chooser: &e, sess: s})
	switch {
	case p.agent() != "", p.cancelling.Load():
	case e.BackendNodeID == 0:
		p.tell(noPicker)
	default:
		go p.offerChooser(s, e)
	}
}

// offerChooser shows the person what the page asks for.
func (p *Page) offerChooser(s *cdp.Session, e cdppage.EventFileChooserOpened) {
	ctx, cancel := soon(p.alive(), 3*time.Second)
	defer cancel()
	c := &Chooser{Multiple: e.Mode == cdppage.FileChooserOpenedModeSelectMultiple, sess: s, node: e.BackendNodeID}
	var o struct {
		Object runtime.RemoteObject `json:"object"`
	}
	if err := s.Call(ctx, "DOM.resolveNode", map[string]any{"backendNodeId": e.BackendNodeID, "objectGroup": chooserGroup}, &o); err != nil {
		return // the field has gone already
	}
	c.object = o.Object.ObjectID
	var d struct {
		Node struct {
			Attributes []string `json:"attributes"`
		} `json:"node"`
	}
	if err := s.Call(ctx, "DOM.describeNode", map[string]any{"backendNodeId": e.BackendNodeID}, &d); err != nil {
		return
	}
	for i := 0; i+1 < len(d.Node.Attributes); i += 2 {
		switch value := d.Node.Attributes[i+1]; strings.ToLower(d.Node.Attributes[i]) {
		case "webkitdirectory":
			c.Folder = true
		case "accept":
			c.Accept = accepted(value)
		}
	}
	var before *Chooser
	p.asking(func(a *Asks) {
		p.choosers++
		c.ID = p.choosers
		before, a.Chooser = a.Chooser, c
	})
	if before != nil && before.sess != c.sess {
		before.release()
	}
}

// accepted reads an accept attribute.
func accepted(value string) []string {
	var out []string
	for _, kind := range strings.Split(value, ",") {
		if kind = strings.ToLower(strings.TrimSpace(kind)); kind != "" && len(kind) < 100 && len(out) < acceptMost {
			out = append(out, kind)
		}
	}
	return out
}

func (c *Chooser) release() {
	_, _ = c.sess.Send(context.Background(), "Runtime.releaseObject", runtime.ReleaseObjectParams{ObjectID: c.object})
}

// chooser takes the open chooser of an id away.
func (p *Page) chooser(id int) (*Chooser, error) {
	var c *Chooser
	p.asking(func(a *Asks) {
		if a.Chooser != nil && a.Chooser.ID == id {
			c, a.Chooser = a.Chooser, nil
		}
	})
	if c == nil {
		return nil, fault.New(fault.NoChooser, "the page does not ask for files any more")
	}
	return c, nil
}

// ChooseFiles gives the page the files that the person chose: paths on this
// computer, of files or of one folder. It returns once the page has them.
func (p *Page) ChooseFiles(ctx context.Context, id int, files []string) error {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	c, err := p.chooser(id)
	if err != nil {
		return err
	}
	defer c.release()
	if len(files) == 0 {
		return nil
	}
	if !c.Multiple && !c.Folder && len(files) > 1 {
		return fault.New(fault.BadArguments, "the page takes one file, and %d were chosen", len(files))
	}
	if c.Folder {
		if err := p.forFolder(ctx); err != nil {
			return p.explain(ctx, err)
		}
	}
	if err := c.sess.Call(ctx, "DOM.setFileInputFiles", dom.SetFileInputFilesParams{Files: files, ObjectID: c.object}, nil); err != nil {
		return p.explain(ctx, fmt.Errorf("giving files to the page: %w", err))
	}
	return nil
}

// CancelChooser ends a request for files; the page keeps what it had and hears
// that the person cancelled.
func (p *Page) CancelChooser(id int) {
	c, err := p.chooser(id)
	if err != nil {
		return
	}
	defer c.release()
	ctx, cancel := soon(p.alive(), cancelWait)
	defer cancel()
	if err := p.cancelIn(ctx, c); err != nil {
		p.log.Debug("a page did not hear that its chooser was cancelled", "error", err)
	}
}

// cancelWait bounds how long a page may take to hear of a cancelled chooser.
const cancelWait = 3 * time.Second

// cancelIn has the field fire its cancel event. Chromium does it by itself for a
// chooser that is opened and cancelled at once; where the field does not let it
// be opened, the event is made.
func (p *Page) cancelIn(ctx context.Context, c *Chooser) error {
	p.cancelling.Store(true)
	defer p.cancelling.Store(false)
	intercept := func(cancel bool) error {
		return c.sess.Call(ctx, "Page.setInterceptFileChooserDialog", map[string]any{"enabled": true, "cancel": cancel}, nil)
	}
	if err := intercept(true); err != nil {
		return err
	}
	yes := true
	var r runtime.CallFunctionOnResult
	err := c.sess.Call(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
		FunctionDeclaration: `function(){ try { this.showPicker(); } catch { this.dispatchEvent(new Event('cancel', {bubbles: true})); } }`, ObjectID: c.object, UserGesture: &yes,
	}, &r)
	return errors.Join(err, intercept(false))
}

// DropFiles drops files of this computer at a point of the main viewport, in
// CSS pixels, as if they had been dragged there.
func (p *Page) DropFiles(ctx context.Context, x, y float64, files []string) error {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	const copying = 1 // of the drag operations' bits
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
		err := p.sess.Call(ctx, "Input.dispatchDragEvent", input.DispatchDragEventParams{
			Type: kind, X: x, Y: y, Data: &input.DragData{Items: []*input.DragDataItem{}, Files: files, DragOperationsMask: copying},
		}, nil)
		if err != nil {
			return p.explain(ctx, err)
		}
	}
	return nil
}
