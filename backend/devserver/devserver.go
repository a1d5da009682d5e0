// Package devserver finds web servers that the person runs on this computer, for
// the address bar to offer.
//
// [Finder.List] gives those that listen now. What listens is read from the
// system where it tells; each socket is asked once, for as long as it lives,
// whether it speaks HTTP: by a request without a body, a name or credentials.
// Ports that the system gave out by itself, and ports of services that are known
// to be none, are never asked.
package devserver

import (
	"bufio"
	"context"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	askWait  = 800 * time.Millisecond // bounds the asking of one port
	quiet    = 60 * time.Millisecond  // a server that speaks before it is asked is no web server
	fresh    = 2 * time.Second        // for so long an answer of List is good
	asksMost = 48                     // ports asked in one List; the others come with the next
	atOnce   = 8
)

// socket is something that listens on loopback. The number tells it from a
// later one on the same port; 0 where the system does not tell.
type socket struct {
	port   int
	number uint64
}

// Finder knows what was found. Its zero value is ready.
type Finder struct {
	// Skip tells ports that are not asked: Baton's own. Nil is none. Set it before
	// the first List.
	Skip func(port int) bool

	mu    sync.Mutex // one look at a time
	known map[socket]bool
	at    time.Time
	last  []int
}

// List gives the ports on loopback where a web server answers, the lowest first.
// It takes at most a second or so, and ends with ctx.
func (f *Finder) List(ctx context.Context) ([]int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.at) < fresh {
		return slices.Clone(f.last), nil
	}
	open, err := listening(ctx)
	if err != nil {
		return nil, err
	}
	now := make(map[socket]bool, len(open))
	var unknown []socket
	for _, s := range open {
		if services[s.port] || f.Skip != nil && f.Skip(s.port) {
			continue
		}
		web, asked := f.known[s]
		switch {
		case asked:
			now[s] = web
		case len(unknown) < asksMost:
			unknown = append(unknown, s)
		}
	}
	for s, web := range askAll(ctx, unknown) {
		now[s] = web
	}
	f.known = now
	f.last = f.last[:0]
	for s, web := range now {
		if web && !slices.Contains(f.last, s.port) {
			f.last = append(f.last, s.port)
		}
	}
	slices.Sort(f.last)
	f.at = time.Now()
	return slices.Clone(f.last), ctx.Err()
}

// askAll asks sockets, a few at once. One that was not asked for want of time is
// not among the answers.
func askAll(ctx context.Context, all []socket) map[socket]bool {
	var (
		mu    sync.Mutex
		work  sync.WaitGroup
		out   = make(map[socket]bool, len(all))
		slots = make(chan struct{}, atOnce)
	)
	for _, s := range all {
		work.Go(func() {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return
			}
			defer func() { <-slots }()
			web := speaksHTTP(ctx, s.port)
			if ctx.Err() != nil {
				return
			}
			mu.Lock()
			out[s] = web
			mu.Unlock()
		})
	}
	work.Wait()
	return out
}

// speaksHTTP asks one port. What listens there may be anything.
func speaksHTTP(ctx context.Context, port int) bool {
	ctx, cancel := context.WithTimeout(ctx, askWait)
	defer cancel()
	conn := dial(ctx, port)
	if conn == nil {
		return false
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	r := bufio.NewReader(conn)
	_ = conn.SetReadDeadline(time.Now().Add(quiet))
	if _, err := r.Peek(1); !isTimeout(err) {
		return false // it greets, or hangs up
	}
	end, _ := ctx.Deadline()
	_ = conn.SetDeadline(end)
	// Without a Host line: servers of other protocols take it for an attack.
	if _, err := conn.Write([]byte("HEAD /favicon.ico HTTP/1.0\r\nAccept: */*\r\n\r\n")); err != nil {
		return false
	}
	head, err := r.Peek(5)
	return err == nil && string(head) == "HTTP/"
}

func dial(ctx context.Context, port int) net.Conn {
	var d net.Dialer
	for _, host := range []string{"127.0.0.1", "::1"} {
		if c, err := d.DialContext(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port))); err == nil {
			return c
		}
	}
	return nil
}

func isTimeout(err error) bool {
	n, ok := err.(net.Error)
	return ok && n.Timeout()
}

// services are ports of well-known services that are no web servers, or none to
// be looked at in a browser (debuggers).
var services = func() map[int]bool {
	out := map[int]bool{}
	for _, s := range strings.Fields(`1080 1433 1521 1883 2049 2181 2375 2376 2379 3306 3389 4222 4369 5060 5222 5353 5432 5433 5671 5672
		5900 5901 5984 6000 6379 6380 7000 7001 7687 8125 9042 9092 9222 9229 9418 11211 25672 26257 27017 27018 27019 33060`) {
		n, _ := strconv.Atoi(s)
		out[n] = true
	}
	return out
}()
