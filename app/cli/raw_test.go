package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/backend/mcpserver"
)

// raw is `baton mcp` driven line by line.
type raw struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
}

// raw starts it, and says hello.
func (d *desk) raw(version string) raw {
	d.t.Helper()
	r, wait := d.mute()
	d.t.Cleanup(func() {
		if err := wait(); err != nil {
			d.t.Errorf("it ended with %v", err)
		}
	})
	r.hello(version)
	if got := r.hear(); !strings.Contains(got, `"protocolVersion":"`+version+`"`) {
		d.t.Fatalf("initialize gave %s", got)
	}
	r.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return r
}

// mute starts it and says nothing. wait ends its stdin and gives how it ended.
func (d *desk) mute() (r raw, wait func() error) {
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
	ended := sync.OnceValue(func() error {
		_ = in.Close()
		stop := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		defer stop.Stop()
		return cmd.Wait()
	})
	d.t.Cleanup(func() { _ = ended() })
	return raw{d.t, in, bufio.NewReader(out)}, ended
}

func (r raw) hello(version string) {
	r.t.Helper()
	r.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
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
