package app

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// watchEcho shows the page that notes its input, and clears what it noted.
func watchEcho(t *testing.T) (*host, *client, string) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/echo.html")
	c.watch(id, 800, 600)
	c.until(0, 10*time.Second, "at rest", func(f frame) bool { return f.Kind == 1 })
	h.eventually(id, "document.readyState", "complete")
	return h, c, id
}

func (c *client) key(kind, key, code string, mods int) {
	c.write(Input{In: "key", View: 1, Type: kind, Key: key, Code: code, Mods: mods})
}

func (c *client) press(key, code string, mods int) {
	c.key("down", key, code, mods)
	c.key("up", key, code, mods)
}

func TestMouseArrivesAsItWas(t *testing.T) {
	h, c, id := watchEcho(t)
	c.click(123.5, 77.25)
	h.eventually(id, `log.filter(e => e.kind === 'click').map(e => [Math.round(e.x), Math.round(e.y), e.button, e.detail, e.trusted].join()).join(' ')`, "123,77,0,1,true")

	for n := 1; n <= 2; n++ {
		c.write(Input{In: "mouse", View: 1, Type: "down", X: 50, Y: 50, Button: "left", Buttons: 1, Count: n, Mods: 8})
		c.write(Input{In: "mouse", View: 1, Type: "up", X: 50, Y: 50, Button: "left", Count: n, Mods: 8})
	}
	h.eventually(id, `log.filter(e => e.kind === 'dblclick').map(e => [e.x, e.y, e.mods].join()).join(' ')`, "50,50,8")

	for i, b := range []string{"middle", "right", "back", "forward"} {
		bit := []int{4, 2, 8, 16}[i]
		c.write(Input{In: "mouse", View: 1, Type: "down", X: 60, Y: 60, Button: b, Buttons: bit, Count: 1})
		c.write(Input{In: "mouse", View: 1, Type: "up", X: 60, Y: 60, Button: b, Count: 1})
	}
	h.eventually(id, `log.filter(e => e.kind === 'mousedown' && e.x === 60).map(e => e.button + '/' + e.buttons).join(' ')`, "1/4 2/2 3/8 4/16")

	// The page still takes clicks after its context menu.
	c.click(33, 44)
	h.eventually(id, `log.filter(e => e.kind === 'click' && e.x === 33).length`, "1")

	for range 5 {
		c.write(Input{In: "wheel", View: 1, X: 100, Y: 100, DY: 30})
	}
	h.eventually(id, `log.filter(e => e.kind === 'wheel').reduce((n, e) => n + e.dy, 0)`, "150")
	h.eventually(id, `Math.round(scrollY)`, "150")

	c.write(Input{In: "touch", View: 1, Type: "start", X: 200, Y: 90})
	c.write(Input{In: "touch", View: 1, Type: "end", X: 200, Y: 90})
	h.eventually(id, `log.filter(e => e.kind.startsWith('touch')).map(e => e.kind + Math.round(e.x)).join(' ')`, "touchstart200 touchend200")
}

func TestKeysTypeWhatTheySay(t *testing.T) {
	h, c, id := watchEcho(t)
	c.click(100, 335)
	h.eventually(id, `document.activeElement.id`, "field")
	for _, k := range []string{"h", "é", "ß", "日", "😀", "B"} {
		c.press(k, "", 0)
	}
	h.eventually(id, `field.value`, "héß日😀B")
	c.press("a", "KeyA", 2)
	c.press("Backspace", "Backspace", 0)
	h.eventually(id, `field.value`, "")
	c.write(Input{In: "compose", View: 1, Text: "にほ", Start: 2, End: 2})
	h.eventually(id, `field.value`, "にほ")
	c.write(Input{In: "commit", View: 1, Text: "日本"})
	h.eventually(id, `field.value`, "日本")
	c.write(Input{In: "paste", View: 1, Text: " and more"})
	h.eventually(id, `field.value`, "日本 and more")
	c.press("z", "KeyZ", 2)
	h.eventually(id, `field.value`, "日本")
	c.press("1", "Numpad1", 0)
	c.write(Input{In: "key", View: 1, Type: "down", Key: "Shift", Code: "ShiftRight", KeyCode: 16, Location: 2, Mods: 8})
	c.write(Input{In: "key", View: 1, Type: "up", Key: "Shift", Code: "ShiftRight", KeyCode: 16, Location: 2})
	h.eventually(id, `log.filter(e => e.kind === 'keydown' && e.key === 'Shift').map(e => e.code + e.location + e.keyCode).join()`, "ShiftRight216")
	var untrusted int
	h.js(id, `log.filter(e => !e.trusted).length`, &untrusted)
	if untrusted > 0 {
		t.Errorf("%d events were not trusted", untrusted)
	}
}

func TestBlurLetsGo(t *testing.T) {
	h, c, id := watchEcho(t)
	c.click(100, 335)
	h.eventually(id, `document.activeElement.id`, "field")
	c.key("down", "Shift", "ShiftLeft", 8)
	c.write(Input{In: "mouse", View: 1, Type: "down", X: 40, Y: 40, Button: "left", Buttons: 1, Count: 1, Mods: 8})
	c.write(Input{In: "blur", View: 1})
	h.eventually(id, `log.filter(e => e.kind === 'keyup').map(e => e.key).join()`, "Shift")
	h.eventually(id, `log.filter(e => e.kind === 'mouseup' && e.x === 40).length`, "1")
	c.click(100, 335)
	c.press("a", "KeyA", 0)
	h.eventually(id, `field.value`, "a")
	h.eventually(id, `log.filter(e => e.key === 'a').map(e => e.mods).join()`, "0,0")
}

func TestCopyAndCut(t *testing.T) {
	h, c, id := watchEcho(t)
	c.click(100, 335)
	c.write(Input{In: "paste", View: 1, Text: "some words"})
	h.eventually(id, `field.value`, "some words")
	c.press("a", "KeyA", 2)
	take := func(call, key, code string) string {
		c.key("down", key, code, 2)
		c.key("up", key, code, 2)
		var r ClipResult
		c.must(call, TabArgs{Tab: id}, &r)
		return r.Text
	}
	if got := take("clipboard.copy", "c", "KeyC"); got != "some words" {
		t.Errorf("copied %q", got)
	}
	if got := take("clipboard.cut", "x", "KeyX"); got != "some words" {
		t.Errorf("cut %q", got)
	}
	h.eventually(id, `field.value`, "")

	t.Run("without a key", func(t *testing.T) {
		c.write(Input{In: "paste", View: 1, Text: "again"})
		c.press("a", "KeyA", 2)
		h.eventually(id, `field.selectionEnd`, "5")
		var r ClipResult
		c.must("clipboard.cut", TabArgs{Tab: id}, &r)
		if r.Text != "again" {
			t.Errorf("cut %q", r.Text)
		}
		h.eventually(id, `field.value`, "")
	})
	t.Run("a password stays", func(t *testing.T) {
		c.click(100, 375)
		h.eventually(id, `document.activeElement.id`, "secret")
		c.press("a", "KeyA", 2)
		if got := take("clipboard.copy", "c", "KeyC"); got != "" {
			t.Errorf("a password field gave %q", got)
		}
	})
	t.Run("what the page puts there", func(t *testing.T) {
		h.js(id, `(addEventListener('copy', e => { e.clipboardData.setData('text/plain', 'the page\'s own'); e.preventDefault() }), 1)`, new(int))
		c.click(100, 335)
		if got := take("clipboard.copy", "c", "KeyC"); got != "the page's own" {
			t.Errorf("copied %q", got)
		}
	})
}

func TestCursorTellsWhatIsUnderThePointer(t *testing.T) {
	_, c, _ := watchEcho(t)
	hover := func(x, y float64, want func(Cursor) bool) {
		t.Helper()
		c.write(Input{In: "mouse", View: 1, Type: "move", X: x, Y: y})
		c.event(EventCursor, 3*time.Second, func(raw json.RawMessage) bool {
			var got Cursor
			return json.Unmarshal(raw, &got) == nil && got.View == 1 && want(got)
		})
	}
	hover(40, 408, func(u Cursor) bool { return u.Cursor == "pointer" && strings.HasSuffix(u.Link, "/other.html") })
	hover(100, 335, func(u Cursor) bool { return u.Cursor == "text" && u.Link == "" })
	hover(40, 453, func(u Cursor) bool { return u.Title == "a tip" && u.Cursor == "text" })
	hover(375, 342, func(u Cursor) bool { return u.Link == "https://example.com/inside" && u.Cursor == "pointer" })
	hover(300, 20, func(u Cursor) bool { return u.Cursor == "default" && u.Title == "" })
}

func TestFloodOfMovesNeverDelaysAClick(t *testing.T) {
	h, c, id := watchEcho(t)
	// A page that works hard on every move.
	h.js(id, `(window.moves = 0, addEventListener('mousemove', () => { moves++; const until = performance.now() + 8; while (performance.now() < until); }), 1)`, new(int))
	h.js(id, `(addEventListener('mousedown', () => { window.pressed = Date.now() }), 1)`, new(int))
	var worst time.Duration
	for round := range 5 {
		for n := range 400 {
			c.write(Input{In: "mouse", View: 1, Type: "move", X: float64(100 + n%300), Y: float64(50 + round)})
		}
		start := time.Now()
		c.click(50, 50)
		for range 300 {
			var at int64
			h.js(id, `window.pressed || 0`, &at)
			if at > 0 {
				took := time.UnixMilli(at).Sub(start)
				t.Logf("click after %v", took)
				worst = max(worst, took)
				h.js(id, `(window.pressed = 0, 1)`, new(int))
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	var moves int
	h.js(id, `moves`, &moves)
	t.Logf("2,000 moves became %d; the slowest click came after %v", moves, worst)
	if moves > 1000 {
		t.Errorf("%d of 2,000 moves reached the page, which works 8 ms on each", moves)
	}
	if worst == 0 {
		t.Error("no click came")
	}
}
