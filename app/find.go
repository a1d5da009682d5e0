package app

import (
	"context"

	"baton/backend/page"
	"baton/backend/tab"
)

// FindArea searches pages for the person.
type FindArea struct{ s *Server }

// Start begins a search, or another one; an empty text ends it.
func (f FindArea) Start(ctx context.Context, a FindArgs) error {
	return f.s.cfg.Tabs.Hand(ctx, a.Tab, func(ctx context.Context, p *page.Page) error { return p.Find(ctx, a.Text, a.MatchCase) })
}

// Step goes to another match.
func (f FindArea) Step(ctx context.Context, a FindStepArgs) error {
	return f.s.cfg.Tabs.Hand(ctx, a.Tab, func(ctx context.Context, p *page.Page) error { return p.FindStep(ctx, a.By) })
}

// Stop ends the search. The page stays where it is, with the match selected.
func (f FindArea) Stop(ctx context.Context, a TabArgs) error {
	p := f.s.cfg.Tabs.Live(a.Tab)
	if p == nil {
		return nil
	}
	return p.FindEnd(ctx, true)
}

// finds tells the searches that changed or ended.
func (t *teller) finds(c *conn, infos []tab.Info) {
	now := map[string]*page.Finding{}
	for _, i := range infos {
		if i.Finding == nil {
			continue
		}
		now[i.ID] = i.Finding
		if t.finding[i.ID] != i.Finding {
			c.out.post(EventFind, i.ID, wireFind(i.ID, i.Finding))
		}
	}
	for id := range t.finding {
		if now[id] == nil {
			c.out.post(EventFind, id, Find{Tab: id, Marks: []FindMark{}})
		}
	}
	t.finding = now
}

func wireFind(id string, f *page.Finding) Find {
	w := Find{Tab: id, Text: f.Text, MatchCase: f.MatchCase, Count: f.Count, Active: f.Active, Marks: make([]FindMark, 0, len(f.Marks))}
	for _, m := range f.Marks {
		w.Marks = append(w.Marks, FindMark{Left: m.X, Top: m.Y, Width: m.W, Height: m.H, On: m.On})
	}
	return w
}
