package app

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"baton/backend/access"
	"baton/backend/bus"
	"baton/backend/card"
	"baton/backend/devserver"
	"baton/backend/download"
	"baton/backend/handover"
	"baton/backend/history"
	"baton/backend/liveview"
	"baton/backend/settings"
	"baton/backend/tab"
	"baton/backend/upload"
)

// Config is what the server serves; fixed for its life.
type Config struct {
	Tabs      *tab.Registry
	Settings  *settings.Settings
	Cards     *card.Deck
	Access    *access.Rules
	Handover  *handover.Desk
	Views     *liveview.Views
	Downloads *download.List
	History   *history.History
	Uploads   *upload.Store       // what browsers send for pages; nil takes nothing
	Agents    *bus.State[[]Agent] // who is connected; tabs are counted here. Nil means nobody
	Files     fs.FS               // the built interface
	Log       *slog.Logger
	Version   string
	Connect   func() ConnectAgent // what connects an agent; nil means nothing
	MCP       http.Handler        // answers at /mcp and guards itself; nil leaves it out
}

// Server serves the interface and its socket on loopback. Make it with
// [NewServer] and run it with [Server.Serve]; [Server.Code] signs a browser in
// and [Server.Token] a window. Nobody else gets anything but a refusal.
type Server struct {
	cfg     Config
	door    *door
	icons   *icons
	servers devserver.Finder
	files   handouts // downloads that browsers may fetch
	methods map[string]method
	http    *http.Server

	mu    sync.Mutex
	ports map[string]bool // that it listens on
	conns map[*conn]struct{}
	over  bool
	work  sync.WaitGroup // connections
}

// NewServer makes a server; nothing listens yet.
func NewServer(cfg Config) *Server {
	s := &Server{cfg: cfg, door: newDoor(), ports: map[string]bool{}, conns: map[*conn]struct{}{}}
	s.icons = newIcons(cfg.Tabs)
	s.servers.Skip = s.ownPort
	s.methods = bind(s)
	s.http = &http.Server{
		Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		ErrorLog: slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
	}
	return s
}

// Serve answers on a listener, which it closes, until ctx ends. Then every
// connection is closed, within two seconds.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.ports[port] = true
	s.mu.Unlock()
	ended := make(chan error, 1)
	go func() { ended <- s.http.Serve(ln) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.close()
	last, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := s.http.Shutdown(last); err != nil {
		_ = s.http.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// close ends all connections and waits for what they do.
func (s *Server) close() {
	s.mu.Lock()
	s.over = true
	for c := range s.conns {
		c.end("Baton is stopping")
	}
	s.mu.Unlock()
	s.work.Wait()
	s.icons.close()
}

// Endpoint gives the socket's address for a window, "" before Serve, and the
// token that goes with it.
func (s *Server) Endpoint() (url, token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for port := range s.ports {
		return "ws://127.0.0.1:" + port + "/ws", s.door.token
	}
	return "", s.door.token
}

// Code gives a code that signs one browser in once, within ten minutes, at
// /?code=CODE.
func (s *Server) Code() string { return s.door.code(time.Now()) }

// Viewers gives how many interfaces are connected.
func (s *Server) Viewers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	guard(w, r)
	if !loopbackHost(r.Host) {
		http.Error(w, "Baton answers to this computer's own names only.", http.StatusMisdirectedRequest)
		return
	}
	switch r.URL.Path {
	case "/ws":
		s.socket(w, r)
	case "/mcp":
		if s.cfg.MCP == nil {
			http.NotFound(w, r)
			return
		}
		s.cfg.MCP.ServeHTTP(w, r)
	default:
		if token, ok := strings.CutPrefix(r.URL.Path, handoutPath); ok {
			s.handOut(w, r, token)
			return
		}
		s.assets(w, r)
	}
}
