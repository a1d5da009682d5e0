package cli

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A host is killed at random moments of its work. Whatever an agent was told
// is there afterwards, and nothing of the old host is left.
func TestKillsAtAnyMomentLoseNothingAcknowledged(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	d, url := newDesk(t), web(t)
	rng := rand.New(rand.NewPCG(7, 11))
	told := map[string]string{} // tab -> the path that its agent was told of
	a := d.agent()              // one program through all of them
	for round := range rounds {
		var mu sync.Mutex
		var wg sync.WaitGroup
		stop := make(chan struct{})
		for w := range 3 {
			wg.Go(func() {
				tab := ""
				for n := 0; ; n++ {
					select {
					case <-stop:
						return
					default:
					}
					path := fmt.Sprintf("/r%d-w%d-%d", round, w, n)
					name, args := "browser_open", map[string]any{"url": url + path}
					if tab != "" {
						name, args["tab"] = "browser_navigate", tab
					}
					r, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
					if err != nil || r.IsError || len(r.Content) == 0 {
						return
					}
					text := r.Content[0].(*sdk.TextContent).Text
					if i := strings.Index(text, "\ntab "); i >= 0 {
						tab = strings.Fields(text[i+5:])[0]
						mu.Lock()
						told[tab] = path
						mu.Unlock()
					}
				}
			})
		}
		time.Sleep(time.Duration(200+rng.IntN(2500)) * time.Millisecond)
		left := d.ofHost()
		d.killHost()
		close(stop)
		wg.Wait()
		d.wait("everything of the killed host ends", func() bool { return !d.anyOf(left) })

		list := must(t, a, "browser_tabs", nil)
		mu.Lock()
		for tab, path := range told {
			line := ""
			for l := range strings.Lines(list) {
				if strings.HasPrefix(l, tab+" ·") {
					line = l
				}
			}
			if line == "" {
				t.Errorf("round %d: tab %s is gone", round, tab)
				continue
			}
			// A later navigation may have been saved before its answer left.
			if !strings.Contains(line, path) && !newer(line, url, path) {
				t.Errorf("round %d: tab %s was told to be at %s, is %s", round, tab, path, line)
			}
		}
		mu.Unlock()
	}
}

// newer tells whether a tab's line shows the same worker's next address.
func newer(line, url, path string) bool {
	var r, w, n int
	if _, err := fmt.Sscanf(path, "/r%d-w%d-%d", &r, &w, &n); err != nil {
		return false
	}
	return strings.Contains(line, fmt.Sprintf("%s/r%d-w%d-%d", url, r, w, n+1))
}

func TestACancelledCallEndsAndTheTabGoesOn(t *testing.T) {
	d, url := newDesk(t), web(t)
	a := d.agent()
	must(t, a, "browser_open", map[string]any{"url": url + "/x"})
	ctx, cancel := timeout(t, 500*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := a.CallTool(ctx, &sdk.CallToolParams{Name: "browser_evaluate", Arguments: map[string]any{"expression": "new Promise(()=>{})", "timeout_ms": 30000}}); err == nil {
		t.Fatal("a cancelled call gave a result")
	}
	if v := must(t, a, "browser_evaluate", map[string]any{"expression": "1+1"}); v != "2" {
		t.Errorf("the next call gave %q", v)
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("the next call waited %v behind the cancelled one", d)
	}
}

func TestAHungPageAnswersByTheDeadlineAndHoldsNoOtherTab(t *testing.T) {
	d, url := newDesk(t), web(t)
	a, b := d.agent(), d.agent()
	must(t, a, "browser_open", map[string]any{"url": url + "/hung"})
	must(t, b, "browser_open", map[string]any{"url": strings.Replace(url, "127.0.0.1", "localhost", 1) + "/fine"})
	hung := make(chan string, 1)
	go func() {
		text, _ := call(t, a, "browser_evaluate", map[string]any{"expression": "while(true){}", "timeout_ms": 1500})
		hung <- text
	}()
	time.Sleep(300 * time.Millisecond)
	if v := must(t, b, "browser_evaluate", map[string]any{"expression": "location.pathname"}); v != `"/fine"` {
		t.Errorf("another tab gave %q", v)
	}
	select {
	case text := <-hung:
		if !strings.HasPrefix(text, "page_busy: ") {
			t.Errorf("the hung page gave %q", text)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("a call on a hung page has no answer")
	}
	if text, bad := call(t, a, "browser_snapshot", map[string]any{}); bad && !strings.HasPrefix(text, "page_busy: ") {
		t.Errorf("a snapshot of the hung page: %q", text)
	}
	if text, bad := call(t, a, "browser_close", map[string]any{"tab": "t1"}); bad {
		t.Errorf("a hung page does not close: %q", text)
	}
}

// A script that waits for ever is not the page's fault: it says so by its
// deadline, and the page goes on.
func TestAPromiseThatNeverSettlesEndsByItsDeadline(t *testing.T) {
	d, url := newDesk(t), web(t)
	a := d.agent()
	must(t, a, "browser_open", map[string]any{"url": url + "/well"})
	for _, args := range []map[string]any{
		{"expression": "new Promise(() => {})"},
		{"expression": "await new Promise(() => {}); 1"},
		{"expression": "async () => { document.title = 'begun'; await new Promise(() => {}) }"},
		{"expression": "el => new Promise(() => {})", "target": map[string]any{"css": "button"}},
		{"expression": "({then() {}})"},
	} {
		args["timeout_ms"] = 600
		text, bad := call(t, a, "browser_evaluate", args)
		if !bad || !strings.HasPrefix(text, "timeout: the promise of the script did not settle") || !strings.Contains(text, "Effect: unknown.") || !strings.Contains(text, "timeout_ms") {
			t.Errorf("%v gives %q", args["expression"], text)
		}
		if v := must(t, a, "browser_evaluate", map[string]any{"expression": "location.pathname"}); v != `"/well"` {
			t.Errorf("after %v the page gives %q", args["expression"], v)
		}
	}
	if text := must(t, a, "browser_click", map[string]any{"target": map[string]any{"role": "button", "name": "Go"}}); !strings.Contains(text, "Done") {
		t.Errorf("a click afterwards: %q", text)
	}
	text, bad := call(t, a, "browser_script", map[string]any{"code": "try { await evaluate(() => new Promise(() => {}), {timeout_ms: 600}) } catch (e) { return e.code }"})
	if bad || !strings.Contains(text, "timeout") {
		t.Errorf("in a script it is %q", text)
	}
}

func TestAPersonsProgramsEndCleanlyWithoutAHost(t *testing.T) {
	d := newDesk(t)
	out, err := exec.Command(program, "doctor", "--data-dir", d.data).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Chromium") || !strings.Contains(string(out), "host: not running") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	for _, args := range [][]string{{"nonsense"}, {"mcp", "--window", "--headless"}, {"mcp", "--tools", "some"}, {"serve", "extra"}} {
		out, err := exec.Command(program, args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "baton: ") {
			t.Errorf("%v: %v, %.100q", args, err, out)
		}
	}
}
