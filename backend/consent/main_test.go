package consent_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/backend/consent"
	"baton/backend/engine"
	"baton/backend/page"
	"baton/backend/store"
	"baton/backend/tab"
)

// One Chromium and registry serve all tests of the package.
var shared struct {
	once   sync.Once
	tabs   *tab.Registry
	engine *engine.Engine
	guard  *consent.Guard
	stop   func()
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.stop != nil {
		shared.stop()
	}
	os.Exit(code)
}

func start(t testing.TB) *tab.Registry {
	t.Helper()
	shared.once.Do(func() {
		folder, err := os.MkdirTemp("", "consent-")
		if err != nil {
			t.Fatal(err)
		}
		log := slog.New(slog.DiscardHandler)
		if testing.Verbose() {
			log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
		}
		st, err := store.Open(context.Background(), folder)
		if err != nil {
			t.Fatal(err)
		}
		var r *tab.Registry
		e := engine.New(engine.Config{
			Folder: folder + "/profile", Log: log,
			Popup:  func(p, from *page.Page, opener bool) { r.Popup(tab.Shared, p, from, opener) },
			Closed: func(p *page.Page) { r.PageGone(p) },
		})
		shared.guard = consent.New(log)
		r, err = tab.Load(context.Background(), tab.Config{
			Store: st, Log: log, TouchHold: func() time.Duration { return time.Second },
			Engine: func(string) (*engine.Engine, error) { return e, nil },
			Guard:  shared.guard,
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() { _ = r.Serve(ctx); close(ended) }()
		shared.tabs, shared.engine = r, e
		shared.stop = func() {
			r.Stopping()
			cancel()
			<-ended
			_ = e.Stop(5 * time.Second)
			_ = st.Close()
			_ = os.RemoveAll(folder)
		}
	})
	return shared.tabs
}

func site(t testing.TB) string {
	t.Helper()
	s := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

var agent = tab.Actor{Agent: "ada"}

// visit is a tab that an actor opened.
type visit struct {
	t    testing.TB
	r    *tab.Registry
	id   string
	page *page.Page
}

func open(t testing.TB, a tab.Actor) *visit {
	t.Helper()
	r := start(t)
	i, err := r.Open(context.Background(), tab.New{Actor: a})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(context.Background(), i.ID, tab.Actor{}) })
	return &visit{t: t, r: r, id: i.ID}
}

// goTo loads an address as the agent and reads it as the tools do.
func (v *visit) goTo(url string) page.Snapshot {
	v.t.Helper()
	var s page.Snapshot
	v.do(func(ctx context.Context, p *page.Page) error {
		if _, err := p.Navigate(ctx, url); err != nil {
			return err
		}
		shared.guard.Ready(ctx, p)
		var err error
		s, err = p.Snapshot(ctx, page.SnapshotArgs{})
		return err
	})
	return s
}

func (v *visit) do(f func(ctx context.Context, p *page.Page) error) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	err := v.r.Do(ctx, tab.Op{Actor: agent, Tab: v.id, What: "testing"}, func(ctx context.Context, p *page.Page) error {
		v.page = p
		return f(ctx, p)
	})
	if err != nil {
		v.t.Fatal(err)
	}
}

// said gives what the page noted of presses.
func (v *visit) said() string {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	raw, _, err := v.page.Evaluate(ctx, "window.said", 0)
	if err != nil {
		v.t.Fatal(err)
	}
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil {
		v.t.Fatalf("%s: %v", raw, err)
	}
	return strings.Join(list, ", ")
}

// until waits for what the page says.
func (v *visit) until(want string, most time.Duration) {
	v.t.Helper()
	end := time.Now().Add(most)
	for {
		got := v.said()
		if got == want {
			return
		}
		if time.Now().After(end) {
			v.t.Fatalf("the page heard %q, wanted %q", got, want)
		}
		time.Sleep(30 * time.Millisecond)
	}
}

// stays checks that the page hears nothing for a while.
func (v *visit) stays(d time.Duration) {
	v.t.Helper()
	end := time.Now().Add(d)
	for time.Now().Before(end) {
		if got := v.said(); got != "" {
			v.t.Fatalf("the page heard %q", got)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (v *visit) notice(want string) {
	v.t.Helper()
	end := time.Now().Add(2 * time.Second)
	for {
		got := v.r.Notice(v.id)
		if got == want {
			return
		}
		if got != "" || time.Now().After(end) {
			v.t.Fatalf("the notice is %q, wanted %q", got, want)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
