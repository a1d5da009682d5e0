package tab

import (
	"context"

	"baton/backend/engine"
	"baton/backend/redact"
	"baton/backend/store"
)

// engines gives the engines of the tabs there are.
func (r *Registry) engines() []*engine.Engine {
	r.mu.Lock()
	profiles := map[string]bool{Shared: true}
	for _, t := range r.order {
		profiles[t.profile] = true
	}
	r.mu.Unlock()
	out := make([]*engine.Engine, 0, len(profiles))
	for name := range profiles {
		if e, err := r.cfg.Engine(name); err == nil {
			out = append(out, e)
		}
	}
	return out
}

// Known gives the sets of values that secret fields were seen to hold: what
// leaves for agents must not hold them.
func (r *Registry) Known() []*redact.Known {
	list := r.engines()
	out := make([]*redact.Known, len(list))
	for i, e := range list {
		out[i] = e.Known()
	}
	return out
}

// Group names a tab's page among those that it shares values with; empty when
// it has none.
func (r *Registry) Group(id string) string {
	if p := r.Live(id); p != nil {
		return p.Group()
	}
	return ""
}

// Flush waits until all pages have told what their secret fields hold.
func (r *Registry) Flush(ctx context.Context) {
	for _, e := range r.engines() {
		e.Flush(ctx)
	}
}

// unknown takes known values out of what is saved of a tab.
func (r *Registry) unknown(row *store.Tab) {
	e, err := r.cfg.Engine(row.Profile)
	if err != nil || !e.Known().Some() {
		return
	}
	k := e.Known()
	row.URL, row.Title = clean(k.Text(row.URL, "")), k.Text(row.Title, "")
	for i := range row.History {
		h := &row.History[i]
		h.URL, h.Title = clean(k.Text(h.URL, "")), k.Text(h.Title, "")
	}
}
