package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/tab"
)

// Tabs are the tab strip and the navigation row.
type Tabs struct{ s *Server }

var person = tab.Actor{}

// backgroundWait bounds the loading of a tab that was opened unseen.
const backgroundWait = 60 * time.Second

// address turns what was typed into an address that the person may open.
func (t Tabs) address(ctx context.Context, typed string) (string, error) {
	if _, _, file := filePath(strings.TrimSpace(typed)); file && caller(ctx).role < Admin {
		return "", fault.New(fault.Unsupported, "a %s may not open this computer's files", caller(ctx).role)
	}
	u, err := resolve(typed, t.s.cfg.Settings.Get().SearchURL)
	if err != nil {
		return "", err
	}
	if t.s.Owns(u) {
		return "", fault.New(fault.SchemeNotAllowed, "Baton's own address cannot be opened in a tab")
	}
	return u, nil
}

// Open makes a tab of the person's. A tab in the background begins to load.
func (t Tabs) Open(ctx context.Context, a OpenArgs) (TabResult, error) {
	n := tab.New{Profile: a.Profile}
	if a.URL != "" {
		u, err := t.address(ctx, a.URL)
		if err != nil {
			return TabResult{}, err
		}
		if of, source := strings.CutPrefix(u, page.SourceScheme); source {
			return t.source(ctx, of, a.Profile)
		}
		n.URL = u
	}
	info, err := t.s.cfg.Tabs.Open(ctx, n)
	if err != nil {
		return TabResult{}, err
	}
	if a.Background && n.URL != "" {
		t.load(ctx, info.ID)
	}
	return TabResult{info.ID}, nil
}

// load wakes a tab that nobody watches.
func (t Tabs) load(ctx context.Context, id string) {
	caller(ctx).work.Go(func() {
		ctx, cancel := context.WithTimeout(caller(ctx).ctx, backgroundWait)
		defer cancel()
		if _, err := t.s.cfg.Tabs.Page(ctx, id); err != nil {
			t.s.cfg.Log.Debug("a tab in the background did not load", "tab", id, "error", err)
		}
	})
}

// Close closes a tab; Reopen brings the last one back.
func (t Tabs) Close(ctx context.Context, a TabArgs) error {
	return t.s.cfg.Tabs.Close(ctx, a.Tab, person)
}

// Reopen brings back the tab that was closed last.
func (t Tabs) Reopen(ctx context.Context, _ nothing) (TabResult, error) {
	info, err := t.s.cfg.Tabs.Reopen(ctx)
	return TabResult{info.ID}, err
}

// noTools refuses what developer tools are not for.
func noTools(i tab.Info) error {
	if i.Inspects == "" {
		return nil
	}
	return fault.New(fault.Unsupported, "these are developer tools")
}

// Duplicate opens a tab's address again, next to it and in the same profile.
func (t Tabs) Duplicate(ctx context.Context, a TabArgs) (TabResult, error) {
	tabs := t.s.cfg.Tabs
	from, err := tabs.Get(a.Tab, person)
	if err != nil {
		return TabResult{}, err
	}
	if err := noTools(from); err != nil {
		return TabResult{}, err
	}
	info, err := tabs.Open(ctx, tab.New{URL: from.URL, Profile: from.Profile})
	if err != nil {
		return TabResult{}, err
	}
	at := slices.IndexFunc(tabs.List(person), func(i tab.Info) bool { return i.ID == from.ID })
	if at < 0 {
		return TabResult{info.ID}, nil
	}
	return TabResult{info.ID}, tabs.Move(info.ID, at+1)
}

// Activate says which tab the person looks at.
func (t Tabs) Activate(ctx context.Context, a TabArgs) error {
	if _, err := t.s.cfg.Tabs.Get(a.Tab, person); err != nil {
		return err
	}
	t.s.cfg.Tabs.Show(a.Tab)
	return nil
}

// Navigate loads what was typed in the address bar.
func (t Tabs) Navigate(ctx context.Context, a NavigateArgs) error {
	u, err := t.address(ctx, a.URL)
	if err != nil {
		return err
	}
	info, err := t.s.cfg.Tabs.Get(a.Tab, person)
	if err != nil {
		return err
	}
	switch of, source := strings.CutPrefix(u, page.SourceScheme); {
	case source:
		made, err := t.source(ctx, of, info.Profile)
		if err == nil {
			t.beside(ctx, a.Tab, made.Tab)
		}
		return err
	case info.Inspects != "": // developer tools go nowhere
		made, err := t.s.cfg.Tabs.Open(ctx, tab.New{URL: u, Profile: info.Profile})
		if err == nil {
			t.beside(ctx, a.Tab, made.ID)
		}
		return err
	}
	return t.s.cfg.Tabs.Navigate(ctx, a.Tab, u)
}

// History goes back or forward.
func (t Tabs) History(ctx context.Context, a HistoryArgs) error {
	if a.Delta == 0 {
		return fault.New(fault.BadArguments, "delta is 0")
	}
	return t.s.cfg.Tabs.History(ctx, a.Tab, a.Delta)
}

// Reload loads the page again; hard goes round the cache.
func (t Tabs) Reload(ctx context.Context, a ReloadArgs) error {
	return t.s.cfg.Tabs.Reload(ctx, a.Tab, a.Hard)
}

// Stop ends loading.
func (t Tabs) Stop(ctx context.Context, a TabArgs) error { return t.s.cfg.Tabs.Stop(ctx, a.Tab) }

// Move gives a tab another place in the strip.
func (t Tabs) Move(_ context.Context, a MoveArgs) error { return t.s.cfg.Tabs.Move(a.Tab, a.Index) }

// Pin keeps a tab small at the strip's left, or lets it go.
func (t Tabs) Pin(_ context.Context, a PinArgs) error { return t.s.cfg.Tabs.Pin(a.Tab, a.Pinned) }

// Mute keeps a tab's media elements silent, or lets them be heard.
func (t Tabs) Mute(_ context.Context, a MuteArgs) error { return t.s.cfg.Tabs.Mute(a.Tab, a.Muted) }

// Viewport says in what size and appearance a page is shown.
func (t Tabs) Viewport(ctx context.Context, a ViewportArgs) error {
	if _, err := t.s.cfg.Tabs.Page(ctx, a.Tab); err != nil {
		return err
	}
	return t.s.cfg.Tabs.Hand(ctx, a.Tab, func(ctx context.Context, p *page.Page) error {
		_, err := p.SetEnvironment(ctx, page.Environment{
			Width: a.Width, Height: a.Height, Device: a.Device, Orientation: a.Turn, ColorScheme: a.Scheme, Fill: a.Fill,
		})
		return err
	})
}

// Private hides a tab from agents, or shows it again.
func (t Tabs) Private(_ context.Context, a PrivateArgs) error {
	return t.s.cfg.Tabs.SetPrivate(a.Tab, a.Private)
}

// Take takes a tab from the agents until it is given back.
func (t Tabs) Take(_ context.Context, a TabArgs) error {
	return t.s.cfg.Tabs.Take(a.Tab, tab.ByButton)
}

// Give hands a held tab back, with the person's note for the agent.
// What a card holds ends with its card.
func (t Tabs) Give(_ context.Context, a GiveArgs) error {
	if settled, err := t.s.cfg.Handover.Gave(a.Tab, a.Note); settled || err != nil {
		return err
	}
	return t.s.cfg.Tabs.Give(a.Tab, a.Note)
}

// Zoom shows the tab's site larger or smaller.
func (t Tabs) Zoom(ctx context.Context, a ZoomArgs) error {
	return t.s.cfg.Tabs.SetZoom(ctx, a.Tab, a.Factor)
}

// Steps gives where the tab can go back and forward to.
func (t Tabs) Steps(ctx context.Context, a TabArgs) (Steps, error) {
	info, err := t.s.cfg.Tabs.Get(a.Tab, person)
	if err != nil {
		return Steps{}, err
	}
	back, forward, err := t.s.cfg.Tabs.Steps(a.Tab)
	wire := func(list []tab.Step) []Step {
		out := make([]Step, 0, len(list))
		for _, s := range list {
			out = append(out, Step{Delta: s.Delta, URL: s.URL, Title: s.Title, Favicon: t.s.cfg.History.Icon(ctx, info.Profile, s.URL)})
		}
		return out
	}
	return Steps{wire(back), wire(forward)}, err
}

// Unfull ends that an element of the page fills the screen.
func (t Tabs) Unfull(ctx context.Context, a TabArgs) error {
	return t.s.cfg.Tabs.Hand(ctx, a.Tab, func(ctx context.Context, p *page.Page) error { return p.Unfull(ctx) })
}

// Source opens the source of a tab's page, in a tab that agents do not see.
func (t Tabs) Source(ctx context.Context, a TabArgs) (TabResult, error) {
	tabs := t.s.cfg.Tabs
	from, err := tabs.Get(a.Tab, person)
	if err != nil {
		return TabResult{}, err
	}
	if !strings.HasPrefix(from.URL, "http://") && !strings.HasPrefix(from.URL, "https://") {
		return TabResult{}, fault.New(fault.Unsupported, "this page has no source to show")
	}
	return t.source(ctx, from.URL, from.Profile)
}

// source opens the source of an address.
func (t Tabs) source(ctx context.Context, of, profile string) (TabResult, error) {
	if caller(ctx).role < Owner {
		return TabResult{}, fault.New(fault.Unsupported, "a %s may not look at a page's source", caller(ctx).role)
	}
	tabs := t.s.cfg.Tabs
	info, err := tabs.Open(ctx, tab.New{URL: "about:blank", Profile: profile})
	if err != nil {
		return TabResult{}, err
	}
	if err := tabs.SetPrivate(info.ID, true); err != nil {
		return TabResult{}, err
	}
	return TabResult{info.ID}, tabs.Navigate(ctx, info.ID, page.SourceScheme+of)
}
