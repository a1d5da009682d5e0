package backend

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"sync"
	"time"

	"baton/backend/link"
	"baton/backend/mcpserver"
)

// linger is how long a host without clients waits for the next one.
const linger = 700 * time.Millisecond

// firstWait is how long a new host waits for its first client.
const firstWait = 15 * time.Second

// UI is what serves the user interface; package app has it.
type UI interface {
	// Endpoint starts serving when needed and gives the base address, a token
	// for a window and a one-time code for a browser. Port 0 is any.
	Endpoint(ctx context.Context, port int) (url, token, code string, err error)
	// Show brings the window forward.
	Show()
}

// Host serves a Backend on the data folder's socket until nobody needs it.
type Host struct {
	b  *Backend
	ui UI

	mu         sync.Mutex
	clients    int
	seen       bool
	background bool
	idle       *time.Timer
	end        context.CancelFunc
	closing    bool                // the person wants no more of it
	conns      map[net.Conn]string // kind of each; empty before its greeting
	wg         sync.WaitGroup
}

// NewHost makes the host of a backend.
func NewHost(b *Backend, ui UI) *Host {
	return &Host{b: b, ui: ui, conns: map[net.Conn]string{}}
}

// Serve accepts clients until ctx ends, a client asks the host to stop, or the
// last client has left and nobody wants it to go on.
func (h *Host) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	h.mu.Lock()
	h.end = cancel
	h.idle = time.AfterFunc(firstWait, h.tryEnd)
	if h.closing {
		cancel()
	}
	h.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	// Clients are served until they were told why the host ends.
	serving, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	var failed error
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() == nil {
				failed = err
			}
			break
		}
		h.wg.Go(func() { h.serve(serving, c) })
	}
	cancel()
	h.mu.Lock()
	h.idle.Stop()
	if h.closing {
		h.farewell()
	}
	h.mu.Unlock()
	release()
	h.mu.Lock()
	for c := range h.conns {
		c.Close()
	}
	h.mu.Unlock()
	h.wg.Wait()
	return failed
}

// Close ends the host since the person wants no more of it: agents' connections
// are told, so that they do not start another.
func (h *Host) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closing = true
	if h.end != nil {
		h.end()
	}
}

// farewell tells agents' connections that Baton was closed. Call with mu held.
func (h *Host) farewell() {
	for c, kind := range h.conns {
		if kind == link.MCP {
			_ = c.SetWriteDeadline(time.Now().Add(farewellWait))
			_ = link.WriteClosed(c)
		}
	}
}

// farewellWait bounds the telling of one client that does not read.
const farewellWait = 100 * time.Millisecond

// enter counts a client in; the returned func counts it out.
func (h *Host) enter(c net.Conn) func() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clients++
	h.seen = true
	h.conns[c] = ""
	h.idle.Stop()
	return func() {
		c.Close()
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.conns, c)
		if h.clients--; h.clients == 0 {
			h.idle.Reset(linger)
		}
	}
}

func (h *Host) tryEnd() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.clients == 0 && !h.background {
		h.end()
	}
}

func (h *Host) serve(ctx context.Context, raw net.Conn) {
	defer raw.Close()
	if err := link.CheckPeer(raw); err != nil {
		h.b.cfg.Log.Warn("a client was refused", "error", err)
		return
	}
	leave := h.enter(raw)
	defer leave()
	c, g, err := link.Accept(raw)
	if err != nil {
		if !errors.Is(err, io.EOF) {
			h.b.cfg.Log.Warn("a client did not greet", "error", err)
		}
		return
	}
	h.mu.Lock()
	h.conns[raw] = g.Kind
	h.mu.Unlock()
	switch g.Kind {
	case link.MCP:
		err = h.b.mcp.Stream(ctx, struct {
			io.Reader
			io.Closer
		}{c.R, c}, c, mcpserver.Client{
			Agent: g.Agent, Structured: g.Structured, Gateway: g.Gateway, Files: g.Files, Folder: g.Folder, Listed: g.Listed,
		})
	case link.Control:
		err = h.control(ctx, c)
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
		h.b.cfg.Log.Debug("a client's connection ended", "kind", g.Kind, "error", err)
	}
}

// control answers a window's, browser server's or doctor's requests until it
// leaves.
func (h *Host) control(ctx context.Context, c *link.Conn) error {
	for {
		ask, err := c.ReadAsk()
		if err != nil {
			return err
		}
		a := link.Answer{PID: os.Getpid()}
		switch ask.Do {
		case link.AskEndpoint:
			var err error
			if a.URL, a.Token, a.Code, err = h.ui.Endpoint(ctx, ask.Port); err != nil {
				a.Error = err.Error()
			}
		case link.AskShow:
			h.ui.Show()
		case link.AskStatus:
			agents, _ := h.b.Agents.Get()
			tabs, _ := h.b.Tabs.State.Get()
			a.Agents, a.Tabs = len(agents), len(tabs)
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			a.Goroutines, a.Heap = runtime.NumGoroutine(), m.HeapInuse
		case link.AskBackground:
			h.mu.Lock()
			h.background = ask.On
			h.mu.Unlock()
		case link.AskStop:
			if err := c.WriteAnswer(a); err != nil {
				return err
			}
			h.Close()
			return nil
		default:
			a.Error = "the host does not know how to " + ask.Do
		}
		if err := c.WriteAnswer(a); err != nil {
			return err
		}
	}
}
