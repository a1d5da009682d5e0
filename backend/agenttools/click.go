package agenttools

import (
	"context"

	"baton/backend/fault"
	"baton/backend/input"
	"baton/backend/page"
	"baton/backend/tool"
)

type clickArgs struct {
	Tab       string      `json:"tab,omitempty"`
	Target    page.Target `json:"target"`
	Button    string      `json:"button,omitempty" enum:"left|right|middle"`
	Count     int         `json:"count,omitempty"`
	Modifiers []string    `json:"modifiers,omitempty"`
	Timeout   int         `json:"timeout_ms,omitempty"`
}

func browserClick(ctx context.Context, t *Thread, a clickArgs) (tool.Result, error) {
	mods, err := input.ParseModifiers(a.Modifiers)
	if err != nil {
		return tool.Result{}, fault.New(fault.BadArguments, "%v", err)
	}
	return t.act(ctx, step{tab: a.Tab, what: "clicking " + a.Target.String(), timeout: a.Timeout, wish: wish{verb: clickVerb(a), targets: []*page.Target{&a.Target}}}, func(ctx context.Context, p *page.Page) (page.Outcome, error) {
		return p.Click(ctx, page.ClickArgs{Target: a.Target, Button: a.Button, Count: a.Count, Mods: mods})
	}, nil)
}

// clickVerb says which kind of click it is.
func clickVerb(a clickArgs) string {
	switch {
	case a.Button == "right":
		return "right-click"
	case a.Count == 2:
		return "double-click"
	}
	return "click"
}

type targetArgs struct {
	Tab     string      `json:"tab,omitempty"`
	Target  page.Target `json:"target"`
	Timeout int         `json:"timeout_ms,omitempty"`
}

func browserHover(ctx context.Context, t *Thread, a targetArgs) (tool.Result, error) {
	return t.act(ctx, step{tab: a.Tab, what: "pointing at " + a.Target.String(), timeout: a.Timeout, wish: wish{verb: "hover", targets: []*page.Target{&a.Target}}}, func(ctx context.Context, p *page.Page) (page.Outcome, error) {
		return p.Hover(ctx, a.Target)
	}, nil)
}
