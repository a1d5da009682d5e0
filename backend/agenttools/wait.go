package agenttools

import (
	"context"
	"fmt"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/tab"
	"baton/backend/tool"
)

type waitArgs struct {
	Tab      string       `json:"tab,omitempty"`
	Text     string       `json:"text,omitempty"`
	TextGone string       `json:"text_gone,omitempty"`
	Target   *page.Target `json:"target,omitempty"`
	State    string       `json:"state,omitempty" enum:"visible|hidden|enabled|disabled|checked|unchecked|editable|gone"`
	URL      string       `json:"url,omitempty"`
	Load     string       `json:"load,omitempty" enum:"domcontentloaded|load"`
	Quiet    int          `json:"quiet,omitempty"`
	Function string       `json:"function,omitempty"`
	MS       int          `json:"ms,omitempty"`
	Timeout  int          `json:"timeout_ms,omitempty"`
}

func browserWait(ctx context.Context, t *Thread, a waitArgs) (tool.Result, error) {
	ways := 0
	for _, given := range []bool{a.Text != "", a.TextGone != "", a.Target != nil, a.URL != "", a.Load != "", a.Quiet > 0, a.Function != "", a.MS > 0} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return tool.Result{}, fault.New(fault.BadArguments, "%d things to wait for are named", ways).
			Then("give exactly one of text, text_gone, target with state, url, load, quiet, function, ms")
	}
	most := int(page.MaxWait.Milliseconds())
	if a.MS > most || a.Quiet > most {
		return tool.Result{}, fault.New(fault.BadArguments, "a wait lasts %d ms at most", most)
	}
	fallback := 10 * time.Second
	if a.MS > 0 {
		fallback = time.Duration(a.MS)*time.Millisecond + 2*time.Second
	} else if d := time.Duration(a.Quiet)*time.Millisecond + 3*time.Second; d > fallback {
		fallback = d
	}
	d, err := within(a.Timeout, min(fallback, page.MaxWait+2*time.Second), page.MaxWait)
	if err != nil {
		return tool.Result{}, err
	}
	id, err := t.tab(a.Tab)
	if err != nil {
		return tool.Result{}, err
	}
	args := page.WaitArgs{
		Text: a.Text, TextGone: a.TextGone, Target: a.Target, State: a.State, URL: a.URL, Load: a.Load,
		Quiet: time.Duration(a.Quiet) * time.Millisecond, Function: a.Function, Time: time.Duration(a.MS) * time.Millisecond,
	}
	var out tool.Result
	op := tab.Op{What: "waiting", Reads: true}
	if a.Function != "" {
		op.Code, op.Ask = true, wish{verb: "evaluate", text: a.Function}.ask()
	}
	err = t.on(ctx, id, op, d, func(ctx context.Context, p *page.Page) error {
		w, err := p.Wait(ctx, args)
		if err != nil {
			return err
		}
		ms := w.After.Milliseconds()
		out = tool.Result{
			Text: fmt.Sprintf("Met after %d ms: %s", ms, w.Said),
			Data: map[string]any{"tab": id, "url": w.URL, "title": w.Title, "status": status(p), "met": w.Said, "after_ms": ms},
		}
		return nil
	})
	return out, err
}
