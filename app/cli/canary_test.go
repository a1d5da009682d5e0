package cli

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// canary is a value that must come out nowhere. It is new in each run, and no
// failure prints it.
type canary struct {
	t     *testing.T
	value string
	forms map[string]string
}

func newCanary(t *testing.T) *canary {
	word := strings.ToLower(rand.Text())
	v := "Q" + word[:7] + "-" + word[7:12] + "!z9"
	back := []rune(v)
	slices.Reverse(back)
	quoted, _ := json.Marshal(v)
	c := &canary{t: t, value: v, forms: map[string]string{
		"itself": v, "reversed": string(back), "percent": url.QueryEscape(v), "HTML": html.EscapeString(v), "JSON": string(quoted),
		"base64": strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(v)), "="), "hex": hex.EncodeToString([]byte(v)),
		"beginning": v[:len(v)-4], "shorter beginning": v[:len(v)-6],
	}}
	return c
}

// bare gives the letters and digits of a text.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// clear fails when a text holds the value in some form.
func (c *canary) clear(where, text string) {
	c.t.Helper()
	low, all := strings.ToLower(text), bare(text)
	for name, form := range c.forms {
		if strings.Contains(low, strings.ToLower(form)) || strings.Contains(all, bare(form)) {
			c.t.Errorf("%s gives the value away (%s)", where, name)
		}
	}
}

// call calls a tool and looks at all that it answers.
func (c *canary) call(a *sdk.ClientSession, name string, args map[string]any) (string, bool) {
	c.t.Helper()
	ctx := c.t.Context()
	r, err := a.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		c.t.Fatalf("%s: the connection failed", name)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		c.t.Fatal(err)
	}
	var text strings.Builder
	for _, x := range r.Content {
		if x, ok := x.(*sdk.TextContent); ok {
			text.WriteString(x.Text + "\n")
		}
	}
	asked, _ := json.Marshal(args)
	where := fmt.Sprintf("%s %.60s", name, asked)
	c.clear(where, text.String())
	c.clear(where+" (structured)", string(raw))
	return text.String(), r.IsError
}

// hostile is a page that has a secret field and gives its value away as ways say.
const hostile = `<!doctype html><title>Shop</title><input type=password aria-label=Word id=word><div id=out></div><div id=more></div>
<iframe src="http://localhost:%[1]s/frame" title=Other></iframe>
<script>
let v = '';
const rev = s => [...s].reverse().join(''), hex = s => [...s].map(c => c.charCodeAt(0).toString(16).padStart(2,'0')).join('');
const ways = {
 fill: async () => { const w = await (await fetch('/value')).text(); word.focus(); for (const c of w) { v += c; word.value = v; word.dispatchEvent(new Event('input', {bubbles: true})) } },
 replace: () => history.replaceState(null, '', '/at/' + v + '?q=' + encodeURIComponent(v) + '#' + btoa(v)),
 push: () => history.pushState(null, '', '/?b=' + btoa('user:' + v)),
 hash: () => location.hash = hex(v),
 title: () => document.title = 'Hello ' + v,
 prefix: () => document.title = 'Hello ' + v.slice(0, -5),
 coded: () => document.title = rev(v) + ' ' + hex(v),
 text: () => out.textContent = 'It is ' + v + ' or ' + encodeURIComponent(v) + ' or ' + rev(v) + ' or ' + btoa(v) + ' or ' + hex(v),
 escaped: () => out.textContent = [...v].map(c => '\\u' + c.charCodeAt(0).toString(16).padStart(4,'0')).join('') + ' ' + [...v].map(c => '&#' + c.charCodeAt(0) + ';').join('') + ' ' + JSON.stringify(v),
 spread: () => out.textContent = [...v].join('-') + ' ' + [...v].join(' '),
 nodes: () => out.innerHTML = [...v].map(c => '<button>' + c + '</button>').join(''),
 lines: () => out.innerHTML = '<ol>' + [...v].map(c => '<li>' + c + '</li>').join('') + '</ol>',
 label: () => out.innerHTML = '<button aria-label="x" title="y" id=lab>b</button>' + (setTimeout(() => { lab.ariaLabel = v; lab.title = hex(v) }), ''),
 later: () => setTimeout(() => { document.title = v; out.textContent = v; history.replaceState(null, '', '/?late=' + v) }, 400),
 log: () => { console.log('it is', v); console.error(btoa(v)); console.warn({v}); fetch('/missing/' + encodeURIComponent(v)); setTimeout(() => { throw new Error(hex(v)) }) },
 pop: () => window.open('/pop?' + encodeURIComponent(v)),
 file: () => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'])); a.download = v + '.txt'; a.click() },
 store: () => localStorage.v = v,
 alert: () => alert('It is ' + v), confirm: () => confirm(rev(v) + ' ' + btoa(v)), prompt: () => prompt(hex(v), v),
 soonAlert: () => { word.value = ''; word.dispatchEvent(new Event('input')); word.value = v; word.dispatchEvent(new Event('input')); alert(v) },
 clear: () => { word.value = ''; document.title = 'Shop'; out.textContent = ''; history.replaceState(null, '', '/') },
};
for (const k in ways) { const b = document.createElement('button'); b.textContent = 'way ' + k; b.onclick = ways[k]; more.append(b) }
addEventListener('message', e => { document.title = e.data; out.textContent = 'frame says ' + e.data; history.replaceState(null, '', '/?from=' + e.data) });
</script>`

const framed = `<!doctype html><input type=password id=p aria-label=Inner><button>way frame</button><script>
document.querySelector('button').onclick = async () => { const w = await (await fetch('/value2')).text(); p.value = w; p.dispatchEvent(new Event('input', {bubbles: true})); parent.postMessage(w, '*') }
</script>`

const elsewhere = `<!doctype html><title>Elsewhere</title><p id=o></p><script>
setInterval(() => { const v = localStorage.v; if (v) { o.textContent = 'stored ' + v; o.title = v; document.title = 'stored ' + v } }, 50)
</script>`

func TestAHostilePageGivesNoSecretToAgents(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // no download folder of the person's
	d, c, inner := newDesk(t), newCanary(t), newCanary(t)
	var port string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		switch {
		case r.URL.Path == "/value":
			fmt.Fprint(w, c.value)
		case r.URL.Path == "/value2":
			fmt.Fprint(w, inner.value)
		case r.URL.Path == "/frame":
			fmt.Fprint(w, framed)
		case r.URL.Path == "/else":
			fmt.Fprint(w, elsewhere)
		case r.URL.Path == "/pop":
			fmt.Fprint(w, "<!doctype html><script>document.title = decodeURIComponent(location.search)</script><p>popup")
		case strings.HasPrefix(r.URL.Path, "/missing"):
			http.NotFound(w, r)
		default:
			fmt.Fprintf(w, hostile, port)
		}
	}))
	t.Cleanup(s.Close)
	port = s.URL[strings.LastIndexByte(s.URL, ':')+1:]
	a := d.agent("--structured")
	both := func(name string, args map[string]any) (string, bool) {
		text, bad := c.call(a, name, args)
		inner.clear(name, text)
		return text, bad
	}
	both("browser_open", map[string]any{"url": s.URL})
	press := func(way string) string {
		t.Helper()
		text, bad := both("browser_click", map[string]any{"tab": "t1", "target": map[string]any{"role": "button", "name": "way " + way}})
		if bad {
			t.Errorf("way %s could not be pressed: %.150s", way, text)
		}
		return text
	}
	look := func() {
		t.Helper()
		both("browser_snapshot", map[string]any{"tab": "t1", "urls": true})
		both("browser_read", map[string]any{"tab": "t1"})
		both("browser_tabs", nil)
		both("browser_console", map[string]any{"tab": "t1"})
	}
	press("fill")
	look()
	for _, way := range []string{"replace", "push", "hash", "title", "prefix", "coded", "text", "escaped", "spread", "nodes", "lines", "label", "log", "file", "store"} {
		press(way)
		look()
	}
	for _, way := range []string{"alert", "confirm", "prompt", "soonAlert"} {
		if text := press(way); !strings.Contains(text, "•••") {
			t.Errorf("way %s opened no dialog with its words taken out: %.200s", way, text)
		}
		both("browser_snapshot", map[string]any{"tab": "t1"}) // the refusal tells of the dialog
		both("browser_dialog", map[string]any{"tab": "t1", "accept": true})
	}
	press("later")
	if _, bad := both("browser_wait", map[string]any{"tab": "t1", "url": "late=•••"}); bad {
		t.Error("the address without the value was not met")
	}
	look()

	// Nothing that looks for a text confirms a part of the value.
	part := c.value[2:8]
	press("text")
	for name, args := range map[string]map[string]any{
		"browser_wait": {"text": part, "timeout_ms": 700}, "browser_click": {"target": map[string]any{"text": part}},
		"browser_hover": {"target": map[string]any{"text": c.value}}, "browser_scroll": {"target": map[string]any{"role": "button", "name": part}},
	} {
		args["tab"] = "t1"
		if _, bad := call(t, a, name, args); !bad {
			t.Errorf("%s confirms a part of the value", name)
		}
	}
	if _, bad := call(t, a, "browser_wait", map[string]any{"tab": "t1", "url": part, "timeout_ms": 700}); !bad {
		t.Error("browser_wait url confirms a part of the value")
	}
	press("label")
	both("browser_snapshot", map[string]any{"tab": "t1"})
	for _, css := range []string{`[aria-label^="` + c.value[:3] + `"]`, `button:not([aria-label^="` + c.value[:3] + `"])`, `#out:has-text("` + part + `")`} {
		if _, bad := call(t, a, "browser_hover", map[string]any{"tab": "t1", "target": map[string]any{"css": css}}); !bad {
			t.Error("a selector confirms the beginning of the value")
		}
	}
	if text, _ := call(t, a, "browser_snapshot", map[string]any{"tab": "t1", "query": part}); strings.Contains(text, "\n- ") || !strings.Contains(text, "0 lines") {
		t.Errorf("a query confirms a part of the value: %.200s", text)
	}

	// A frame of another site tells its parent.
	if text, bad := both("browser_click", map[string]any{"tab": "t1", "target": map[string]any{"role": "button", "name": "way frame"}}); bad {
		t.Errorf("the frame's button: %.200s", text)
	}
	if _, bad := both("browser_wait", map[string]any{"tab": "t1", "url": "from=•••"}); bad {
		t.Error("the frame's value never came to its parent")
	}
	for _, name := range []string{"browser_snapshot", "browser_tabs", "browser_read"} {
		text, _ := c.call(a, name, nil)
		inner.clear(name+" after the frame", text)
	}

	press("pop")
	both("browser_snapshot", map[string]any{"tab": "t2"})
	both("browser_tabs", nil)

	// Another page of the same site, without a secret field of its own.
	both("browser_open", map[string]any{"url": s.URL + "/else"})
	if _, bad := both("browser_wait", map[string]any{"text": "stored"}); bad {
		t.Error("the other page does not show what was stored")
	}
	both("browser_snapshot", nil)
	both("browser_read", nil)
	for _, e := range []string{"document.title", "localStorage.v", "[...localStorage.v]", "({[localStorage.v]: 1})", "btoa(localStorage.v)", "[...localStorage.v].map(c => c.charCodeAt(0))"} {
		if text, bad := both("browser_evaluate", map[string]any{"expression": e}); !bad || !strings.HasPrefix(text, "secret_field") {
			t.Errorf("%s is told: %.60s", e, text)
		}
	}
	both("browser_evaluate", map[string]any{"expression": "(() => { throw new Error(localStorage.v) })()"})
	both("browser_script", map[string]any{"code": "console.log((await snapshot()).length); return await read()"})

	// Emptied, the document still runs no script of an agent's.
	press("clear")
	if text, bad := both("browser_evaluate", map[string]any{"tab": "t1", "expression": "v"}); !bad || !strings.HasPrefix(text, "secret_field") {
		t.Errorf("a script in the document that held the value: %.60s", text)
	}
	press("title")
	press("replace")
	time.Sleep(300 * time.Millisecond) // the saving of tabs follows changes
	c.files(d.data)
	inner.files(d.data)
	both("browser_close", map[string]any{"tab": "t1"})
	_ = a.Close()
	d.wait("the host ends", func() bool { return len(d.processes()) == 0 })
	c.files(d.data)
	inner.files(d.data)
}

// files looks into what Baton itself has written: database, log, names of
// downloads. Chromium's own profile is the person's.
func (c *canary) files(data string) {
	c.t.Helper()
	seen := 0
	err := filepath.WalkDir(data, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(data, path)
		if err != nil || strings.HasPrefix(rel, "profiles") {
			if e != nil && e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		c.clear("the name of a file", rel)
		if e.Type().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return nil // it was there only for a moment
			}
			seen++
			low := strings.ToLower(string(b))
			for name, form := range c.forms {
				if strings.Contains(low, strings.ToLower(form)) {
					c.t.Errorf("%s holds the value (%s)", filepath.Base(path), name)
				}
			}
		}
		return nil
	})
	if err != nil || seen < 2 {
		c.t.Errorf("%d files were looked at: %v", seen, err)
	}
}
