package agenttools

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"baton/backend/fault"
)

// restless is a page that never stands still: it moves its buttons, draws them
// anew, covers them, changes its frames, and goes to other documents and back.
// Every button ever made has a name of its own, and says when it is pressed.
const restless = `<title>Restless</title><style>
#list{display:flex;flex-wrap:wrap;gap:4px;width:640px}button{width:120px;height:26px;transition:none}#cover{position:absolute;z-index:5;left:0;top:0}iframe{width:300px;height:90px}
</style><div id=list></div><button id=cover></button><div id=box></div><script>
let uid = {base};
const other = "http://{other}";
function button(el = document.createElement('button')) {
  const name = 'Item ' + uid++;
  el.textContent = name;
  el.onclick = e => fetch('/hit', {method: 'POST', body: (e.isTrusted ? '' : 'untrusted ') + name, keepalive: true});
  return el;
}
const any = list => list[Math.floor(Math.random() * list.length)];
for (let i = 0; i < 24; i++) list.append(button());
button(cover);
function frame() { const f = document.createElement('iframe'); f.src = (Math.random() < .5 ? other : '') + '/frame'; return f; }
box.append(frame(), frame());
const moves = [
  () => { const a = any(list.children), b = any(list.children); list.insertBefore(a, b); },
  () => { list.append(...[...list.children].sort(() => Math.random() - .5)); },
  () => { any(list.children).replaceWith(button()); },
  () => { any(list.children).replaceWith(button()); },
  () => { list.replaceChildren(...[...list.children].map(() => button())); },
  () => { const old = any(list.children); old.remove(); list.prepend(button()); },
  () => { cover.style.left = Math.random() * 500 + 'px'; cover.style.top = Math.random() * 120 + 'px'; },
  () => { const s = document.createElement('p'); s.textContent = 'news'; document.body.prepend(s); setTimeout(() => s.remove(), 90); },
  () => { if (Math.random() < .2) any(box.children).replaceWith(frame()); },
  () => { if (Math.random() < .2) any(box.children).src = '/frame'; },
  () => { if (Math.random() < .3) history.pushState({}, '', '?' + Math.random()); },
  () => { if (Math.random() < .25) location.href = '/page' + Math.floor(Math.random() * 3); },
  () => { if (Math.random() < .25) any([() => history.back(), () => history.forward()])(); },
];
setInterval(() => any(moves)(), {every});
</script>`

const restlessFrame = `<style>button{width:120px;height:26px}</style><div id=list></div><script>
let uid = {base};
function button() { const b = document.createElement('button'), name = 'Item ' + uid++; b.textContent = name; b.onclick = e => fetch('/hit', {method: 'POST', body: (e.isTrusted ? '' : 'untrusted ') + name, keepalive: true}); return b; }
for (let i = 0; i < 4; i++) list.append(button());
setInterval(() => { const k = list.children; if (Math.random() < .5) list.insertBefore(k[3], k[0]); else if (Math.random() < .3) k[1].replaceWith(button()); }, {every});
</script>`

// hits collects what was pressed.
type hits struct {
	mu   sync.Mutex
	list []string
}

func (h *hits) add(s string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, s)
}

// since waits a moment for what was pressed after the first n.
func (h *hits) since(n int, wait time.Duration) []string {
	for end := time.Now().Add(wait); ; time.Sleep(5 * time.Millisecond) {
		h.mu.Lock()
		list := append([]string(nil), h.list[n:]...)
		h.mu.Unlock()
		if len(list) > 0 || time.Now().After(end) {
			return list
		}
	}
}

func restlessSite(t *testing.T) (string, *hits) {
	t.Helper()
	h := &hits{}
	var base atomic.Int64
	var port string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.URL.Path == "/hit" {
			b, _ := io.ReadAll(r.Body)
			h.add(string(b))
			return
		}
		body := restless
		if r.URL.Path == "/frame" {
			body = restlessFrame
		}
		w.Header().Set("Content-Type", "text/html")
		// A document holds for a while, so that some of what is remembered is still there.
		fmt.Fprint(w, "<!doctype html>", strings.NewReplacer("{base}", fmt.Sprint(base.Add(1)*100_000), "{other}", "localhost:"+port, "{every}", fmt.Sprint(25+rand.IntN(60))).Replace(body))
	}))
	port = s.URL[strings.LastIndex(s.URL, ":")+1:]
	t.Cleanup(s.Close)
	return s.URL, h
}

var itemLine = regexp.MustCompile(`button "(Item \d+)" \[(e\d+)\]`)

// TestNeverAnotherTarget clicks remembered refs on a page that never stands
// still: whatever is pressed is what the ref named when it was given out.
func TestNeverAnotherTarget(t *testing.T) {
	count := 300
	if os.Getenv("BATON_LONG") != "" {
		count = 10_000
	}
	url, h := restlessSite(t)
	d := sit(t)
	d.must("browser_open", fmt.Sprintf(`{"url":%q}`, url+"/"))
	type known struct{ ref, name string }
	var memory []known
	var hit, refused, silent, wrong int
	codes := map[string]int{}
	for n, looks := 0, 0; n < count; n++ {
		for n%4 == 0 || len(memory) == 0 {
			if looks++; looks > count {
				t.Fatalf("the page could not be read: %v", codes)
			}
			r, err := d.call("browser_snapshot", `{}`)
			if err != nil {
				codes["snapshot "+string(fault.From(err).Code)]++
				continue
			}
			found := itemLine.FindAllStringSubmatch(r.Text, -1)
			if len(found) == 0 { // it went back to before its first address
				_, _ = d.call("browser_navigate", fmt.Sprintf(`{"url":%q}`, url+"/"))
				continue
			}
			for _, m := range found {
				memory = append(memory, known{m[2], m[1]})
			}
			if len(memory) > 400 {
				memory = memory[len(memory)-400:]
			}
			break
		}
		// Mostly what was seen last, sometimes what was seen long ago.
		k := memory[len(memory)-1-rand.IntN(min(len(memory), 30))]
		if rand.IntN(5) == 0 {
			k = memory[rand.IntN(len(memory))]
		}
		before := len(h.since(0, 0))
		_, err := d.call("browser_click", fmt.Sprintf(`{"target":%q,"timeout_ms":900}`, k.ref))
		wait := 25 * time.Millisecond
		if err == nil {
			wait = 400 * time.Millisecond
		}
		got := h.since(before, wait)
		for _, g := range got {
			if g != k.name {
				wrong++
				t.Errorf("the ref %s was %q, and %q was pressed; the tool said %v", k.ref, k.name, g, err)
			}
		}
		switch {
		case len(got) > 0 && err == nil:
			hit++
		case err == nil:
			silent++
		default:
			refused++
			codes[string(fault.From(err).Code)]++
			if fault.Is(err, fault.Internal) {
				t.Logf("an error without a code: %v (%v)", err, errors.Unwrap(fault.From(err)))
			}
		}
	}
	t.Logf("%d clicks: %d hit, %d refused (%v), %d without effect, %d on another target", count, hit, refused, codes, silent, wrong)
	if hit < count/10 {
		t.Errorf("%d of %d clicks hit, too few to tell anything", hit, count)
	}
}
