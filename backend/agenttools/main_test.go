package agenttools

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"baton/backend/access"
	"baton/backend/card"
	"baton/backend/engine"
	"baton/backend/handover"
	"baton/backend/page"
	"baton/backend/preview"
	"baton/backend/store"
	"baton/backend/tab"
	"baton/backend/tool"
	"baton/backend/upload"
)

// desk is an agent's thread over a real registry and a real Chromium.
type desk struct {
	*Thread
	t *testing.T
}

// shared is one Chromium and registry for all tests of the package.
var shared struct {
	tabs      *tab.Registry
	preview   *preview.Server
	stop      func()
	downloads string
	handover  *handover.Desk
	cards     card.Deck
	uploads   *upload.Store
	rules     atomic.Pointer[map[string]access.Rule] // of agents with less than full access
}

func ruleOf(agent string) access.Rule {
	if m := shared.rules.Load(); m != nil {
		if r, ok := (*m)[agent]; ok {
			return r
		}
	}
	return access.Rule{Mode: access.Full}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.stop != nil {
		shared.stop()
	}
	os.Exit(code)
}

func start(t *testing.T) *tab.Registry {
	t.Helper()
	if shared.tabs != nil {
		return shared.tabs
	}
	folder, err := os.MkdirTemp("", "agenttools-")
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	st, err := store.Open(context.Background(), folder)
	if err != nil {
		t.Fatal(err)
	}
	var r *tab.Registry
	e := engine.New(engine.Config{
		Folder: folder + "/profile", Downloads: folder + "/downloads", Log: log,
		Popup:  func(p, from *page.Page, opener bool) { r.Popup(tab.Shared, p, from, opener) },
		Closed: func(p *page.Page) { r.PageGone(p) },
	})
	if shared.uploads, err = upload.New(folder + "/uploads"); err != nil {
		t.Fatal(err)
	}
	files := preview.New(log)
	r, err = tab.Load(context.Background(), tab.Config{
		Store: st, Log: log, Access: ruleOf, Cards: &shared.cards, TouchHold: func() time.Duration { return time.Second },
		Engine: func(string) (*engine.Engine, error) { return e, nil }, Preview: files,
	})
	if err != nil {
		t.Fatal(err)
	}
	if shared.handover, err = handover.Load(context.Background(), handover.Config{Tabs: r, Cards: &shared.cards, Store: st, Log: log}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	changed, stop := r.State.Watch()
	go func() { _ = shared.handover.Serve(ctx) }()
	go func() { _ = shared.uploads.Follow(ctx, changed, r.IsOpen); stop() }()
	go func() { _ = r.Serve(ctx); close(ended) }()
	shared.tabs, shared.preview, shared.downloads = r, files, folder+"/downloads"
	shared.stop = func() {
		r.Stopping()
		cancel()
		<-ended
		_ = e.Stop(5 * time.Second)
		_ = files.Close()
		_ = st.Close()
		_ = os.RemoveAll(folder)
	}
	return r
}

// sit gives an agent of the test's own name a thread.
func sit(t *testing.T) *desk {
	t.Helper()
	th := NewThread(&Deps{Tabs: start(t), Uploads: shared.uploads, Handover: shared.handover, Owns: func(u string) bool { return shared.preview.Owns(u) }, Log: slog.New(slog.DiscardHandler)}, t.Name())
	t.Cleanup(func() {
		for _, i := range shared.tabs.List(tab.Actor{Agent: t.Name()}) {
			if i.Mine {
				_ = shared.tabs.Close(context.Background(), i.ID, tab.Actor{})
			}
		}
	})
	return &desk{th, t}
}

// call runs a tool with arguments as an agent would write them.
func (d *desk) call(name, args string) (tool.Result, error) {
	d.t.Helper()
	for _, x := range Tools() {
		if x.Name == name {
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()
			return x.Call(ctx, d.Thread, json.RawMessage(args))
		}
	}
	d.t.Fatalf("there is no tool %s", name)
	return tool.Result{}, nil
}

func (d *desk) must(name, args string) tool.Result {
	d.t.Helper()
	r, err := d.call(name, args)
	if err != nil {
		d.t.Fatalf("%s %s: %v", name, args, err)
	}
	return r
}

// open shows pages by path and opens the first; "{port}" in them becomes the port.
func (d *desk) open(pages map[string]string) (base, snapshot string) {
	d.t.Helper()
	var port string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html>"+strings.ReplaceAll(body, "{port}", port))
	}))
	port = s.URL[strings.LastIndex(s.URL, ":")+1:]
	d.t.Cleanup(s.Close)
	base = "http://127.0.0.1:" + port
	r := d.must("browser_open", fmt.Sprintf(`{"url":%q}`, base+"/"))
	return base, r.Text
}

// ref finds the ref on the first line that holds all the parts.
func (d *desk) ref(text string, parts ...string) string {
	d.t.Helper()
	for line := range strings.Lines(text) {
		ok := true
		for _, p := range parts {
			ok = ok && strings.Contains(line, p)
		}
		if m := inBrackets.FindStringSubmatch(line); ok && m != nil {
			return m[1]
		}
	}
	d.t.Fatalf("no line with %q in\n%s", parts, text)
	return ""
}

// told gives a fact of a result as clients get it: what the tools made it of is
// theirs, and differs once secret values are known.
func told[T any](t *testing.T, r tool.Result, name string) T {
	t.Helper()
	var v T
	if b, err := json.Marshal(r.Data[name]); err != nil || json.Unmarshal(b, &v) != nil {
		t.Fatalf("%s is %v: %v", name, r.Data[name], err)
	}
	return v
}

// saved is a download as results tell it.
type saved struct {
	State, Path string
	Bytes       int
}
