package page

import (
	"context"

	"github.com/chromedp/cdproto/runtime"

	cdproto "github.com/chromedp/cdproto/cdp"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// Under is what lies at a point of the page, as a person's pointer shows it.
type Under struct {
	Cursor string // a CSS cursor keyword
	Link   string // the address of the link there
	Title  string // the tooltip there
}

// framesDeep bounds how far a point is followed into frames within frames.
const framesDeep = 8

// underPoint answers for one document: what is at the point, or that a frame is
// and where the point lies in it. "auto" is worked out as the browser does:
// the text cursor over text that can be selected.
const underPoint = `function(x, y){
 let e = null;
 for (let root = document; root; root = e && e.shadowRoot) {
  const at = root.elementFromPoint(x, y);
  if (!at || at === e) break;
  e = at;
 }
 if (!e) return {cursor: 'default'};
 if (/^I?FRAME$/.test(e.tagName)) {
  const r = e.getBoundingClientRect();
  const sx = r.width / e.offsetWidth || 1, sy = r.height / e.offsetHeight || 1;
  const s = getComputedStyle(e);
  return {frame: true, x: (x - r.left) / sx - e.clientLeft - parseFloat(s.paddingLeft), y: (y - r.top) / sy - e.clientTop - parseFloat(s.paddingTop)};
 }
 const up = n => n.parentElement || (n.getRootNode() instanceof ShadowRoot ? n.getRootNode().host : null);
 let link = '', title = null;
 for (let n = e; n; n = up(n)) {
  if (!link && (n.localName === 'a' || n.localName === 'area') && (n.href || n.getAttribute('href'))) link = typeof n.href === 'string' ? n.href : new URL(n.href.baseVal, document.baseURI).href;
  if (title === null && n.hasAttribute('title')) title = n.getAttribute('title');
 }
 let cursor = getComputedStyle(e).cursor.split(',').pop().trim();
 if (cursor === 'auto') {
  const plain = /^(button|submit|reset|checkbox|radio|color|range|image|file|hidden)$/;
  cursor = 'default';
  if (e.localName === 'textarea' || (e.localName === 'input' && !plain.test(e.type)) || e.isContentEditable) cursor = 'text';
  else if (getComputedStyle(e).userSelect !== 'none') {
   for (const t of e.childNodes) {
    if (t.nodeType !== 3 || !t.data.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(t);
    if ([...range.getClientRects()].some(r => x >= r.left && x <= r.right && y >= r.top && y <= r.bottom)) { cursor = 'text'; break; }
   }
  }
 }
 return {cursor, link: link.slice(0, 2000), title: (title || '').slice(0, 500)};
}`

// frameAtPoint gives the frame's element itself.
const frameAtPoint = `function(x, y){
 let e = null;
 for (let root = document; root; root = e && e.shadowRoot) {
  const at = root.elementFromPoint(x, y);
  if (!at || at === e) break;
  e = at;
 }
 return e;
}`

// UnderPointer tells what lies at a point of the viewport, in frames too. It
// reads only, in the isolated world.
func (p *Page) UnderPointer(ctx context.Context, x, y float64) (Under, error) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	id := p.root
	for range framesDeep {
		w, err := p.world(ctx, id)
		if err != nil {
			return Under{}, p.explain(ctx, err)
		}
		args, err := values(x, y)
		if err != nil {
			return Under{}, err
		}
		var at struct {
			Cursor string  `json:"cursor"`
			Link   string  `json:"link"`
			Title  string  `json:"title"`
			Frame  bool    `json:"frame"`
			X      float64 `json:"x"`
			Y      float64 `json:"y"`
		}
		if err := w.call(ctx, underPoint, args, &at); err != nil {
			return Under{}, p.explain(ctx, err)
		}
		if !at.Frame {
			return Under{Cursor: at.Cursor, Link: at.Link, Title: at.Title}, nil
		}
		next, err := w.frameOf(ctx, frameAtPoint, args)
		if err != nil || next == "" {
			break
		}
		id, x, y = next, at.X, at.Y
	}
	return Under{Cursor: "default"}, nil
}

// frameOf gives the frame that an element owns: the one that declaration
// returns. Empty when it returns none.
func (w *world) frameOf(ctx context.Context, declaration string, args []*runtime.CallArgument) (cdproto.FrameID, error) {
	group := newGroup("frame")
	var r runtime.CallFunctionOnResult
	err := w.sess.Call(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
		FunctionDeclaration: declaration, UniqueContextID: w.unique, Arguments: args, ObjectGroup: group,
	}, &r)
	if err != nil || r.Result == nil || r.Result.ObjectID == "" {
		return "", err
	}
	defer letGo(ctx, w.sess, group)
	var d struct {
		Node struct {
			Frame cdproto.FrameID `json:"frameId"`
		} `json:"node"`
	}
	err = w.sess.Call(ctx, "DOM.describeNode", map[string]any{"objectId": r.Result.ObjectID}, &d)
	return d.Node.Frame, err
}

// values are a page function's arguments.
func values(of ...any) ([]*runtime.CallArgument, error) {
	out := make([]*runtime.CallArgument, len(of))
	for i, v := range of {
		raw, err := jsonv2.Marshal(v)
		if err != nil {
			return nil, err
		}
		out[i] = &runtime.CallArgument{Value: raw}
	}
	return out, nil
}
