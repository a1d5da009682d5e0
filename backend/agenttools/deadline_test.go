package agenttools

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/backend/fault"
)

// Every tool answers by its deadline plus one second whatever the page does,
// says the way out, and other tabs do not notice (A5).

// callTimes is each tool with arguments for the page of stuckPage, its refs
// put in, and its deadline in milliseconds.
func callTimes(refs map[string]string) []struct {
	tool, args string
	most       time.Duration
} {
	arg := func(s string, names ...any) string {
		for i, n := range names {
			names[i] = refs[n.(string)]
		}
		return fmt.Sprintf(s, names...)
	}
	const ms = time.Millisecond
	return []struct {
		tool, args string
		most       time.Duration
	}{
		{"browser_click", arg(`{"target":%q,"timeout_ms":1500}`, "Go"), 1500 * ms},
		{"browser_click", `{"target":{"x":20,"y":20},"timeout_ms":1500}`, 1500 * ms},
		{"browser_hover", arg(`{"target":%q,"timeout_ms":1500}`, "Go"), 1500 * ms},
		{"browser_drag", arg(`{"from":%q,"to":%q,"timeout_ms":1500}`, "Go", "Name"), 1500 * ms},
		{"browser_scroll", `{"timeout_ms":1500}`, 1500 * ms},
		{"browser_type", arg(`{"target":%q,"text":"x","timeout_ms":1500}`, "Name"), 1500 * ms},
		{"browser_press", `{"keys":"a","timeout_ms":1500}`, 1500 * ms},
		{"browser_fill", arg(`{"fields":[{"target":%q,"text":"x"}],"timeout_ms":1500}`, "Name"), 1500 * ms},
		{"browser_select", arg(`{"target":%q,"values":["B"],"timeout_ms":1500}`, "Size"), 1500 * ms},
		{"browser_check", arg(`{"target":%q,"checked":true,"timeout_ms":1500}`, "Gift"), 1500 * ms},
		{"browser_upload", arg(`{"target":%q,"files":["a.txt"],"timeout_ms":1500}`, "File"), 1500 * ms},
		{"browser_wait", `{"text":"never","timeout_ms":1500}`, 1500 * ms},
		{"browser_wait", `{"function":"() => false","timeout_ms":1500}`, 1500 * ms},
		{"browser_wait", `{"quiet":200,"timeout_ms":1500}`, 1500 * ms},
		{"browser_evaluate", `{"expression":"1","timeout_ms":1500}`, 1500 * ms},
		{"browser_script", `{"code":"return await evaluate('1')","timeout_ms":1500}`, 1500 * ms},
		{"browser_snapshot", `{}`, lookWait},
		{"browser_read", `{}`, lookWait},
		{"browser_screenshot", `{}`, lookWait},
		{"browser_console", `{}`, 5 * time.Second},
		{"browser_environment", `{"width":900,"height":700}`, 10 * time.Second},
		{"browser_dialog", `{"accept":true}`, 10 * time.Second},
		{"browser_tabs", `{}`, time.Second},
	}
}

const stuckPage = `<title>Stuck</title><button onclick="run('click')">Go</button><input aria-label=Name><select aria-label=Size><option>A<option>B</select>
<label><input type=checkbox> Gift</label><label>File <input type=file></label><div style="height:3000px"></div><script>const run = () => {}</script>`

// stuck is a tab to be stuck and a healthy one beside it.
type stuck struct {
	*desk
	bad, good string
	refs      map[string]string
	ping      func() time.Duration
}

func (d *desk) stick(page string) *stuck {
	d.t.Helper()
	dir := d.t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("x"), 0o600); err != nil {
		d.t.Fatal(err)
	}
	d.Files = func(context.Context) []string { return []string{dir} }
	s := &stuck{desk: d, refs: map[string]string{}}
	// The healthy tab is of another site, so that it has a process of its own.
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/good" {
			fmt.Fprint(w, "<!doctype html><title>Good</title><button>Fine</button>")
			return
		}
		fmt.Fprint(w, "<!doctype html>", page)
	}))
	d.t.Cleanup(web.Close)
	port := web.URL[strings.LastIndex(web.URL, ":")+1:]
	d.must("browser_open", fmt.Sprintf(`{"url":"http://localhost:%s/good"}`, port))
	s.good, _ = d.tab("")
	text := d.must("browser_open", fmt.Sprintf(`{"url":"http://127.0.0.1:%s/"}`, port)).Text
	s.bad, _ = d.tab("")
	for _, name := range []string{"Go", "Name", "Size", "Gift", "File"} {
		s.refs[name] = d.ref(text, `"`+name)
	}
	other := NewThread(&Deps{Tabs: d.deps.Tabs, Log: slog.New(slog.DiscardHandler)}, d.agent)
	s.ping = func() time.Duration {
		start := time.Now()
		for _, x := range Tools() {
			if x.Name == "browser_snapshot" {
				if r, err := x.Call(context.Background(), other, json.RawMessage(fmt.Sprintf(`{"tab":%q}`, s.good))); err != nil || !strings.Contains(r.Text, "Fine") {
					d.t.Errorf("the other tab: %v %s", err, r.Text)
				}
			}
		}
		return time.Since(start)
	}
	return s
}

// ends calls a tool on the stuck tab and says how it ended; meanwhile the other tab is read.
func (s *stuck) ends(tool, args string, most time.Duration) (string, *fault.Fault) {
	s.t.Helper()
	start := time.Now()
	done := make(chan time.Duration, 1)
	go func() {
		time.Sleep(100 * time.Millisecond)
		done <- s.ping()
	}()
	args = strings.Replace(args, "{", fmt.Sprintf(`{"tab":%q,`, s.bad), 1)
	args = strings.Replace(args, ",}", "}", 1)
	if tool == "browser_tabs" {
		args = "{}"
	}
	r, err := s.call(tool, args)
	took := time.Since(start)
	if took > most+time.Second {
		s.t.Errorf("%s %s answered after %v, and had %v", tool, args, took.Round(time.Millisecond), most)
	}
	if other := <-done; other > 2*time.Second {
		s.t.Errorf("during %s the other tab answered after %v", tool, other.Round(time.Millisecond))
	}
	if err == nil {
		return r.Text, nil
	}
	f := fault.From(err)
	if f.Message == "" || f.Code.Next() == "" && f.Next == "" {
		s.t.Errorf("%s %s gave %v, without a way out", tool, args, err)
	}
	return "", f
}

// free makes the tab usable again: the way out that the errors name.
func (s *stuck) free() {
	s.t.Helper()
	start := time.Now()
	r, err := s.call("browser_navigate", fmt.Sprintf(`{"tab":%q,"action":"reload"}`, s.bad))
	if err != nil || time.Since(start) > loadWait+time.Second || !strings.Contains(r.Text, `button "Go"`) {
		s.t.Fatalf("reloading after %v: %v %s", time.Since(start), err, r.Text)
	}
}

// each runs f for every tool call, with the refs of the tab's present document.
func (s *stuck) each(f func(tool, args string, most time.Duration)) {
	s.t.Helper()
	outer := s.t
	for i := range callTimes(s.refs) {
		c := callTimes(s.refs)[i]
		outer.Run(c.tool, func(t *testing.T) {
			s.t, s.desk.t = t, t
			f(c.tool, c.args, c.most)
		})
		s.t, s.desk.t = outer, outer
	}
}

// again reads the tab's refs anew.
func (s *stuck) again() {
	s.t.Helper()
	text := s.must("browser_snapshot", fmt.Sprintf(`{"tab":%q}`, s.bad)).Text
	for name := range s.refs {
		s.refs[name] = s.ref(text, `"`+name)
	}
}

func (s *stuck) js(expression string) {
	s.t.Helper()
	s.must("browser_evaluate", fmt.Sprintf(`{"tab":%q,"expression":%q}`, s.bad, expression))
}

func TestABusyPageHoldsNoToolUp(t *testing.T) {
	s := scripting(t).stick(stuckPage)
	s.each(func(tool, args string, most time.Duration) {
		if os.Getenv("BATON_LONG") == "" && (tool == "browser_read" || tool == "browser_screenshot" || tool == "browser_environment") {
			return // each takes its whole 10 or 15 seconds, as browser_snapshot does
		}
		// Busy for good from a moment on, as a page with a mistake in it is.
		s.js("setTimeout(() => { while (true); }, 30); 1")
		time.Sleep(80 * time.Millisecond)
		_, f := s.ends(tool, args, most)
		switch tool {
		case "browser_console", "browser_tabs": // these do not need the page's thread
			if f != nil {
				s.t.Errorf("%v", f)
			}
		case "browser_dialog":
			if f == nil || f.Code != fault.NoDialog {
				s.t.Errorf("%v", f)
			}
		case "browser_environment":
		default:
			if f == nil || !slices.Contains([]fault.Code{fault.PageBusy, fault.Timeout, fault.ScriptLimit, fault.ScriptError}, f.Code) {
				s.t.Errorf("%v", f)
			}
		}
		s.free()
		s.again()
	})
}

func TestACrashEndsEveryToolAtOnce(t *testing.T) {
	s := scripting(t).stick(stuckPage)
	s.each(func(tool, args string, most time.Duration) {
		p, err := s.deps.Tabs.Page(context.Background(), s.bad)
		if err != nil {
			s.t.Fatal(err)
		}
		gone := p.Done() // of this life: the tool itself may load the page again
		// Busy, so that the tool is at work when the process ends.
		s.js("setTimeout(() => { const end = performance.now() + 600; while (performance.now() < end); }, 20); 1")
		go func() {
			time.Sleep(150 * time.Millisecond)
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			_ = p.Session().Call(ctx, "Page.crash", nil, nil)
		}()
		_, f := s.ends(tool, args, most)
		if f != nil && !slices.Contains([]fault.Code{fault.PageCrashed, fault.NoDialog, fault.ScriptError, fault.TargetGone}, f.Code) {
			s.t.Errorf("%v", f)
		}
		<-gone
		// The next use loads the page again and says so; older refs are gone.
		r, err := s.call("browser_snapshot", fmt.Sprintf(`{"tab":%q}`, s.bad))
		if err != nil {
			s.t.Fatal(err)
		}
		if tool != "browser_script" && !strings.Contains(r.Text, "loaded again; refs from before are stale") {
			s.t.Errorf("the crash is not told: %s", r.Text)
		}
		if _, err := s.call("browser_click", fmt.Sprintf(`{"tab":%q,"target":%q}`, s.bad, s.refs["Go"])); !fault.Is(err, fault.TargetGone) {
			s.t.Errorf("an older ref: %v", err)
		}
		s.again()
	})
}

func TestAnAlertStormHoldsNoToolUp(t *testing.T) {
	s := scripting(t).stick(strings.Replace(stuckPage, "const run = () => {}", "const run = () => { for (let i = 0; ; i++) alert('again ' + i) }", 1))
	text, f := s.ends("browser_click", fmt.Sprintf(`{"target":%q,"timeout_ms":1500}`, s.refs["Go"]), 1500*time.Millisecond)
	if f != nil || !strings.Contains(text, `alert "again 0"`) {
		t.Fatalf("%v %s", f, text)
	}
	for i := 1; i < 6; i++ {
		text, f := s.ends("browser_dialog", `{"accept":true}`, 10*time.Second)
		if f != nil || !strings.Contains(text, fmt.Sprintf("again %d", i)) {
			t.Fatalf("%v %s", f, text)
		}
	}
	s.each(func(tool, args string, most time.Duration) {
		if tool == "browser_dialog" {
			return
		}
		_, f := s.ends(tool, args, 500*time.Millisecond)
		if tool == "browser_console" || tool == "browser_tabs" {
			if f != nil {
				s.t.Errorf("%v", f)
			}
		} else if f == nil || f.Code != fault.DialogOpen && f.Code != fault.ScriptError || !strings.Contains(f.Error()+f.Next+f.Code.Next(), "browser_dialog") {
			s.t.Errorf("%v, next %s", f, f.Next)
		}
	})
	start := time.Now()
	s.must("browser_close", fmt.Sprintf(`{"tab":%q}`, s.bad))
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("closing took %v", took)
	}
}

func TestAPageThatAsksBeforeItLeaves(t *testing.T) {
	s := scripting(t).stick(stuckPage + `<script>addEventListener('beforeunload', e => e.preventDefault())</script>`)
	s.must("browser_click", fmt.Sprintf(`{"target":%q}`, s.refs["Go"])) // only a page that was used may ask
	for _, args := range []string{`{"action":"reload"}`, `{"url":"about:blank"}`, `{"url":"http://127.0.0.1:1/"}`} {
		text, f := s.ends("browser_navigate", args, loadWait)
		if f != nil || !strings.Contains(text, "beforeunload") {
			t.Errorf("%s: %v %s", args, f, text)
		}
		if text, f := s.ends("browser_dialog", `{"accept":false}`, 10*time.Second); f != nil || strings.Contains(text, "Another dialog") {
			t.Errorf("%v %s", f, text)
		}
		if text, f := s.ends("browser_snapshot", `{}`, lookWait); f != nil || !strings.Contains(text, `button "Go"`) {
			t.Errorf("it left: %v %s", f, text)
		}
	}
	start := time.Now()
	s.must("browser_close", fmt.Sprintf(`{"tab":%q}`, s.bad))
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("closing took %v", took)
	}
}

func TestAPageThatNeverEndsLoading(t *testing.T) {
	end := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wait := func() {
			w.(http.Flusher).Flush()
			select {
			case <-end:
			case <-r.Context().Done():
			}
		}
		switch r.URL.Path {
		case "/hang":
			select {
			case <-end:
			case <-r.Context().Done():
			}
		case "/events":
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: one\n\n")
			wait()
		case "/endless": // the document itself never ends
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><title>Endless</title><button onclick=\"this.textContent='Pressed'\">Go</button><input aria-label=Name>", strings.Repeat("<!-- -->", 2000))
			wait()
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!doctype html><title>Waiting</title><button onclick="this.textContent='Pressed'">Go</button><input aria-label=Name><img src=/hang><iframe src=/hang title=Slow></iframe>
<script>new EventSource('/events'); fetch('/hang'); setInterval(() => fetch('/hang').catch(() => {}), 500)</script>`)
		}
	}))
	t.Cleanup(func() { close(end); web.CloseClientConnections(); web.Close() })
	for _, path := range []string{"/", "/endless"} {
		d := sit(t)
		start := time.Now()
		r, err := d.call("browser_open", fmt.Sprintf(`{"url":%q}`, web.URL+path))
		if took := time.Since(start); err != nil || took > loadWait+time.Second {
			t.Fatalf("%s after %v: %v", path, took, err)
		}
		if !strings.Contains(r.Text, "still loading") || !strings.Contains(r.Text, `button "Go"`) {
			t.Errorf("%s: %s", path, r.Text)
		}
		for _, c := range []struct{ tool, args, says string }{
			{"browser_click", `{"target":{"role":"button"}}`, "Pressed"},
			{"browser_type", `{"target":{"label":"Name"},"text":"Ana"}`, `"Ana"`},
			{"browser_wait", `{"text":"Pressed"}`, "Met"},
			{"browser_snapshot", `{}`, "Pressed"},
			{"browser_read", `{}`, ""},
			{"browser_evaluate", `{"expression":"document.title"}`, ""},
			{"browser_wait", `{"quiet":200,"timeout_ms":3000}`, ""},
			{"browser_navigate", `{"action":"stop"}`, "Pressed"},
		} {
			start := time.Now()
			r, err := d.call(c.tool, c.args)
			if took := time.Since(start); err != nil || took > 6*time.Second || !strings.Contains(r.Text, c.says) {
				t.Errorf("%s: %s after %v: %v %s", path, c.tool, took.Round(time.Millisecond), err, r.Text)
			}
		}
		start = time.Now()
		if _, err := d.call("browser_wait", `{"load":"load","timeout_ms":1000}`); time.Since(start) > 2*time.Second {
			t.Errorf("waiting for the load took %v: %v", time.Since(start), err)
		}
	}
}

func TestAHugePageIsAnsweredInTime(t *testing.T) {
	d := sit(t)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Huge</title><button onclick="this.textContent='Pressed'">Go</button><input aria-label=Name><script>
for (let i = 0; i < 25000; i++) { const p = document.createElement('p'); p.innerHTML = '<b>Row</b> <a href="#'+i+'">number '+i+'</a> <i>end</i>'; document.body.append(p) }
const last = document.createElement('button'); last.textContent = 'The last one'; last.onclick = () => last.textContent = 'Found'; document.body.append(last)</script>`)
	}))
	t.Cleanup(web.Close)
	d.must("browser_open", fmt.Sprintf(`{"url":%q}`, web.URL))
	if n := d.must("browser_evaluate", `{"expression":"document.querySelectorAll('*').length > 100000"}`).Text; n != "true" {
		t.Fatal("the page is too small")
	}
	for _, c := range []struct {
		tool, args, says string
		most             time.Duration
	}{
		{"browser_snapshot", `{}`, `button "Go"`, lookWait},
		{"browser_snapshot", `{"query":"number 24000"}`, "number 24000", lookWait},
		{"browser_read", `{"query":"number 12345"}`, "12345", lookWait},
		{"browser_click", `{"target":{"role":"button","name":"Go"}}`, "Pressed", actWait},
		{"browser_click", `{"target":{"text":"The last one"}}`, "Found", actWait},
		{"browser_type", `{"target":{"label":"Name"},"text":"Ana"}`, `"Ana"`, actWait},
		{"browser_wait", `{"text":"number 24999"}`, "Met", 10 * time.Second},
		{"browser_scroll", `{"to":"bottom"}`, "end is reached", actWait},
		{"browser_screenshot", `{}`, "Picture", lookWait},
	} {
		start := time.Now()
		r, err := d.call(c.tool, c.args)
		if took := time.Since(start); err != nil || took > c.most+time.Second || !strings.Contains(r.Text, c.says) {
			t.Errorf("%s %s after %v: %v %.400s", c.tool, c.args, took.Round(time.Millisecond), err, r.Text)
		} else if len(r.Text) > mostText {
			t.Errorf("%s gave %d characters", c.tool, len(r.Text))
		}
	}
}
