// Package history keeps what the person visited, for their own lists: the
// address bar's suggestions, the start page and the history panel. Agents have
// no way to it.
//
// [New] makes it and [History.Serve] follows the tabs: a page of the person's
// that has loaded counts once. Private tabs, agents' tabs and local files leave
// nothing behind, and addresses are kept without what could sign anybody in.
package history

import (
	"context"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"

	"baton/backend/bus"
	"baton/backend/redact"
	"baton/backend/store"
	"baton/backend/tab"
)

// recentsKept is how many addresses the start page shows.
const recentsKept = 10

// titleMost bounds a title, in bytes.
const titleMost = 300

// Place is an address with what is known of it.
type Place struct {
	ID      int64 // of its newest row
	Profile string
	URL     string
	Title   string
	Icon    string // a data: address, or ""
	Last    time.Time
	Count   int // visits on the row's day
}

// History is the person's history.
type History struct {
	store *store.Store
	tabs  *tab.Registry
	log   *slog.Logger

	// Recents are the addresses visited last, the newest first.
	Recents bus.State[[]Place]

	seen map[string]sight // by tab; Serve alone uses it

	mu    sync.Mutex
	icons map[[2]string]string // kept ones by profile and host
}

// sight is what a tab shows, and since when.
type sight struct {
	url, title string
	since      time.Time
	counted    bool
}

// stays is how long a page is shown before it counts: one that only leads on to
// the next does not, and by then it has told its title.
const stays = 250 * time.Millisecond

// New makes the history of a registry's tabs.
func New(ctx context.Context, st *store.Store, tabs *tab.Registry, log *slog.Logger) *History {
	h := &History{store: st, tabs: tabs, log: log, seen: map[string]sight{}, icons: map[[2]string]string{}}
	h.publish(ctx)
	return h
}

// Serve follows the tabs until ctx ends.
func (h *History) Serve(ctx context.Context) error {
	changed, stop := h.tabs.State.Watch()
	defer stop()
	later := time.NewTimer(time.Hour)
	defer later.Stop()
	for {
		select {
		case <-changed:
			h.look(ctx, time.Now(), later)
		case now := <-later.C:
			h.look(ctx, now, later)
		case <-ctx.Done():
			return nil
		}
	}
}

// look takes what the tabs show now. Where a page has still to stay, it is to
// look again later.
func (h *History) look(ctx context.Context, now time.Time, later *time.Timer) {
	infos, _ := h.tabs.State.Get()
	open := make(map[string]bool, len(infos))
	news := false
	for _, i := range infos {
		if i.Owner != tab.Person || i.Private || i.State != tab.Ready {
			continue
		}
		u := kept(i.URL)
		if u == "" {
			continue
		}
		open[i.ID] = true
		s, title := h.seen[i.ID], cut(i.Title)
		var err error
		switch {
		case s.url != u:
			s = sight{url: u, title: title, since: now}
			later.Reset(stays)
		case !s.counted && now.Sub(s.since) < stays:
			s.title = title
			later.Reset(stays - now.Sub(s.since))
		case !s.counted:
			s.title, s.counted, news = title, true, true
			err = h.store.AddVisit(ctx, store.Visit{Profile: i.Profile, URL: u, Title: title, Day: Day(now), Last: now})
		case s.title != title:
			s.title, news = title, true
			err = h.store.TitleVisit(ctx, i.Profile, u, title)
		}
		if err != nil && ctx.Err() == nil {
			h.log.Error("a visit could not be saved", "error", err)
		}
		h.seen[i.ID] = s
	}
	for _, i := range infos {
		if i.State == tab.Loading {
			open[i.ID] = true // what it showed may stay
		}
	}
	for id := range h.seen {
		if !open[id] {
			delete(h.seen, id)
		}
	}
	if news {
		h.publish(ctx)
	}
}

// Day gives the day of a time in the person's calendar.
func Day(t time.Time) int {
	y, m, d := t.Local().Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// kept gives an address as the history keeps it: web addresses alone, without
// user info, and without a query and fragment that could sign anybody in.
func kept(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || redact.Dotted(u.Host+u.Path) {
		return ""
	}
	u.User = nil
	if s := u.String(); redact.URL(s) != s || redact.Dotted(s) {
		u.RawQuery, u.Fragment, u.RawFragment = "", "", ""
	}
	if u.Path == "" {
		u.Path = "/"
	}
	if s := u.String(); len(s) <= 4096 {
		return s
	}
	return ""
}

func cut(title string) string {
	title = strings.Join(strings.Fields(title), " ")
	if len(title) > titleMost {
		title = strings.ToValidUTF8(title[:titleMost], "") + "…"
	}
	return title
}

func (h *History) publish(ctx context.Context) {
	list, err := h.store.Recents(ctx, recentsKept)
	if err != nil {
		if ctx.Err() == nil {
			h.log.Error("the history could not be read", "error", err)
		}
		return
	}
	h.Recents.Set(h.places(ctx, list))
}

func (h *History) places(ctx context.Context, list []store.Visit) []Place {
	out := make([]Place, 0, len(list))
	for _, v := range list {
		out = append(out, Place{ID: v.ID, Profile: v.Profile, URL: v.URL, Title: v.Title, Icon: h.Icon(ctx, v.Profile, v.URL), Last: v.Last, Count: v.Count})
	}
	return out
}

// Suggest gives the addresses that hold all words, those visited often and
// lately first.
func (h *History) Suggest(ctx context.Context, text string, limit int) ([]Place, error) {
	list, err := h.store.Places(ctx, words(text), Day(time.Now()), limit)
	return h.places(ctx, list), err
}

// List gives visits that hold all words, before a time in unix milliseconds (0
// is now), the newest first.
func (h *History) List(ctx context.Context, text string, before int64, limit int) ([]Place, error) {
	list, err := h.store.Visits(ctx, store.VisitQuery{Words: words(text), Before: before, Limit: limit})
	return h.places(ctx, list), err
}

func words(text string) []string { return strings.Fields(text) }

// Forget takes rows out.
func (h *History) Forget(ctx context.Context, ids []int64) error {
	return h.wiped(ctx, h.store.DropVisits(ctx, ids))
}

// Clear takes out the visits since a time; the zero time is all.
func (h *History) Clear(ctx context.Context, since time.Time) error {
	return h.wiped(ctx, h.store.ClearVisits(ctx, since))
}

func (h *History) wiped(ctx context.Context, err error) error {
	h.mu.Lock()
	clear(h.icons)
	h.mu.Unlock()
	h.publish(ctx)
	return err
}

// iconsKnown bounds the icons in memory.
const iconsKnown = 500

// Icon gives the icon that is kept of an address's site, or "".
func (h *History) Icon(ctx context.Context, profile, address string) string {
	key, ok := site(profile, address)
	if !ok {
		return ""
	}
	h.mu.Lock()
	data, known := h.icons[key]
	h.mu.Unlock()
	if known {
		return data
	}
	data, err := h.store.Icon(ctx, key[0], key[1])
	if err != nil {
		return ""
	}
	h.note(key, data)
	return data
}

// SeeIcon keeps the icon of a tab's site, where the history knows the site.
func (h *History) SeeIcon(ctx context.Context, i tab.Info, data string) {
	key, ok := site(i.Profile, i.URL)
	if !ok || i.Owner != tab.Person || i.Private || h.Icon(ctx, i.Profile, i.URL) == data {
		return
	}
	if err := h.store.SaveIcon(ctx, key[0], key[1], data); err != nil {
		return
	}
	h.note(key, data)
	h.publish(ctx)
}

func (h *History) note(key [2]string, data string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.icons) >= iconsKnown {
		clear(h.icons)
	}
	h.icons[key] = data
}

func site(profile, address string) (key [2]string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return key, false
	}
	return [2]string{profile, u.Host}, true
}
