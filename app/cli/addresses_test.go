package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/backend/link"
	"baton/backend/paths"
)

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
