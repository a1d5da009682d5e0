package agenttools

import (
	"context"
	"math"

	"baton/backend/page"
	"baton/backend/tool"
)

type scrollArgs struct {
	Tab     string       `json:"tab,omitempty"`
	Target  *page.Target `json:"target,omitempty"`
	DX      float64      `json:"dx,omitempty"`
	DY      float64      `json:"dy,omitempty"`
	To      string       `json:"to,omitempty" enum:"top|bottom|target"`
	Timeout int          `json:"timeout_ms,omitempty"`
}

func browserScroll(ctx context.Context, t *Thread, a scrollArgs) (tool.Result, error) {
	var got page.Scrolled
	return t.act(ctx, step{tab: a.Tab, what: "scrolling", timeout: a.Timeout, free: true}, func(ctx context.Context, p *page.Page) (page.Outcome, error) {
		var err error
		got, err = p.Scroll(ctx, page.ScrollArgs{Target: a.Target, DX: a.DX, DY: a.DY, To: a.To})
		return got.Outcome, err
	}, func(data map[string]any) []string {
		data["scrolled"] = map[string]any{"dx": math.Round(got.DX), "dy": math.Round(got.DY)}
		data["end"] = got.End
		return nil
	})
}

type dragArgs struct {
	Tab     string      `json:"tab,omitempty"`
	From    page.Target `json:"from"`
	To      page.Target `json:"to"`
	Timeout int         `json:"timeout_ms,omitempty"`
}

func browserDrag(ctx context.Context, t *Thread, a dragArgs) (tool.Result, error) {
	return t.act(ctx, step{tab: a.Tab, what: "dragging " + a.From.String(), timeout: a.Timeout, wish: wish{verb: "drag", targets: []*page.Target{&a.From, &a.To}}}, func(ctx context.Context, p *page.Page) (page.Outcome, error) {
		return p.Drag(ctx, a.From, a.To)
	}, nil)
}
