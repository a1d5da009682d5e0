package app

import (
	"context"
	"encoding/base64"
)

// Clipboard takes what the person copies out of pages.
type Clipboard struct{ s *Server }

// Copy gives what the copy key took, or what is selected.
func (c Clipboard) Copy(ctx context.Context, a TabArgs) (ClipResult, error) {
	return c.take(ctx, a.Tab, false)
}

// Cut gives what the cut key took, or cuts what is selected.
func (c Clipboard) Cut(ctx context.Context, a TabArgs) (ClipResult, error) {
	return c.take(ctx, a.Tab, true)
}

// Selection gives the text that is selected, and leaves it alone.
func (c Clipboard) Selection(ctx context.Context, a TabArgs) (ClipResult, error) {
	v := caller(ctx).views.of(a.Tab)
	if v == nil {
		return ClipResult{}, nil
	}
	text, err := v.Selected(ctx)
	return ClipResult{Text: text}, err
}

func (c Clipboard) take(ctx context.Context, id string, cut bool) (ClipResult, error) {
	if v := caller(ctx).views.of(id); v != nil {
		got, err := v.Copied(ctx, cut)
		return ClipResult{got.Text, got.HTML, base64.StdEncoding.EncodeToString(got.Image)}, err
	}
	if _, err := c.s.cfg.Tabs.Get(id, person); err != nil {
		return ClipResult{}, err
	}
	p := c.s.cfg.Tabs.Live(id)
	if p == nil {
		return ClipResult{}, nil
	}
	text, err := p.Selection(ctx)
	return ClipResult{Text: text}, err
}
