package page_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/backend/engine"
	"baton/backend/page"
)

// One Chromium serves all tests of the package; each test has a page of its own.
var (
	once    sync.Once
	shared  *engine.Engine
	popups  = make(chan *page.Page, 16)
	profile string
)

func TestMain(m *testing.M) {
	code := m.Run()
	if shared != nil {
		_ = shared.Stop(5 * time.Second)
		_ = os.RemoveAll(profile)
	}
	os.Exit(code)
}

func browser(t *testing.T) *engine.Engine {
	t.Helper()
	once.Do(func() {
		var err error
		if profile, err = os.MkdirTemp("", "page-test-"); err != nil {
			t.Fatal(err)
		}
		shared = engine.New(engine.Config{
			Folder: profile, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
			Popup: func(p, _ *page.Page, _ bool) {
				select {
				case popups <- p:
				default:
				}
			},
		})
		// In front of every page that is tested: all has to work behind it.
		if _, err := shared.Open(context.Background()); err != nil {
			t.Fatal(err)
		}
	})
	return shared
}

// site serves pages by path; "{port}" in them becomes the port. The same server is reached as 127.0.0.1 and localhost,
// which are two sites.
func site(t *testing.T, pages map[string]string) (base string) {
	t.Helper()
	var port string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if wait := r.URL.Query().Get("wait"); wait != "" {
			if d, err := time.ParseDuration(wait); err == nil {
				time.Sleep(d)
			}
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.ReplaceAll(body, "{port}", port))
	}))
	port = s.URL[strings.LastIndex(s.URL, ":")+1:]
	t.Cleanup(s.Close)
	return "http://127.0.0.1:" + port
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// show opens a page of one document, with the given body.
func show(t *testing.T, body string) *page.Page {
	t.Helper()
	return goTo(t, site(t, map[string]string{"/": "<!doctype html><title>Test</title>" + body})+"/")
}

func goTo(t *testing.T, url string) *page.Page {
	t.Helper()
	ctx := within(t, 30*time.Second)
	p, err := browser(t).Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = shared.Close(ctx, p)
	})
	if _, err := p.Navigate(ctx, url); err != nil {
		t.Fatal(err)
	}
	return p
}

func look(t *testing.T, p *page.Page) string {
	t.Helper()
	s, err := p.Snapshot(within(t, 10*time.Second), page.SnapshotArgs{})
	if err != nil {
		t.Fatal(err)
	}
	return s.Text
}

// ref finds the ref on the first line that holds all the parts.
func ref(t *testing.T, outline string, parts ...string) page.Target {
	t.Helper()
	for line := range strings.Lines(outline) {
		ok := true
		for _, part := range parts {
			ok = ok && strings.Contains(line, part)
		}
		if i := strings.Index(line, "[e"); ok && i >= 0 {
			var n int
			if _, err := fmt.Sscanf(line[i:], "[e%d]", &n); err == nil {
				return page.Target{Ref: n}
			}
		}
	}
	t.Fatalf("no line with %q in\n%s", parts, outline)
	return page.Target{}
}

// js reads a value from the page's own world, as JSON.
func js(t *testing.T, p *page.Page, expression string) string {
	t.Helper()
	v, _, err := p.Evaluate(within(t, 10*time.Second), expression, 0)
	if err != nil {
		t.Fatal(err)
	}
	return string(v)
}
