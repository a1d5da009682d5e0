package cdp

import (
	"context"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// Event is one event of a session, its params still encoded.
type Event struct {
	Method string
	Params jsonv2.Value
}

// Decode gives the event's payload, or false when it does not decode.
func Decode[E any](ev Event) (E, bool) {
	var e E
	err := jsonv2.Unmarshal(ev.Params, &e)
	return e, err == nil
}

// Session is one attached target, or the browser itself.
type Session struct {
	ID   string
	conn *Conn

	mu      sync.Mutex
	wake    *sync.Cond
	queue   []Event // not handed out yet; grows as needed, so reading never blocks
	handler func(Event)
	tap     func(Event) // sees events as they are read
	tapped  string
	subs    map[string][]*subscription
	err     error // set once ended
	ended   chan struct{}
}

type subscription struct {
	c     chan jsonv2.Value
	mu    sync.Mutex
	wake  *sync.Cond
	queue []jsonv2.Value
	done  bool
}

var _ cdp.Session = (*Session)(nil)

func newSession(c *Conn, id string) *Session {
	s := &Session{ID: id, conn: c, ended: make(chan struct{})}
	s.wake = sync.NewCond(&s.mu)
	return s
}

// Handle sets the handler of this session's events and starts to hand them
// out, one at a time and in order, those first that came already. Call it once.
func (s *Session) Handle(h func(Event)) {
	s.mu.Lock()
	s.handler = h
	s.mu.Unlock()
	go s.run()
}

// Tap has f see the events of one method as they are read: before anything that
// Chromium said later, on whatever session, is handed out. f must be quick and
// send nothing. Call it before Handle.
func (s *Session) Tap(method string, f func(Event)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tapped, s.tap = method, f
}

func (s *Session) run() {
	for {
		s.mu.Lock()
		for len(s.queue) == 0 && s.err == nil {
			s.wake.Wait()
		}
		if len(s.queue) == 0 {
			s.mu.Unlock()
			return
		}
		batch := s.queue
		s.queue = nil
		s.mu.Unlock()
		for _, ev := range batch {
			s.handler(ev)
		}
	}
}

func (s *Session) deliver(ev Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	if s.tap != nil && ev.Method == s.tapped {
		s.tap(ev)
	}
	for _, sub := range s.subs[ev.Method] {
		sub.push(ev.Params)
	}
	s.queue = append(s.queue, ev)
	s.wake.Signal()
}

func (s *Session) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	s.err = err
	close(s.ended)
	for _, list := range s.subs {
		for _, sub := range list {
			sub.close()
		}
	}
	s.subs = nil
	s.wake.Broadcast()
}

// Sibling gives another session of the same connection.
func (s *Session) Sibling(id string) *Session { return s.conn.Attach(id) }

// Detached tells Conn that the target is gone: calls under way fail with
// ErrDetached and no further event is delivered.
func (s *Session) Detached() { s.conn.detach(s.ID) }

// Ended is closed when the session has ended.
func (s *Session) Ended() <-chan struct{} { return s.ended }

// Send queues a command without waiting for its answer. Commands that one
// goroutine sends arrive in order, so a press and its release need one wait.
func (s *Session) Send(ctx context.Context, method string, params any) (*Pending, error) {
	return s.conn.send(ctx, s.ID, method, params)
}

// Call sends a command and waits for its answer; see cdp.Session.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	p, err := s.Send(ctx, method, params)
	if err != nil {
		return err
	}
	return p.Wait(ctx, result)
}

// Subscribe buffers the events of one method; see cdp.Session.
func (s *Session) Subscribe(method string) (<-chan jsonv2.Value, func()) {
	sub := &subscription{c: make(chan jsonv2.Value)}
	sub.wake = sync.NewCond(&sub.mu)
	stop := make(chan struct{})
	s.mu.Lock()
	if s.err != nil {
		s.mu.Unlock()
		close(sub.c)
		return sub.c, func() {}
	}
	if s.subs == nil {
		s.subs = map[string][]*subscription{}
	}
	s.subs[method] = append(s.subs[method], sub)
	s.mu.Unlock()
	go sub.run(stop)
	var once sync.Once
	return sub.c, func() {
		once.Do(func() {
			s.mu.Lock()
			list := s.subs[method]
			for i, x := range list {
				if x == sub {
					s.subs[method] = append(list[:i:i], list[i+1:]...)
					break
				}
			}
			s.mu.Unlock()
			close(stop)
			sub.close()
		})
	}
}

func (b *subscription) push(v jsonv2.Value) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, v)
	b.wake.Signal()
}

func (b *subscription) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = true
	b.wake.Broadcast()
}

func (b *subscription) run(stop <-chan struct{}) {
	defer close(b.c)
	for {
		b.mu.Lock()
		for len(b.queue) == 0 && !b.done {
			b.wake.Wait()
		}
		if len(b.queue) == 0 {
			b.mu.Unlock()
			return
		}
		v := b.queue[0]
		b.queue = b.queue[1:]
		b.mu.Unlock()
		select {
		case b.c <- v:
		case <-stop:
			return
		}
	}
}
