package cdp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// peer is the other end of a pipe, as Chromium would be it: a fault of
// Chromium's own cannot be produced, so this end is ours.
type peer struct {
	t   *testing.T
	in  *bufio.Reader
	out *io.PipeWriter
	end func()
}

func pipe(t *testing.T) (*Conn, *peer) {
	t.Helper()
	cmdR, cmdW := io.Pipe()
	ansR, ansW := io.Pipe()
	c := New(ansR, cmdW)
	p := &peer{t: t, in: bufio.NewReader(cmdR), out: ansW}
	p.end = func() { ansW.Close(); cmdR.Close() }
	t.Cleanup(func() { p.end(); <-c.Done() })
	return c, p
}

type message struct {
	ID     int64           `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

func (p *peer) next() message {
	p.t.Helper()
	b, err := p.in.ReadBytes(0)
	if err != nil {
		p.t.Fatal(err)
	}
	var m message
	if err := json.Unmarshal(b[:len(b)-1], &m); err != nil {
		p.t.Fatal(err)
	}
	return m
}

func (p *peer) say(format string, args ...any) {
	if _, err := p.out.Write(append(fmt.Appendf(nil, format, args...), 0)); err != nil {
		p.t.Error(err)
	}
}

func TestAnswersFindTheirCallsInAnyOrder(t *testing.T) {
	c, p := pipe(t)
	a, err := c.Browser().Send(t.Context(), "A.a", nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Browser().Send(t.Context(), "B.b", map[string]int{"x": 1})
	if err != nil {
		t.Fatal(err)
	}
	m1, m2 := p.next(), p.next()
	if m1.Method != "A.a" || m2.Method != "B.b" || string(m2.Params) != `{"x":1}` {
		t.Fatalf("sent %+v, %+v", m1, m2)
	}
	p.say(`{"id":%d,"result":{"v":2}}`, m2.ID)
	p.say(`{"id":%d,"error":{"code":-32000,"message":"no"}}`, m1.ID)
	var r struct {
		V int `json:"v"`
	}
	if err := b.Wait(t.Context(), &r); err != nil || r.V != 2 {
		t.Errorf("b: %v, %+v", err, r)
	}
	var refused *Error
	if err := a.Wait(t.Context(), nil); !errors.As(err, &refused) || refused.Code != -32000 || refused.Method != "A.a" {
		t.Errorf("a: %v", err)
	}
}

func TestTheEndOfThePipeEndsEveryCall(t *testing.T) {
	c, p := pipe(t)
	s := c.Attach("S")
	pending, err := s.Send(t.Context(), "A.a", nil)
	if err != nil {
		t.Fatal(err)
	}
	p.next()
	p.end()
	if err := pending.Wait(t.Context(), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("a call under way: %v", err)
	}
	if err := s.Call(t.Context(), "B.b", nil, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("a later call: %v", err)
	}
	<-s.Ended()
}

func TestADetachedSessionEndsItsCallsAlone(t *testing.T) {
	c, p := pipe(t)
	gone, stays := c.Attach("gone"), c.Attach("stays")
	a, _ := gone.Send(t.Context(), "A.a", nil)
	b, _ := stays.Send(t.Context(), "B.b", nil)
	p.next()
	m := p.next()
	gone.Detached()
	if err := a.Wait(t.Context(), nil); !errors.Is(err, ErrDetached) {
		t.Errorf("a call of the session that went: %v", err)
	}
	p.say(`{"id":%d,"result":{}}`, m.ID)
	if err := b.Wait(t.Context(), nil); err != nil {
		t.Errorf("a call of the other: %v", err)
	}
	if _, err := gone.Send(t.Context(), "C.c", nil); !errors.Is(err, ErrDetached) {
		t.Errorf("a later call: %v", err)
	}
}

func TestACallEndsAtItsDeadlineAndIsForgotten(t *testing.T) {
	c, p := pipe(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- c.Browser().Call(ctx, "A.a", nil, nil) }()
	m := p.next()
	if err := <-done; !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("ended as %v", err)
	}
	p.say(`{"id":%d,"result":{}}`, m.ID) // too late; nobody minds
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.pending) != 0 {
		t.Errorf("%d calls are still kept", len(c.pending))
	}
}

func TestEventsBeforeTheHandlerAreKeptInOrder(t *testing.T) {
	c, p := pipe(t)
	for i := range 100 {
		p.say(`{"sessionId":"S","method":"X.x","params":{"i":%d}}`, i)
	}
	got := make(chan int, 100)
	c.Attach("S").Handle(func(ev Event) {
		e, ok := Decode[struct {
			I int `json:"i"`
		}](ev)
		if !ok {
			t.Errorf("an event does not decode: %s", ev.Params)
		}
		got <- e.I
	})
	for i := range 100 {
		if n := <-got; n != i {
			t.Fatalf("event %d came as number %d", n, i)
		}
	}
}

func TestASlowHandlerHoldsNobodyUp(t *testing.T) {
	c, p := pipe(t)
	block := make(chan struct{})
	var seen atomic.Int32
	c.Attach("slow").Handle(func(Event) { seen.Add(1); <-block })
	for range 2000 {
		p.say(`{"sessionId":"slow","method":"X.x","params":{}}`)
	}
	call, _ := c.Browser().Send(t.Context(), "A.a", nil)
	m := p.next()
	p.say(`{"id":%d,"result":{}}`, m.ID)
	if err := call.Wait(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if seen.Load() > 1 {
		t.Error("events were handed out while the handler was busy")
	}
	close(block)
}

func TestBrokenMessagesArePassedOver(t *testing.T) {
	c, p := pipe(t)
	p.say(`{"id":1,`)
	p.say(`[]`)
	p.say(`{"id":99999,"result":{}}`)
	call, _ := c.Browser().Send(t.Context(), "A.a", nil)
	m := p.next()
	p.say(`{"id":%d,"result":{}}`, m.ID)
	if err := call.Wait(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

func TestSubscriptionsGetTheirMethodOnly(t *testing.T) {
	c, p := pipe(t)
	events, cancel := c.Browser().Subscribe("Y.y")
	defer cancel()
	p.say(`{"method":"X.x","params":{}}`)
	p.say(`{"method":"Y.y","params":{"n":7}}`)
	if v := <-events; string(v) != `{"n":7}` {
		t.Fatalf("got %s", v)
	}
}
