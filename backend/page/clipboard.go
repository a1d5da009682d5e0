package page

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/input"

	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/inject"
)

// copyMost bounds a text that is copied out of a page, in UTF-16 units.
const copyMost = 4 << 20

// selected is the text that a copy would take now: of the focused field, unless
// it hides what is typed, else of the document.
const selected = `const deep = () => {
 let a = document.activeElement;
 while (a && a.shadowRoot && a.shadowRoot.activeElement) a = a.shadowRoot.activeElement;
 return a;
};
const selected = () => {
 const a = deep();
 if (a && a.localName === 'input' && a.type === 'password') return '';
 if (a && (a.localName === 'textarea' || a.localName === 'input') && typeof a.selectionStart === 'number') {
  return getComputedStyle(a).webkitTextSecurity && getComputedStyle(a).webkitTextSecurity !== 'none' ? '' : a.value.slice(a.selectionStart, a.selectionEnd);
 }
 return String(getSelection() || '');
};
const inFrame = () => { const a = deep(); return !!a && /^I?FRAME$/.test(a.tagName); };`

const focusedFrame = `function(){` + selected + `return deep();}`

const copyNow = `function(){` + selected + `return inFrame() ? {frame: true} : {text: selected()};}`

// copyWatch notes what the next copy or cut takes: the selection, or what the
// page's own handler puts in its place.
const copyWatch = `function(){` + selected + `
 if (inFrame()) return {frame: true};
 if (globalThis.__batonCopy) globalThis.__batonCopy.off();
 const c = globalThis.__batonCopy = {text: null, own: false};
 c.done = new Promise(resolve => {
  const first = () => { c.text = selected(); setTimeout(resolve, 0); };
  const last = e => { if (e.defaultPrevented && e.clipboardData) { c.own = e.clipboardData.types.length > 0; if (c.own) c.text = e.clipboardData.getData('text/plain'); } };
  const kinds = ['copy', 'cut'];
  for (const k of kinds) { addEventListener(k, first, true); addEventListener(k, last); }
  c.off = () => { for (const k of kinds) { removeEventListener(k, first, true); removeEventListener(k, last); } };
 });
 return {frame: false};
}`

const copyTake = `async function(wait){` + selected + `
 const c = globalThis.__batonCopy;
 if (!c) return {text: selected()};
 await Promise.race([c.done, new Promise(r => setTimeout(r, wait))]);
 c.off();
 delete globalThis.__batonCopy;
 return {text: c.text === null ? selected() : c.text, own: c.own};
}`

type copied struct {
	Frame bool   `json:"frame"`
	Text  string `json:"text"`
	Own   bool   `json:"own"` // the page put something of its own there
}

// Copy is a copy or cut that is about to happen; see WatchCopy.
type Copy struct {
	p *Page
	w *world
}

// WatchCopy notes what the next copy or cut in the focused frame takes. Send
// the key after it and then read Text.
func (p *Page) WatchCopy(ctx context.Context) (*Copy, error) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	w, _, err := p.focused(ctx, copyWatch)
	if err != nil {
		return nil, p.explain(ctx, err)
	}
	return &Copy{p, w}, nil
}

// Text gives the text that was taken, waiting a moment for the copy to happen.
// took tells whether anything was: what a page puts there itself may have no
// text.
func (c *Copy) Text(ctx context.Context) (text string, took bool, err error) {
	ctx, cancel := c.p.bind(ctx)
	defer cancel()
	args, err := values(300)
	if err != nil {
		return "", false, err
	}
	var got copied
	if err := c.w.call(ctx, copyTake, args, &got); err != nil {
		return "", false, c.p.explain(ctx, err)
	}
	text, err = bounded(got.Text)
	return text, text != "" || got.Own, err
}

// PasteNow pastes what lies on Chromium's own clipboard into the focused
// element, by a paste event that the page can trust, and waits until the page
// has taken it. keys are the modifiers of the shortcut that asked for it; with 0
// there was none, and the page sees a key without a name.
func (p *Page) PasteNow(ctx context.Context, keys int) error {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Commands: []string{"paste"}}
	up := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp}
	if keys != 0 {
		for _, e := range []*input.DispatchKeyEventParams{&down, &up} {
			e.Key, e.Code, e.WindowsVirtualKeyCode, e.Modifiers = "v", "KeyV", 'V', int64(keys&15)
		}
	}
	var last *cdp.Pending
	for _, e := range []input.DispatchKeyEventParams{down, up} {
		var err error
		if last, err = p.sess.Send(ctx, "Input.dispatchKeyEvent", e); err != nil {
			return p.explain(ctx, err)
		}
	}
	return p.explain(ctx, last.Wait(ctx, nil))
}

// middleWait is how long the middle button's press may take to reach the page, in
// milliseconds.
const middleWait = 400

// MiddlePastes tells whether the middle button, which the person has just let go
// of, pastes: the page does nothing of its own with it. Chromium's own paste is
// kept from every page.
func (p *Page) MiddlePastes(ctx context.Context) (bool, error) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	w, _, err := p.focused(ctx, copyNow)
	if err != nil {
		return false, p.explain(ctx, err)
	}
	ok, err := inject.Middle(ctx, w, middleWait)
	return ok, p.explain(ctx, err)
}

// PutText puts text into the focused element at once.
func (p *Page) PutText(ctx context.Context, text string) error {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	return p.explain(ctx, p.sess.Call(ctx, "Input.insertText", input.InsertTextParams{Text: text}, nil))
}

// handledWait bounds the wait for input that may still change what is selected.
const handledWait = time.Second

// Selection gives the text that is selected in the focused frame, once the
// person's input has had its effect; never that of a password field.
func (p *Page) Selection(ctx context.Context) (string, error) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	p.handled(ctx, handledWait)
	_, got, err := p.focused(ctx, copyNow)
	if err != nil {
		return "", p.explain(ctx, err)
	}
	return bounded(got.Text)
}

// focused runs fn in the frame that has the focus: from the main document down
// through the frames that are their document's active element.
func (p *Page) focused(ctx context.Context, fn string) (*world, copied, error) {
	id := p.root
	for range framesDeep {
		w, err := p.world(ctx, id)
		if err != nil {
			return nil, copied{}, err
		}
		var got copied
		if err := w.call(ctx, fn, nil, &got); err != nil {
			return nil, copied{}, err
		}
		if !got.Frame {
			return w, got, nil
		}
		if id, err = w.frameOf(ctx, focusedFrame, nil); err != nil {
			return nil, copied{}, err
		}
	}
	return nil, copied{}, fault.New(fault.Unsupported, "the frames with the focus lie too deep in one another")
}

func bounded(text string) (string, error) {
	if len(text) > copyMost {
		return "", fault.New(fault.Unsupported, "the selection is too large to copy (%d MB)", len(text)>>20).Then("select less")
	}
	return text, nil
}
