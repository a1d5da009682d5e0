package link

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"
)

// startWait bounds the start of a host.
const startWait = 20 * time.Second

// Dial connects to the host of a socket that runs already.
func Dial(ctx context.Context, socket string, g Greeting) (*Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, err
	}
	if err := checkPeer(c); err != nil {
		c.Close()
		return nil, err
	}
	g.Version = Version
	if err := writeLine(c, g); err != nil {
		c.Close()
		return nil, err
	}
	return &Conn{Conn: c, R: bufio.NewReader(c)}, nil
}

// ErrSilent says that a host ended while it started and did not say why: it was
// killed.
var ErrSilent = errors.New("it ended without a word")

// Connect connects to the host, started when none runs. start begins a host
// process and returns at once, with a channel that tells why it ended if it
// does; several clients may start one together, since all but one host give way
// (ErrTaken). After one that was killed (ErrSilent) it starts another, once.
func Connect(ctx context.Context, socket string, g Greeting, start func() (ended <-chan error, err error)) (*Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	var last error
	var ended <-chan error
	begun, again := time.Time{}, false
	for wait := 2 * time.Millisecond; ; wait = min(wait*2, 50*time.Millisecond) {
		c, err := Dial(ctx, socket, g)
		if err == nil {
			return c, nil
		}
		last = err
		// A host that is just ending keeps its data folder a moment longer: then
		// the new one gives way and is started again.
		if time.Since(begun) > 1500*time.Millisecond {
			begun = time.Now()
			var err error
			if ended, err = start(); err != nil {
				return nil, fmt.Errorf("starting Baton's host: %w", err)
			}
		}
		select {
		case why := <-ended:
			ended = nil
			switch {
			case errors.Is(why, ErrSilent) && !again:
				again, begun = true, time.Time{}
			case why != nil && !errors.Is(why, ErrTaken):
				return nil, fmt.Errorf("the host could not start: %w", why)
			}
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, fmt.Errorf("the host did not start (%w); its log is in the data folder", last)
		}
	}
}

// Listen opens the socket. The caller holds the data folder's lock, so a
// socket file that is there belongs to a dead host.
func Listen(socket string) (net.Listener, error) {
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, err
	}
	return l, os.Chmod(socket, 0o600)
}
