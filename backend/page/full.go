package page

import "context"

// Unfull ends that an element of the page fills the screen.
func (p *Page) Unfull(ctx context.Context) error {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	w, err := p.mainWorld(ctx)
	if err != nil {
		return p.explain(ctx, err)
	}
	return p.explain(ctx, w.Call(ctx, "unfull", nil, nil))
}
