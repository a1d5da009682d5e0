package cli

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
)

// killChromium ends the one Chromium of the data folder as a crash does.
func (d *desk) killChromium() {
	d.t.Helper()
	for _, pid := range d.ofHost() {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if bytes.Contains(line, []byte("--remote-debugging-pipe")) && !bytes.Contains(line, []byte("--type=")) {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				d.t.Fatal(err)
			}
			return
		}
	}
	d.t.Fatal("no Chromium runs")
}

// What Chromium's death cuts off in the middle says that it may have happened,
// and the tab goes on with the next Chromium.
func TestAnActionCutOffByChromiumsDeathMayHaveHappened(t *testing.T) {
	asked := make(chan struct{}, 16)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if strings.HasPrefix(r.URL.Path, "/slow") {
			asked <- struct{}{}
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, `<!doctype html><title>Shop</title><script>function order() { const x = new XMLHttpRequest(); x.open('GET', '/slow', false); x.send() }</script>
			<button onclick="order()">Order</button><label>Name <input oninput="order()"></label><label>Kind <select onchange="order()"><option>A<option>B</select></label>`)
	}))
	t.Cleanup(s.Close)
	d := newDesk(t)
	a := d.agent()
	must(t, a, "browser_open", map[string]any{"url": s.URL + "/shop"})
	for _, c := range []struct {
		tool string
		args map[string]any
	}{
		{"browser_evaluate", map[string]any{"expression": "fetch('/slow', {method: 'POST'})", "timeout_ms": 30000}},
		{"browser_click", map[string]any{"target": map[string]any{"role": "button", "name": "Order"}, "timeout_ms": 30000}},
		{"browser_type", map[string]any{"target": map[string]any{"label": "Name"}, "text": "Ana", "timeout_ms": 30000}},
		{"browser_select", map[string]any{"target": map[string]any{"label": "Kind"}, "values": []string{"B"}, "timeout_ms": 30000}},
		{"browser_fill", map[string]any{"fields": []map[string]any{{"target": map[string]any{"label": "Name"}, "text": "Ana"}}, "timeout_ms": 30000}},
		{"browser_navigate", map[string]any{"url": s.URL + "/slow/page", "timeout_ms": 30000}},
		{"browser_script", map[string]any{"code": `await click({role: "button", name: "Order", timeout_ms: 30000})`}},
	} {
		must(t, a, "browser_navigate", map[string]any{"url": s.URL + "/shop"})
		answer := make(chan string, 1)
		go func() {
			text, bad := call(t, a, c.tool, c.args)
			answer <- fmt.Sprint(bad, " ", text)
		}()
		<-asked
		d.killChromium()
		got := <-answer
		if !strings.HasPrefix(got, "true page_crashed: ") || !strings.Contains(got, "Effect: unknown.") || !strings.Contains(got, "Next: look with browser_snapshot before trying again") {
			t.Errorf("%s: %q", c.tool, got)
		}
		// A script has looked once more itself.
		if v := must(t, a, "browser_snapshot", nil); !strings.Contains(got+v, "Chromium had ended") || !strings.Contains(v, "tab t1 · ") {
			t.Errorf("after %s: %q, then %q", c.tool, got, v)
		}
		for len(asked) > 0 {
			<-asked
		}
	}
}
