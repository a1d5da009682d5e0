package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"baton/backend/agenttools"
	"baton/backend/fault"
	"baton/backend/link"
	"baton/backend/mcpserver"
)

// bridge carries an agent's MCP messages between its stdin and stdout and the
// host. Messages reach the host as they are; the bridge knows which calls are
// open and how the agent introduced itself.
//
// Agents' programs seldom start a server again that has ended, so a bridge
// outlives its host: open calls are answered, another host is dialled (and
// started), introduced to the agent as it introduced itself, and served from.
type bridge struct {
	dial                func(ctx context.Context, start, listed bool) (*link.Conn, error)
	structured, gateway bool
	warn                io.Writer
	broken              chan error // what makes going on impossible

	outMu sync.Mutex
	out   io.Writer

	// connecting is held while a host is dialled and greeted, and while a message
	// that expects no answer is sent.
	connecting  sync.Mutex
	introduced  bool // the agent has said that it is initialized
	generations int  // hosts that were reached

	mu      sync.Mutex
	up      *upstream // nil between hosts
	calls   map[jsonrpc.ID]*request
	hello   *jsonrpc.Request // the agent's initialize, once it was answered
	version string           // of MCP, as that answer says
	reached bool             // there was a host
	trouble error            // why no host could be reached the last time
	listed  bool             // the gateway was called: the agent has the whole list
	closed  bool             // the person closed Baton: it is dialled, not started
	leaving bool             // stdin has ended
}

// Bounds of waits for the host.
const (
	sendWait     = 30 * time.Second // the taking of one message
	lastWait     = 10 * time.Second // the last answers after stdin's end
	leaveWait    = 30 * time.Second // the host's letting go of the agent then
	restartPause = time.Second      // before a host that lived no longer than briefLife has a follower
	briefLife    = 2 * time.Second
)

func newBridge(dial func(ctx context.Context, start, listed bool) (*link.Conn, error), out, warn io.Writer) *bridge {
	return &bridge{dial: dial, out: out, warn: warn, broken: make(chan error, 1), calls: map[jsonrpc.ID]*request{}}
}

// begin connects to the first host. When there is none, the agent's first
// request tries once more, and is answered in any case.
func (b *bridge) begin() error {
	_, err := b.connect()
	return err
}

// run serves until stdin ends or no host can answer the agent's initialize.
func (b *bridge) run(in io.Reader) error {
	read := make(chan struct{})
	go func() {
		defer close(read)
		b.read(in)
	}()
	select {
	case err := <-b.broken:
		return err
	case <-read:
	}
	b.mu.Lock()
	b.leaving = true
	b.mu.Unlock()
	// A script that writes all its calls at once ends its stdin before they are
	// answered; the host drops what is open when it hears that the agent left.
	for end := time.Now().Add(lastWait); b.waits() && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	b.mu.Lock()
	u, never := b.up, error(nil)
	if !b.reached {
		never = b.trouble
	}
	b.mu.Unlock()
	if u == nil {
		return never
	}
	// The agent has left: the host is told, and ends what is still open.
	if c, ok := u.Conn.Conn.(*net.UnixConn); ok {
		_ = c.CloseWrite()
	}
	select {
	case <-u.ended:
		return nil
	case <-time.After(leaveWait):
		return errors.New("the host did not let the agent go")
	}
}

// waits tells whether calls are open that the agent waits for.
func (b *bridge) waits() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.calls {
		if !c.dropped && c.msg.Method != subscribe { // which is open until the agent leaves
			return true
		}
	}
	return false
}

// listen passes on what a host says, until it ends.
func (b *bridge) listen(u *upstream) {
	for {
		line, err := nextLine(u.R, 0)
		if err != nil {
			break
		}
		b.fromHost(u, line)
	}
	u.Close()
	b.lost(u)
}

// lost answers the calls that a host has left open, and goes on with another.
func (b *bridge) lost(u *upstream) {
	defer close(u.ended)
	var again, over []*request
	b.mu.Lock()
	u.over = true
	if b.up == u {
		b.up = nil
	}
	for id, c := range b.calls {
		if c.up != u || c.sending { // forward looks after what it is writing
			continue
		}
		delete(b.calls, id)
		switch {
		case c.dropped: // the agent waits for it no longer
		case c.tool() != "": // it may have done its work
			over = append(over, c)
		default: // what touches no page is asked once more
			again = append(again, c)
		}
	}
	leaving, closed, used := b.leaving, b.closed, u.used
	b.mu.Unlock()
	for _, c := range over {
		b.fail(c, b.uncertain())
	}
	var err error
	switch {
	case leaving:
		err = errors.New("the agent leaves")
	case closed:
		fmt.Fprintf(b.warn, "baton: Baton was closed (calls answered as uncertain: %d)\n", len(over))
		err = errors.New("closed")
	default:
		fmt.Fprintf(b.warn, "baton: the host ended unexpectedly (calls answered as uncertain: %d); connecting again\n", len(over))
		if !used {
			return // nothing waits for another
		}
		if time.Since(u.since) < briefLife {
			time.Sleep(restartPause)
		}
		if _, err = b.connect(); err != nil {
			fmt.Fprintf(b.warn, "baton: no other host could be reached: %v; the next call tries again\n", err)
		}
	}
	for _, c := range again {
		if err != nil {
			b.fail(c, b.unreachable())
		} else {
			b.forward(c)
			if n := c.toldOfTools(); n != nil {
				b.write(n)
			}
		}
	}
}

// uncertain tells an agent that a call's host has ended.
func (b *bridge) uncertain() *fault.Fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	what := "Baton's host"
	if b.leaving { // the host may live on
		what = "the connection"
	}
	return fault.New(fault.Uncertain, "%s ended while the call ran, so what it did is not known", what).WithEffect("unknown").
		Then("look with browser_tabs and browser_snapshot before trying again; tabs are kept, older refs may be gone")
}

// unreachable tells an agent that there is no host.
func (b *bridge) unreachable() *fault.Fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return fault.New(fault.AccessOff, "Baton was closed").Then("ask the person to open Baton again, then call again")
	}
	if !b.reached {
		return fault.New(fault.EngineUnavailable, "Baton's host could not be started: %v", b.trouble).Then("tell the person to run `baton doctor`, then start again")
	}
	return fault.New(fault.EngineUnavailable, "Baton's host has ended and could not be started again").
		Then("call again, which tries once more; if it goes on, tell the person to run `baton doctor`")
}

// forward sends a call to the host, and answers it when there is none. A host
// that ended before it got anything of the call is no loss.
func (b *bridge) forward(c *request) {
	for range 3 {
		u, err := b.connect()
		if err != nil {
			break
		}
		b.mu.Lock()
		if b.up != u {
			b.mu.Unlock()
			continue
		}
		u.used, c.up, c.sending = true, u, true
		b.calls[c.msg.ID] = c
		b.mu.Unlock()
		_ = u.SetWriteDeadline(time.Now().Add(sendWait))
		n, err := u.Write(append(c.line, '\n'))
		if err != nil {
			u.Close()
		}
		b.mu.Lock()
		c.sending = false
		open := b.calls[c.msg.ID] == c
		if err != nil && b.up == u {
			b.up = nil
		}
		if open && (n == 0 || u.over) {
			delete(b.calls, c.msg.ID)
		}
		over, dropped := u.over, c.dropped
		b.mu.Unlock()
		switch {
		case !open: // it was answered
			return
		case dropped: // nobody waits for it
			return
		case n == 0:
		case !over: // lost answers it if no other does
			return
		case c.tool() != "":
			b.fail(c, b.uncertain())
			return
		}
	}
	b.fail(c, b.unreachable())
}

// tell sends what expects no answer, if a host is there.
func (b *bridge) tell(m jsonrpc.Message, line []byte) {
	b.connecting.Lock()
	defer b.connecting.Unlock()
	r, _ := m.(*jsonrpc.Request)
	if r != nil && r.Method == initialized {
		b.introduced = true
	}
	b.mu.Lock()
	u := b.up
	if r != nil && r.Method == cancelled {
		if c := b.calls[cancels(r)]; c != nil {
			c.dropped = true
		}
	}
	b.mu.Unlock()
	if u == nil {
		return
	}
	if r, ok := m.(*jsonrpc.Response); ok && u.generation > 1 {
		if line = b.original(u, r); line == nil {
			return
		}
	}
	_ = u.SetWriteDeadline(time.Now().Add(sendWait))
	if _, err := u.Write(append(line, '\n')); err != nil {
		u.Close()
	}
}

// take removes an open call and gives it; nil when it is not open.
func (b *bridge) take(id jsonrpc.ID) *request {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.calls[id]
	delete(b.calls, id)
	return c
}

// fromHost passes one message of the host on to the agent.
func (b *bridge) fromHost(u *upstream, line []byte) {
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return // the host writes none such
	}
	switch m := m.(type) {
	case *jsonrpc.Response:
		c := b.take(m.ID)
		if c == nil {
			b.write(line)
			return
		}
		b.learn(c, m)
		b.answer(c, line)
	case *jsonrpc.Request:
		if m.Method == link.Closed {
			b.mu.Lock()
			b.closed = true
			b.mu.Unlock()
			return
		}
		if u.generation > 1 {
			line = b.renamed(u, m, line)
		}
		b.write(line)
	}
}

// learn keeps what a later host has to be told.
func (b *bridge) learn(c *request, r *jsonrpc.Response) {
	if r.Error != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case c.msg.Method == "initialize":
		b.hello, b.version = c.msg, versionOf(r)
	case b.gateway && c.tool() == agenttools.Gateway().Name && !isError(r):
		b.listed = true
	}
}

// fail answers a call with a fault: a tool's as its result, so that the model
// reads it.
func (b *bridge) fail(c *request, f *fault.Fault) {
	if c.tool() == "" {
		b.answer(c, errorLine(c.msg.ID, jsonrpc.CodeInternalError, f.Message+"; "+f.Next))
	} else {
		b.answer(c, resultLine(c.msg.ID, mcpserver.Refusal(f, b.structured)))
	}
	if c.msg.Method == "initialize" {
		select {
		case b.broken <- f:
		default:
		}
	}
}
