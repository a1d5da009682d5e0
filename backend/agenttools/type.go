package agenttools

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"baton/backend/fault"
	"baton/backend/input"
	"baton/backend/page"
	"baton/backend/tool"
)

type typeArgs struct {
	Tab     string       `json:"tab,omitempty"`
	Target  *page.Target `json:"target,omitempty"`
	Text    string       `json:"text"`
	Mode    string       `json:"mode,omitempty" enum:"replace|append"`
	Submit  bool         `json:"submit,omitempty"`
	Slowly  bool         `json:"slowly,omitempty"`
	Timeout int          `json:"timeout_ms,omitempty"`
}

func browserType(ctx context.Context, t *Thread, a typeArgs) (tool.Result, error) {
	if a.Mode != "" && a.Mode != "replace" && a.Mode != "append" {
		return tool.Result{}, fault.New(fault.BadArguments, "there is no mode %q", a.Mode).Then("use replace or append")
	}
	what := "typing"
	if a.Target != nil {
		what += " into " + a.Target.String()
	}
	var got page.Typed
	return t.act(ctx, step{tab: a.Tab, what: what, timeout: a.Timeout, wish: wish{verb: "type", targets: []*page.Target{a.Target}, text: a.Text}}, func(ctx context.Context, p *page.Page) (page.Outcome, error) {
		var err error
		got, err = p.Type(ctx, page.TypeArgs{Target: a.Target, Text: a.Text, Append: a.Mode == "append", Submit: a.Submit, Slowly: a.Slowly})
		return got.Outcome, err
	}, func(data map[string]any) []string {
		switch {
		case got.Secret:
			data["value"] = "•••"
			return []string{"It holds a secret, which is not shown."}
		case got.Read:
			data["value"] = got.Value
			return []string{"Value: " + strconv.Quote(got.Value)}
		}
		return nil
	})
}

type pressArgs struct {
	Tab     string       `json:"tab,omitempty"`
	Keys    string       `json:"keys"`
	Target  *page.Target `json:"target,omitempty"`
	Timeout int          `json:"timeout_ms,omitempty"`
}

func browserPress(ctx context.Context, t *Thread, a pressArgs) (tool.Result, error) {
	chords, err := input.Parse(a.Keys)
	if err != nil {
		return tool.Result{}, fault.New(fault.BadArguments, "%v", err)
	}
	var got page.Pressed
	return t.act(ctx, step{tab: a.Tab, what: "pressing " + a.Keys, timeout: a.Timeout, wish: wish{verb: "press", targets: []*page.Target{a.Target}, text: a.Keys}}, func(ctx context.Context, p *page.Page) (page.Outcome, error) {
		var err error
		got, err = p.Press(ctx, chords, a.Keys, a.Target, false)
		return got.Outcome, err
	}, func(data map[string]any) []string {
		if got.Focused == "" {
			return nil
		}
		data["focused"] = got.Focused
		return []string{"Focus: " + got.Focused}
	})
}

type fillField struct {
	Target page.Target `json:"target"`
	Text   string      `json:"text"`
}

type fillArgs struct {
	Tab     string      `json:"tab,omitempty"`
	Fields  []fillField `json:"fields"`
	Timeout int         `json:"timeout_ms,omitempty"`
}

func browserFill(ctx context.Context, t *Thread, a fillArgs) (tool.Result, error) {
	fields := make([]page.FillField, len(a.Fields))
	w := wish{verb: "fill"}
	var texts []string
	for i, f := range a.Fields {
		fields[i] = page.FillField{Target: f.Target, Text: f.Text}
		w.targets = append(w.targets, &a.Fields[i].Target)
		texts = append(texts, f.Text)
	}
	w.text = strings.Join(texts, "\n")
	var got page.Filled
	s := step{tab: a.Tab, what: fmt.Sprintf("filling %d fields", len(fields)), timeout: a.Timeout, wait: 30 * time.Second, wish: w}
	return t.act(ctx, s, func(ctx context.Context, p *page.Page) (page.Outcome, error) {
		var err error
		got, err = p.Fill(ctx, fields)
		return got.Outcome, err
	}, func(data map[string]any) []string {
		var lines []string
		data["confirmed"] = indexes(got.Confirmed)
		if got.Failed != nil {
			data["failed"] = map[string]any{"index": got.Failed.Index, "reason": got.Failed.Reason}
			lines = append(lines, fmt.Sprintf("Field %d failed: %s; later ones were not touched.", got.Failed.Index, got.Failed.Reason))
		}
		if len(got.Uncertain) > 0 {
			data["uncertain"] = indexes(got.Uncertain)
			lines = append(lines, fmt.Sprintf("Uncertain: %v; look at what they hold.", got.Uncertain))
		}
		return lines
	})
}

func indexes(list []int) []map[string]any {
	out := make([]map[string]any, len(list))
	for i, n := range list {
		out[i] = map[string]any{"index": n}
	}
	return out
}
