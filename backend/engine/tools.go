package engine

import (
	"context"
	"strings"

	"github.com/chromedp/cdproto/target"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/fault"
	"baton/backend/page"
)

// OpenTools opens Chromium's own developer tools for a page: a page of theirs,
// which goes with that page. It gives those that are open already.
func (e *Engine) OpenTools(ctx context.Context, p *page.Page) (*page.Page, error) {
	e.tooling.Lock()
	defer e.tooling.Unlock()
	e.mu.Lock()
	r := e.run
	e.mu.Unlock()
	if r == nil || r.page(p.ID) != p {
		return nil, fault.New(fault.EngineUnavailable, "the page's Chromium has ended")
	}
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	b := r.proc.Conn.Browser()
	arrived := make(chan toolsAt, 1)
	r.mu.Lock()
	r.tools = arrived
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.tools = nil
		r.mu.Unlock()
	}()
	made, err := cdproto.Call(ctx, b, target.OpenDevTools, target.OpenDevToolsParams{TargetID: target.ID(p.ID)})
	if err != nil {
		return nil, fault.New(fault.EngineUnavailable, "Chromium did not open its developer tools").Because(err)
	}
	if tools := r.page(string(made.TargetID)); tools != nil {
		return tools, tools.ToolsReady(ctx)
	}
	var at toolsAt
	select {
	case at = <-arrived:
	case <-ctx.Done():
		return nil, fault.New(fault.EngineUnavailable, "Chromium's developer tools did not come in time")
	case <-r.proc.Exited():
		return nil, fault.New(fault.EngineUnavailable, "Chromium ended while it opened its developer tools")
	}
	tools := page.New(at.info, r.proc.Conn.Attach(at.session), page.Config{
		Scale: r.scale, Identity: r.ident, Log: e.cfg.Log, Known: &e.known, Group: p.Group(), Own: e.cfg.Own, Trust: &e.trust, Tools: true,
	})
	r.mu.Lock()
	r.pages[tools.ID] = tools
	r.mu.Unlock()
	if err = tools.Init(ctx); err == nil {
		err = tools.ToolsReady(ctx)
	}
	if err != nil {
		_, _ = b.Send(context.Background(), "Target.closeTarget", target.CloseTargetParams(made))
		r.forget(tools.ID)
		return nil, err
	}
	return tools, nil
}

// toolsAt is where developer tools can be spoken to. They wait until then.
type toolsAt struct {
	session string
	info    target.Info
}

// toolsArrived hands developer tools over to who opened them, if anybody did.
func (r *running) toolsArrived(session string, info target.Info) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tools == nil {
		return false
	}
	select {
	case r.tools <- toolsAt{session, info}:
		return true
	default:
		return false
	}
}

// isTools tells whether a target is developer tools.
func isTools(info target.Info) bool { return strings.HasPrefix(info.URL, page.ToolsScheme) }

// left hears that a session has ended. Of developer tools Chromium tells no
// other end.
func (r *running) left(session string) {
	for _, p := range r.list() {
		if p.IsTools() && p.Session().ID == session {
			r.proc.Conn.Attach(session).Detached()
			r.gone(p.ID)
		}
	}
}

// gone ends a page's object and tells of it.
func (r *running) gone(id string) {
	if p := r.forget(id); p != nil && r.e.cfg.Closed != nil {
		go r.e.cfg.Closed(p)
	}
}
