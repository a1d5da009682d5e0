package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/app"
)

// The demo of docs/demo.md: the person opens a page, the agent fills it, the
// person touches it and writes their part, gives it back, and the agent ends
// the work. Once with a viewer on the interface's socket and, where there is a
// display, once with Baton's own window.
func TestDemo(t *testing.T) {
	t.Run("viewer", func(t *testing.T) {
		d := newDesk(t)
		a := d.agent("--agent", "robin")
		demo(t, a, viewer{d.look()})
	})
	t.Run("window", func(t *testing.T) {
		d := newDesk(t)
		a := d.agent("--agent", "robin")
		demo(t, a, d.window())
	})
}

// someone is the person of the demo.
type someone interface {
	eyes() *look
	open(url string) // in a tab of their own, in view
	touch()          // the lower half of the page
	write(text string)
}

const greeting = "see you soon"

func demo(t *testing.T, agent *sdk.ClientSession, p someone) {
	shop := newShop(t)

	// The person opens a page; the agent finds it and sees what is on it.
	p.open(shop.url)
	eyes := p.eyes()
	tab := eyes.tab("the page is open", func(x app.Tab) bool { return strings.HasPrefix(x.URL, shop.url) && x.State == "ready" })
	if tab.Owner != "person" {
		t.Errorf("the person's tab belongs to %q", tab.Owner)
	}
	at := func(args map[string]any) map[string]any { args["tab"] = tab.ID; return args }
	if list := must(t, agent, "browser_tabs", nil); !strings.Contains(list, shop.url) {
		t.Fatalf("the agent sees %q", list)
	}
	outline := must(t, agent, "browser_snapshot", at(map[string]any{}))
	eyes.watch(tab.ID)

	// It fills what it knows, and the person sees the page change, and who acts.
	frames := eyes.frames()
	must(t, agent, "browser_fill", at(map[string]any{"fields": []map[string]any{
		{"target": ref(t, outline, "textbox", "Name"), "text": "Ada Byron"},
		{"target": ref(t, outline, "textbox", "City"), "text": "Lund"},
	}}))
	eyes.until("frames show the filling", func() bool { return eyes.frames() > frames })
	eyes.until("the agent's pointer is shown", func() bool { return eyes.seen(app.EventPointer) > 0 })

	// While it types, over and over, the person touches the page: the agent stops
	// at once.
	note := strings.Repeat("ring twice, then wait. ", 30)
	typed := make(chan string, 1)
	go func() {
		for {
			text, bad := call(t, agent, "browser_type", at(map[string]any{"target": ref(t, outline, "textbox", "Note"), "text": note, "slowly": true, "timeout_ms": 30000}))
			if bad {
				typed <- text
				return
			}
		}
	}()
	eyes.tab("the agent is shown at work", func(x app.Tab) bool {
		return x.ID == tab.ID && x.Control.By == "agent" && x.Control.Agent == "robin"
	})
	time.Sleep(300 * time.Millisecond)
	p.touch()
	select {
	case said := <-typed:
		if !strings.HasPrefix(said, "interrupted_by_person:") && !strings.HasPrefix(said, "in_use_by_person:") {
			t.Fatalf("the agent's typing ended with %q", said)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the agent goes on although the person touched the page")
	}
	eyes.tab("the person holds the tab", func(x app.Tab) bool {
		return x.ID == tab.ID && x.Control.By == "person" && x.Control.Held == "touch"
	})
	if text, bad := call(t, agent, "browser_click", at(map[string]any{"target": ref(t, outline, "button", "Order")})); !bad || !strings.HasPrefix(text, "in_use_by_person:") {
		t.Errorf("an agent's click while the person holds the tab: %q", text)
	}

	// The person writes their part and gives the tab back with a word.
	p.write(greeting)
	eyes.until("the person's words are in the page", func() bool { return shop.told("/card") == greeting })
	eyes.must("tabs.give", app.GiveArgs{Tab: tab.ID, Note: "the card is written"}, nil)
	eyes.tab("the tab is nobody's", func(x app.Tab) bool { return x.ID == tab.ID && x.Control.By != "person" })

	// The agent is told, looks anew, keeps what the person wrote and ends the work.
	outline = must(t, agent, "browser_snapshot", at(map[string]any{}))
	if !strings.Contains(outline, "the card is written") {
		t.Errorf("the agent is not told what the person said: %.300q", outline)
	}
	if !strings.Contains(outline, greeting) {
		t.Errorf("the agent does not see what the person wrote: %q", outline)
	}
	must(t, agent, "browser_type", at(map[string]any{"target": ref(t, outline, "textbox", "Note"), "text": "ring twice"}))
	text := must(t, agent, "browser_click", at(map[string]any{"target": ref(t, outline, "button", "Order")}))
	if !strings.Contains(text, "Ordered for Ada Byron") {
		text = must(t, agent, "browser_wait", at(map[string]any{"text": "Ordered for Ada Byron"}))
	}
	want := `{"name":"Ada Byron","city":"Lund","note":"ring twice","card":"` + greeting + `"}`
	if got := shop.told("/order"); got != want {
		t.Errorf("the shop got %s, want %s; the agent was told %q", got, want, text)
	}
}

// shop is the site of the demo: a form whose lower half is the person's.
type shop struct {
	url  string
	mu   sync.Mutex
	last map[string]string // what was posted last, by path
}

const shopPage = `<!doctype html><html lang="en"><title>Flowers</title>
<style>body { margin: 1em; font: 16px sans-serif } label { display: block } textarea { position: fixed; inset: 50% 0 0 0; width: 100%; font-size: 2em }</style>
<h1>Flowers</h1><form id="f"><label>Name <input name="name"></label><label>City <input name="city"></label><label>Note <input name="note"></label>
<button>Order</button> <output id="o"></output><textarea name="card" aria-label="Words on the card"></textarea></form>
<script>
let sent = Promise.resolve();
const send = (path, body) => (sent = sent.then(() => fetch(path, { method: 'POST', body })));
f.card.oninput = () => send('/card', f.card.value);
f.onsubmit = async e => {
  e.preventDefault();
  const d = Object.fromEntries(new FormData(f));
  await send('/order', JSON.stringify(d));
  o.textContent = 'Ordered for ' + d.name;
};
</script></html>`

func newShop(t *testing.T) *shop {
	s := &shop{last: map[string]string{}}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			b, _ := io.ReadAll(r.Body)
			s.mu.Lock()
			s.last[r.URL.Path] = string(b)
			s.mu.Unlock()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, shopPage)
	}))
	t.Cleanup(web.Close)
	s.url = web.URL
	return s
}

func (s *shop) told(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[path]
}

// ref finds an element's reference in an outline.
func ref(t *testing.T, outline, role, name string) string {
	t.Helper()
	m := regexp.MustCompile(`- ` + role + ` "` + name + `" \[(e\d+)\]`).FindStringSubmatch(outline)
	if m == nil {
		t.Errorf("no %s %q in %q", role, name, outline)
		return ""
	}
	return m[1]
}

// viewer is a person at a viewer that speaks the interface's own wire.
type viewer struct{ l *look }

func (v viewer) eyes() *look { return v.l }

func (v viewer) open(url string) {
	var r app.TabResult
	v.l.must("tabs.open", app.OpenArgs{URL: url}, &r)
	v.l.must("tabs.activate", app.TabArgs(r), nil)
	v.l.watch(r.Tab)
}

func (v viewer) touch() {
	for _, m := range []app.Input{{Type: "down", Buttons: 1}, {Type: "up"}} {
		m.In, m.View, m.X, m.Y, m.Button, m.Count = "mouse", 1, wide/2, high*3/4, "left", 1
		v.l.send(m)
	}
}

func (v viewer) write(text string) { v.l.send(app.Input{In: "commit", View: 1, Text: text}) }
