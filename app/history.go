package app

import (
	"context"
	"time"

	"baton/backend/fault"
	"baton/backend/history"
)

// HistoryArea is what the person visited.
type HistoryArea struct{ s *Server }

const (
	placesMost   = 500 // of one answer
	forgetMost   = 5000
	suggestCount = 8
)

// List gives visits, the newest first. Each icon stands once, where its site
// comes first.
func (h HistoryArea) List(ctx context.Context, a PlacesArgs) ([]Place, error) {
	if a.Limit <= 0 || a.Limit > placesMost {
		a.Limit = placesMost
	}
	list, err := h.s.cfg.History.List(ctx, a.Text, a.Before, a.Limit)
	out := wirePlaces(list)
	told := map[string]bool{}
	for i := range out {
		if told[out[i].Favicon] {
			out[i].Favicon = ""
		}
		told[out[i].Favicon] = true
	}
	return out, err
}

// Suggest gives addresses for what is typed in the address bar.
func (h HistoryArea) Suggest(ctx context.Context, a PlacesArgs) ([]Place, error) {
	if a.Limit <= 0 || a.Limit > placesMost {
		a.Limit = suggestCount
	}
	list, err := h.s.cfg.History.Suggest(ctx, a.Text, a.Limit)
	return wirePlaces(list), err
}

// Forget takes rows out.
func (h HistoryArea) Forget(ctx context.Context, a ForgetArgs) error {
	if len(a.IDs) > forgetMost {
		return fault.New(fault.BadArguments, "more than %d rows at once", forgetMost)
	}
	return h.s.cfg.History.Forget(ctx, a.IDs)
}

// Clear takes out what was visited since a time.
func (h HistoryArea) Clear(ctx context.Context, a ClearArgs) error {
	var since time.Time
	if a.Since > 0 {
		since = time.UnixMilli(a.Since)
	}
	return h.s.cfg.History.Clear(ctx, since)
}

func wirePlaces(list []history.Place) []Place {
	out := make([]Place, 0, len(list))
	for _, p := range list {
		out = append(out, Place{ID: p.ID, URL: p.URL, Title: p.Title, Favicon: p.Icon, Last: p.Last.UnixMilli()})
	}
	return out
}
