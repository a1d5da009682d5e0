package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
)

func open(t *testing.T, e *Engine, url string) *page.Page {
	t.Helper()
	ctx := within(t, 30*time.Second)
	p, err := e.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if url != "" {
		if _, err := p.Navigate(ctx, url); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func value(t *testing.T, p *page.Page, expr string) string {
	t.Helper()
	v, _, err := p.Evaluate(within(t, 15*time.Second), expr, 0)
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return string(v)
}

func TestPagesSeePlainChromium(t *testing.T) {
	var mu sync.Mutex
	heads := map[string]http.Header{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		heads[r.URL.Path] = r.Header.Clone()
		mu.Unlock()
		switch r.URL.Path {
		case "/w.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `postMessage([navigator.userAgent, navigator.webdriver === true, (navigator.userAgentData?.brands ?? []).map(b=>b.brand).join()])`)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<title>t</title><iframe src="/frame"></iframe>`)
		}
	}))
	t.Cleanup(s.Close)
	p := open(t, start(t, Config{}), s.URL+"/page")
	for name, expr := range map[string]string{
		"page":   `[navigator.userAgent, navigator.webdriver === true, navigator.userAgentData.brands.map(b=>b.brand).join()]`,
		"frame":  `(() => { const n = frames[0].navigator; return [n.userAgent, n.webdriver === true, n.userAgentData.brands.map(b=>b.brand).join()] })()`,
		"worker": `new Promise(ok => { const w = new Worker('/w.js'); w.onmessage = e => ok(e.data) })`,
	} {
		var got []any
		if err := json.Unmarshal([]byte(value(t, p, expr)), &got); err != nil {
			t.Fatal(err)
		}
		if ua := got[0].(string); strings.Contains(ua, "Headless") || !strings.Contains(ua, "Chrome/") || !strings.Contains(ua, ".0.0.0 ") {
			t.Errorf("%s: user agent %q", name, ua)
		}
		if got[1] != false {
			t.Errorf("%s: navigator.webdriver is true", name)
		}
		if !strings.Contains(got[2].(string), "Chromium") || strings.Contains(got[2].(string), "Headless") {
			t.Errorf("%s: brands %v", name, got[2])
		}
	}
	full := value(t, p, `(async()=>(await navigator.userAgentData.getHighEntropyValues(['fullVersionList'])).fullVersionList.map(b=>b.version).join())()`)
	if !strings.Contains(full, ".") || strings.Count(full, ",") != 1 {
		t.Errorf("full versions: %s", full)
	}
	mu.Lock()
	defer mu.Unlock()
	brands := value(t, p, `navigator.userAgentData.brands.map(b=>'"'+b.brand+'";v="'+b.version+'"').join(', ')`)
	var want string
	if err := json.Unmarshal([]byte(brands), &want); err != nil {
		t.Fatal(err)
	}
	for path, h := range heads {
		if path != "/page" && path != "/frame" {
			continue // Chromium itself sends no brands with a worker's script
		}
		if strings.Contains(h.Get("User-Agent"), "Headless") {
			t.Errorf("%s was asked for as %q", path, h.Get("User-Agent"))
		}
		if got := h.Get("Sec-Ch-Ua"); got != want {
			t.Errorf("%s: Sec-CH-UA %q, the page says %q", path, got, want)
		}
	}
}

func TestBackgroundPagesWorkFully(t *testing.T) {
	s := site(t, "<script>n=0;(function f(){n++;requestAnimationFrame(f)})()</script>")
	e := start(t, Config{})
	first := open(t, e, s.URL+"/first")
	open(t, e, s.URL+"/second")
	got := value(t, first, `(async()=>{const a=n; await new Promise(r=>setTimeout(r,500)); return [document.visibilityState, document.hasFocus(), n>a]})()`)
	if got != `["visible",true,true]` {
		t.Fatalf("a background page: visibility, focus, animation frames: %s", got)
	}
	if _, err := first.Still(within(t, 10*time.Second), 1, "jpeg", 60); err != nil {
		t.Fatalf("screenshot of a background page: %v", err)
	}
}

func TestPopupsAreToldWithTheirOpener(t *testing.T) {
	s := site(t, "")
	type pop struct {
		p, from *page.Page
		opener  bool
	}
	got := make(chan pop, 8)
	e := start(t, Config{Popup: func(p, from *page.Page, opener bool) { got <- pop{p, from, opener} }})
	p := open(t, e, s.URL+"/opener")
	for _, c := range []struct {
		script string
		opener bool
	}{
		{`window.open('/child'); 1`, true},
		{`window.open('/child', '_blank', 'noopener'); 1`, false},
	} {
		value(t, p, c.script)
		select {
		case g := <-got:
			if g.from != p || g.opener != c.opener {
				t.Errorf("%s: from the opener %v, connected %v", c.script, g.from == p, g.opener)
			}
			for shot(g.p).URL != s.URL+"/child" || shot(g.p).Loading {
				time.Sleep(20 * time.Millisecond)
			}
			if has := value(t, g.p, "!!opener"); has != fmt.Sprint(c.opener) {
				t.Errorf("%s: the popup has an opener: %s", c.script, has)
			}
			for _, x := range []*page.Page{p, g.p} {
				if _, err := x.Still(within(t, 10*time.Second), 1, "jpeg", 60); err != nil {
					t.Errorf("%s: a picture after it: %v", c.script, err)
				}
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: no popup was told", c.script)
		}
	}
}

func TestChromiumIsStartedAgainAfterItsDeath(t *testing.T) {
	s := site(t, "")
	closed := make(chan *page.Page, 4)
	e := start(t, Config{Closed: func(p *page.Page) { closed <- p }})
	p := open(t, e, s.URL+"/a")
	pid, _ := e.Running()
	proc, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error, 1)
	go func() {
		_, _, err := p.Evaluate(context.Background(), "new Promise(()=>{})", 0)
		waiting <- err
	}()
	time.Sleep(100 * time.Millisecond)
	if err := proc.Kill(); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-waiting:
		if !fault.Is(err, fault.PageCrashed) && !fault.Is(err, fault.TargetGone) {
			t.Errorf("a call that was under way ended as %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("a call hangs after Chromium's death")
	}
	if got := <-closed; got != p {
		t.Error("another page was told as closed")
	}
	if again := open(t, e, s.URL+"/b"); value(t, again, "location.pathname") != `"/b"` {
		t.Error("the new Chromium does not browse")
	}
}

func TestARendererCrashEndsWhatRunsOnIt(t *testing.T) {
	s := site(t, "")
	p := open(t, start(t, Config{}), s.URL+"/a")
	go func() { _ = p.Session().Call(context.Background(), "Page.crash", nil, nil) }()
	_, _, err := p.Evaluate(within(t, 10*time.Second), "new Promise(()=>{})", 0)
	if !fault.Is(err, fault.PageCrashed) {
		t.Fatalf("ended as %v, want page_crashed", err)
	}
	if !shot(p).Crashed {
		t.Error("the state does not say that the page crashed")
	}
	if _, err := p.Reload(within(t, 20*time.Second), false); err != nil {
		t.Fatalf("loading it again: %v", err)
	}
	if value(t, p, "location.pathname") != `"/a"` {
		t.Error("another page came back")
	}
}

func TestChromiumIsSilentAtStart(t *testing.T) {
	// Whatever is asked for goes to this proxy; nothing may come.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	asked := make(chan string, 16)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			b := make([]byte, 300)
			n, _ := c.Read(b)
			asked <- string(b[:n])
			c.Close()
		}
	}()
	e := start(t, Config{Proxy: l.Addr().String()})
	open(t, e, "about:blank")
	select {
	case what := <-asked:
		line, _, _ := strings.Cut(what, "\r\n")
		t.Fatalf("Chromium called out at its start: %s", line)
	case <-time.After(6 * time.Second):
	}
}

func TestNoDebuggingPortIsOpen(t *testing.T) {
	e := start(t, Config{})
	open(t, e, "")
	pid, _ := e.Running()
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(line), "remote-debugging-port") {
		t.Fatal("Chromium was started with a debugging port")
	}
	if !strings.Contains(string(line), "remote-debugging-pipe") {
		t.Fatal("Chromium was not started on a pipe")
	}
}

func TestAPageThatLoadsItselfOverAndOverClosesSoon(t *testing.T) {
	e := start(t, Config{})
	for _, script := range []string{
		`const n = () => location.replace('/' + Math.random()); setInterval(n, 1); n()`,
		`location.replace('/' + Math.random())`, `location.replace('/' + Math.random())`, `location.replace('/' + Math.random())`, `location.replace('/?' + Math.random())`,
		`setInterval(() => location.replace('#' + Math.random()), 0)`,
		`onbeforeunload = () => { location.replace('/' + Math.random()) }; setInterval(() => location.replace('/' + Math.random()), 5)`,
		`setTimeout(() => location.replace(location.href), 20)`,
		`onload = () => location.replace('/' + Math.random())`,
	} {
		s := site(t, "<script>"+script+"</script>")
		p := open(t, e, "")
		_ = p.Session().Call(within(t, 10*time.Second), "Page.navigate", map[string]any{"url": s.URL}, nil)
		time.Sleep(300 * time.Millisecond) // it is at it
		began := time.Now()
		ctx := within(t, 20*time.Second)
		if err := e.Close(ctx, p); err != nil || ctx.Err() != nil {
			t.Fatalf("closing: %v, %v", err, ctx.Err())
		}
		t.Logf("closed after %v", time.Since(began).Round(time.Millisecond))
	}
}

func TestWhatAKilledChromiumWasSavingIsThrownAway(t *testing.T) {
	downloads, folder := t.TempDir(), t.TempDir()
	cfg := Config{Folder: folder, Downloads: downloads}
	dir := New(cfg).arrivals()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(downloads, incoming, "0123456789ab")
	if err := os.MkdirAll(other, 0o700); err != nil {
		t.Fatal(err)
	}
	const grows = "0a1b2c3d-0a1b-4c2d-8e3f-0123456789ab"
	for _, path := range []string{filepath.Join(dir, grows), filepath.Join(dir, grows+".crdownload"), filepath.Join(dir, "notes.txt"), filepath.Join(other, grows)} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg.Log = slog.New(slog.DiscardHandler)
	e := New(cfg)
	t.Cleanup(func() { _ = e.Stop(5 * time.Second) })
	open(t, e, "")
	for path, stays := range map[string]bool{
		filepath.Join(dir, grows): false, filepath.Join(dir, grows+".crdownload"): false,
		filepath.Join(dir, "notes.txt"): true, filepath.Join(other, grows): true,
	} {
		if _, err := os.Stat(path); (err == nil) != stays {
			t.Errorf("%s stays: %v, want %v", filepath.Base(path), err == nil, stays)
		}
	}
}

func TestAnUnusedEngineRestsAndStartsAgain(t *testing.T) {
	s := site(t, "")
	e := start(t, Config{})
	p := open(t, e, s.URL+"/a")
	if rested, _ := e.Rest(0, 5*time.Second); rested {
		t.Fatal("it rested with a page open")
	}
	if err := e.Close(within(t, 10*time.Second), p); err != nil {
		t.Fatal(err)
	}
	if rested, err := e.Rest(0, 5*time.Second); !rested || err != nil {
		t.Fatalf("rested %v, %v", rested, err)
	}
	if _, ok := e.Running(); ok {
		t.Error("its Chromium still runs")
	}
	if again := open(t, e, s.URL+"/b"); value(t, again, "location.pathname") != `"/b"` {
		t.Error("it does not start again")
	}
}
