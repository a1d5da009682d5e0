package agenttools

import (
	"context"
	"fmt"

	"baton/backend/page"
	"baton/backend/redact"
	"baton/backend/tab"
	"baton/backend/tool"
)

type readArgs struct {
	Tab      string       `json:"tab,omitempty"`
	Target   *page.Target `json:"target,omitempty"`
	Query    string       `json:"query,omitempty"`
	MaxChars int          `json:"max_chars,omitempty"`
	Offset   int          `json:"offset,omitempty"`
}

func browserRead(ctx context.Context, t *Thread, a readArgs) (tool.Result, error) {
	id, err := t.tab(a.Tab)
	if err != nil {
		return tool.Result{}, err
	}
	var out tool.Result
	err = t.on(ctx, id, tab.Op{What: "reading the page", Reads: true}, lookWait, func(ctx context.Context, p *page.Page) error {
		r, err := p.Read(ctx, page.ReadArgs{Target: a.Target, Query: a.Query, Max: a.MaxChars, Offset: a.Offset})
		if err != nil {
			return err
		}
		head := fmt.Sprintf("tab %s · %s · %s", id, title(r.Title), r.URL)
		data := map[string]any{"tab": id, "url": r.URL, "title": r.Title, "status": status(p), "text": r.Text, "total": r.Total, "end": r.End}
		if r.Pages > 0 {
			head += fmt.Sprintf("\nA PDF, pages: %d", r.Pages)
			data["pages"] = r.Pages
			if r.Read < r.Pages {
				head += fmt.Sprintf("; read so far: %d, call again for more", r.Read)
				data["pages_read"] = r.Read
			}
		}
		switch {
		case a.Query != "":
			head += fmt.Sprintf("\n%d passages match %q", r.Matches, a.Query)
			data["matches"] = r.Matches
		case r.Text == "" && a.Target != nil:
			head += "\nThis part of the page has no text."
		case r.Text == "":
			head += "\nThe page has no text."
		}
		tail := ""
		if r.End < r.Total && a.Query == "" {
			tail = fmt.Sprintf("\n(+%d characters; go on with offset %d, or use query)", r.Total-r.End, r.End)
			if len(r.Rest) > 0 {
				tail += "\nFurther on, by offset:"
				rows := make([]map[string]any, len(r.Rest))
				for i, m := range r.Rest {
					tail += fmt.Sprintf("\n%d %s", m.Offset, m.Text)
					rows[i] = map[string]any{"offset": m.Offset, "text": m.Text}
				}
				data["rest"] = rows
			}
		}
		out = tool.Result{Text: clip(head+"\n"+r.Text) + tail, Data: data}
		return nil
	})
	return out, err
}

type screenshotArgs struct {
	Tab      string       `json:"tab,omitempty"`
	Target   *page.Target `json:"target,omitempty"`
	FullPage bool         `json:"full_page,omitempty"`
	Format   string       `json:"format,omitempty" enum:"jpeg|png"`
}

func browserScreenshot(ctx context.Context, t *Thread, a screenshotArgs) (tool.Result, error) {
	id, err := t.tab(a.Tab)
	if err != nil {
		return tool.Result{}, err
	}
	var out tool.Result
	err = t.on(ctx, id, tab.Op{What: "taking a picture", Reads: true}, lookWait, func(ctx context.Context, p *page.Page) error {
		s, err := p.Screenshot(ctx, page.ShotArgs{Target: a.Target, FullPage: a.FullPage, PNG: a.Format == "png"})
		if err != nil {
			return err
		}
		what := "the viewport"
		switch {
		case s.Desc != "":
			what = s.Desc
		case a.FullPage:
			what = "the whole page"
		}
		text := fmt.Sprintf("Picture of %s, %d by %d pixels", what, s.Width, s.Height)
		data := map[string]any{"tab": id, "url": redact.URL(s.URL), "title": s.Title, "status": status(p), "width": s.Width, "height": s.Height, "scale": s.Scale}
		if s.Scale < 0.999 {
			text += fmt.Sprintf(", scaled by %.3f: divide by it for page pixels", s.Scale)
		}
		if s.Desc != "" || a.FullPage {
			text += fmt.Sprintf("; its corner is at %.0f,%.0f of the viewport", s.X, s.Y)
			data["x"], data["y"] = s.X, s.Y
		}
		if s.Masked > 0 {
			text += fmt.Sprintf("; %d secret fields are painted gray", s.Masked)
			data["masked"] = s.Masked
		}
		out = tool.Result{Text: text, Data: data, Images: []tool.Image{{Data: s.Data, MIME: s.MIME}}}
		return nil
	})
	return out, err
}
