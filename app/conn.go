package app

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"
)

const (
	messageMost = 6 << 20          // bytes of one message; a paste may be large
	writeWait   = 20 * time.Second // a client that takes nothing for so long has gone
	pingEvery   = 30 * time.Second
	queueMost   = 2000 // messages that wait for a client
)

// conn is one connected interface.
type conn struct {
	s     *Server
	ws    *websocket.Conn
	id    string // not to be guessed: naming it takes its frames over
	shell string // window or browser
	role  Role

	paints *conn // whose frames it takes, nil as a rule; guarded by s.mu

	ctx  context.Context // ends with the connection
	stop context.CancelFunc
	work sync.WaitGroup
	busy chan struct{} // one token a call under way

	out   outbox
	views views
	hello sync.Once
}

// socket takes a client in, or refuses it.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	shell, status := s.admit(r)
	if status != 0 {
		http.Error(w, "Not signed in.", status)
		return
	}
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols: []string{"baton"}, InsecureSkipVerify: true, // admit has looked at the origin
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return
	}
	ws.SetReadLimit(messageMost)
	c := &conn{s: s, ws: ws, id: secret()[:22], shell: shell, role: Owner, busy: make(chan struct{}, callsMost)}
	c.ctx, c.stop = context.WithCancel(context.Background())
	c.out.init()
	c.views.init(c)
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		_ = ws.CloseNow()
		return
	}
	s.conns[c] = struct{}{}
	s.work.Add(1)
	s.mu.Unlock()
	defer s.work.Done()
	c.serve()
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
}

// admit decides who a client is; a status other than 0 refuses it.
func (s *Server) admit(r *http.Request) (shell string, status int) {
	origin := r.Header.Get("Origin")
	var offered []string
	for _, h := range r.Header.Values("Sec-WebSocket-Protocol") {
		offered = append(offered, fields(h)...)
	}
	if len(offered) == 2 && offered[0] == "baton" {
		switch {
		case !s.door.hasToken(offered[1]):
			return "", http.StatusUnauthorized
		case origin != "" && !windowOrigins[origin]:
			return "", http.StatusForbidden
		}
		return "window", 0
	}
	if !s.door.signedIn(session(r)) {
		return "", http.StatusUnauthorized
	}
	upgrade := r.Header.Get("Upgrade") != ""
	if foreign(r) || (upgrade && !sameOrigin(r)) || (upgrade && !slices.Contains(offered, "baton")) {
		return "", http.StatusForbidden
	}
	return "browser", 0
}

// serve runs the connection to its end.
func (c *conn) serve() {
	c.work.Go(c.write)
	c.work.Go(c.ping)
	for {
		kind, data, err := c.ws.Read(c.ctx)
		if err != nil {
			break
		}
		if kind == websocket.MessageText {
			c.take(data)
		}
	}
	c.stop()
	c.views.leave()
	c.paintNothing()
	_ = c.ws.CloseNow()
	c.work.Wait()
}

// end closes the connection from here.
func (c *conn) end(why string) {
	c.stop()
	go func() { _ = c.ws.Close(websocket.StatusGoingAway, why) }()
}

// incoming is any message of a client.
type incoming struct {
	ID   int64           `json:"id"`
	Call string          `json:"call"`
	Args json.RawMessage `json:"args"`
	Ack  *uint32         `json:"ack"`
	Input
}

// take handles one message. It runs on the reader and never waits.
func (c *conn) take(data []byte) {
	var m incoming
	if err := json.Unmarshal(data, &m); err != nil {
		c.s.cfg.Log.Debug("a message of the interface was not understood", "error", err)
		return
	}
	switch {
	case m.Ack != nil:
		c.paintsFor().views.ack(m.View, *m.Ack)
	case m.In != "":
		c.views.input(m.Input)
	case m.Call != "":
		c.call(m.ID, m.Call, m.Args)
	}
}

// write sends what waits in the outbox.
func (c *conn) write() {
	for {
		select {
		case <-c.out.ready:
		case <-c.ctx.Done():
			return
		}
		messages, full := c.out.take()
		if full {
			_ = c.ws.Close(websocket.StatusPolicyViolation, "too slow")
			c.stop()
			return
		}
		for _, m := range messages {
			b, err := json.Marshal(m)
			if err != nil {
				c.s.cfg.Log.Error("a message could not be encoded", "error", err)
				continue
			}
			if err := c.send(websocket.MessageText, b); err != nil {
				c.stop()
				return
			}
		}
	}
}

// send writes one message; several may be sent at a time.
func (c *conn) send(kind websocket.MessageType, parts ...[]byte) error {
	ctx, cancel := context.WithTimeout(c.ctx, writeWait)
	defer cancel()
	if len(parts) == 1 {
		return c.ws.Write(ctx, kind, parts[0])
	}
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	b := make([]byte, 0, n)
	for _, p := range parts {
		b = append(b, p...)
	}
	return c.ws.Write(ctx, kind, b)
}

// ping finds out that a client has silently gone.
func (c *conn) ping() {
	t := time.NewTicker(pingEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-c.ctx.Done():
			return
		}
		ctx, cancel := context.WithTimeout(c.ctx, writeWait)
		err := c.ws.Ping(ctx)
		cancel()
		if err != nil {
			c.stop()
			return
		}
	}
}
