package page

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"baton/backend/cdp"
	"baton/backend/inject"
)

// Init prepares the page and lets it run. Its commands go out together, so
// that a new page costs one round trip.
func (p *Page) Init(ctx context.Context) error {
	p.sess.Tap("Runtime.bindingCalled", func(ev cdp.Event) { p.learn(p.sess, ev) })
	p.sess.Handle(func(ev cdp.Event) { p.handle(p.sess, ev) })
	return p.prepare(ctx, p.sess, true)
}

// command is one that is sent to Chromium.
type command struct {
	method string
	params any
}

// prepare sets a session of the page up: the main one or a frame's of another
// process.
func (p *Page) prepare(ctx context.Context, s *cdp.Session, main bool) error {
	yes := true
	cmds := []command{
		{"Page.enable", nil},
		{"Runtime.enable", nil},
		{"Page.setLifecycleEventsEnabled", cdppage.SetLifecycleEventsEnabledParams{Enabled: true}},
		{"Log.enable", nil},
		{"Network.enable", map[string]any{"maxTotalBufferSize": 1 << 20, "maxResourceBufferSize": 1 << 19}},
		{"Target.setAutoAttach", target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &yes}},
		{"Emulation.setFocusEmulationEnabled", emulation.SetFocusEmulationEnabledParams{Enabled: true}},
		{"Emulation.setUserAgentOverride", emulation.SetUserAgentOverrideParams{
			UserAgent: p.cfg.Identity.UserAgent, AcceptLanguage: p.cfg.Identity.Language, UserAgentMetadata: p.cfg.Identity.Metadata,
		}},
	}
	if p.cfg.Tools {
		cmds = append(append(toolsFirst(), cmds...), toolsSilent)
	}
	cmds = append(cmds,
		command{"Runtime.addBinding", runtime.AddBindingParams{Name: inject.SurfaceBinding, ExecutionContextName: inject.World}},
		command{"Runtime.addBinding", runtime.AddBindingParams{Name: inject.FindBinding, ExecutionContextName: inject.World}},
		command{"Runtime.addBinding", runtime.AddBindingParams{Name: deedBinding, ExecutionContextName: inject.World}},
		command{"Runtime.addBinding", runtime.AddBindingParams{Name: inject.SoundBinding, ExecutionContextName: inject.World}},
	)
	if src, err := inject.Source(); err == nil {
		cmds = append(cmds, command{"Runtime.addBinding", runtime.AddBindingParams{Name: secretBinding, ExecutionContextName: inject.World}}, command{"Page.addScriptToEvaluateOnNewDocument", cdppage.AddScriptToEvaluateOnNewDocumentParams{
			Source: src, WorldName: inject.World, RunImmediately: &yes,
		}})
	} else {
		return err
	}
	p.mu.Lock()
	if p.new.closed {
		cmds = append(cmds, command{"Page.addScriptToEvaluateOnNewDocument", closesScript})
	}
	metrics := p.metrics()
	p.mu.Unlock()
	if own := p.ownPatterns(); own != nil && !p.cfg.Tools {
		cmds = append(cmds, command{"Network.setBlockedURLs", own})
	}
	if main && !p.cfg.Tools {
		cmds = append(cmds, command{"Security.enable", nil}, command{"Fetch.enable", p.paused()})
	}
	if main {
		cmds = append(cmds,
			command{"Emulation.setDeviceMetricsOverride", metrics},
			command{"Page.startScreencast", unwatched},
			command{"Page.setInterceptFileChooserDialog", map[string]any{"enabled": true}},
			command{"Runtime.addBinding", runtime.AddBindingParams{Name: askedBinding, ExecutionContextName: inject.World}},
			command{"Runtime.addBinding", runtime.AddBindingParams{Name: titleBinding, ExecutionContextName: inject.World}},
			command{"Page.addScriptToEvaluateOnNewDocument", cdppage.AddScriptToEvaluateOnNewDocumentParams{
				Source: titleScript, WorldName: inject.World, RunImmediately: &yes,
			}},
		)
	}
	cmds = append(cmds, command{"Page.getFrameTree", nil}, command{"Runtime.runIfWaitingForDebugger", nil})
	var tree cdppage.GetFrameTreeResult
	pending := make([]*cdp.Pending, len(cmds))
	for i, c := range cmds {
		var err error
		if pending[i], err = s.Send(ctx, c.method, c.params); err != nil {
			return err
		}
	}
	for i, c := range cmds {
		var into any
		if c.method == "Page.getFrameTree" {
			into = &tree
		}
		err := pending[i].Wait(ctx, into)
		var refused *cdp.Error
		switch {
		case err == nil:
		case errors.As(err, &refused) && !main:
			p.log.Debug("a frame's session refused a command", "error", err)
		case errors.As(err, &refused) && c.method == "Page.setInterceptFileChooserDialog":
		default:
			return err
		}
	}
	p.adopt(s, tree.FrameTree)
	return nil
}
