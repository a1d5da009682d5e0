// Package backend composes Baton without a window: it starts the parts in the
// order of their floors, joins them, and stops them in reverse.
//
// [Open] gives a running [Backend]; [Host] serves it to clients of the data
// folder's private socket. Only this package turns settings into the
// configuration of other packages.
package backend

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"baton/backend/access"
	"baton/backend/agenttools"
	"baton/backend/bus"
	"baton/backend/card"
	"baton/backend/challenge"
	"baton/backend/consent"
	"baton/backend/download"
	"baton/backend/engine"
	"baton/backend/fault"
	"baton/backend/handover"
	"baton/backend/history"
	"baton/backend/mcpserver"
	"baton/backend/page"
	"baton/backend/preview"
	"baton/backend/script"
	"baton/backend/service"
	"baton/backend/settings"
	"baton/backend/store"
	"baton/backend/tab"
	"baton/backend/upload"
)

// Config says what to run.
type Config struct {
	Data     string // the data folder, absolute
	Chromium string // explicit path; empty finds one
	Version  string
	Log      *slog.Logger
	Scripts  string                // the program that runs scripts when called with "script"; empty is this one
	Owns     func(url string) bool // tells Baton's own addresses
	Hosts    func() []string       // host and port of each, for pages' requests
}

// Agent is an agent with open connections.
type Agent struct {
	Name        string
	Connections int
}

// Backend is the running program.
type Backend struct {
	Tabs     *tab.Registry
	Settings *settings.Settings
	Access   *access.Rules
	Cards    card.Deck
	Handover *handover.Desk
	Agents   bus.State[[]Agent]
	// Downloads are the files that pages saved, History what the person visited.
	Downloads *download.List
	History   *history.History
	Uploads   *upload.Store // files that pages were given

	cfg     Config
	store   *store.Store
	parts   *service.Group
	stop    context.CancelFunc
	mcp     *mcpserver.Server[*agenttools.Thread]
	engines map[string]*engine.Engine
	scripts *script.Runner
	preview *preview.Server

	mu    sync.Mutex
	conns map[string]int // agent -> open connections
}

// Open starts the parts. Chromium starts with the first tab that is used.
func Open(ctx context.Context, cfg Config) (*Backend, error) {
	b := &Backend{cfg: cfg, conns: map[string]int{}, engines: map[string]*engine.Engine{}}
	var err error
	if b.store, err = store.Open(ctx, cfg.Data); err != nil {
		return nil, err
	}
	if b.Settings, err = settings.Load(ctx, b.store); err == nil {
		err = b.token(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, b.store.Close())
	}
	if b.Access, err = access.Load(ctx, b.store, func() access.Mode { return access.Mode(b.Settings.Get().AgentAccess) }); err != nil {
		return nil, errors.Join(err, b.store.Close())
	}
	if b.Uploads, err = upload.New(filepath.Join(cfg.Data, "uploads")); err != nil {
		return nil, errors.Join(err, b.store.Close())
	}
	if b.Downloads, err = download.Load(ctx, download.Config{Store: b.store, Log: cfg.Log, Engine: b.engineOf}); err != nil {
		return nil, errors.Join(err, b.store.Close())
	}
	b.engines[tab.Shared] = b.engine(tab.Shared)
	b.preview = preview.New(cfg.Log)
	cookies := consent.New(cfg.Log)
	b.Tabs, err = tab.Load(ctx, tab.Config{
		Store: b.store, Log: cfg.Log, Engine: b.engineOf,
		Access: b.Access.Of, Cards: &b.Cards,
		TouchHold: func() time.Duration { return time.Duration(b.Settings.Get().TouchHoldSeconds) * time.Second },
		Guard:     cookies,
		Preview:   b.preview,
	})
	if err != nil {
		return nil, errors.Join(err, b.store.Close())
	}
	if b.Handover, err = handover.Load(ctx, handover.Config{Tabs: b.Tabs, Cards: &b.Cards, Store: b.store, Log: cfg.Log}); err != nil {
		return nil, errors.Join(err, b.store.Close())
	}
	b.History = history.New(ctx, b.store, b.Tabs, cfg.Log)
	run, stop := context.WithCancel(context.Background())
	b.stop = stop
	b.parts = service.New(run, cfg.Log)
	b.parts.Go("engines", b.rest)
	b.parts.Go("downloads", b.Downloads.Serve)
	b.parts.Go("tabs", b.Tabs.Serve)
	b.parts.Go("history", b.History.Serve)
	b.parts.Go("uploads", func(ctx context.Context) error {
		changed, stop := b.Tabs.State.Watch()
		defer stop()
		return b.Uploads.Follow(ctx, changed, b.Tabs.IsOpen)
	})

	b.scripts = script.New(script.Config{Program: cfg.Scripts, Log: cfg.Log})
	b.parts.Go("handover", b.Handover.Serve)
	deps := &agenttools.Deps{Tabs: b.Tabs, Uploads: b.Uploads, Cards: &b.Cards, Handover: b.Handover, Access: b.Access.Of, Scripts: b.scripts, Owns: b.owns, Log: cfg.Log, Left: b.left, Consent: cookies, Checks: challenge.New(challenge.Usual)}
	b.mcp = mcpserver.New(mcpserver.Config[*agenttools.Thread]{
		Name: "baton", Version: cfg.Version, Instructions: agenttools.Guidance, Reminder: agenttools.Reminder, Invitation: agenttools.Invitation,
		Tools: agenttools.Tools(), Gateway: agenttools.Gateway(), Log: cfg.Log,
		Open:  func(c mcpserver.Client) (*agenttools.Thread, error) { return b.thread(deps, c) },
		Lists: (*agenttools.Thread).Lists,
	})
	b.parts.Go("tool lists", b.relist)
	return b, nil
}

// owns tells whether an address is one of Baton's own: the interface's or a
// preview's.
func (b *Backend) owns(url string) bool {
	return b.preview.Owns(url) || (b.cfg.Owns != nil && b.cfg.Owns(url))
}

// token makes the bearer token of the MCP endpoint over HTTP, once.
func (b *Backend) token(ctx context.Context) error {
	if b.Settings.Get().HTTPToken != "" {
		return nil
	}
	_, err := b.Settings.Change(ctx, func(v *settings.Values) { v.HTTPToken = rand.Text() + rand.Text() })
	return err
}

func (b *Backend) engine(profile string) *engine.Engine {
	return engine.New(engine.Config{
		Chromium: b.cfg.Chromium, Folder: filepath.Join(b.cfg.Data, "profiles", profile), Downloads: downloads(b.cfg.Data),
		Scale: func() float64 { return float64(b.Settings.Get().DisplayScale) / 100 }, Log: b.cfg.Log, Own: b.own(),
		Permissions: func(ctx context.Context) ([]engine.Permission, error) { return permissions(ctx, b.store, profile) },
		Popup:       func(p, from *page.Page, opener bool) { b.Tabs.Popup(profile, p, from, opener) },
		Closed:      func(p *page.Page) { b.Tabs.PageGone(p) },
		Saving:      func(d page.Download) { b.Downloads.Took(profile, d) },
	})
}

// permissions gives what the person lets sites do in a profile.
func permissions(ctx context.Context, s *store.Store, profile string) ([]engine.Permission, error) {
	list, err := s.Permissions(ctx, profile)
	out := make([]engine.Permission, len(list))
	for i, p := range list {
		out[i] = engine.Permission{Origin: p.Origin, Name: p.Name, Setting: p.Setting}
	}
	return out, err
}

func (b *Backend) engineOf(profile string) (*engine.Engine, error) {
	if e := b.engines[profile]; e != nil {
		return e, nil
	}
	return nil, fault.New(fault.ProfileMissing, "there is no profile %q", profile)
}

// downloads gives the person's download folder, else one in the data folder.
func downloads(data string) string {
	if home, err := os.UserHomeDir(); err == nil {
		if st, err := os.Stat(filepath.Join(home, "Downloads")); err == nil && st.IsDir() {
			return filepath.Join(home, "Downloads")
		}
	}
	return filepath.Join(data, "downloads")
}

// thread opens a thread for a client that has told its name.
func (b *Backend) thread(deps *agenttools.Deps, c mcpserver.Client) (*agenttools.Thread, error) {
	agent := agentName(c.Agent, c.Program)
	t := agenttools.NewThread(deps, agent)
	t.Files = func(ctx context.Context) []string { return folders(ctx, c) }
	noted, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := b.Access.Saw(noted, agent); err != nil {
		b.cfg.Log.Warn("an agent could not be noted", "error", err)
	}
	b.mu.Lock()
	b.conns[agent]++
	b.mu.Unlock()
	b.publishAgents()
	return t, nil
}

// relist brings the clients' lists of tools up to date as the person changes
// what agents may do.
func (b *Backend) relist(ctx context.Context) error {
	rules, stopRules := b.Access.State.Watch()
	defer stopRules()
	all, stopAll := b.Settings.State.Watch()
	defer stopAll()
	for {
		select {
		case <-rules:
		case <-all:
		case <-ctx.Done():
			return nil
		}
		b.mcp.Relist()
	}
}

// agentName gives the name that tabs are kept under: the one given on the
// command line, else the client program's, cut to a readable form.
func agentName(given, program string) string {
	name := given
	if name == "" {
		name = program
	}
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r < ' ' || r == ':' || r == 0x7f }), " ")
	if r := []rune(name); len(r) > 60 {
		name = string(r[:60])
	}
	if name == "" || name == tab.Person {
		name = "agent"
	}
	return name
}

// folders gives the folders that a client's agent may take files from.
func folders(ctx context.Context, c mcpserver.Client) []string {
	out := slices.Clone(c.Files)
	if c.Roots != nil {
		out = append(out, c.Roots(ctx)...)
	}
	if len(out) > 0 {
		return out
	}
	home, _ := os.UserHomeDir()
	if c.Folder == "" || c.Folder == "/" || c.Folder == home {
		return nil
	}
	return []string{c.Folder}
}

func (b *Backend) left(agent string) {
	b.mu.Lock()
	if b.conns[agent]--; b.conns[agent] <= 0 {
		delete(b.conns, agent)
	}
	last := b.conns[agent] == 0
	b.mu.Unlock()
	if last {
		b.Tabs.HandOver(agent)
	}
	b.publishAgents()
}

func (b *Backend) publishAgents() {
	b.mu.Lock()
	out := make([]Agent, 0, len(b.conns))
	for name, n := range b.conns {
		out = append(out, Agent{Name: name, Connections: n})
	}
	b.mu.Unlock()
	slices.SortFunc(out, func(x, y Agent) int { return strings.Compare(x.Name, y.Name) })
	b.Agents.Set(out)
}

// An engine without an awake tab stops after restAfter.
const (
	restAfter = 3 * time.Minute
	restEvery = 30 * time.Second
)

// rest stops the engines that no tab uses any more (T6).
func (b *Backend) rest(ctx context.Context) error {
	tick := time.NewTicker(restEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			for name, e := range b.engines {
				stopped, err := e.Rest(restAfter, 5*time.Second)
				if stopped {
					b.cfg.Log.Info("Chromium was stopped: no tab is awake", "profile", name, "error", err)
				}
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// MCP is the server of agents' connections.
func (b *Backend) MCP() *mcpserver.Server[*agenttools.Thread] { return b.mcp }

// MCPOverHTTP serves MCP to requests with the bearer token.
func (b *Backend) MCPOverHTTP() http.Handler {
	return mcpserver.Bearer(b.Settings.Get().HTTPToken, b.mcp.HTTP())
}

// Version is the program's version.
func (b *Backend) Version() string { return b.cfg.Version }

// own are Baton's own addresses as pages are refused them.
func (b *Backend) own() *page.Own {
	if b.cfg.Owns == nil || b.cfg.Hosts == nil {
		return nil
	}
	return &page.Own{Has: b.cfg.Owns, Hosts: b.cfg.Hosts}
}

// Listens says that Baton has begun to listen somewhere: pages are refused it
// from then on.
func (b *Backend) Listens() {
	for _, e := range b.engines {
		e.Reblock()
	}
}

// Scrub takes what secret fields were seen to hold out of a text.
func (b *Backend) Scrub(s string) string {
	for _, e := range b.engines {
		s = e.Known().Text(s, "")
	}
	return s
}

// Engines gives the process ids of the Chromiums that run, by profile.
func (b *Backend) Engines() map[string]int {
	out := map[string]int{}
	for name, e := range b.engines {
		if pid, ok := e.Running(); ok {
			out[name] = pid
		}
	}
	return out
}

// Close saves the tabs and stops every part, each within a bounded time.
func (b *Backend) Close() error {
	b.Tabs.Stopping()
	errs := []error{b.parts.Stop(3 * time.Second)}
	b.stop()
	b.scripts.Close()
	var wg sync.WaitGroup
	for _, e := range b.engines {
		wg.Go(func() {
			if err := e.Stop(3 * time.Second); err != nil {
				b.cfg.Log.Warn("stopping Chromium", "error", err)
			}
		})
	}
	wg.Wait()
	errs = append(errs, b.preview.Close(), b.Uploads.Close())
	return errors.Join(append(errs, b.store.Close())...)
}
