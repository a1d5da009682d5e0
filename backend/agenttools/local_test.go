package agenttools

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/tab"
)

// withFiles gives the agent a folder of files.
func withFiles(d *desk, files map[string]string) (dir string) {
	d.t.Helper()
	dir, err := filepath.EvalSymlinks(d.t.TempDir())
	if err != nil {
		d.t.Fatal(err)
	}
	for name, text := range files {
		put(d.t, filepath.Join(dir, name), text)
	}
	d.Files = func(context.Context) []string { return []string{dir} }
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func quote(s string) string { b, _ := json.Marshal(s); return string(b) }

// origin gives the address at which the current tab's page really lies.
func (d *desk) origin() string {
	d.t.Helper()
	return d.words(d.must("browser_evaluate", `{"expression":"location.origin"}`).Data["value"])
}

func (d *desk) words(v any) string {
	d.t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		d.t.Fatal(err)
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		s = string(raw)
	}
	return s
}

// until runs a reading until it says a word.
func (d *desk) until(name, args, word string) string {
	d.t.Helper()
	end := time.Now().Add(20 * time.Second)
	for {
		r, err := d.call(name, args)
		if err == nil && strings.Contains(r.Text, word) {
			return r.Text
		}
		if time.Now().After(end) {
			d.t.Fatalf("%s never says %q: %s %v", name, word, r.Text, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

const site = `<!doctype html><title>Report</title><link rel=stylesheet href=css/x.css><h1>Sales</h1><script type=module src=m.js></script><img src=undeclared.png><iframe src=part.html title=Part></iframe>`

func TestALocalFileOpensWithItsAssets(t *testing.T) {
	d := sit(t)
	dir := withFiles(d, map[string]string{
		"site/a.html": site, "site/css/x.css": "h1{color:rgb(1,2,3)}", "site/m.js": "import {w} from './n.js'; document.querySelector('h1').textContent += w; localStorage.x = 1",
		"site/n.js": "export const w = ' rise'", "site/undeclared.png": "x", "site/part.html": "<p>A part",
	})
	r := d.must("browser_open", `{"path":"site/a.html","assets":["css/x.css","site/m.js","n.js",`+quote(dir+"/site/part.html")+`]}`)
	for _, want := range []string{"Opened", "file://" + dir + "/site/a.html", "Report", "A part", "blocked: site/undeclared.png"} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("the result does not hold %q: %s", want, r.Text)
		}
	}
	d.until("browser_snapshot", `{}`, "Sales rise")
	if c := d.words(d.must("browser_evaluate", `{"expression":"getComputedStyle(document.querySelector('h1')).color+document.cookie"}`).Data["value"]); c != "rgb(1, 2, 3)" {
		t.Errorf("the style sheet was not applied: %s", c)
	}
	d.until("browser_console", `{}`, "site/undeclared.png")
	d.until("browser_console", `{}`, "blocked: site/undeclared.png is not part of this preview")

	// A script of the page gets its own files, and no others.
	get := func(path string) string {
		return d.words(d.must("browser_evaluate", `{"expression":`+quote("fetch("+quote(path)+").then(r => r.status)")+`}`).Data["value"])
	}
	for path, want := range map[string]string{"/site/n.js": "200", "/site/undeclared.png": "403", "/": "403", "/site/..%2fa": "403", "/site/%2e%2e%2f%2e%2e%2fetc%2fpasswd": "403"} {
		if got := get(path); got != want {
			t.Errorf("the page gets %s for %s, want %s", got, path, want)
		}
	}
	// No worker gets anything.
	worker := `new Promise(done => { const w = new Worker("/site/n.js", {type:"module"}); w.onerror = () => done("refused"); setTimeout(() => done("runs"), 1500) })`
	if got := d.words(d.must("browser_evaluate", `{"expression":`+quote(worker)+`}`).Data["value"]); got != "refused" {
		t.Errorf("a worker %s", got)
	}
	service := `navigator.serviceWorker.register("/site/n.js").then(() => "runs", () => "refused")`
	if got := d.words(d.must("browser_evaluate", `{"expression":`+quote(service)+`}`).Data["value"]); got != "refused" {
		t.Errorf("a service worker %s", got)
	}
	// It loads again as long as it is the same.
	if r := d.must("browser_navigate", `{"action":"reload"}`); !strings.Contains(r.Text, "Sales") {
		t.Errorf("after a reload: %s", r.Text)
	}
	put(t, dir+"/site/n.js", "export const w = ' fall'")
	if got := get("/site/n.js"); got != "409" {
		t.Errorf("a changed asset gives %s", got)
	}
	put(t, dir+"/site/a.html", site+" ")
	if r := d.must("browser_navigate", `{"action":"reload"}`); !strings.Contains(r.Text, "changed since it was opened") {
		t.Errorf("a changed file: %s", r.Text)
	}
	if r := d.must("browser_navigate", `{"path":"site/a.html"}`); !strings.Contains(r.Text, "Sales") {
		t.Errorf("opened again: %s", r.Text)
	}
}

func TestAPreviewIsItsTabsAlone(t *testing.T) {
	d := sit(t)
	dir := withFiles(d, map[string]string{"a.html": "<title>Mine</title><p>private words", "b.html": "<title>Other</title><p>b"})
	d.must("browser_open", `{"path":"a.html"}`)
	origin := d.origin()
	address := origin + "/a.html"
	mine := told[string](t, d.must("browser_tabs", `{}`), "current")

	// An agent cannot open it by its address, whatever form it has.
	port := origin[strings.LastIndexByte(origin, ':'):]
	for _, u := range []string{address, strings.ToUpper(origin) + "/a.html", "http://127.0.0.1" + port + "/a.html", "http://localhost" + port + "/"} {
		if _, err := d.call("browser_open", `{"url":`+quote(u)+`}`); !fault.Is(err, fault.SchemeNotAllowed) {
			t.Errorf("%s: %v", u, err)
		}
	}
	// Another preview's page gets nothing of it, and neither does a web page.
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/to" {
			http.Redirect(w, r, address, http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Evil</title><p>evil")
	}))
	t.Cleanup(evil.Close)
	for _, open := range []string{`{"path":"b.html"}`, `{"url":` + quote(evil.URL) + `}`} {
		d.must("browser_open", open)
		script := `Promise.all([fetch(` + quote(address) + `).then(r => r.text(), () => "refused"), fetch(` + quote(address) + `, {mode:"no-cors"}).then(r => r.type, () => "refused"),
			new Promise(done => { const f = document.createElement("iframe"); f.src = ` + quote(address) + `; f.onload = () => { let got = "closed"; try { got = f.contentDocument ? f.contentDocument.body.innerText : "closed" } catch {} done(got) }; document.body.append(f) })])`
		got := d.words(d.must("browser_evaluate", `{"expression":`+quote(script)+`}`).Data["value"])
		if strings.Contains(got, "private words") {
			t.Errorf("%s reads the file: %s", open, got)
		}
		if r := d.must("browser_snapshot", `{}`); strings.Contains(r.Text, "private words") {
			t.Errorf("%s shows the file: %s", open, r.Text)
		}
		// Going there itself shows a refusal.
		_, _ = d.call("browser_evaluate", `{"expression":`+quote("setTimeout(() => { location.href = "+quote(address)+" }, 0); 0")+`}`)
		d.until("browser_snapshot", `{}`, "belongs to another tab")
	}
	// A redirect from elsewhere carries nothing.
	d.must("browser_open", `{"url":`+quote(evil.URL+"/to")+`}`)
	if r := d.must("browser_snapshot", `{}`); strings.Contains(r.Text, "private words") {
		t.Errorf("a redirect shows the file: %s", r.Text)
	}
	// In its own tab it still works; when the tab leaves, it ends.
	d.must("browser_snapshot", `{"tab":`+quote(mine)+`}`)
	if r := d.must("browser_navigate", `{"action":"reload"}`); !strings.Contains(r.Text, "private words") {
		t.Errorf("in its own tab: %s", r.Text)
	}
	d.must("browser_navigate", `{"url":`+quote(evil.URL)+`}`)
	got := d.words(d.must("browser_evaluate", `{"expression":`+quote("fetch("+quote(address)+", {mode:'no-cors'}).then(() => 'answered', () => 'refused')")+`}`).Data["value"])
	if r := d.must("browser_snapshot", `{}`); strings.Contains(r.Text+got, "private words") {
		t.Errorf("after leaving: %s %s", got, r.Text)
	}
	// Going back is the tab's own history.
	if r := d.must("browser_navigate", `{"action":"back"}`); !strings.Contains(r.Text, "file://"+dir+"/a.html") {
		t.Errorf("back: %s", r.Text)
	}
	d.until("browser_snapshot", `{}`, "private words")

	// No result of this session held the capability.
	i, err := shared.tabs.Get(mine, tab.Actor{Agent: t.Name()})
	if err != nil || i.URL != "file://"+dir+"/a.html" {
		t.Errorf("the tab's address is %q (%v)", i.URL, err)
	}
	secret := capability(t, d, mine)
	for _, call := range [][2]string{{"browser_tabs", `{}`}, {"browser_console", `{}`}, {"browser_snapshot", `{"urls":true}`}, {"browser_evaluate", `{"expression":"location.href + JSON.stringify(performance.getEntries())"}`}} {
		r := d.must(call[0], call[1])
		if raw, _ := json.Marshal(r.Data); strings.Contains(r.Text+string(raw), secret) {
			t.Errorf("%s holds the capability", call[0])
		}
	}
}

// capability is the secret that opens the preview of a tab.
func capability(t *testing.T, d *desk, id string) (secret string) {
	t.Helper()
	err := d.on(context.Background(), id, tab.Op{What: "looking", Reads: true}, 10*time.Second, func(_ context.Context, p *page.Page) error {
		_, secret = p.Local().Header()
		return nil
	})
	if err != nil || len(secret) < 40 {
		t.Fatalf("no capability: %v", err)
	}
	return secret
}

func TestOnlyFilesThatTheAgentWasGivenOpen(t *testing.T) {
	d := sit(t)
	dir := withFiles(d, map[string]string{"a.html": "<title>Inside</title><p>inside", "b.txt": "text", "sub/c.html": "c", "Q.PDF": "%PDF-1.4"})
	out := filepath.Join(t.TempDir(), "out.html")
	put(t, out, "outside words")
	for name, target := range map[string]string{"link.html": out, "in.html": dir + "/a.html"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for args, code := range map[string]fault.Code{
		`{"path":` + quote(out) + `}`:                                fault.FileNotAllowed,
		`{"path":"link.html"}`:                                       fault.FileNotAllowed,
		`{"path":"../` + filepath.Base(dir) + `x/a.html"}`:           fault.FileNotAllowed,
		`{"path":"none.html"}`:                                       fault.FileNotAllowed,
		`{"path":"sub"}`:                                             fault.FileNotAllowed,
		`{"path":"/etc/passwd"}`:                                     fault.FileNotAllowed,
		`{"path":"b.txt"}`:                                           fault.Unsupported,
		`{"path":"a.html","assets":["/etc/passwd"]}`:                 fault.FileNotAllowed,
		`{"path":"a.html","assets":["sub"]}`:                         fault.FileNotAllowed,
		`{"path":"a.html","assets":["link.html"]}`:                   fault.FileNotAllowed,
		`{"path":"a.html","url":"https://example.com"}`:              fault.BadArguments,
		`{"url":"https://example.com","assets":["a.html"]}`:          fault.BadArguments,
		`{"url":` + quote("file://"+out) + `}`:                       fault.SchemeNotAllowed,
		`{"url":"file:///etc/passwd"}`:                               fault.SchemeNotAllowed,
		`{"url":` + quote("view-source:file://"+dir+"/a.html") + `}`: fault.SchemeNotAllowed,
	} {
		for _, name := range []string{"browser_open", "browser_navigate"} {
			if _, err := d.call(name, args); !fault.Is(err, code) {
				t.Errorf("%s %s: %v, want %s", name, args, err, code)
			}
			for _, i := range shared.tabs.List(d.actor()) {
				if i.Mine {
					t.Errorf("%s %s leaves tab %s behind", name, args, i.ID)
				}
			}
		}
	}
	for _, args := range []string{
		`{"path":"a.html"}`, `{"path":` + quote(dir+"/a.html") + `}`, `{"url":` + quote("file://"+dir+"/a.html") + `}`, `{"path":` + quote("file://"+dir+"/a.html") + `}`,
		`{"file":"./a.html"}`, `{"filePath":"sub/../a.html","assetPaths":"sub/c.html"}`, `{"path":"in.html"}`,
	} {
		if r, err := d.call("browser_open", args); err != nil || !strings.Contains(r.Text, "inside") {
			t.Errorf("%s: %s %v", args, r.Text, err)
		}
	}
	if r := d.must("browser_navigate", `{"path":"sub/c.html"}`); !strings.Contains(r.Text, "file://"+dir+"/sub/c.html") {
		t.Errorf("navigating: %s", r.Text)
	}
	d.Files = nil
	if _, err := d.call("browser_open", `{"path":"a.html"}`); !fault.Is(err, fault.FileNotAllowed) {
		t.Errorf("without folders: %v", err)
	}
}
