package inject_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/backend/cdp"
	"baton/backend/chromium"
	"baton/backend/inject"
	"baton/backend/outline"
)

var shared struct {
	once    sync.Once
	process *chromium.Process
	err     error
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "baton-inject-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	profile = filepath.Join(dir, "profile")
	code := m.Run()
	if shared.process != nil {
		_ = shared.process.Stop(5 * time.Second)
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

var profile string

// launch starts the one Chromium that all tests share.
func launch(t testing.TB) *chromium.Process {
	t.Helper()
	shared.once.Do(func() {
		path, err := chromium.Find("")
		if err != nil {
			shared.err = err
			return
		}
		shared.process, shared.err = chromium.Launch(context.Background(), chromium.Config{
			Path: path, Profile: profile, Root: os.Getuid() == 0,
		}, slog.New(slog.DiscardHandler))
	})
	if errors.Is(shared.err, chromium.ErrMissing) {
		t.Skip("no Chromium on this computer")
	}
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.process
}

// tab is one page with the bundle in its isolated world.
type tab struct {
	t     testing.TB
	ctx   context.Context
	s     *cdp.Session
	world int64
	next  int
}

type obj = map[string]any

// open loads html into a new tab.
func open(t testing.TB, html string) *tab {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html>"+html)
	}))
	t.Cleanup(srv.Close)
	return visit(t, srv.URL)
}

// fixture loads a page of testdata.
func fixture(t testing.TB, name string) *tab {
	t.Helper()
	srv := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	t.Cleanup(srv.Close)
	return visit(t, srv.URL+"/"+name)
}

func visit(t testing.TB, url string) *tab {
	t.Helper()
	p := launch(t)
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	t.Cleanup(cancel)
	var made struct {
		TargetID string `json:"targetId"`
	}
	b := p.Conn.Browser()
	if err := b.Call(ctx, "Target.createTarget", obj{"url": "about:blank"}, &made); err != nil {
		t.Fatal(err)
	}
	var at struct {
		SessionID string `json:"sessionId"`
	}
	if err := b.Call(ctx, "Target.attachToTarget", obj{"targetId": made.TargetID, "flatten": true}, &at); err != nil {
		t.Fatal(err)
	}
	tb := &tab{t: t, ctx: ctx, s: p.Conn.Attach(at.SessionID), next: 1}
	t.Cleanup(func() {
		c, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = b.Call(c, "Target.closeTarget", obj{"targetId": made.TargetID}, nil)
	})
	loaded, stop := tb.s.Subscribe("Page.loadEventFired")
	defer stop()
	go tb.s.Handle(func(cdp.Event) {})
	tb.must("Page.enable", nil, nil)
	tb.must("Emulation.setDeviceMetricsOverride", obj{"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false}, nil)
	tb.must("Emulation.setFocusEmulationEnabled", obj{"enabled": true}, nil)
	tb.must("Page.navigate", obj{"url": url}, nil)
	select {
	case <-loaded:
	case <-ctx.Done():
		t.Fatal("the page did not load: " + url)
	}
	tb.enter()
	return tb
}

// enter makes the isolated world of the present document.
func (tb *tab) enter() {
	tb.t.Helper()
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	tb.must("Page.getFrameTree", nil, &tree)
	var w struct {
		ID int64 `json:"executionContextId"`
	}
	tb.must("Page.createIsolatedWorld", obj{"frameId": tree.FrameTree.Frame.ID, "worldName": inject.World}, &w)
	tb.world = w.ID
	src, err := inject.Source()
	if err != nil {
		tb.t.Skip(err)
	}
	if err := tb.Load(tb.ctx, src); err != nil {
		tb.t.Fatal(err)
	}
}

func (tb *tab) must(method string, params, result any) {
	tb.t.Helper()
	if params == nil {
		params = obj{}
	}
	if err := tb.s.Call(tb.ctx, method, params, result); err != nil {
		tb.t.Fatalf("%s: %v", method, err)
	}
}

type evaluated struct {
	Result struct {
		Value    json.RawMessage `json:"value"`
		ObjectID string          `json:"objectId"`
	} `json:"result"`
	Exception *struct {
		Text      string `json:"text"`
		Exception struct {
			Description string `json:"description"`
		} `json:"exception"`
	} `json:"exceptionDetails"`
}

func (e *evaluated) into(out any) error {
	if e.Exception != nil {
		return errors.New(e.Exception.Text + " " + e.Exception.Exception.Description)
	}
	if out == nil || len(e.Result.Value) == 0 {
		return nil
	}
	return json.Unmarshal(e.Result.Value, out)
}

func (tb *tab) Call(ctx context.Context, fn string, arg, out any) error {
	var e evaluated
	err := tb.s.Call(ctx, "Runtime.callFunctionOn", obj{
		"functionDeclaration": inject.Function(fn), "executionContextId": tb.world, "awaitPromise": true, "returnByValue": true,
		"arguments": []obj{{"value": arg}},
	}, &e)
	if err != nil {
		return err
	}
	return e.into(out)
}

func (tb *tab) CallNodes(ctx context.Context, fn string, objects []string, out any) error {
	args := make([]obj, len(objects))
	for i, o := range objects {
		args[i] = obj{"objectId": o}
	}
	var e evaluated
	err := tb.s.Call(ctx, "Runtime.callFunctionOn", obj{
		"functionDeclaration": inject.NodesFunction(fn), "executionContextId": tb.world, "awaitPromise": true, "returnByValue": true, "arguments": args,
	}, &e)
	if err != nil {
		return err
	}
	return e.into(out)
}

func (tb *tab) Load(ctx context.Context, source string) error {
	var e evaluated
	if err := tb.s.Call(ctx, "Runtime.evaluate", obj{"expression": source, "contextId": tb.world}, &e); err != nil {
		return err
	}
	return e.into(nil)
}

// eval runs an expression in the page's own world.
func (tb *tab) eval(expr string, out any) {
	tb.t.Helper()
	var e evaluated
	tb.must("Runtime.evaluate", obj{"expression": expr, "awaitPromise": true, "returnByValue": true}, &e)
	if err := e.into(out); err != nil {
		tb.t.Fatalf("%s: %v", expr, err)
	}
}

func (tb *tab) str(expr string) string {
	tb.t.Helper()
	var s string
	tb.eval("String("+expr+")", &s)
	return s
}

// snap walks and renders.
func (tb *tab) snap(a inject.WalkArgs) string {
	tb.t.Helper()
	a.Next = tb.next
	w, err := inject.Walk(tb.ctx, tb, a)
	if err != nil {
		tb.t.Fatal(err)
	}
	if w.Next < tb.next {
		tb.t.Fatalf("next went back from %d to %d", tb.next, w.Next)
	}
	tb.next = w.Next
	budget := a.Budget
	if budget == 0 {
		budget = inject.DefaultBudget
	}
	s := outline.Render(w.Nodes)
	if n := outline.Length(s); n > budget {
		tb.t.Errorf("outline has %d of %d units", n, budget)
	}
	return s
}

// ref finds the ref of a line that starts with `role "name"` in a fresh snapshot.
func (tb *tab) ref(line string) int {
	tb.t.Helper()
	s := tb.snap(inject.WalkArgs{})
	return refIn(tb.t, s, line)
}

func refIn(t testing.TB, s, line string) int {
	t.Helper()
	for l := range strings.SplitSeq(s, "\n") {
		rest, ok := strings.CutPrefix(strings.TrimSpace(l), "- "+line)
		if !ok {
			continue
		}
		var n int
		if _, err := fmt.Sscanf(rest[strings.Index(rest, "[e")+1:], "e%d]", &n); err == nil {
			return n
		}
	}
	t.Fatalf("no ref for %s in\n%s", line, s)
	return 0
}

// mark tells the world about elements with listeners, as package page does.
func (tb *tab) mark() int {
	tb.t.Helper()
	var doc evaluated
	tb.must("Runtime.evaluate", obj{"expression": "document"}, &doc)
	var got struct {
		Listeners []struct {
			Type string `json:"type"`
			Node int64  `json:"backendNodeId"`
		} `json:"listeners"`
	}
	tb.must("DOMDebugger.getEventListeners", obj{"objectId": doc.Result.ObjectID, "depth": -1, "pierce": true}, &got)
	var ids []string
	seen := map[int64]bool{}
	for _, l := range got.Listeners {
		if !inject.IsPress(l.Type) || seen[l.Node] {
			continue
		}
		seen[l.Node] = true
		var r struct {
			Object struct {
				ID string `json:"objectId"`
			} `json:"object"`
		}
		tb.must("DOM.resolveNode", obj{"backendNodeId": l.Node, "executionContextId": tb.world}, &r)
		ids = append(ids, r.Object.ID)
	}
	n, err := inject.Mark(tb.ctx, tb, ids)
	if err != nil {
		tb.t.Fatal(err)
	}
	return n
}

// press clicks with real input at a point.
func (tb *tab) press(p inject.Point) {
	tb.t.Helper()
	tb.must("Input.dispatchMouseEvent", obj{"type": "mouseMoved", "x": p.X, "y": p.Y}, nil)
	tb.must("Input.dispatchMouseEvent", obj{"type": "mousePressed", "x": p.X, "y": p.Y, "button": "left", "clickCount": 1, "buttons": 1}, nil)
	tb.must("Input.dispatchMouseEvent", obj{"type": "mouseReleased", "x": p.X, "y": p.Y, "button": "left", "clickCount": 1}, nil)
}

func contains(t testing.TB, s string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(s, w) {
			t.Errorf("no %q in\n%s", w, s)
		}
	}
}

func lacks(t testing.TB, s string, unwanted ...string) {
	t.Helper()
	for _, w := range unwanted {
		if strings.Contains(s, w) {
			t.Errorf("%q in\n%s", w, s)
		}
	}
}
