package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"baton/app"
	"baton/backend"
	"baton/backend/bus"
	"baton/backend/liveview"
	"baton/backend/service"
	"baton/frontend"
)

// ui serves the user interface for the host, from the first time that somebody
// asks for it.
type ui struct {
	version string
	log     *slog.Logger
	parts   *service.Group
	stop    context.CancelFunc
	views   *liveview.Views

	mu     sync.Mutex
	b      *backend.Backend
	server *app.Server
	base   string // "http://127.0.0.1:PORT" once it listens
	agents bus.State[[]app.Agent]
}

func newUI(version string, log *slog.Logger) *ui {
	ctx, stop := context.WithCancel(context.Background())
	return &ui{version: version, log: log, stop: stop, parts: service.New(ctx, log)}
}

func (u *ui) use(b *backend.Backend) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.b = b
	u.views = liveview.New(b.Tabs, u.log)
	u.server = app.NewServer(app.Config{
		Cards: &b.Cards, Access: b.Access, Handover: b.Handover, Downloads: b.Downloads, History: b.History, Uploads: b.Uploads,
		Tabs: b.Tabs, Settings: b.Settings, Views: u.views, Agents: &u.agents, Files: frontend.Files(),
		Log: u.log, Version: u.version, Connect: u.connect, MCP: b.MCPOverHTTP(),
	})
	u.parts.Go("live views", u.views.Serve)
	u.parts.Go("agents of the interface", u.follow)
	u.parts.Go("reveal", u.reveal)
}

// follow keeps the interface's list of agents up.
func (u *ui) follow(ctx context.Context) error {
	changed, stop := u.b.Agents.Watch()
	defer stop()
	for {
		select {
		case <-changed:
			list, _ := u.b.Agents.Get()
			out := make([]app.Agent, len(list))
			for i, a := range list {
				out[i] = app.Agent{Name: a.Name, Connections: a.Connections}
			}
			u.agents.Set(out)
		case <-ctx.Done():
			return nil
		}
	}
}

// reveal shows the tabs that agents ask to show.
func (u *ui) reveal(ctx context.Context) error {
	tabs, stop := u.b.Tabs.Reveals().Subscribe(8)
	defer stop()
	for {
		select {
		case id := <-tabs:
			u.server.Reveal(id)
		case <-ctx.Done():
			return nil
		}
	}
}

// connect is what the first-run panel shows.
func (u *ui) connect() app.ConnectAgent {
	c := app.ConnectAgent{Args: []string{"mcp"}}
	if self, err := os.Executable(); err == nil {
		c.Command = self
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.base != "" {
		c.HTTPURL, c.Token = u.base+"/mcp", u.b.Settings.Get().HTTPToken
	}
	return c
}

// Owns tells Baton's own addresses, which agents never open.
func (u *ui) Owns(address string) bool {
	u.mu.Lock()
	s := u.server
	u.mu.Unlock()
	return s != nil && s.Owns(address)
}

// Hosts gives host and port of each of them.
func (u *ui) Hosts() []string {
	u.mu.Lock()
	s := u.server
	u.mu.Unlock()
	if s == nil {
		return nil
	}
	return s.Hosts()
}

// Endpoint satisfies backend.UI.
func (u *ui) Endpoint(_ context.Context, port int) (url, token, code string, err error) {
	began := false
	defer func() {
		if began {
			u.b.Listens()
		}
	}()
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.base == "" || (port != 0 && !strings.HasSuffix(u.base, fmt.Sprintf(":%d", port))) {
		ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			return "", "", "", fmt.Errorf("port %d cannot be used: %w", port, err)
		}
		u.base, began = "http://"+ln.Addr().String(), true
		u.parts.Go("interface", func(ctx context.Context) error { return u.server.Serve(ctx, ln) })
		// Serve notes its port before it answers; a request finds it then.
		for end := time.Now().Add(time.Second); ; time.Sleep(time.Millisecond) {
			if at, _ := u.server.Endpoint(); at != "" {
				break
			}
			if time.Now().After(end) {
				return "", "", "", errors.New("the interface did not start")
			}
		}
	}
	_, token = u.server.Endpoint()
	return u.base, token, u.server.Code(), nil
}

// Show satisfies backend.UI: every connected window is asked to come forward.
func (u *ui) Show() {
	if u.server != nil {
		u.server.Raise()
	}
}

func (u *ui) close() {
	u.stop()
	if err := u.parts.Stop(3 * time.Second); err != nil {
		u.log.Warn("the interface did not end", "error", err)
	}
}
