package page

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/fault"
)

// ToolsScheme begins the address of Chromium's own developer tools.
const ToolsScheme = "devtools://"

// toolsBinding is how the developer tools tell what their surroundings are to do.
const toolsBinding = "__batonTools"

// ToolsWord is what developer tools ask of their surroundings.
type ToolsWord struct {
	Copy  string // text for the person's clipboard
	Open  string // a web address to open in a tab
	Front bool   // they are to be seen: something was picked in the page
}

// toolsScript runs in the developer tools before their own. They stand alone,
// not beside a page in one window; their menus are drawn in the page; and what
// they would have Chromium's window do is told instead.
const toolsScript = `(() => {
 const begin = h => {
 if (h.baton) return;
 h.baton = true;
 const tell = o => globalThis.` + toolsBinding + `(JSON.stringify(o));
 history.replaceState(null, '', location.href.replace(/&can_dock=[^&]*/, ''));
 const dock = h.setIsDocked;
 h.setIsDocked = (_, done) => dock.call(h, false, done ?? (() => {}));
 const loaded = h.loadCompleted;
 h.loadCompleted = () => { h.setIsDocked(false); loaded.call(h); globalThis.DevToolsAPI.setUseSoftMenu(true); h.batonLoaded = true; };
 h.copyText = text => tell({copy: String(text ?? '')});
 h.openInNewTab = url => tell({open: String(url)});
 h.bringToFront = () => tell({front: true});
 h.save = url => { tell({save: true}); globalThis.DevToolsAPI.canceledSaveURL(url); };
 };
 let host = globalThis.InspectorFrontendHost;
 if (host) return begin(host);
 // Chromium's script that makes it may come after this one.
 Object.defineProperty(globalThis, 'InspectorFrontendHost', {configurable: true, get: () => host, set: h => { host = h; if (h) begin(h); }});
})()`

// toolsReady tells whether the developer tools have begun, and stand alone.
const toolsReady = `globalThis.InspectorFrontendHost?.batonLoaded === true`

// toolsReveal shows an element in the developer tools' tree.
const toolsReveal = `(async (frame, node) => {
 const sdk = await import('devtools://devtools/bundled/core/sdk/sdk.js');
 const common = await import('devtools://devtools/bundled/core/common/common.js');
 const target = sdk.FrameManager.FrameManager.instance().getFrame(frame)?.resourceTreeModel().target() ?? sdk.TargetManager.TargetManager.instance().primaryPageTarget();
 if (!target?.model(sdk.DOMModel.DOMModel)) return false;
 await common.Revealer.reveal(new sdk.DOMModel.DeferredDOMNode(target, node));
 return true;
})`

// noSaving is what the person is told when developer tools want to save a file.
const noSaving = "The developer tools cannot save files here. Copy what you need instead."

const (
	toolsWait  = 20 * time.Second // bounds the start of developer tools
	toolsPause = 50 * time.Millisecond
)

// IsTools tells whether the page is Chromium's own developer tools.
func (p *Page) IsTools() bool { return p.cfg.Tools }

// tooled takes what developer tools ask of their surroundings.
func (p *Page) tooled(e runtime.EventBindingCalled) {
	var w struct {
		Copy  *string `json:"copy"`
		Open  string  `json:"open"`
		Front bool    `json:"front"`
		Save  bool    `json:"save"`
	}
	if !p.cfg.Tools || len(e.Payload) > copyMost || json.Unmarshal([]byte(e.Payload), &w) != nil {
		return
	}
	switch {
	case w.Save:
		p.tell(noSaving)
	case w.Copy != nil && *w.Copy != "":
		p.Tools.Publish(ToolsWord{Copy: *w.Copy})
	case strings.HasPrefix(w.Open, "http://"), strings.HasPrefix(w.Open, "https://"):
		p.Tools.Publish(ToolsWord{Open: w.Open})
	case w.Front:
		p.Tools.Publish(ToolsWord{Front: true})
	}
}

// toolsFirst are the first commands to developer tools.
func toolsFirst() []command {
	yes := true
	return []command{
		{"Page.enable", nil},
		{"Runtime.addBinding", runtime.AddBindingParams{Name: toolsBinding}},
		{"Page.addScriptToEvaluateOnNewDocument", cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: toolsScript, RunImmediately: &yes}},
	}
}

// toolsSilent keeps developer tools from asking anything of the network by
// themselves; what they show comes from the page.
var toolsSilent = command{"Network.setBlockedURLs", network.SetBlockedURLsParams{URLPatterns: []*network.BlockPattern{
	{URLPattern: "http://*:*/*", Block: true}, {URLPattern: "https://*:*/*", Block: true},
}}}

// ToolsReady waits until developer tools have begun.
func (p *Page) ToolsReady(ctx context.Context) error {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	ctx, end := context.WithTimeout(ctx, toolsWait)
	defer end()
	for {
		var ready bool
		if err := p.inTools(ctx, toolsReady, &ready); err == nil && ready {
			return nil
		}
		select {
		case <-time.After(toolsPause):
		case <-ctx.Done():
			if p.alive().Err() != nil {
				return p.explain(ctx, ctx.Err())
			}
			return fault.New(fault.EngineUnavailable, "Chromium's developer tools did not begin in time")
		}
	}
}

// DrawTools draws developer tools dark or light.
func (p *Page) DrawTools(ctx context.Context, dark bool) error {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	return p.explain(ctx, p.sess.Call(ctx, "Emulation.setEmulatedMedia", emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}, nil))
}

// Pick has developer tools wait for the person to point at an element of the
// page.
func (p *Page) Pick(ctx context.Context) error {
	var none json.RawMessage
	return p.explain(ctx, p.inTools(ctx, "globalThis.DevToolsAPI.enterInspectElementMode()", &none))
}

// Reveal shows an element of the page that the developer tools are for.
func (p *Page) Reveal(ctx context.Context, e Element) error {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	args, err := json.Marshal([]any{e.frame, e.node})
	if err != nil {
		return err
	}
	var shown bool
	if err := p.inTools(ctx, toolsReveal+"(..."+string(args)+")", &shown); err != nil {
		return p.explain(ctx, err)
	}
	if !shown {
		return fault.New(fault.TargetGone, "the element is no longer on the page")
	}
	return nil
}

// inTools evaluates an expression in the developer tools' own world.
func (p *Page) inTools(ctx context.Context, expression string, out any) error {
	if !p.cfg.Tools {
		return fault.New(fault.Unsupported, "these are no developer tools")
	}
	yes := true
	var r runtime.EvaluateResult
	err := p.sess.Call(ctx, "Runtime.evaluate", runtime.EvaluateParams{Expression: expression, AwaitPromise: &yes, ReturnByValue: &yes}, &r)
	switch {
	case err != nil:
		return err
	case r.ExceptionDetails != nil:
		return fault.New(fault.EngineUnavailable, "Chromium's developer tools failed: %s", cutRunes(exceptionText(r.ExceptionDetails), 200))
	case r.Result == nil || len(r.Result.Value) == 0:
		return nil
	}
	return json.Unmarshal(r.Result.Value, out)
}

// Element names an element to developer tools.
type Element struct {
	frame cdproto.FrameID
	node  cdproto.BackendNodeID
}

// menuTarget gives the element that the menu of a document is for.
const menuTarget = `function(){ return globalThis.__batonMenuTarget?.deref() ?? null; }`

// MenuElement gives the element that a context menu is or was for, if there has
// been no other since.
func (p *Page) MenuElement(ctx context.Context, id int) (Element, error) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	s := p.menu.Load()
	if s == nil || s.ID != id || !s.world.here() {
		return Element{}, fault.New(fault.TargetGone, "the page has changed since the menu opened")
	}
	group := newGroup("menu")
	var r runtime.CallFunctionOnResult
	if err := s.world.sess.Call(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
		FunctionDeclaration: menuTarget, UniqueContextID: s.world.unique, ObjectGroup: group,
	}, &r); err != nil {
		return Element{}, p.explain(ctx, err)
	}
	if r.Result == nil || r.Result.ObjectID == "" {
		return Element{}, fault.New(fault.TargetGone, "the element is no longer on the page")
	}
	defer letGo(ctx, s.world.sess, group)
	var d struct {
		Node struct {
			Backend cdproto.BackendNodeID `json:"backendNodeId"`
		} `json:"node"`
	}
	if err := s.world.sess.Call(ctx, "DOM.describeNode", map[string]any{"objectId": r.Result.ObjectID}, &d); err != nil {
		return Element{}, p.explain(ctx, err)
	}
	return Element{frame: s.world.frame, node: d.Node.Backend}, nil
}
