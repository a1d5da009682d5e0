package agenttools

import (
	"context"
	"fmt"
	"time"

	"baton/backend/page"
	"baton/backend/redact"
	"baton/backend/tab"
	"baton/backend/tool"
)

type environmentArgs struct {
	Tab         string  `json:"tab,omitempty"`
	Width       int     `json:"width,omitempty"`
	Height      int     `json:"height,omitempty"`
	Device      string  `json:"device,omitempty" jsonschema:"such as iPhone 15"`
	Orientation string  `json:"orientation,omitempty" enum:"portrait|landscape"`
	Zoom        float64 `json:"zoom,omitempty"`
	ColorScheme string  `json:"color_scheme,omitempty" enum:"light|dark|system"`
	Reset       bool    `json:"reset,omitempty"`
}

func browserEnvironment(ctx context.Context, t *Thread, a environmentArgs) (tool.Result, error) {
	id, err := t.tab(a.Tab)
	if err != nil {
		return tool.Result{}, err
	}
	var out tool.Result
	err = t.on(ctx, id, tab.Op{What: "changing the view", Free: true}, 10*time.Second, func(ctx context.Context, p *page.Page) error {
		e, err := p.SetEnvironment(ctx, page.Environment{
			Width: a.Width, Height: a.Height, Device: a.Device, Orientation: a.Orientation, Zoom: a.Zoom, ColorScheme: a.ColorScheme, Reset: a.Reset,
		})
		if err != nil {
			return err
		}
		st, _ := p.State.Get()
		text := fmt.Sprintf("In force: %d by %d, %s, zoom %g, color scheme %s", e.Width, e.Height, e.Orientation, e.Zoom, e.ColorScheme)
		data := map[string]any{
			"tab": id, "url": redact.URL(st.URL), "title": st.Title, "status": status(p),
			"width": e.Width, "height": e.Height, "orientation": e.Orientation, "zoom": e.Zoom, "color_scheme": e.ColorScheme,
		}
		if e.Device != "" {
			text += ", as " + e.Device
			data["device"] = e.Device
		}
		out = tool.Result{Text: text, Data: data}
		return nil
	})
	return out, err
}
