package app

import (
	"context"
	"strconv"

	"baton/backend/tab"
)

// Inspect opens the developer tools of a tab, for the person alone.
func (t Tabs) Inspect(ctx context.Context, a InspectArgs) (TabResult, error) {
	info, err := t.s.cfg.Tabs.Inspect(ctx, a.Tab, tab.Inspection{Menu: a.Menu, Pick: a.Pick, Dark: a.Dark})
	return TabResult{info.ID}, err
}

// beside shows a new tab where the caller looks at another one.
func (t Tabs) beside(ctx context.Context, old, made string) {
	c := caller(ctx)
	for _, n := range c.views.showing(old) {
		c.out.post(EventView, strconv.Itoa(n), ViewState{View: n, Tab: made})
	}
}
