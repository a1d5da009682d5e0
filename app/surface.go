package app

import (
	"context"

	"baton/backend/page"
)

// Surfaces answers what the interface draws for pages.
type Surfaces struct{ s *Server }

// Choose chooses an option of an open select list.
func (v Surfaces) Choose(ctx context.Context, a SurfaceArgs) error {
	return v.s.cfg.Tabs.Hand(ctx, a.Tab, func(ctx context.Context, p *page.Page) error { return p.ChooseOption(ctx, a.ID, a.Index) })
}

// Set gives the field of an open picker or list a value.
func (v Surfaces) Set(ctx context.Context, a SurfaceArgs) error {
	return v.s.cfg.Tabs.Hand(ctx, a.Tab, func(ctx context.Context, p *page.Page) error { return p.SetSurface(ctx, a.ID, -1, a.Value) })
}

// Close closes what is open and changes nothing.
func (v Surfaces) Close(ctx context.Context, a SurfaceArgs) error {
	return v.s.cfg.Tabs.Hand(ctx, a.Tab, func(ctx context.Context, p *page.Page) error { return p.CloseSurface(ctx, a.ID) })
}

func wireSurface(tab string, s *page.Surface) Surface {
	w := Surface{
		Tab: tab, ID: s.ID, Kind: s.Kind, Left: s.Box.X, Top: s.Box.Y, Width: s.Box.W, Height: s.Box.H, Size: s.Style.Size, RTL: s.Style.RTL,
		Index: s.Index, Value: s.Value, Min: s.Min, Max: s.Max, Step: s.Step, Required: s.Required, Text: s.Text,
		Link: s.Link, LinkText: s.LinkText, Image: s.Image, Media: s.Media, Editable: s.Editable, Secret: s.Secret, Frame: s.Frame,
	}
	for _, o := range s.Options {
		w.Options = append(w.Options, SurfaceOption(o))
	}
	return w
}
