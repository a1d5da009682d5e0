package engine

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"baton/backend/page"
)

// site serves one page a path: a title, some rows and whatever body holds.
func site(t *testing.T, body string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>%s</title><h1>%s</h1>%s", r.URL.Path, r.URL.Path, body)
	}))
	t.Cleanup(s.Close)
	return s
}

func start(t *testing.T, cfg Config) *Engine {
	t.Helper()
	cfg.Folder = t.TempDir()
	cfg.Log = slog.New(slog.DiscardHandler)
	e := New(cfg)
	t.Cleanup(func() {
		if err := e.Stop(5 * time.Second); err != nil {
			t.Error(err)
		}
	})
	return e
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

func TestHistoryReturnsToEachPage(t *testing.T) {
	s := site(t, "")
	e := start(t, Config{})
	ctx := within(t, 30*time.Second)
	p, err := e.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/a", "/b"} {
		if _, err := p.Navigate(ctx, s.URL+path); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		delta int
		want  string
	}{{-1, "/a"}, {1, "/b"}, {-1, "/a"}, {1, "/b"}} {
		if _, err := p.History(ctx, step.delta); err != nil {
			t.Fatalf("history %d: %v", step.delta, err)
		}
		v, _, err := p.Evaluate(ctx, "location.pathname", 0)
		if err != nil || string(v) != `"`+step.want+`"` {
			t.Fatalf("history %d: at %s (%v), want %s", step.delta, v, err, step.want)
		}
	}
}

func shot(p *page.Page) page.State { s, _ := p.State.Get(); return s }
