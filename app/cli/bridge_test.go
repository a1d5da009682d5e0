package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	// Its last thread closes its sockets, after its command line is gone.
	d.wait("the host ends", func() bool {
		threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
		state, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return len(threads) == 0 || len(threads) == 1 && bytes.Contains(state, []byte(") Z "))
	})
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
