package probe

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Site serves the pages on two ports of loopback, so that pages can hold frames
// of another site, and notes what the pages tell: what an agent believes about
// its success counts for nothing.
type Site struct {
	Base string // "http://127.0.0.1:PORT"

	other   int // the second port, reached as localhost
	servers []*http.Server
	asked   atomic.Int64

	mu    sync.Mutex
	heard map[string]string // the last thing told under each name, as JSON
}

// answerAfter is how long the site takes to answer what a page tells.
const answerAfter = 30 * time.Millisecond

// NewSite starts a site.
func NewSite() (*Site, error) {
	s := &Site{heard: map[string]string{}}
	var ports [2]int
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			s.Close()
			return nil, err
		}
		ports[i] = l.Addr().(*net.TCPAddr).Port
		web := &http.Server{Handler: s, IdleTimeout: time.Minute, ReadHeaderTimeout: 10 * time.Second}
		s.servers = append(s.servers, web)
		go func() { _ = web.Serve(l) }()
	}
	s.Base, s.other = fmt.Sprintf("http://127.0.0.1:%d", ports[0]), ports[1]
	return s, nil
}

// Close ends the site.
func (s *Site) Close() {
	for _, web := range s.servers {
		_ = web.Close()
	}
}

// Heard gives what pages told last under a name, as JSON; "" is nothing.
func (s *Site) Heard(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard[name]
}

// Forget drops all that was heard.
func (s *Site) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.heard)
}

// ServeHTTP answers one request.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked.Add(1)
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	switch r.URL.Path {
	case "/favicon.ico":
		w.WriteHeader(http.StatusNoContent)
	case "/tell":
		var told struct {
			Name string
			Data json.RawMessage
		}
		b, err := io.ReadAll(io.LimitReader(r.Body, 1<<16))
		if err == nil && json.Unmarshal(b, &told) == nil {
			s.mu.Lock()
			s.heard[told.Name] = string(told.Data)
			s.mu.Unlock()
		}
		time.Sleep(answerAfter)
		_, _ = io.WriteString(w, "noted")
	case "/figures":
		h.Set("Content-Type", "application/json")
		var v [8]int
		for i := range v {
			v[i] = rand.IntN(1000)
		}
		_ = json.NewEncoder(w).Encode(v)
	case "/look.css":
		h.Set("Content-Type", "text/css")
		_, _ = io.WriteString(w, look)
	case "/common.js":
		h.Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, common)
	default:
		make, ok := pages[strings.TrimPrefix(r.URL.Path, "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h.Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, make(s, r))
	}
}

// number reads a number of the query.
func number(r *http.Request, name string, fallback int) int {
	if n, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil && n >= 0 {
		return n
	}
	return fallback
}
