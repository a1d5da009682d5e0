package agenttools

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/redact"
	"baton/backend/tab"
	"baton/backend/tool"
)

// maxValue bounds what evaluate returns to an agent, and maxScriptValue what it
// returns to an agent's script.
const (
	maxValue       = 64 << 10
	maxScriptValue = 1 << 20
)

type evaluateArgs struct {
	Tab        string       `json:"tab,omitempty"`
	Expression string       `json:"expression" jsonschema:"expression or function"`
	Target     *page.Target `json:"target,omitempty" jsonschema:"its argument"`
	Timeout    int          `json:"timeout_ms,omitempty"`
}

func browserEvaluate(ctx context.Context, t *Thread, a evaluateArgs) (tool.Result, error) {
	d, err := within(a.Timeout, 5*time.Second, 30*time.Second)
	if err != nil {
		return tool.Result{}, err
	}
	id, err := t.tab(a.Tab)
	if err != nil {
		return tool.Result{}, err
	}
	w := wish{verb: "evaluate", text: a.Expression}
	if a.Target != nil {
		w.targets = []*page.Target{a.Target}
	}
	var value json.RawMessage
	nothing := false
	err = t.on(ctx, id, tab.Op{What: "running a script", Code: true, Ask: w.ask()}, d, func(ctx context.Context, p *page.Page) error {
		v, undefined, err := p.EvaluateFor(ctx, a.Expression, a.Target)
		if errors.Is(err, page.ErrThrew) {
			return page.Threw(err)
		}
		value, nothing = v, undefined
		return err
	})
	if err != nil {
		return tool.Result{}, err
	}
	if most := mostValue(ctx); len(value) > most {
		return tool.Result{}, fault.New(fault.ScriptError, "the value has %d bytes; at most %d are returned", len(value), most).Then("return less, such as a slice of it")
	}
	if nothing {
		// A statement such as a click has no value; what it did stays done, and an
		// error would make the agent do it again.
		return tool.Result{Text: "undefined", Data: map[string]any{"tab": id, "value": nil}}, nil
	}
	text := redact.Text(string(value))
	clean := json.RawMessage(text)
	if !json.Valid(clean) {
		clean = value
	}
	return tool.Result{Text: text, Data: map[string]any{"tab": id, "value": clean}}, nil
}
