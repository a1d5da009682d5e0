// Package agenttools holds every tool that an agent gets, one file a family,
// listed in catalog.go. TOOLS in docs/tools.md is generated from it.
//
// A [Thread] is one connection of an agent: it decides which tab is current.
// All threads of one agent share the agent's tabs.
package agenttools

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"baton/backend/access"
	"baton/backend/card"
	"baton/backend/challenge"
	"baton/backend/consent"
	"baton/backend/fault"
	"baton/backend/handover"
	"baton/backend/mcpserver"
	"baton/backend/page"
	"baton/backend/script"
	"baton/backend/tab"
	"baton/backend/upload"
)

// Deps are what the tools work on.
type Deps struct {
	Tabs *tab.Registry
	// Access says what an agent may do; nil lets all do everything.
	Access func(agent string) access.Rule
	// Owns tells whether an address is one of Baton's own (X2).
	Owns func(url string) bool
	Log  *slog.Logger
	// Uploads holds the files that pages are given.
	Uploads *upload.Store
	// Cards asks the person for files outside an agent's folders; nil asks nobody.
	Cards *card.Deck
	// Scripts runs browser_script; nil means that there are no scripts.
	Scripts *script.Runner
	// Consent refuses cookie banners before pages are read; nil refuses none.
	Consent *consent.Guard
	// Checks tells of bot checks; nil tells of none.
	Checks *challenge.Checks
	// Handover asks the person; nil asks nobody.
	Handover *handover.Desk
	// Left is told when a thread of an agent ends.
	Left func(agent string)
}

// Thread is one connection of an agent.
type Thread struct {
	deps  *Deps
	agent string
	Files func(ctx context.Context) []string // folders that the agent was given

	mu      sync.Mutex
	current string
	recent  []string // tabs that this thread used, newest last
	console map[string]int64
}

// NewThread starts a thread of an agent.
func NewThread(deps *Deps, agent string) *Thread {
	return &Thread{deps: deps, agent: agent, console: map[string]int64{}}
}

// Close ends the thread: dialogs that its actions opened become the person's.
func (t *Thread) Close() {
	if t.deps.Left != nil {
		t.deps.Left(t.agent)
	}
}

func (t *Thread) actor() tab.Actor { return tab.Actor{Agent: t.agent} }

// use makes a tab the current one.
func (t *Thread) use(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.current = id
	t.recent = append(slices.DeleteFunc(t.recent, func(s string) bool { return s == id }), id)
	if len(t.recent) > 64 {
		t.recent = t.recent[1:]
	}
}

// tab gives the tab that a call means: the one it names, which becomes
// current, else the current one. When that is gone: its opener, the most
// recently used own tab, or the tab shown to the person if the agent may act
// on it.
func (t *Thread) tab(named string) (string, error) {
	if named != "" {
		named = strings.ToLower(strings.Trim(strings.TrimSpace(named), `"'[]`))
		if !strings.HasPrefix(named, "t") {
			named = "t" + named
		}
		i, err := t.deps.Tabs.Get(named, t.actor())
		if err != nil {
			return "", err
		}
		if !i.Foreign {
			t.use(i.ID)
		}
		return i.ID, nil
	}
	t.mu.Lock()
	recent := slices.Clone(t.recent)
	current := t.current
	t.mu.Unlock()
	if current != "" {
		if _, err := t.deps.Tabs.Get(current, t.actor()); err == nil {
			return current, nil
		}
	}
	for i := len(recent) - 1; i >= 0; i-- {
		if info, err := t.deps.Tabs.Get(recent[i], t.actor()); err == nil && !info.Foreign {
			t.use(info.ID)
			return info.ID, nil
		}
	}
	for _, info := range slices.Backward(t.deps.Tabs.List(t.actor())) {
		if info.Mine {
			t.use(info.ID)
			return info.ID, nil
		}
	}
	if shown := t.deps.Tabs.Shown(); shown != "" {
		if info, err := t.deps.Tabs.Get(shown, t.actor()); err == nil && !info.Foreign {
			return info.ID, nil
		}
	}
	return "", fault.New(fault.NoSuchTab, "there is no current tab").Then("open one with browser_open")
}

// on runs fn on a tab's page as this agent: within timeout, once the person has
// given their leave where the agent needs it.
func (t *Thread) on(ctx context.Context, id string, op tab.Op, timeout time.Duration, fn func(ctx context.Context, p *page.Page) error) error {
	op.Actor, op.Tab = t.actor(), id
	if t.deps.Tabs.Asks(op) {
		mcpserver.Progress(ctx, "waiting for the person's leave")
	}
	op, err := t.deps.Tabs.Leave(ctx, op)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return t.deps.Tabs.Do(ctx, op, fn)
}

// within gives a call's time: its argument in milliseconds, bounded, or the
// fallback.
func within(ms int, fallback, most time.Duration) (time.Duration, error) {
	if ms == 0 {
		return fallback, nil
	}
	d := time.Duration(ms) * time.Millisecond
	if ms < 1 || d > most {
		return 0, fault.New(fault.BadArguments, "timeout_ms is %d; it is from 1 to %d", ms, most.Milliseconds())
	}
	return d, nil
}
