// Package cdp speaks the Chrome DevTools Protocol over a pipe of Chromium's
// (--remote-debugging-pipe): NUL-ended JSON messages, flat sessions.
//
// [New] takes the two ends and reads until they close. [Conn.Browser] is the
// browser's own session; [Conn.Attach] gives the session of an attached
// target. A [Session] calls, sends without waiting, and hands its events in
// order to one handler. It satisfies cdproto's cdp.Session.
package cdp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// ErrClosed is the cause of every call that the pipe's end cut off.
var ErrClosed = errors.New("the connection to Chromium is closed")

// ErrDetached is the cause of every call on a session whose target is gone.
var ErrDetached = errors.New("the page's session is gone")

// Error is an error that Chromium answered.
type Error struct {
	Method  string
	Code    int64
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s (%d)", e.Method, e.Message, e.Code) }

// Conn is one connection. Make it with New.
type Conn struct {
	out    io.WriteCloser
	queue  chan []byte
	closed chan struct{} // closed when the read side ended
	stop   sync.Once
	root   *Session

	mu       sync.Mutex
	nextID   int64
	pending  map[int64]*Pending
	sessions map[string]*Session
	dead     bool
}

type envelope struct {
	ID      int64        `json:"id"`
	Method  string       `json:"method"`
	Session string       `json:"sessionId"`
	Params  jsonv2.Value `json:"params"`
	Result  jsonv2.Value `json:"result"`
	Error   *struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
		Data    string `json:"data"`
	} `json:"error"`
}

// New starts a connection that reads from in and writes to out. It ends when
// in ends, or by Close.
func New(in io.Reader, out io.WriteCloser) *Conn {
	c := &Conn{
		out: out, queue: make(chan []byte, 256), closed: make(chan struct{}),
		pending: map[int64]*Pending{}, sessions: map[string]*Session{},
	}
	c.root = newSession(c, "")
	c.sessions[""] = c.root
	go c.write()
	go c.read(in)
	return c
}

// Browser is the browser's own session.
func (c *Conn) Browser() *Session { return c.root }

// Attach gives the session with this id, made on first use. Events that came
// since Chromium announced it are kept for its handler.
func (c *Conn) Attach(id string) *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.attach(id)
}

func (c *Conn) attach(id string) *Session {
	s := c.sessions[id]
	if s == nil {
		s = newSession(c, id)
		if c.dead {
			s.end(ErrClosed)
		} else {
			c.sessions[id] = s
		}
	}
	return s
}

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.closed }

// Close ends the connection: the write end first, so that Chromium sees it.
func (c *Conn) Close() error {
	var err error
	c.stop.Do(func() { err = c.out.Close() })
	return err
}

func (c *Conn) write() {
	for {
		select {
		case b := <-c.queue:
			if _, err := c.out.Write(b); err != nil {
				c.Close()
				return
			}
		case <-c.closed:
			return
		}
	}
}

func (c *Conn) read(in io.Reader) {
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		b, err := r.ReadBytes(0)
		if err != nil {
			break
		}
		c.handle(b[:len(b)-1])
	}
	c.Close()
	c.mu.Lock()
	c.dead = true
	pending, sessions := c.pending, c.sessions
	c.pending, c.sessions = nil, map[string]*Session{}
	c.mu.Unlock()
	close(c.closed)
	for _, p := range pending {
		p.finish(nil, ErrClosed)
	}
	for _, s := range sessions {
		s.end(ErrClosed)
	}
}

func (c *Conn) handle(b []byte) {
	var m envelope
	if err := jsonv2.Unmarshal(b, &m); err != nil {
		return // a message that Chromium broke; its call runs into its deadline
	}
	if m.ID != 0 {
		c.mu.Lock()
		p := c.pending[m.ID]
		delete(c.pending, m.ID)
		c.mu.Unlock()
		if p == nil {
			return
		}
		if m.Error != nil {
			text := m.Error.Message
			if m.Error.Data != "" {
				text += ": " + m.Error.Data
			}
			p.finish(nil, &Error{Method: p.method, Code: m.Error.Code, Message: text})
			return
		}
		p.finish(m.Result, nil)
		return
	}
	c.mu.Lock()
	s := c.attach(m.Session)
	c.mu.Unlock()
	s.deliver(Event{Method: m.Method, Params: m.Params})
}

// detach ends a session and fails its calls.
func (c *Conn) detach(id string) {
	c.mu.Lock()
	s := c.sessions[id]
	delete(c.sessions, id)
	var cut []*Pending
	for n, p := range c.pending {
		if p.session == id {
			cut = append(cut, p)
			delete(c.pending, n)
		}
	}
	c.mu.Unlock()
	for _, p := range cut {
		p.finish(nil, ErrDetached)
	}
	if s != nil {
		s.end(ErrDetached)
	}
}

// send queues a command. It blocks only while Chromium does not read.
func (c *Conn) send(ctx context.Context, session, method string, params any) (*Pending, error) {
	var raw []byte
	if params != nil {
		var err error
		if raw, err = jsonv2.Marshal(params); err != nil {
			return nil, fmt.Errorf("%s: encoding: %w", method, err)
		}
	}
	p := &Pending{conn: c, session: session, method: method, done: make(chan struct{})}
	c.mu.Lock()
	if c.dead {
		c.mu.Unlock()
		return nil, ErrClosed
	}
	if _, ok := c.sessions[session]; !ok {
		c.mu.Unlock()
		return nil, ErrDetached
	}
	c.nextID++
	p.id = c.nextID
	c.pending[p.id] = p
	b := make([]byte, 0, len(raw)+len(method)+96)
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, p.id, 10)
	b = append(b, `,"method":"`...)
	b = append(b, method...)
	b = append(b, '"')
	if session != "" {
		b = append(b, `,"sessionId":"`...)
		b = append(b, session...)
		b = append(b, '"')
	}
	if raw != nil {
		b = append(b, `,"params":`...)
		b = append(b, raw...)
	}
	b = append(b, '}', 0)
	// Queued under the lock, so that commands leave in the order of their ids.
	select {
	case c.queue <- b:
		c.mu.Unlock()
		return p, nil
	default:
	}
	c.mu.Unlock()
	select {
	case c.queue <- b:
		return p, nil
	case <-ctx.Done():
		p.drop()
		return nil, fmt.Errorf("%s: Chromium does not read: %w", method, context.Cause(ctx))
	case <-c.closed:
		p.drop()
		return nil, ErrClosed
	}
}

// Pending is a command on its way.
type Pending struct {
	conn    *Conn
	id      int64
	session string
	method  string
	done    chan struct{}
	result  jsonv2.Value
	err     error
}

func (p *Pending) finish(result jsonv2.Value, err error) {
	p.result, p.err = result, err
	close(p.done)
}

func (p *Pending) drop() {
	p.conn.mu.Lock()
	delete(p.conn.pending, p.id)
	p.conn.mu.Unlock()
}

// Wait waits for the answer and decodes it into result, unless that is nil.
func (p *Pending) Wait(ctx context.Context, result any) error {
	select {
	case <-p.done:
	case <-ctx.Done():
		p.drop()
		return fmt.Errorf("%s: no answer: %w", p.method, context.Cause(ctx))
	}
	if p.err != nil {
		return p.err
	}
	if result == nil || len(p.result) == 0 {
		return nil
	}
	if err := jsonv2.Unmarshal(p.result, result); err != nil {
		return fmt.Errorf("%s: decoding: %w", p.method, err)
	}
	return nil
}

// Done is closed once the answer is there.
func (p *Pending) Done() <-chan struct{} { return p.done }
