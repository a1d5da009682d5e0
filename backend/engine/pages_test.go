package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"baton/backend/cdp"
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
	s := site(t, `<div id=box style="position:fixed;left:0;top:200px;width:100px;height:100px;overflow:auto"><div style="height:900px">tall</div></div>`)
	e := start(t, Config{})
	for range 2 { // in front is the first
		open(t, e, s.URL+"/other")
	}
	p := open(t, e, s.URL+"/behind")
	works := func(when string) {
		t.Helper()
		got := value(t, p, `new Promise(ok => { let n = 0; (function f() { if (++n < 5) requestAnimationFrame(f); else ok([document.visibilityState, document.hasFocus(), outerWidth >= innerWidth, outerHeight >= innerHeight]) })() })`)
		if got != `["visible",true,true,true]` {
			t.Errorf("%s: visible, focused, not larger than its window: %s", when, got)
		}
		for _, scale := range []float64{1, 1, 1, 1.5, 1} {
			if _, err := p.Still(within(t, 10*time.Second), scale, "png", 0); err != nil {
				t.Errorf("%s: a picture at %v: %v", when, scale, err)
			}
		}
		// Only what was drawn tells Chromium that the box is under the wheel.
		value(t, p, `box.scrollTop = 0`)
		for end := time.Now().Add(20 * time.Second); value(t, p, `box.scrollTop > 0`) != "true"; {
			if time.Now().After(end) {
				t.Errorf("%s: the wheel moves nothing", when)
				break
			}
			ctx := within(t, 5*time.Second)
			_ = p.Send(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: 50, Y: 250, DeltaY: 100})
			time.Sleep(50 * time.Millisecond)
		}
	}
	works("new")
	frames := make(chan page.Frame, 64)
	watch := func() {
		t.Helper()
		if err := p.StartCast(within(t, 10*time.Second), 60, 0, 0, func(f page.Frame) { f.Ack(); frames <- f }); err != nil {
			t.Fatal(err)
		}
		select {
		case f := <-frames:
			if c, err := jpeg.DecodeConfig(bytes.NewReader(f.Data)); err != nil || c.Width != 1280 || c.Height != 720 {
				t.Errorf("the stream's first picture: %+v %v", c, err)
			}
		case <-time.After(20 * time.Second):
			t.Error("a page behind another streams nothing")
		}
	}
	watch()
	works("watched")
	if err := p.StopCast(within(t, 10*time.Second)); err != nil {
		t.Fatal(err)
	}
	works("watched no more")
	go func() { _ = p.Session().Call(context.Background(), "Page.crash", nil, nil) }()
	for !shot(p).Crashed {
		time.Sleep(10 * time.Millisecond)
	}
	if _, err := p.Reload(within(t, 20*time.Second), false); err != nil {
		t.Fatal(err)
	}
	works("after a crash")
	for len(frames) > 0 {
		<-frames
	}
	watch()
}

func TestACrashDuringAPictureEndsThatPageAlone(t *testing.T) {
	s := site(t, "")
	e := start(t, Config{})
	other := open(t, e, s.URL+"/other")
	pid, _ := e.Running()
	for n := range 6 {
		p := open(t, e, s.URL+"/crashes")
		_, _ = p.Session().Send(t.Context(), "Page.captureScreenshot", map[string]any{"format": "png", "optimizeForSpeed": true})
		time.Sleep(time.Duration(n) * 4 * time.Millisecond)
		_, _ = p.Session().Send(t.Context(), "Page.crash", nil)
		for end := time.Now().Add(20 * time.Second); !shot(p).Crashed && time.Now().Before(end); {
			time.Sleep(5 * time.Millisecond)
		}
		if got := value(t, other, "location.pathname"); got != `"/other"` {
			t.Fatalf("another page says %s", got)
		}
		if now, ok := e.Running(); !ok || now != pid {
			t.Fatal("Chromium ended with the page")
		}
	}
}

func TestAnUnwatchedPageThatMovesSendsNoPictures(t *testing.T) {
	s := site(t, `<div id=x style="position:absolute;width:50px;height:50px;background:red"></div><script>n=0;(function f(){x.style.left=++n%500+'px';requestAnimationFrame(f)})()</script>`)
	p := open(t, start(t, Config{}), s.URL+"/moves")
	var pictures atomic.Int32
	p.Session().Handle(func(ev cdp.Event) {
		if ev.Method == "Page.screencastFrame" {
			pictures.Add(1)
		}
	})
	err := p.Session().Call(within(t, 30*time.Second), "Runtime.evaluate", map[string]any{
		"expression": `new Promise(ok => { const from = n, i = setInterval(() => { if (n > from + 40) { clearInterval(i); ok(1) } }, 20) })`, "awaitPromise": true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := pictures.Load(); n > 2 {
		t.Errorf("%d pictures came that nobody asked for", n)
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

// The pipe closes before the process is gone: whoever opens a page in between
// gets one of the next Chromium.
func TestAPageOpensHoweverSoonAfterChromiumsDeath(t *testing.T) {
	s := site(t, "")
	e := start(t, Config{})
	for range 5 {
		p := open(t, e, s.URL+"/a")
		pid, _ := e.Running()
		proc, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := proc.Kill(); err != nil {
			t.Fatal(err)
		}
		for i := range 3 { // at once, and once it is heard that the page ended
			again, err := e.Open(within(t, 20*time.Second))
			if err != nil {
				t.Fatalf("page %d after Chromium's death: %v", i, err)
			}
			if i == 0 {
				<-p.Done()
			} else if _, err := again.Navigate(within(t, 20*time.Second), s.URL+"/b"); err != nil {
				t.Errorf("page %d after Chromium's death: %v", i, err)
			}
		}
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
