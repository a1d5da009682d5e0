package cli

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

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

// lacks skips a test that needs more than this computer has; CI has it all, and a
// test that did not run there is one that failed.
func lacks(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what + "; build/setup and .ci/run see to it")
	}
	t.Skip(what)
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
