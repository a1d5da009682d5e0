package cli

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"baton/app"
	"baton/backend/link"
	"baton/backend/paths"
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

// look is a connection of the interface: what a person sees and does.
type look struct {
	t  *testing.T
	ws *websocket.Conn

	mu      sync.Mutex
	id      int64
	replies map[int64]chan reply
	tabs    []app.Tab
	events  map[string]int
	pics    int
}

type reply struct {
	Result json.RawMessage
	Error  *app.Error
}

// look connects to the interface of the host, which may still be starting.
func (d *desk) look() *look {
	d.t.Helper()
	socket, err := paths.Socket(d.data)
	if err != nil {
		d.t.Fatal(err)
	}
	var c *link.Conn
	d.wait("the host answers", func() bool {
		c, err = link.Dial(d.t.Context(), socket, options{}.greeting(link.Control, "serve"))
		return err == nil
	})
	d.t.Cleanup(func() { c.Close() })
	ui, err := c.Ask(d.t.Context(), link.Ask{Do: link.AskEndpoint})
	if err != nil {
		d.t.Fatal(err)
	}
	ws, _, err := websocket.Dial(d.t.Context(), strings.Replace(ui.URL, "http://", "ws://", 1)+"/ws", &websocket.DialOptions{Subprotocols: []string{"baton", ui.Token}})
	if err != nil {
		d.t.Fatal(err)
	}
	ws.SetReadLimit(32 << 20)
	l := &look{t: d.t, ws: ws, replies: map[int64]chan reply{}, events: map[string]int{}}
	done := make(chan struct{})
	go func() { defer close(done); l.read() }()
	d.t.Cleanup(func() { _ = ws.CloseNow(); <-done })
	l.must("hello", nil, nil)
	return l
}

func (l *look) read() {
	for {
		kind, data, err := l.ws.Read(l.t.Context())
		if err != nil {
			return
		}
		if kind == websocket.MessageBinary {
			l.mu.Lock()
			l.pics++
			l.mu.Unlock()
			l.send(app.Ack{View: int(binary.LittleEndian.Uint32(data[4:])), Ack: binary.LittleEndian.Uint32(data[8:])})
			continue
		}
		var m struct {
			reply
			ID    int64
			Event string
			Data  json.RawMessage
		}
		if err := json.Unmarshal(data, &m); err != nil {
			l.t.Errorf("a message that is no JSON: %v", err)
			continue
		}
		l.mu.Lock()
		switch {
		case m.Event == app.EventTabs:
			l.tabs = nil
			_ = json.Unmarshal(m.Data, &l.tabs)
			l.events[m.Event]++
		case m.Event != "":
			l.events[m.Event]++
		case l.replies[m.ID] != nil:
			l.replies[m.ID] <- m.reply
			delete(l.replies, m.ID)
		}
		l.mu.Unlock()
	}
}

func (l *look) send(m any) {
	b, err := json.Marshal(m)
	if err != nil {
		l.t.Error(err)
		return
	}
	_ = l.ws.Write(l.t.Context(), websocket.MessageText, b)
}

func (l *look) must(name string, args, result any) {
	l.t.Helper()
	ch := make(chan reply, 1)
	l.mu.Lock()
	l.id++
	id := l.id
	l.replies[id] = ch
	l.mu.Unlock()
	l.send(app.Request{ID: id, Call: name, Args: args})
	select {
	case r := <-ch:
		if r.Error != nil {
			l.t.Fatalf("%s: %s: %s", name, r.Error.Code, r.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(r.Result, result); err != nil {
				l.t.Fatalf("%s: %v", name, err)
			}
		}
	case <-time.After(20 * time.Second):
		l.t.Fatalf("%s was not answered", name)
	}
}

func (l *look) frames() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.pics
}

func (l *look) seen(event string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.events[event]
}

func (l *look) until(what string, ok func() bool) {
	l.t.Helper()
	for end := time.Now().Add(15 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.t.Fatalf("never came: %s; the strip has %+v", what, l.tabs)
		}
	}
}

// tab waits until the strip has a fitting tab.
func (l *look) tab(what string, fits func(app.Tab) bool) (found app.Tab) {
	l.t.Helper()
	l.until(what, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, x := range l.tabs {
			if fits(x) {
				found = x
				return true
			}
		}
		return false
	})
	return found
}

const wide, high = 900, 700

func (l *look) watch(tab string) {
	l.t.Helper()
	before := l.frames()
	l.must("view.watch", app.WatchArgs{View: 1, Tab: tab, Width: wide, Height: high, Scale: 1}, nil)
	l.until("a first frame", func() bool { return l.frames() > before })
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

// glass is a person at Baton's own window, with a mouse and a keyboard.
type glass struct {
	l   *look
	id  string   // of the X window
	env []string // of what is on its display
}

// window opens Baton's window on the desk, where there is one and a display.
func (d *desk) window() glass {
	d.t.Helper()
	if os.Getenv("DISPLAY") == "" {
		d.t.Skip("there is no display")
	}
	return d.windowOn([]string{"GDK_BACKEND=x11", "NO_AT_BRIDGE=1"})
}

// windowOn opens Baton's window on the display that env names.
func (d *desk) windowOn(env []string) glass {
	d.t.Helper()
	at := filepath.Join("..", "..", "build", "bin", "baton-window")
	if _, err := exec.LookPath("xdotool"); err != nil {
		d.t.Skip("there is no xdotool")
	}
	if _, err := os.Stat(at); err != nil {
		d.t.Skip("baton-window is not built")
	}
	cmd := exec.Command(at, "--data-dir", d.data)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = d.t.Output()
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	g := glass{l: d.look(), env: env}
	d.wait("the window is there", func() bool {
		find := exec.Command("xdotool", "search", "--onlyvisible", "--pid", fmt.Sprint(cmd.Process.Pid), "--name", "Baton")
		find.Env = append(os.Environ(), env...)
		out, _ := find.Output()
		g.id, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
		return g.id != ""
	})
	return g
}

func (g glass) eyes() *look { return g.l }

func (g glass) do(args ...string) string {
	g.l.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(os.Environ(), g.env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.l.t.Fatalf("xdotool %v: %v: %s", args, err, out)
	}
	return string(out)
}

// open types the address into the address bar once the window takes keys.
func (g glass) open(url string) {
	g.do("windowfocus", g.id)
	there := func() bool {
		g.l.mu.Lock()
		defer g.l.mu.Unlock()
		for _, x := range g.l.tabs {
			if strings.HasPrefix(x.URL, url) {
				return true
			}
		}
		return false
	}
	for range 10 {
		g.do("key", "ctrl+l")
		g.do("type", "--delay", "8", url)
		g.do("key", "Return")
		for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if there() {
				return
			}
		}
	}
	g.l.t.Fatal("the window did not take the address")
}

func (g glass) touch() {
	var x, y, w, h, screen int
	_, err := fmt.Sscanf(g.do("getwindowgeometry", "--shell", g.id), "WINDOW="+g.id+"\nX=%d\nY=%d\nWIDTH=%d\nHEIGHT=%d\nSCREEN=%d", &x, &y, &w, &h, &screen)
	if err != nil {
		g.l.t.Fatal(err)
	}
	g.do("mousemove", "--window", g.id, fmt.Sprint(w/2), fmt.Sprint(h*3/4), "click", "1")
}

func (g glass) write(text string) { g.do("type", "--delay", "8", text) }
