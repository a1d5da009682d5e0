package agenttools

import (
	"context"
	"fmt"
	"strings"

	"baton/backend/page"
	"baton/backend/tool"
)

type selectArgs struct {
	Tab     string      `json:"tab,omitempty"`
	Target  page.Target `json:"target"`
	Values  []string    `json:"values"`
	Timeout int         `json:"timeout_ms,omitempty"`
}

func browserSelect(ctx context.Context, t *Thread, a selectArgs) (tool.Result, error) {
	var got page.Chosen
	return t.act(ctx, step{tab: a.Tab, what: "choosing in " + a.Target.String(), timeout: a.Timeout, wish: wish{verb: "select", targets: []*page.Target{&a.Target}, text: strings.Join(a.Values, "\n")}}, func(ctx context.Context, p *page.Page) (page.Outcome, error) {
		var err error
		got, err = p.Select(ctx, a.Target, a.Values)
		return got.Outcome, err
	}, func(data map[string]any) []string {
		data["chosen"] = append([]string{}, got.Labels...)
		return nil
	})
}

type checkArgs struct {
	Tab     string      `json:"tab,omitempty"`
	Target  page.Target `json:"target"`
	Checked bool        `json:"checked"`
	Timeout int         `json:"timeout_ms,omitempty"`
}

func browserCheck(ctx context.Context, t *Thread, a checkArgs) (tool.Result, error) {
	var got page.Check
	word := map[bool]string{true: "checking", false: "unchecking"}[a.Checked]
	return t.act(ctx, step{tab: a.Tab, what: fmt.Sprintf("%s %s", word, a.Target), timeout: a.Timeout, wish: wish{verb: map[bool]string{true: "check", false: "uncheck"}[a.Checked], targets: []*page.Target{&a.Target}}}, func(ctx context.Context, p *page.Page) (page.Outcome, error) {
		var err error
		got, err = p.Check(ctx, a.Target, a.Checked)
		return got.Outcome, err
	}, func(data map[string]any) []string {
		if got.Checked != "" {
			data["checked"] = got.Checked == "true"
		}
		return nil
	})
}
