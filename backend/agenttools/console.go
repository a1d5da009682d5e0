package agenttools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/redact"
	"baton/backend/tab"
	"baton/backend/tool"
)

// mostConsole bounds how many entries one answer holds.
const mostConsole = 60

// consoleRank orders entries: failures first.
var consoleRank = map[string]int{"network": 0, "error": 0, "warning": 1, "info": 2, "debug": 3}

type consoleArgs struct {
	Tab   string `json:"tab,omitempty"`
	Level string `json:"level,omitempty" enum:"error|warning|info|debug|network"`
	Since int64  `json:"since,omitempty"`
}

func browserConsole(ctx context.Context, t *Thread, a consoleArgs) (tool.Result, error) {
	if _, ok := consoleRank[a.Level]; a.Level != "" && !ok {
		return tool.Result{}, fault.New(fault.BadArguments, "there is no level %q", a.Level).Then("use error, warning, info, debug or network")
	}
	id, err := t.tab(a.Tab)
	if err != nil {
		return tool.Result{}, err
	}
	var out tool.Result
	err = t.on(ctx, id, tab.Op{What: "reading the console", Reads: true, Dialog: true, Crash: true}, 5*time.Second, func(ctx context.Context, p *page.Page) error {
		if p == nil {
			out = tool.Result{Text: "No entries: the page is not loaded.", Data: map[string]any{"tab": id, "entries": []any{}, "newest": 0}}
			return nil
		}
		list, newest := p.Console.Since(a.Since)
		list = slices.DeleteFunc(slices.Clone(list), func(e page.ConsoleEntry) bool {
			switch a.Level {
			case "":
				return false
			case "network":
				return e.Level != "network"
			}
			return consoleRank[e.Level] > consoleRank[a.Level]
		})
		slices.SortStableFunc(list, func(x, y page.ConsoleEntry) int {
			if d := consoleRank[x.Level] - consoleRank[y.Level]; d != 0 {
				return d
			}
			return int(y.Seq - x.Seq) // the newest first
		})
		left := 0
		if len(list) > mostConsole {
			left = len(list) - mostConsole
			list = list[:mostConsole]
		}
		texts := make([]string, len(list))
		for i, e := range list {
			texts[i] = e.Text
		}
		texts = p.Scrub(ctx, texts)
		rows := make([]map[string]any, len(list))
		lines := make([]string, 0, len(list)+2)
		lines = append(lines, fmt.Sprintf("%d entries; newest %d", len(list)+left, newest))
		for i, e := range list {
			rows[i] = map[string]any{"seq": e.Seq, "level": e.Level, "text": texts[i], "where": e.Where}
			line := fmt.Sprintf("#%d %s: %s", e.Seq, e.Level, texts[i])
			if e.Where != "" {
				line += " (" + e.Where + ")"
			}
			lines = append(lines, line)
		}
		if left > 0 {
			lines = append(lines, fmt.Sprintf("(+%d more; use level or since)", left))
		}
		st, _ := p.State.Get()
		out = tool.Result{
			Text: clip(strings.Join(lines, "\n")),
			Data: map[string]any{"tab": id, "url": redact.URL(st.URL), "title": st.Title, "status": status(p), "entries": rows, "newest": newest, "left": left},
		}
		return nil
	})
	return out, err
}
