package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/target"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// What tests of the whole interface press, and where they look.

// chords are the keys that shortcuts are made of, as Chromium knows them.
var chords = map[string]struct {
	code   string
	number int64
}{
	"Escape": {"Escape", 27}, "Tab": {"Tab", 9}, "Enter": {"Enter", 13}, "Delete": {"Delete", 46},
	"ArrowLeft": {"ArrowLeft", 37}, "ArrowRight": {"ArrowRight", 39}, "ArrowUp": {"ArrowUp", 38}, "ArrowDown": {"ArrowDown", 40},
	"F6": {"F6", 117}, "F10": {"F10", 121}, "F12": {"F12", 123}, "Space": {"Space", 32}, "/": {"Slash", 191}, ",": {"Comma", 188}, "=": {"Equal", 187}, "0": {"Digit0", '0'},
}

// chord presses a shortcut, written as the sheet of keys has it: "Ctrl+Shift+p".
func (o *outer) chord(keys string) {
	o.t.Helper()
	mods := int64(0)
	parts := strings.Split(keys, "+")
	for _, m := range parts[:len(parts)-1] {
		mods |= map[string]int64{"Alt": altKey, "Ctrl": ctrlKey, "Shift": shiftKey}[m]
	}
	key := parts[len(parts)-1]
	if k, ok := chords[key]; ok {
		o.press(key, k.code, k.number, mods)
		return
	}
	o.press(key, "Key"+strings.ToUpper(key), int64(strings.ToUpper(key)[0]), mods)
}

func (o *outer) write(text string) {
	o.t.Helper()
	o.call("Input.insertText", input.InsertTextParams{Text: text})
}

// on waits for an element of the interface and presses its middle.
func (o *outer) on(selector string, button ...input.MouseButton) {
	o.t.Helper()
	o.wait(selector, fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, selector))
	var at struct{ X, Y float64 }
	o.js(fmt.Sprintf(`(e => { e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2} })(document.querySelector(%q))`, selector), &at)
	b := input.MouseButtonLeft
	if len(button) > 0 {
		b = button[0]
	}
	for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		o.call("Input.dispatchMouseEvent", input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Button: b, ClickCount: 1})
	}
}

// there waits until an element of the interface shows; gone until it does not.
func (o *outer) there(selector string) {
	o.t.Helper()
	o.wait(selector, fmt.Sprintf(`document.querySelector(%q)?.checkVisibility()`, selector))
}

func (o *outer) gone(selector string) {
	o.t.Helper()
	o.wait("no "+selector, fmt.Sprintf(`!document.querySelector(%q)?.checkVisibility()`, selector))
}

// reach types an address into the address bar.
func (o *outer) reach(url string) {
	o.t.Helper()
	o.chord("Ctrl+l")
	o.wait("the address bar has the keys", `document.activeElement.role === 'combobox'`)
	o.write(url)
	o.chord("Enter")
}

// shows waits until a page with this title is seen.
func (o *outer) shows(title string) {
	o.t.Helper()
	o.wait("the page "+title, fmt.Sprintf(`!document.querySelector('.surface.hidden, .waiting') && document.querySelector('.surface textarea').ariaLabel.startsWith(%q)`, title))
}

// command runs a command by its name, through the palette.
func (o *outer) command(name string) {
	o.t.Helper()
	o.chord("Ctrl+Shift+p")
	o.there("#finder-list")
	o.write(name)
	o.wait("the command "+name, fmt.Sprintf(`document.querySelector('#finder-0 .text')?.textContent === %q`, name))
	o.chord("Enter")
	o.gone("#finder-list")
}

// again looks at another page of the interface, in a browser tab of its own.
func (o *outer) again(url string, stranger bool) *outer {
	o.t.Helper()
	made := target.CreateTargetParams{URL: "about:blank"}
	if stranger {
		c, err := cdproto.Call(o.t.Context(), o.browser, target.CreateBrowserContext, target.CreateBrowserContextParams{})
		if err != nil {
			o.t.Fatal(err)
		}
		made.BrowserContextID = c.BrowserContextID
	}
	id, err := cdproto.Call(o.t.Context(), o.browser, target.CreateTarget, made)
	if err != nil {
		o.t.Fatal(err)
	}
	at, err := cdproto.Call(o.t.Context(), o.browser, target.AttachToTarget, target.AttachToTargetParams{TargetID: id.TargetID, Flatten: yes})
	if err != nil {
		o.t.Fatal(err)
	}
	other := *o
	other.target, other.s = id.TargetID, o.attach(string(at.SessionID))
	other.call("Page.navigate", map[string]any{"url": url})
	return &other
}

// shut closes it.
func (o *outer) shut() {
	o.t.Helper()
	if err := o.browser.Call(o.t.Context(), "Target.closeTarget", target.CloseTargetParams{TargetID: o.target}, nil); err != nil {
		o.t.Fatal(err)
	}
}

// hall is a site with one of each thing that the interface has something for.
const hall = `<!doctype html><html lang=en><title>Hall</title><style>
body{margin:0;font:16px sans-serif;height:2000px} body>*{position:absolute;left:20px;width:160px;height:26px;box-sizing:border-box}</style>
<select style="top:20px"><option>North<option selected>South<optgroup label=Far><option disabled>West<option>Orchard</select>
<input type=date value=2026-05-14 style="top:60px"><input type=time value=09:30 style="top:100px"><input type=datetime-local value=2026-05-14T09:30 style="top:140px">
<input type=month value=2026-05 style="top:180px"><input type=color value="#3b55e0" style="top:220px"><input list=l style="top:260px"><datalist id=l><option>one<option>only</datalist>
<button style="top:300px" onclick="alert('Closed on Sundays.')">alert</button><button style="top:340px" onclick="prompt('Plot?', 'North')">prompt</button>
<button style="top:380px" onclick="f.click()">files</button><button style="top:420px" onclick="Notification.requestPermission()">ask</button>
<button style="top:460px" onclick="print()">print</button><button style="top:500px" onclick="location.href='mailto:a@example.org'">mail</button>
<p style="top:540px">The hedge is cut in spring.</p><input id=f type=file multiple hidden>`

func newHall(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/members":
			w.Header().Set("WWW-Authenticate", `Basic realm="Members"`)
			w.WriteHeader(http.StatusUnauthorized)
		case strings.HasPrefix(r.URL.Path, "/file/"):
			w.Header().Set("Content-Disposition", "attachment")
			w.Header().Set("Content-Length", "2000000")
			_, _ = w.Write(make([]byte, 1_000_000))
			if strings.HasSuffix(r.URL.Path, "slow.bin") {
				w.(http.Flusher).Flush()
				<-r.Context().Done()
				return
			}
			_, _ = w.Write(make([]byte, 1_000_000))
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(strings.Replace(hall, "Hall", "Hall"+r.URL.Query().Get("n"), 1)))
		}
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

// inPage presses a place of the page, in its CSS pixels.
func (o *outer) inPage(x, y float64, button ...input.MouseButton) {
	o.t.Helper()
	var at struct{ X, Y float64 }
	o.js(`(r => ({x: r.x, y: r.y}))(document.querySelector('.surface canvas').getBoundingClientRect())`, &at)
	b := input.MouseButtonLeft
	if len(button) > 0 {
		b = button[0]
	}
	for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		o.call("Input.dispatchMouseEvent", input.DispatchMouseEventParams{Type: kind, X: at.X + x, Y: at.Y + y, Button: b, ClickCount: 1})
	}
}

// brings presses a place of the page until something of the interface shows:
// what was open before may still be closing in the page, with the first press.
func (o *outer) brings(x, y float64, selector string) {
	o.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		o.inPage(x, y)
		ok := false
		o.js(fmt.Sprintf(`(async () => {
			const there = () => document.querySelector(%q)?.checkVisibility() ?? false
			for (let i = 0; i < 30 && !there(); i++) await new Promise(done => setTimeout(done, 50))
			return there()
		})()`, selector), &ok)
		if ok {
			return
		}
	}
	var text string
	o.js("document.body.innerText", &text)
	o.t.Fatalf("never came: %s; the interface says %q", selector, text)
}

// axe is the checker's own program.
func axe(t *testing.T) string {
	program, err := os.ReadFile("../../frontend/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	return string(program)
}
