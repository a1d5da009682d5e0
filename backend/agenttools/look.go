package agenttools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"baton/backend/page"
	"baton/backend/tab"
	"baton/backend/tool"
)

// lookWait is the time of reading a page.
const lookWait = 15 * time.Second

type snapshotArgs struct {
	Tab      string       `json:"tab,omitempty"`
	Target   *page.Target `json:"target,omitempty"`
	Query    string       `json:"query,omitempty"`
	MaxChars int          `json:"max_chars,omitempty"`
	URLs     bool         `json:"urls,omitempty"`
}

func browserSnapshot(ctx context.Context, t *Thread, a snapshotArgs) (tool.Result, error) {
	id, err := t.tab(a.Tab)
	if err != nil {
		return tool.Result{}, err
	}
	var out tool.Result
	err = t.on(ctx, id, tab.Op{What: "looking at the page", Reads: true}, lookWait, func(ctx context.Context, p *page.Page) error {
		s, bots, err := t.look(ctx, p, page.SnapshotArgs{Target: a.Target, Query: a.Query, MaxChars: a.MaxChars, URLs: a.URLs})
		if err != nil {
			return err
		}
		text := t.outline(id, s)
		data := map[string]any{"tab": id, "url": s.URL, "title": s.Title, "status": status(p), "snapshot": text}
		var lines []string
		if line := check(bots, data); line != "" {
			lines = append(lines, line)
		}
		if a.Query != "" {
			data["matches"] = s.Matches
			lines = append(lines, fmt.Sprintf("%d lines match %q", s.Matches, a.Query))
		}
		if s.Modal {
			lines = append(lines, "A modal dialog is open; only it is shown.")
		}
		lines = append(lines, downloads(p, data)...)
		notices := s.Notes
		if n := t.deps.Tabs.Notice(id); n != "" {
			notices = append(notices, n)
		}
		if len(notices) > 0 {
			data["notices"] = notices
			for _, n := range notices {
				lines = append(lines, "Note: "+n)
			}
		}
		out = tool.Result{Text: clip(strings.Join(append(lines, text), "\n")), Data: data}
		return nil
	})
	return out, err
}

func status(p *page.Page) string {
	st, _ := p.State.Get()
	switch {
	case st.Crashed:
		return tab.Crashed
	case st.Loading:
		return tab.Loading
	case st.Failed != "":
		return tab.Failed
	}
	return tab.Ready
}
