package cli

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/backend/link"
	"baton/backend/paths"
)

// program is the built command; TestMain makes it.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "baton-cli-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "baton")
	build := exec.Command("go", "build", "-o", program, "baton")
	build.Stderr = os.Stderr
	code := 1
	if err := build.Run(); err == nil {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// desk is a data folder and what runs on it.
type desk struct {
	t    *testing.T
	data string
}

func newDesk(t *testing.T) *desk {
	d := &desk{t: t, data: t.TempDir()}
	t.Cleanup(func() {
		for _, pid := range d.processes() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		d.wait("every process ends", func() bool { return len(d.processes()) == 0 })
	})
	return d
}

// processes gives the processes whose command line names the data folder.
func (d *desk) processes() []int {
	var out []int
	dirs, _ := os.ReadDir("/proc")
	for _, e := range dirs {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err == nil && strings.Contains(string(line), d.data) {
			out = append(out, pid)
		}
	}
	return out
}

// ofHost gives the host's process and those of its Chromium.
func (d *desk) ofHost() []int {
	return slices.DeleteFunc(d.processes(), func(pid int) bool {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return bytes.Contains(line, []byte("\x00mcp\x00"))
	})
}

// anyOf tells whether one of some processes still runs.
func (d *desk) anyOf(pids []int) bool {
	return slices.ContainsFunc(d.processes(), func(pid int) bool { return slices.Contains(pids, pid) })
}

func (d *desk) wait(what string, ok func() bool) {
	d.t.Helper()
	for end := time.Now().Add(15 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			d.t.Fatalf("never came: %s", what)
		}
	}
}

// agent connects the official SDK's client through `baton mcp`.
func (d *desk) agent(args ...string) *sdk.ClientSession {
	d.t.Helper()
	cmd := exec.Command(program, append([]string{"mcp", "--data-dir", d.data}, args...)...)
	cmd.Dir = d.t.TempDir()
	ctx, cancel := context.WithTimeout(d.t.Context(), 30*time.Second)
	defer cancel()
	s, err := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil).Connect(ctx, &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = s.Close() })
	return s
}

func call(t *testing.T, s *sdk.ClientSession, name string, args map[string]any) (string, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	r, err := s.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var b strings.Builder
	for _, c := range r.Content {
		if x, ok := c.(*sdk.TextContent); ok {
			b.WriteString(x.Text)
		}
	}
	return b.String(), r.IsError
}

func must(t *testing.T, s *sdk.ClientSession, name string, args map[string]any) string {
	t.Helper()
	text, bad := call(t, s, name, args)
	if bad {
		t.Fatalf("%s: %s", name, text)
	}
	return text
}

func web(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>page %s</title><h1>%s</h1><button onclick='this.textContent=\"Done\"'>Go</button>", r.URL.Path, r.URL.Path)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestAHostEndsSoonAfterItsLastClient(t *testing.T) {
	d, url := newDesk(t), web(t)
	one, two := d.agent(), d.agent()
	must(t, one, "browser_open", map[string]any{"url": url + "/a"})
	if list := must(t, two, "browser_tabs", nil); !strings.Contains(list, "/a") {
		t.Errorf("another connection of the same agent sees %q", list)
	}
	_ = one.Close()
	must(t, two, "browser_evaluate", map[string]any{"expression": "1"})
	_ = two.Close()
	start := time.Now()
	d.wait("the host and Chromium end", func() bool { return len(d.processes()) == 0 })
	t.Logf("ended %v after the last client", time.Since(start).Round(10*time.Millisecond))
	if list := must(t, d.agent(), "browser_tabs", nil); !strings.Contains(list, url+"/a") {
		t.Errorf("the next host has %q", list)
	}
}

func TestAgentsSeeEachOthersTabsOnlyByName(t *testing.T) {
	d, url := newDesk(t), web(t)
	ada, bob := d.agent("--agent", "ada"), d.agent("--agent", "bob")
	must(t, ada, "browser_open", map[string]any{"url": url + "/secret-of-ada"})
	list := must(t, bob, "browser_tabs", nil)
	if strings.Contains(list, "secret-of-ada") || !strings.Contains(list, "ada's") {
		t.Errorf("bob sees %q", list)
	}
	if text, bad := call(t, bob, "browser_navigate", map[string]any{"tab": "t1", "url": url}); !bad || !strings.HasPrefix(text, "not_your_tab: ") {
		t.Errorf("bob navigates ada's tab: %q", text)
	}
}

func TestAKilledHostLeavesNothingAndComesBackWithItsTabs(t *testing.T) {
	d, url := newDesk(t), web(t)
	a := d.agent()
	must(t, a, "browser_open", map[string]any{"url": url + "/kept"})
	left := d.ofHost()
	if len(left) < 3 {
		t.Fatalf("host and Chromium are %v", left)
	}
	d.killHost()
	d.wait("Chromium ends with its host", func() bool { return !d.anyOf(left) })
	b := d.agent()
	if list := must(t, b, "browser_tabs", nil); !strings.Contains(list, "page /kept") {
		t.Errorf("after kill -9: %q", list)
	}
	if v := must(t, b, "browser_evaluate", map[string]any{"expression": "location.pathname"}); v != `"/kept"` {
		t.Errorf("the restored tab is at %s", v)
	}
}

func TestASecondHostGivesWay(t *testing.T) {
	d := newDesk(t)
	d.agent()
	out, err := exec.Command(program, "host", "--data-dir", d.data).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "another Baton has this data folder") {
		t.Fatalf("a second host: %v, %q", err, out)
	}
}

func TestAHostEndsWhenItsDataFolderIsGone(t *testing.T) {
	d := newDesk(t)
	cmd := exec.Command(program, "host", "--data-dir", d.data)
	said := &strings.Builder{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d.wait("the host has its lock", func() bool { return link.Owner(d.data) == cmd.Process.Pid })
	socket, err := paths.Socket(d.data)
	if err != nil {
		t.Fatal(err)
	}
	var c *link.Conn
	d.wait("it listens", func() bool {
		c, err = link.Dial(t.Context(), socket, options{}.greeting(link.Control, "test"))
		return err == nil
	})
	defer c.Close()
	if err := os.RemoveAll(d.data); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(said.String(), "was deleted or replaced") {
			t.Errorf("it ended with %v and said %q", err, said)
		}
	case <-time.After(20 * time.Second):
		t.Error("it goes on without its folder")
		_ = cmd.Process.Kill()
	}
	if _, err := os.Stat(d.data); err == nil {
		list, _ := filepath.Glob(filepath.Join(d.data, "*"))
		t.Logf("it left %v", list)
	}
}

func TestManyClientsStartOneHost(t *testing.T) {
	d := newDesk(t)
	const n = 6
	done := make(chan error, n)
	socket, err := paths.Socket(d.data)
	if err != nil {
		t.Fatal(err)
	}
	o := options{data: d.data}
	for range n {
		go func() {
			c, err := link.Connect(t.Context(), socket, o.greeting(link.Control, "test"), func() (<-chan error, error) {
				cmd := exec.Command(program, "host", "--data-dir", d.data)
				detach(cmd)
				err := cmd.Start()
				go func() { _ = cmd.Wait() }()
				return nil, err
			})
			if err == nil {
				_, err = c.Ask(t.Context(), link.Ask{Do: link.AskStatus})
				defer time.AfterFunc(time.Second, func() { c.Close() })
			}
			done <- err
		}()
	}
	for range n {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	d.wait("one host is left", func() bool { return len(d.processes()) == 1 })
}

func TestAddressesOfBatonAreClosedToAgents(t *testing.T) {
	d := newDesk(t)
	socket, err := paths.Socket(d.data)
	if err != nil {
		t.Fatal(err)
	}
	a := d.agent()
	c, err := link.Dial(t.Context(), socket, options{}.greeting(link.Control, "serve"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ui, err := c.Ask(t.Context(), link.Ask{Do: link.AskEndpoint})
	if err != nil {
		t.Fatal(err)
	}
	port := ui.URL[strings.LastIndexByte(ui.URL, ':'):]
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "127.1", "0x7f.1", "baton.localhost", "2130706433", "0.0.0.0"} {
		if text, bad := call(t, a, "browser_open", map[string]any{"url": "http://" + host + port + "/?code=" + ui.Code}); !bad {
			t.Errorf("%s: %.80q", host, text)
		}
	}
	r, err := http.Get(ui.URL + "/?code=" + ui.Code)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("the code was used up by the attempts: %s", r.Status)
	}
}

// A page of an agent's tab does not come to Baton's own addresses by a link, a
// redirect, a frame, a popup or a request, whether it was there before or after
// Baton began to listen.
func TestPagesNeverComeToBatonsOwnAddresses(t *testing.T) {
	d := newDesk(t)
	socket, err := paths.Socket(d.data)
	if err != nil {
		t.Fatal(err)
	}
	var own string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>outside</title><p>outside`)
	}))
	t.Cleanup(s.Close)
	a := d.agent()
	must(t, a, "browser_open", map[string]any{"url": s.URL})
	c, err := link.Dial(t.Context(), socket, options{}.greeting(link.Control, "serve"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ui, err := c.Ask(t.Context(), link.Ask{Do: link.AskEndpoint})
	if err != nil {
		t.Fatal(err)
	}
	port := ui.URL[strings.LastIndexByte(ui.URL, ':'):]
	inside := func(text string) bool {
		return strings.Contains(text, "Not signed in") || strings.Contains(text, "baton serve") || strings.Contains(text, "Baton</")
	}
	for _, tab := range []string{"before", "after"} {
		if tab == "after" {
			must(t, a, "browser_open", map[string]any{"url": s.URL})
		}
		for _, host := range []string{"127.0.0.1", "localhost", "baton.localhost", "127.1", "2130706433", "0.0.0.0"} {
			own = "http://" + host + port + "/?code=" + ui.Code
			got := must(t, a, "browser_evaluate", map[string]any{"expression": `(async () => {
				const own = ` + strconv.Quote(own) + `, said = [];
				await fetch(own, {mode: 'no-cors'}).then(() => said.push('fetch'), () => 0);
				await new Promise(done => { const w = new WebSocket(own.replace('http', 'ws').replace('/?', '/ws?')); w.onopen = () => { said.push('socket'); done() }; w.onerror = w.onclose = done });
				const b = URL.createObjectURL(new Blob(['fetch(' + JSON.stringify(own) + ', {mode: "no-cors"}).then(() => postMessage("worker"), () => postMessage(""))']));
				await new Promise(done => { const w = new Worker(b); w.onmessage = e => { if (e.data) said.push(e.data); done() }; w.onerror = done });
				const f = document.body.appendChild(document.createElement('iframe'));
				await new Promise(done => { f.onload = done; f.src = own; setTimeout(done, 3000) });
				return said.join();
			})()`, "timeout_ms": 25000})
			if got != `""` {
				t.Errorf("%s the interface was served, a page reaches %s by %s", tab, host, got)
			}
			if text, _ := call(t, a, "browser_snapshot", nil); inside(text) {
				t.Errorf("a frame shows %s", host)
			}
			if text, _ := call(t, a, "browser_navigate", map[string]any{"url": s.URL + "/?to=" + url.QueryEscape(own)}); inside(text) || !strings.Contains(text, "does not open") {
				t.Errorf("a redirect to %s: %.150q", host, text)
			}
			must(t, a, "browser_navigate", map[string]any{"url": s.URL})
			must(t, a, "browser_evaluate", map[string]any{"expression": "setTimeout(() => location.href = " + strconv.Quote(own) + "); 1"})
			time.Sleep(200 * time.Millisecond)
			if text, _ := call(t, a, "browser_snapshot", nil); inside(text) {
				t.Errorf("a link to %s: %.150q", host, text)
			}
			must(t, a, "browser_navigate", map[string]any{"url": s.URL})
		}
	}
	r, err := http.Get(ui.URL + "/?code=" + ui.Code)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("the code was used up by the attempts: %s", r.Status)
	}
}

func TestMCPOverHTTPNeedsItsToken(t *testing.T) {
	d := newDesk(t)
	socket, err := paths.Socket(d.data)
	if err != nil {
		t.Fatal(err)
	}
	d.agent()
	c, err := link.Dial(t.Context(), socket, options{}.greeting(link.Control, "serve"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ui, err := c.Ask(t.Context(), link.Ask{Do: link.AskEndpoint})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []func(*http.Request){
		func(*http.Request) {},
		func(r *http.Request) { r.Header.Set("Authorization", "Bearer wrong") },
		func(r *http.Request) { r.Host = "evil.example" },
		func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
	} {
		r, _ := http.NewRequest(http.MethodPost, ui.URL+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
		r.Header.Set("Content-Type", "application/json")
		bad(r)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode < 400 {
			t.Errorf("a request without the right token, host or origin got %s", res.Status)
		}
	}
	token := tokenOf(t, d)
	hc := &http.Client{Transport: bearer{token}}
	s, err := sdk.NewClient(&sdk.Implementation{Name: "web", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: ui.URL + "/mcp", HTTPClient: hc}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	must(t, s, "browser_tabs", nil)
}

type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

func TestTheGatewayListsOneToolUntilItIsCalled(t *testing.T) {
	d := newDesk(t)
	s := d.agent("--tools", "gateway")
	names := func() []string {
		r, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, x := range r.Tools {
			out = append(out, x.Name)
		}
		return out
	}
	if got := names(); len(got) != 1 || got[0] != "browser" {
		t.Fatalf("listed at first: %v", got)
	}
	for range 2 { // once more changes nothing
		if text := must(t, s, "browser", nil); !strings.Contains(text, "untrusted") {
			t.Errorf("the guidance is %q", text)
		}
	}
	if got := names(); len(got) < 10 {
		t.Fatalf("listed after the call: %v", got)
	}
	must(t, s, "browser_tabs", nil)
}

func TestAHostThatCannotStartSaysWhyAtOnce(t *testing.T) {
	d := newDesk(t)
	if err := os.WriteFile(filepath.Join(d.data, "baton.db"), []byte(strings.Repeat("this is no database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "mcp", "--data-dir", d.data)
	cmd.Stdin = strings.NewReader("")
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "could not start") || !strings.Contains(string(out), "database") {
		t.Fatalf("after %v: %v, %q", time.Since(start), err, out)
	}
}
