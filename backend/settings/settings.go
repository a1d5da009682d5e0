// Package settings holds what the person can set: one schema row a setting,
// kept in the store, published as it changes.
package settings

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"baton/backend/bus"
	"baton/backend/store"
)

// Values are all settings with their present values. The zero value of a field
// is never in force: Load fills in the defaults of the schema.
type Values struct {
	Theme            string
	RevealAutomation bool
	SearchURL        string
	HomeURL          string
	AgentAccess      string
	TouchHoldSeconds int
	ShowFirstRun     bool
	DisplayScale     int    // pixel ratio of the person's display in hundredths, as the window saw it last
	SeenVersion      string // the newest Baton that told the person what is new; "" before the first start
	HTTPToken        string // bearer token of the MCP endpoint over HTTP; made once
}

type row struct {
	name     string
	fallback string
	get      func(*Values) string
	set      func(*Values, string) error
}

func text(name, fallback string, at func(*Values) *string, check func(string) error) row {
	return row{name, fallback, func(v *Values) string { return *at(v) }, func(v *Values, s string) error {
		if check != nil {
			if err := check(s); err != nil {
				return fmt.Errorf("setting %s: %w", name, err)
			}
		}
		*at(v) = s
		return nil
	}}
}

func flag(name string, fallback bool, at func(*Values) *bool) row {
	return row{name, strconv.FormatBool(fallback), func(v *Values) string { return strconv.FormatBool(*at(v)) }, func(v *Values, s string) error {
		b, err := strconv.ParseBool(s)
		if err != nil {
			return fmt.Errorf("setting %s: %q is neither true nor false", name, s)
		}
		*at(v) = b
		return nil
	}}
}

func number(name string, fallback, low, high int, at func(*Values) *int) row {
	return row{name, strconv.Itoa(fallback), func(v *Values) string { return strconv.Itoa(*at(v)) }, func(v *Values, s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < low || n > high {
			return fmt.Errorf("setting %s: %q is no number from %d to %d", name, s, low, high)
		}
		*at(v) = n
		return nil
	}}
}

func oneOf(words ...string) func(string) error {
	return func(s string) error {
		for _, w := range words {
			if s == w {
				return nil
			}
		}
		return fmt.Errorf("%q is none of %s", s, strings.Join(words, ", "))
	}
}

func webAddress(s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(strings.ReplaceAll(s, "%s", "x"))
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" {
		return fmt.Errorf("%q is no web address", s)
	}
	return nil
}

func search(s string) error {
	if !strings.Contains(s, "%s") {
		return fmt.Errorf("%q does not say with %%s where the words go", s)
	}
	return webAddress(s)
}

var schema = []row{
	text("theme", "system", func(v *Values) *string { return &v.Theme }, oneOf("system", "light", "dark")),
	flag("reveal_automation", true, func(v *Values) *bool { return &v.RevealAutomation }),
	text("search_url", "https://duckduckgo.com/?q=%s", func(v *Values) *string { return &v.SearchURL }, search),
	text("home_url", "", func(v *Values) *string { return &v.HomeURL }, webAddress),
	text("agent_access", "full", func(v *Values) *string { return &v.AgentAccess }, oneOf("full", "ask", "off")),
	number("touch_hold_seconds", 30, 5, 3600, func(v *Values) *int { return &v.TouchHoldSeconds }),
	flag("show_first_run", true, func(v *Values) *bool { return &v.ShowFirstRun }),
	number("display_scale", 100, 100, 400, func(v *Values) *int { return &v.DisplayScale }),
	text("seen_version", "", func(v *Values) *string { return &v.SeenVersion }, nil),
	text("http_token", "", func(v *Values) *string { return &v.HTTPToken }, nil),
}

// Settings are the loaded settings. Make them with Load.
type Settings struct {
	store *store.Store
	State bus.State[Values]

	mu sync.Mutex // one change at a time
}

// Load reads the settings. A saved value that no longer fits gives way to its
// default.
func Load(ctx context.Context, st *store.Store) (*Settings, error) {
	saved, err := st.Settings(ctx)
	if err != nil {
		return nil, err
	}
	var v Values
	for _, r := range schema {
		s, ok := saved[r.name]
		if !ok || r.set(&v, s) != nil {
			if err := r.set(&v, r.fallback); err != nil {
				return nil, err
			}
		}
	}
	out := &Settings{store: st}
	out.State.Set(v)
	return out, nil
}

// Get gives the present values.
func (s *Settings) Get() Values { v, _ := s.State.Get(); return v }

// Change changes values by f, saves what differs and publishes. A value that
// does not fit changes nothing.
func (s *Settings) Change(ctx context.Context, f func(*Values)) (Values, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.Get()
	next := old
	f(&next)
	for _, r := range schema {
		if err := r.set(&next, r.get(&next)); err != nil {
			return old, err
		}
	}
	for _, r := range schema {
		if val := r.get(&next); val != r.get(&old) {
			if err := s.store.SetSetting(ctx, r.name, val); err != nil {
				return old, err
			}
		}
	}
	s.State.Set(next)
	return next, nil
}
