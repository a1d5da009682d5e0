package cli

import (
	"encoding/binary"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"baton/app"
	"baton/backend/link"
	"baton/backend/paths"
)

// look is a connection of the interface: what a person sees and does.
type look struct {
	t  *testing.T
	ws *websocket.Conn

	mu      sync.Mutex
	id      int64
	replies map[int64]chan reply
	tabs    []app.Tab
	events  map[string]int
	pics    int
}

type reply struct {
	Result json.RawMessage
	Error  *app.Error
}

// look connects to the interface of the host, which may still be starting.
func (d *desk) look() *look {
	d.t.Helper()
	socket, err := paths.Socket(d.data)
	if err != nil {
		d.t.Fatal(err)
	}
	var c *link.Conn
	d.wait("the host answers", func() bool {
		c, err = link.Dial(d.t.Context(), socket, options{}.greeting(link.Control, "serve"))
		return err == nil
	})
	d.t.Cleanup(func() { c.Close() })
	ui, err := c.Ask(d.t.Context(), link.Ask{Do: link.AskEndpoint})
	if err != nil {
		d.t.Fatal(err)
	}
	ws, _, err := websocket.Dial(d.t.Context(), strings.Replace(ui.URL, "http://", "ws://", 1)+"/ws", &websocket.DialOptions{Subprotocols: []string{"baton", ui.Token}})
	if err != nil {
		d.t.Fatal(err)
	}
	ws.SetReadLimit(32 << 20)
	l := &look{t: d.t, ws: ws, replies: map[int64]chan reply{}, events: map[string]int{}}
	done := make(chan struct{})
	go func() { defer close(done); l.read() }()
	d.t.Cleanup(func() { _ = ws.CloseNow(); <-done })
	l.must("hello", nil, nil)
	return l
}

func (l *look) read() {
	for {
		kind, data, err := l.ws.Read(l.t.Context())
		if err != nil {
			return
		}
		if kind == websocket.MessageBinary {
			l.mu.Lock()
			l.pics++
			l.mu.Unlock()
			l.send(app.Ack{View: int(binary.LittleEndian.Uint32(data[4:])), Ack: binary.LittleEndian.Uint32(data[8:])})
			continue
		}
		var m struct {
			reply
			ID    int64
			Event string
			Data  json.RawMessage
		}
		if err := json.Unmarshal(data, &m); err != nil {
			l.t.Errorf("a message that is no JSON: %v", err)
			continue
		}
		l.mu.Lock()
		switch {
		case m.Event == app.EventTabs:
			l.tabs = nil
			_ = json.Unmarshal(m.Data, &l.tabs)
			l.events[m.Event]++
		case m.Event != "":
			l.events[m.Event]++
		case l.replies[m.ID] != nil:
			l.replies[m.ID] <- m.reply
			delete(l.replies, m.ID)
		}
		l.mu.Unlock()
	}
}

func (l *look) send(m any) {
	b, err := json.Marshal(m)
	if err != nil {
		l.t.Error(err)
		return
	}
	_ = l.ws.Write(l.t.Context(), websocket.MessageText, b)
}

func (l *look) must(name string, args, result any) {
	l.t.Helper()
	ch := make(chan reply, 1)
	l.mu.Lock()
	l.id++
	id := l.id
	l.replies[id] = ch
	l.mu.Unlock()
	l.send(app.Request{ID: id, Call: name, Args: args})
	select {
	case r := <-ch:
		if r.Error != nil {
			l.t.Fatalf("%s: %s: %s", name, r.Error.Code, r.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(r.Result, result); err != nil {
				l.t.Fatalf("%s: %v", name, err)
			}
		}
	case <-time.After(20 * time.Second):
		l.t.Fatalf("%s was not answered", name)
	}
}

func (l *look) frames() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.pics
}

func (l *look) seen(event string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.events[event]
}

func (l *look) until(what string, ok func() bool) {
	l.t.Helper()
	for end := time.Now().Add(15 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.t.Fatalf("never came: %s; the strip has %+v", what, l.tabs)
		}
	}
}

// tab waits until the strip has a fitting tab.
func (l *look) tab(what string, fits func(app.Tab) bool) (found app.Tab) {
	l.t.Helper()
	l.until(what, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, x := range l.tabs {
			if fits(x) {
				found = x
				return true
			}
		}
		return false
	})
	return found
}

const wide, high = 900, 700

func (l *look) watch(tab string) {
	l.t.Helper()
	before := l.frames()
	l.must("view.watch", app.WatchArgs{View: 1, Tab: tab, Width: wide, Height: high, Scale: 1}, nil)
	l.until("a first frame", func() bool { return l.frames() > before })
}
