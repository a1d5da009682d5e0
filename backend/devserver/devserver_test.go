package devserver

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// chosen listens on a port that the system would not give out by itself.
func chosen(t *testing.T) net.Listener {
	t.Helper()
	for port := 17300; port < 17900; port++ {
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			t.Cleanup(func() { l.Close() })
			return l
		}
	}
	t.Fatal("no free port")
	return nil
}

func portOf(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

// look asks past the time for which an answer is good.
func look(t *testing.T, f *Finder) []int {
	t.Helper()
	f.mu.Lock()
	f.at = time.Time{}
	f.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	ports, err := f.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return ports
}

func TestWebServersAreFoundAndAskedOnce(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells what listens")
	}
	var asked atomic.Int32
	web := chosen(t)
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Method != http.MethodHead || r.Host != "" || r.Header.Get("Cookie") != "" {
			t.Errorf("it was asked %s %q", r.Method, r.Host)
		}
		http.NotFound(w, r)
	})}
	go s.Serve(web)
	defer s.Close()

	// One that greets is told nothing, one that says nothing is let go of.
	told := make(chan string, 8)
	greets, dumb, own := chosen(t), chosen(t), chosen(t)
	for _, l := range []net.Listener{greets, dumb, own} {
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				if l == greets {
					_, _ = c.Write([]byte("220 mail\r\n"))
				}
				b := make([]byte, 256)
				n, _ := c.Read(b)
				if l != dumb && n > 0 {
					told <- string(b[:n])
				}
				c.Close()
			}
		}()
	}

	f := &Finder{Skip: func(port int) bool { return port == portOf(own) }}
	for range 3 {
		got := look(t, f)
		if !slices.Contains(got, portOf(web)) {
			t.Fatalf("the web server at %d is not among %v", portOf(web), got)
		}
		for _, l := range []net.Listener{greets, dumb, own} {
			if slices.Contains(got, portOf(l)) {
				t.Errorf("%d is no web server to offer", portOf(l))
			}
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the server was asked %d times", n)
	}
	select {
	case s := <-told:
		t.Errorf("a server that is not asked was told %q", s)
	default:
	}

	// Another one on the same port is asked anew; none is forgotten.
	port := portOf(web)
	s.Close()
	if slices.Contains(look(t, f), port) {
		t.Error("a server that has gone is still there")
	}
	again, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	next := &http.Server{Handler: s.Handler}
	go next.Serve(again)
	defer next.Close()
	if !slices.Contains(look(t, f), port) || asked.Load() != 2 {
		t.Errorf("the next server on the port was asked %d times", asked.Load()-1)
	}
}

func TestPortsThatTheSystemGaveOutAreLeftAlone(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells what listens")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	came := make(chan struct{}, 1)
	go func() {
		if c, err := l.Accept(); err == nil {
			c.Close()
			came <- struct{}{}
		}
	}()
	look(t, new(Finder))
	select {
	case <-came:
		t.Error("it was asked")
	default:
	}
}
