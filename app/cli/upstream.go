package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"baton/backend/link"
)

// introduceWait bounds the wait for a host's answer to initialize.
const introduceWait = 10 * time.Second

// upstream is the connection to one host.
type upstream struct {
	*link.Conn
	generation int // 1 is the first host
	since      time.Time
	ended      chan struct{}

	// Guarded by bridge.mu.
	used  bool
	over  bool                  // it has ended, and its calls were answered
	asked map[string]jsonrpc.ID // the host's requests to the agent, by the id that the agent sees
}

// connect gives the connection to the host, made when there is none.
func (b *bridge) connect() (*upstream, error) {
	b.connecting.Lock()
	defer b.connecting.Unlock()
	b.mu.Lock()
	up, hello, listed, closed := b.up, b.hello, b.listed, b.closed
	b.mu.Unlock()
	if up != nil {
		return up, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	u, err := b.reach(ctx, !closed, listed, hello)
	for errors.Is(err, errCut) && ctx.Err() == nil {
		// A host that is just ending still takes connections for a moment.
		time.Sleep(20 * time.Millisecond)
		u, err = b.reach(ctx, !closed, listed, hello)
	}
	if err != nil {
		b.mu.Lock()
		b.trouble = err
		b.mu.Unlock()
		return nil, err
	}
	b.generations++
	b.mu.Lock()
	b.up, b.closed, b.reached = u, false, true
	b.mu.Unlock()
	go b.listen(u)
	if hello != nil && b.introduced {
		b.write([]byte(`{"jsonrpc":"2.0","method":"` + toolsChange + `"}`))
	}
	return u, nil
}

// errCut says that a host ended before it had answered anything.
var errCut = errors.New("the host ended at once")

// reach dials a host and introduces the agent to it, when the agent has
// introduced itself already. Call with connecting held.
func (b *bridge) reach(ctx context.Context, start, listed bool, hello *jsonrpc.Request) (*upstream, error) {
	c, err := b.dial(ctx, start, listed)
	if err != nil {
		return nil, err
	}
	u := &upstream{Conn: c, generation: b.generations + 1, since: time.Now(), ended: make(chan struct{}), asked: map[string]jsonrpc.ID{}}
	if hello == nil {
		return u, nil
	}
	if err := b.introduce(u, hello); err != nil {
		c.Close()
		return nil, err
	}
	return u, nil
}

// introduce says to a new host what the agent said to the first. Call with
// connecting held.
func (b *bridge) introduce(u *upstream, hello *jsonrpc.Request) error {
	if err := u.SetDeadline(time.Now().Add(introduceWait)); err != nil {
		return err
	}
	id, err := jsonrpc.MakeID("baton-again")
	if err != nil {
		return err
	}
	if err := send(u, &jsonrpc.Request{ID: id, Method: "initialize", Params: hello.Params}); err != nil {
		return errors.Join(errCut, err)
	}
	for {
		line, err := nextLine(u.R, 0)
		if err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				err = errors.Join(errCut, err)
			}
			return fmt.Errorf("the host did not answer the agent's introduction: %w", err)
		}
		m, err := jsonrpc.DecodeMessage(line)
		if err != nil {
			return err
		}
		r, ok := m.(*jsonrpc.Response)
		if !ok || r.ID != id {
			b.fromHost(u, line)
			continue
		}
		if r.Error != nil {
			return fmt.Errorf("the host refused the agent's introduction: %w", r.Error)
		}
		b.mu.Lock()
		before := b.version
		b.mu.Unlock()
		if v := versionOf(r); v != before {
			return fmt.Errorf("the host speaks MCP %s now, and the agent %s", v, before)
		}
		break
	}
	if b.introduced {
		if err := send(u, &jsonrpc.Request{Method: initialized}); err != nil {
			return err
		}
	}
	return u.SetDeadline(time.Time{})
}

// send writes one message to a host.
func send(u *upstream, m jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	_, err = u.Write(append(line, '\n'))
	return err
}
