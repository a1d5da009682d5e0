package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/backend/link"
	"baton/backend/mcpserver"
	"baton/backend/paths"
)

// outliving is an agent that may see its host end.
type outliving struct {
	*sdk.ClientSession
	changed chan struct{} // its list of tools did
	said    *words        // its program's stderr
}

// words are written by one process and read by the test.
type words struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// introducing is the last version of MCP in which an agent introduces itself and
// tells its folders; the newest has no such state.
const introducing = "2025-11-25"

// outliving connects an agent that speaks a version of MCP, empty for the
// newest, and gives root as its folder.
func (d *desk) outliving(program, version, root string, args ...string) outliving {
	d.t.Helper()
	a := outliving{changed: make(chan struct{}, 64), said: &words{}}
	cmd := exec.Command(program, append([]string{"mcp", "--data-dir", d.data}, args...)...)
	cmd.Dir, cmd.Stderr = d.t.TempDir(), a.said
	c := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, &sdk.ClientOptions{
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { a.changed <- struct{}{} },
	})
	//lint:ignore SA1019 clients in use tell their folders by roots only
	c.AddRoots(&sdk.Root{URI: "file://" + root})
	ctx, cancel := context.WithTimeout(d.t.Context(), 30*time.Second)
	defer cancel()
	var err error
	if a.ClientSession, err = c.Connect(ctx, &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: version}); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = a.Close() })
	return a
}

// toldOfChange waits until the agent was told that its list of tools changed.
func (a outliving) toldOfChange(t *testing.T) {
	t.Helper()
	select {
	case <-a.changed:
	case <-time.After(20 * time.Second):
		t.Fatalf("the agent was not told of its new host; its program said %q", a.said)
	}
}

// killHost ends the host as a crash does, and returns once it has gone.
func (d *desk) killHost() {
	d.t.Helper()
	pid := link.Owner(d.data)
	if pid == 0 {
		d.t.Fatal("no host runs")
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		d.t.Fatal(err)
	}
	d.wait("the host ends", func() bool { return !d.anyOf([]int{pid}) })
}

// slow serves pages, and tells once one of them asks for /slow.
func slow(t *testing.T) (url string, asked <-chan struct{}) {
	t.Helper()
	ch := make(chan struct{}, 16)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			ch <- struct{}{}
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>page %s</title><h1>%s</h1>", r.URL.Path, r.URL.Path)
	}))
	t.Cleanup(s.Close)
	return s.URL, ch
}

// An agent whose host is killed in the middle of its calls gets an answer to
// each, and goes on with another host that knows it: its name, its tabs, its
// folders.
func TestAnAgentOutlivesItsHost(t *testing.T) {
	for _, version := range []string{introducing, ""} {
		t.Run("MCP "+version, func(t *testing.T) { outlives(t, version) })
	}
}

func outlives(t *testing.T, version string) {
	d := newDesk(t)
	url, asked := slow(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "kept.html"), []byte("<!doctype html><title>Local</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	var args []string
	if version != introducing {
		args = []string{"--files", root}
	}
	a := d.outliving(program, version, root, args...)
	must(t, a.ClientSession, "browser_open", map[string]any{"url": url + "/kept"})
	for round := range 2 {
		answers := make(chan string, 2)
		for range cap(answers) {
			go func() {
				text, bad := call(t, a.ClientSession, "browser_evaluate", map[string]any{"tab": "t1", "expression": "fetch('/slow').then(() => 'answered')", "timeout_ms": 30000})
				answers <- fmt.Sprint(bad, " ", text)
			}()
		}
		<-asked
		d.killHost()
		for range cap(answers) {
			if got := <-answers; !strings.HasPrefix(got, "true uncertain: ") || !strings.Contains(got, "Effect: unknown.") || !strings.Contains(got, "Next: look with browser_tabs") {
				t.Errorf("round %d: an open call was answered %q", round, got)
			}
		}
		a.toldOfChange(t)
		if list := must(t, a.ClientSession, "browser_tabs", nil); !strings.Contains(list, "page /kept") {
			t.Errorf("round %d: the next host has %q", round, list)
		}
		if v := must(t, a.ClientSession, "browser_evaluate", map[string]any{"tab": "t1", "expression": "location.pathname"}); v != `"/kept"` {
			t.Errorf("round %d: the tab is at %s", round, v)
		}
		// The new host asks the agent for its folders, and gets its own answer.
		must(t, a.ClientSession, "browser_open", map[string]any{"path": filepath.Join(root, "kept.html")})
	}
	_ = a.Close()
	if got := a.said.String(); strings.Count(got, "\n") != 2 || strings.Count(got, "the host ended unexpectedly (calls answered as uncertain: 2); connecting again\n") != 2 {
		t.Errorf("its program said %q", got)
	}
	d.wait("everything ends with the agent", func() bool { return len(d.processes()) == 0 })
}

// What an agent has seen of the catalogue stays usable, although the new host
// lists one tool at first.
func TestAnAgentWithTheGatewayOutlivesItsHost(t *testing.T) {
	d, url := newDesk(t), web(t)
	a := d.outliving(program, introducing, t.TempDir(), "--tools", "gateway")
	must(t, a.ClientSession, "browser", nil)
	for len(a.changed) > 0 {
		<-a.changed
	}
	d.killHost()
	if text := must(t, a.ClientSession, "browser_open", map[string]any{"url": url + "/x"}); !strings.Contains(text, "/x") {
		t.Errorf("after the kill: %q", text)
	}
	a.toldOfChange(t)
	if r, err := a.ListTools(t.Context(), nil); err != nil || len(r.Tools) < 10 {
		t.Errorf("the list is %v, %v", r, err)
	}
}

// While no host can be started, each call says so and tries once more.
func TestAnAgentWaitsForAHostThatCannotStart(t *testing.T) {
	d, url := newDesk(t), web(t)
	own := filepath.Join(t.TempDir(), "baton")
	b, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, b, 0o700); err != nil {
		t.Fatal(err)
	}
	a := d.outliving(own, "", t.TempDir())
	must(t, a.ClientSession, "browser_open", map[string]any{"url": url + "/kept"})
	if err := os.Chmod(own, 0o600); err != nil {
		t.Fatal(err)
	}
	d.killHost()
	d.wait("its program has tried", func() bool { return strings.Contains(a.said.String(), "no other host could be reached") })
	for range 2 {
		if text, bad := call(t, a.ClientSession, "browser_tabs", nil); !bad || !strings.HasPrefix(text, "engine_unavailable: Baton's host has ended and could not be started again. Next: call again") {
			t.Errorf("without a host: %q", text)
		}
	}
	if _, err := a.ListTools(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "could not be started again") {
		t.Errorf("a list without a host: %v", err)
	}
	if err := os.Chmod(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if list := must(t, a.ClientSession, "browser_tabs", nil); !strings.Contains(list, "page /kept") {
		t.Errorf("with the program back: %q", list)
	}
}

// A person who closes Baton is not overruled: their agent's next call starts
// nothing, and works once they have opened it again.
func TestAnAgentStartsNothingThatThePersonClosed(t *testing.T) {
	d, url := newDesk(t), web(t)
	a := d.outliving(program, introducing, t.TempDir())
	must(t, a.ClientSession, "browser_open", map[string]any{"url": url + "/kept"})
	socket, err := paths.Socket(d.data)
	if err != nil {
		t.Fatal(err)
	}
	window, err := link.Dial(t.Context(), socket, options{}.greeting(link.Control, "window"))
	if err != nil {
		t.Fatal(err)
	}
	defer window.Close()
	host := link.Owner(d.data)
	if _, err := window.Ask(t.Context(), link.Ask{Do: link.AskStop}); err != nil {
		t.Fatal(err)
	}
	d.wait("the host ends", func() bool { return errors.Is(syscall.Kill(host, 0), syscall.ESRCH) })
	for range 2 {
		if text, bad := call(t, a.ClientSession, "browser_tabs", nil); !bad || !strings.HasPrefix(text, "access_off: Baton was closed. Next: ask the person") {
			t.Errorf("after the person closed Baton: %q", text)
		}
	}
	if left := d.processes(); len(left) != 1 {
		t.Errorf("processes beside the agent's own: %v", left)
	}
	d.agent("--agent", "another")
	if list := must(t, a.ClientSession, "browser_tabs", nil); !strings.Contains(list, "page /kept") {
		t.Errorf("with Baton open again: %q", list)
	}
}

// raw is `baton mcp` driven line by line.
type raw struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
}

func (d *desk) raw(version string) raw {
	d.t.Helper()
	cmd := exec.Command(program, "mcp", "--data-dir", d.data)
	cmd.Dir, cmd.Stderr = d.t.TempDir(), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		_ = in.Close()
		stop := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		defer stop.Stop()
		if err := cmd.Wait(); err != nil {
			d.t.Errorf("it ended with %v", err)
		}
	})
	r := raw{d.t, in, bufio.NewReader(out)}
	r.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	if got := r.hear(); !strings.Contains(got, `"protocolVersion":"`+version+`"`) {
		d.t.Fatalf("initialize gave %s", got)
	}
	r.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return r
}

func (r raw) say(line string) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, line+"\n"); err != nil {
		r.t.Fatal(err)
	}
}

// hear gives the next line.
func (r raw) hear() string {
	r.t.Helper()
	type heard struct {
		line string
		err  error
	}
	ch := make(chan heard, 1)
	go func() {
		line, err := r.out.ReadString('\n')
		ch <- heard{line, err}
	}()
	select {
	case h := <-ch:
		if h.err != nil {
			r.t.Fatalf("its output ended: %v", h.err)
		}
		return h.line
	case <-time.After(20 * time.Second):
		r.t.Fatal("no answer")
		return ""
	}
}

// What is no message is answered as JSON-RPC has it, and the agent is served on.
func TestWhatIsNoMessageIsAnswered(t *testing.T) {
	r := newDesk(t).raw("2025-11-25")
	for _, c := range []struct {
		line string
		code int
		id   string
	}{
		{`{"jsonrpc":"2.0","id":1,"method":`, -32700, "null"},
		{`hello`, -32700, "null"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"} and more`, -32700, "null"},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, -32700, "null"},
		{"\x00\xff", -32700, "null"},
		{`null`, -32600, "null"},
		{`7`, -32600, "null"},
		{`"ping"`, -32600, "null"},
		{`{}`, -32600, "null"},
		{`{"id":3,"method":"ping"}`, -32600, "3"},
		{`{"jsonrpc":"1.0","id":"x","method":"ping"}`, -32600, `"x"`},
		{`{"jsonrpc":"2.0","id":4}`, -32600, "4"},
		{`{"jsonrpc":"2.0","id":5,"method":7}`, -32600, "5"},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, "null"},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, -32600, "null"},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, "null"},
		{`{"jsonrpc":"2.0","id":6,"method":"ping","params":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}`, -32600, "6"},
		{`[]`, -32600, "null"},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600, "null"}, // this version has no batches
		{`{"jsonrpc":"2.0","id":7,"method":"nonsense"}`, -32601, "7"},
		{`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":"browser_tabs"}`, -32602, "8"},
		{strings.Repeat("x", mcpserver.MaxLine), -32600, "null"},
	} {
		r.say(c.line)
		got := r.hear()
		var a struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Error   struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := json.Unmarshal([]byte(got), &a); err != nil || a.JSONRPC != "2.0" || string(a.ID) != c.id || a.Error.Code != c.code || a.Error.Message == "" {
			t.Errorf("%.80q is answered %.300s", c.line, got)
		}
		r.say("  ")
		r.say(` {"jsonrpc":"2.0","id":"alive","method":"ping"} ` + "\r")
		if got := r.hear(); !strings.Contains(got, `"id":"alive"`) || !strings.Contains(got, `"result"`) {
			t.Fatalf("after %.80q a ping is answered %.300s", c.line, got)
		}
	}
	// The longest line that is taken.
	head, tail := `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"browser_tabs","arguments":{"nothing":"`, `"}}}`
	r.say(head + strings.Repeat("x", mcpserver.MaxLine-len(head)-len(tail)-1) + tail)
	if got := r.hear(); !strings.Contains(got, "bad_arguments: ") {
		t.Errorf("the longest line is answered %.300s", got)
	}
}

// A script pipes all that it asks at once: its stdin has ended before the first
// answer is there. It gets them all, and the program ends then.
func TestWhatWasAskedBeforeStdinEndedIsAnswered(t *testing.T) {
	d := newDesk(t)
	call := func(id int, tool, args string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
	}
	cmd := exec.Command(program, "mcp", "--data-dir", d.data)
	cmd.Dir = t.TempDir()
	cmd.Stdin = strings.NewReader(strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"script","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		call(3, "browser_open", fmt.Sprintf(`{"url":%q}`, web(t)+"/asked")),
	}, "\n"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for id, want := range map[int]string{1: `"protocolVersion"`, 2: `"browser_open"`, 3: "page /asked"} {
		n := 0
		for _, l := range lines {
			if strings.Contains(l, fmt.Sprintf(`"id":%d,`, id)) && strings.Contains(l, want) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d answers to call %d in\n%.1000s", n, id, out)
		}
	}
}

// Older versions of MCP have batches: one array of answers comes for one of
// requests.
func TestABatchIsAnsweredAsOne(t *testing.T) {
	r := newDesk(t).raw("2025-03-26")
	r.say(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}},{"id":2},{"jsonrpc":"2.0","id":"t","method":"tools/call","params":{"name":"browser_tabs","arguments":{}}}]`)
	var answers []struct {
		ID     any             `json:"id"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	got := r.hear()
	if err := json.Unmarshal([]byte(got), &answers); err != nil || len(answers) != 3 {
		t.Fatalf("the batch is answered %.400s", got)
	}
	for _, a := range answers {
		if good := a.Result != nil; good != (a.ID != 2.0) || good == (a.Error != nil) {
			t.Errorf("%v has result %.100s, error %.100s", a.ID, a.Result, a.Error)
		}
	}
	r.say(`[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":98}}]`)
	r.say(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	if got := r.hear(); !strings.Contains(got, `"id":3`) {
		t.Errorf("after a batch of notifications comes %.300s", got)
	}
}
