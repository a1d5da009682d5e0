package app

import "context"

// Clipboard takes text out of pages.
type Clipboard struct{ s *Server }

// Copy gives what the copy key took, or what is selected.
func (c Clipboard) Copy(ctx context.Context, a TabArgs) (TextResult, error) {
	return c.take(ctx, a.Tab, false)
}

// Cut gives what the cut key took, or cuts what is selected.
func (c Clipboard) Cut(ctx context.Context, a TabArgs) (TextResult, error) {
	return c.take(ctx, a.Tab, true)
}

func (c Clipboard) take(ctx context.Context, id string, cut bool) (TextResult, error) {
	if v := caller(ctx).views.of(id); v != nil {
		text, err := v.Copied(ctx, cut)
		return TextResult{text}, err
	}
	if _, err := c.s.cfg.Tabs.Get(id, person); err != nil {
		return TextResult{}, err
	}
	p := c.s.cfg.Tabs.Live(id)
	if p == nil {
		return TextResult{}, nil
	}
	text, err := p.Selection(ctx)
	return TextResult{text}, err
}
