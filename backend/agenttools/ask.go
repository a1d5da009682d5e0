package agenttools

import (
	"context"
	"path/filepath"
	"strings"

	"baton/backend/card"
	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/redact"
	"baton/backend/tab"
)

// wish is what an agent wants to do, as its arguments say it.
type wish struct {
	verb    string
	targets []*page.Target // a nil one is what has the focus
	text    string         // typed, pressed or chosen text, or code
	files   []string
}

// mostShown bounds the text on a card, in bytes: code may be long.
const mostShown = 4000

// ask describes a wish for the person's card.
func (w wish) ask() tab.Ask {
	return func(ctx context.Context, p *page.Page) (card.Action, error) {
		a := card.Action{Verb: w.verb, Text: clipped(redact.Text(w.text), mostShown)}
		for _, f := range w.files {
			a.Files = append(a.Files, filepath.Base(f))
		}
		if p == nil {
			return a, nil
		}
		st, _ := p.State.Get()
		a.URL, a.Title, a.Text = redact.URL(st.URL), st.Title, p.Clean(a.Text)
		for _, t := range w.targets {
			d, err := p.Describe(ctx, t)
			if fault.Is(err, fault.DialogOpen) || err != nil && t != nil {
				return a, err
			}
			x := card.Target{
				Role: d.Role, Name: p.Clean(d.Name), Tag: d.Tag, Type: d.Type, Autocomplete: d.Autocomplete, FormHost: d.FormHost,
				Secret: d.Secret, Unseen: err != nil || d.Gone, Ref: d.Ref, Frame: d.Host,
				Left: d.Box.X, Top: d.Box.Y, Width: d.Box.W, Height: d.Box.H,
			}
			if d.Point != nil {
				x.Point, x.X, x.Y = true, d.Point.X, d.Point.Y
			}
			if (x.Secret || x.Unseen) && a.Text != "" {
				a.Text, a.TextHidden = "", true
			}
			a.Targets = append(a.Targets, x)
		}
		return a, nil
	}
}

func clipped(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
