package page

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/inject"
)

// handle takes one event of a session of the page. It runs on the session's
// goroutine and never waits for an answer.
func (p *Page) handle(s *cdp.Session, ev cdp.Event) {
	switch ev.Method {
	case "Page.frameAttached":
		if e, ok := cdp.Decode[cdppage.EventFrameAttached](ev); ok {
			p.mu.Lock()
			p.frameFor(e.FrameID, e.ParentFrameID, s)
			p.mu.Unlock()
		}
	case "Page.frameDetached":
		if e, ok := cdp.Decode[cdppage.EventFrameDetached](ev); ok && e.Reason != cdppage.FrameDetachedReasonSwap {
			p.mu.Lock()
			p.drop(e.FrameID)
			p.mu.Unlock()
			p.hear()
		}
	case "Page.frameNavigated":
		if e, ok := cdp.Decode[cdppage.EventFrameNavigated](ev); ok && e.Frame != nil {
			p.navigated(s, e.Frame)
			if e.Frame.ID == p.root {
				p.noPasskeys()
			}
			if e.Type == cdppage.NavigationTypeBackForwardCacheRestore && e.Frame.ID == p.root {
				// A document that comes back is loaded already and fires no load event.
				p.update(func(st *State) { st.Loading, st.Progress = false, 1 })
				p.signal(signal{kind: "load", loader: e.Frame.LoaderID})
				p.meetAll()
			}
		}
	case "Page.navigatedWithinDocument":
		if e, ok := cdp.Decode[cdppage.EventNavigatedWithinDocument](ev); ok {
			p.mu.Lock()
			if f := p.frames[e.FrameID]; f != nil {
				f.url = e.URL
			}
			p.mu.Unlock()
			if e.FrameID == p.root {
				p.update(func(st *State) { st.URL = e.URL })
				p.signal(signal{kind: "within"})
				p.RefreshHistory()
			}
		}
	case "Page.frameStartedLoading", "Page.frameStartedNavigating":
		if e, ok := cdp.Decode[struct {
			FrameID cdproto.FrameID `json:"frameId"`
			URL     string          `json:"url"`
			Type    string          `json:"navigationType"`
		}](ev); ok && e.FrameID == p.root && foreign(e.URL) == "" && !strings.HasSuffix(strings.ToLower(e.Type), "samedocument") {
			p.update(func(st *State) {
				if !st.Loading {
					st.Loading, st.Progress = true, 0.1
				}
			})
			if e.Type != "" {
				p.signal(signal{kind: "navigating"})
			}
			p.signal(signal{kind: "started"})
		}
	case "Page.frameRequestedNavigation":
		if e, ok := cdp.Decode[cdppage.EventFrameRequestedNavigation](ev); ok && foreign(e.URL) != "" {
			p.signal(signal{kind: "program", program: foreign(e.URL)})
			p.wantsProgram(e.URL)
		} else if ok && e.Disposition == cdppage.ClientNavigationDispositionCurrentTab {
			kind := "requested"
			if e.FrameID != p.root {
				kind = "requested inside"
			}
			p.signal(signal{kind: kind})
		} else if ok && e.Disposition == cdppage.ClientNavigationDispositionDownload {
			p.signal(signal{kind: "download asked"})
		} else if ok {
			p.signal(signal{kind: "window"})
		}
	case "Page.frameStoppedLoading":
		if e, ok := cdp.Decode[cdppage.EventFrameStoppedLoading](ev); ok && e.FrameID == p.root {
			p.update(func(st *State) { st.Loading, st.Progress = false, 1 })
			p.signal(signal{kind: "stopped"})
			p.RefreshHistory()
		}
	case "Page.lifecycleEvent":
		if e, ok := cdp.Decode[cdppage.EventLifecycleEvent](ev); ok && e.FrameID == p.root {
			p.lifecycle(e)
		}
	case "Page.javascriptDialogOpening":
		if e, ok := cdp.Decode[cdppage.EventJavascriptDialogOpening](ev); ok {
			p.dialogOpened(s, e)
		}
	case "Page.javascriptDialogClosed":
		p.dialogClosed()
	case "Page.screencastFrame":
		if e, ok := cdp.Decode[cdppage.EventScreencastFrame](ev); ok {
			p.castFrame(e)
		}
	case "Page.windowOpen":
		p.signal(signal{kind: "window"})
		if p.window != nil {
			p.window()
		}
	case "Input.dragIntercepted":
		if e, ok := cdp.Decode[input.EventDragIntercepted](ev); ok {
			p.carried(p.alive(), e.Data)
		}
	case "Page.fileChooserOpened":
		if e, ok := cdp.Decode[cdppage.EventFileChooserOpened](ev); ok {
			p.choosing(s, e)
		}
	case "Runtime.executionContextCreated":
		if e, ok := cdp.Decode[runtime.EventExecutionContextCreated](ev); ok && e.Context != nil {
			p.contextCreated(s, e.Context)
		}
	case "Runtime.executionContextDestroyed":
		if e, ok := cdp.Decode[runtime.EventExecutionContextDestroyed](ev); ok {
			p.contextDestroyed(s, e.ExecutionContextUniqueID)
			p.hear()
		}
	case "Runtime.executionContextsCleared":
		p.contextsCleared(s)
		p.hear()
	case "Runtime.bindingCalled":
		if e, ok := cdp.Decode[runtime.EventBindingCalled](ev); ok && e.Name == inject.SurfaceBinding {
			p.surfaced(s, e)
		} else if ok && e.Name == askedBinding {
			p.asked(e)
		} else if ok && e.Name == inject.FindBinding {
			p.sought(s, e)
		} else if ok && e.Name == deedBinding {
			p.did(e)
		} else if ok && e.Name == inject.SoundBinding {
			p.heard(s, e)
		} else if ok && e.Name == toolsBinding {
			p.tooled(e)
		} else if ok && s == p.sess {
			p.titled(e)
		}
	case "Target.attachedToTarget":
		if e, ok := cdp.Decode[target.EventAttachedToTarget](ev); ok && e.TargetInfo != nil {
			go p.attached(s, string(e.SessionID), *e.TargetInfo)
		}
	case "Target.detachedFromTarget":
		if e, ok := cdp.Decode[target.EventDetachedFromTarget](ev); ok {
			p.detached(string(e.SessionID))
		}
	case "Fetch.requestPaused":
		if e, ok := cdp.Decode[fetch.EventRequestPaused](ev); ok {
			p.requested(s, e)
		}
	case "Security.certificateError":
		p.certificateError(s, ev)
	case "Fetch.authRequired":
		if e, ok := cdp.Decode[fetch.EventAuthRequired](ev); ok {
			p.challenged(s, e)
		}
	default:
		p.Console.take(p, ev)
	}
}

// attached takes a frame of another process, or lets a worker run.
func (p *Page) attached(parent *cdp.Session, id string, info target.Info) {
	ctx, cancel := context.WithTimeout(p.alive(), 20*time.Second)
	defer cancel()
	child := p.sess.Sibling(id)
	if info.Type != "iframe" {
		child.Handle(func(cdp.Event) {})
		p.identify(ctx, child)
		if own := p.ownPatterns(); own != nil {
			_, _ = child.Send(ctx, "Network.enable", nil)
			_, _ = child.Send(ctx, "Network.setBlockedURLs", own)
		}
		_, _ = child.Send(ctx, "Runtime.runIfWaitingForDebugger", nil)
		if info.Type != "worker" && info.Type != "service_worker" && info.Type != "shared_worker" {
			_ = parent.Call(ctx, "Target.detachFromTarget", target.DetachFromTargetParams{SessionID: target.SessionID(id)}, nil)
		}
		return
	}
	p.mu.Lock()
	p.sessions[id] = child
	p.frameFor(cdproto.FrameID(info.TargetID), info.ParentFrameID, child)
	p.mu.Unlock()
	child.Tap("Runtime.bindingCalled", func(ev cdp.Event) { p.learn(child, ev) })
	child.Handle(func(ev cdp.Event) { p.handle(child, ev) })
	if err := p.prepare(ctx, child, false); err != nil {
		p.log.Debug("a frame went away while it was prepared", "error", err)
	}
}

// identify gives a worker the page's identity. A worker that refuses keeps
// Chromium's own, which the command line has made the same.
func (p *Page) identify(ctx context.Context, s *cdp.Session) {
	_, _ = s.Send(ctx, "Network.setUserAgentOverride", map[string]any{
		"userAgent": p.cfg.Identity.UserAgent, "acceptLanguage": p.cfg.Identity.Language, "userAgentMetadata": p.cfg.Identity.Metadata,
	})
}

func (p *Page) detached(id string) {
	p.mu.Lock()
	s := p.sessions[id]
	delete(p.sessions, id)
	if s != nil {
		for fid, f := range p.frames {
			if f.sess == s {
				f.unworld()
				delete(p.frames, fid)
			}
		}
	}
	p.mu.Unlock()
	p.telling.Delete(s)
	p.hear()
	p.sess.Sibling(id).Detached()
}

func (p *Page) navigated(s *cdp.Session, f *cdproto.Frame) {
	unsigned, failed := "", p.refused("net::ERR_FAILED")
	var security Security
	p.mu.Lock()
	fr := p.frameFor(f.ID, f.ParentID, s)
	for _, c := range p.frames {
		if c.parent == fr {
			p.drop(c.id)
		}
	}
	fr.url, fr.loader, fr.name, fr.mime = f.URL+f.URLFragment, f.LoaderID, f.Name, f.MimeType
	main := f.ID == p.root
	p.localMoved(fr)
	if main {
		p.loads++
		if p.revived { // its new process begins without a stream
			p.restream()
		}
		p.revived = false
		clear(p.under)
		unsigned = p.unsigned(cmp.Or(f.UnreachableURL, f.URL), f.LoaderID)
		if unsigned == "" {
			p.answered = nil
		}
		if r := p.responded; r != nil && r.document == f.LoaderID {
			security = *r
		}
		p.alerts = alerts{}
	}
	p.mu.Unlock()
	if !main {
		return
	}
	at := f.URL
	if f.UnreachableURL != "" {
		at = f.UnreachableURL
	}
	p.leftLocal(at)
	p.site.Store(hostOf(f.URL))
	p.telling.Delete(s)
	p.asksOver(f.LoaderID, unsigned != "")
	p.update(func(st *State) {
		st.Revision++
		st.Security, st.Asked = security, ""
		st.URL = f.URL + f.URLFragment
		st.Favicon = ""
		st.Full = false
		st.Progress = max(st.Progress, 0.3)
		if f.UnreachableURL != "" {
			st.URL = f.UnreachableURL
			if st.Failed == "" {
				st.Failed = failed
			}
		} else {
			st.Failed = ""
		}
		if unsigned != "" {
			st.Failed = unsigned
		}
	})
	p.Surfaces.Set(nil)
	p.signal(signal{kind: "committed", loader: f.LoaderID})
	p.RefreshHistory()
}

func (p *Page) lifecycle(e cdppage.EventLifecycleEvent) {
	switch e.Name {
	case "DOMContentLoaded":
		p.update(func(st *State) { st.Progress = max(st.Progress, 0.7) })
		p.signal(signal{kind: "dom", loader: e.LoaderID})
	case "load":
		p.update(func(st *State) { st.Progress = 1 })
		p.signal(signal{kind: "load", loader: e.LoaderID})
		go p.refreshFavicon()
	}
}

// safeURL cuts what no title or log line should carry.
func safeURL(u string) string {
	if strings.HasPrefix(u, "data:") && len(u) > 64 {
		return u[:64] + "…"
	}
	return u
}

// OpensWindow sets what is told when the page is about to open a window. Call
// it before Init.
func (p *Page) OpensWindow(f func()) { p.window = f }
