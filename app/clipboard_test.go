package app

import (
	"strings"
	"testing"
)

// A PNG of one pixel.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

func watchRich(t *testing.T) (*host, *client, string) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/rich.html")
	c.watch(id, 500, 400)
	c.until(0, patience, "at rest", func(f frame) bool { return f.Kind == 1 })
	h.eventually(id, "document.readyState", "complete")
	return h, c, id
}

// inside is what a page reads of the clipboard by itself.
const inside = `navigator.clipboard.readText().catch(e => e.name)`

func TestPasteBringsEveryFormByATrustedEvent(t *testing.T) {
	h, c, id := watchRich(t)
	c.click(60, 30)
	h.eventually(id, "document.activeElement.id", "pad")
	c.write(Input{In: "paste", View: 1, Text: "rich", HTML: "<b>rich</b>", Image: dot, Mods: 2})
	h.eventually(id, "log.join(';')", "key v;true|rich|true|image/png")
	h.eventually(id, "pad.querySelector('b')?.textContent", "rich")

	t.Run("nothing is left of it in Chromium", func(t *testing.T) {
		// The page asks by itself, and by a paste of its own making.
		h.eventually(id, "await "+inside+" || 'nothing'", "NotAllowedError")
		got, err := h.engine.Clip(t.Context())
		if err != nil || !got.Empty() {
			t.Errorf("Chromium's clipboard holds %+v, %v", got, err)
		}
	})
	t.Run("from a menu no shortcut is seen", func(t *testing.T) {
		h.js(id, "(log.length = 0, plain.focus(), 1)", new(int))
		c.write(Input{In: "paste", View: 1, Text: "two\nlines", HTML: "<p>two</p><p>lines</p>"})
		h.eventually(id, "plain.value", "two lines")
		h.eventually(id, "log.join()", "key ")
	})
	t.Run("what comes next comes after it", func(t *testing.T) {
		h.js(id, "(plain.value = '', plain.focus(), 1)", new(int))
		for _, s := range []string{"a", "b", "c"} {
			c.write(Input{In: "paste", View: 1, Text: s + s})
			c.press(s, "Key"+strings.ToUpper(s), 0)
		}
		h.eventually(id, "plain.value", "aaabbbccc")
	})
}

func TestCopyTakesEveryForm(t *testing.T) {
	h, c, id := watchRich(t)
	copied := func() (r ClipResult) {
		t.Helper()
		c.press("c", "KeyC", 2)
		c.must("clipboard.copy", TabArgs{Tab: id}, &r)
		return r
	}
	h.js(id, "(getSelection().selectAllChildren(words), 1)", new(int))
	if r := copied(); r.Text != "some bold words" || !strings.Contains(r.HTML, "<b") || !strings.Contains(r.HTML, "bold</b>") {
		t.Errorf("copied %+v", r)
	}
	if got, err := h.engine.Clip(t.Context()); err != nil || !got.Empty() {
		t.Errorf("Chromium's clipboard still holds %+v, %v", got, err)
	}

	t.Run("what the page puts there itself", func(t *testing.T) {
		h.js(id, `(document.oncopy = e => { e.preventDefault(); e.clipboardData.setData('text/html', '<i>its own</i>') }, 1)`, new(int))
		if r := copied(); r.Text != "" && r.Text != "some bold words" || !strings.Contains(r.HTML, "its own") {
			t.Errorf("copied %+v", r)
		}
		h.js(id, `(document.oncopy = null, 1)`, new(int))
	})
	t.Run("a hidden field stays hidden", func(t *testing.T) {
		h.js(id, "(secret.focus(), secret.select(), 1)", new(int))
		if r := copied(); r.Text != "" || r.HTML != "" {
			t.Errorf("a hidden field gave %+v", r)
		}
	})
	t.Run("nothing selected is nothing", func(t *testing.T) {
		h.js(id, "(getSelection().removeAllRanges(), document.activeElement.blur(), 1)", new(int))
		if r := copied(); r.Text != "" || r.HTML != "" || r.Image != "" {
			t.Errorf("copied %+v", r)
		}
	})
}

// What the middle button pastes is the person's to bring: what Chromium keeps of
// a selection in some page goes to no other.
func TestTheMiddleButtonPastesWhatThePersonHasSelected(t *testing.T) {
	h, c, id := watchRich(t)
	middle := func(text string) {
		t.Helper()
		for _, kind := range []string{"down", "up"} {
			c.write(Input{In: "mouse", View: 1, Type: kind, X: 60, Y: 30, Button: "middle", Buttons: map[string]int{"down": 4}[kind], Count: 1})
		}
		if text != "" {
			c.write(Input{In: "paste", View: 1, Type: "primary", Text: text})
		}
	}
	// A selection of the person's, by keys: Chromium keeps it.
	c.click(60, 30)
	h.eventually(id, "document.activeElement.id", "pad")
	h.js(id, "(pad.textContent = 'kept', 1)", new(int))
	c.press("a", "KeyA", 2)
	var got ClipResult
	c.must("clipboard.selection", TabArgs{Tab: id}, &got)
	if got.Text != "kept" {
		t.Errorf("selected is %q", got.Text)
	}
	h.js(id, "(pad.textContent = '', log.length = 0, window.ups = 0, addEventListener('auxclick', () => ups++), 1)", new(int))
	middle("")
	h.eventually(id, "ups", "1")
	middle("from elsewhere")
	h.eventually(id, "pad.textContent", "from elsewhere")
	h.eventually(id, "log.filter(e => e.startsWith('true')).join(';')", "true|from elsewhere|false|")

	t.Run("not where the page has its own use of the button", func(t *testing.T) {
		h.js(id, "(log.length = 0, addEventListener('mouseup', e => e.preventDefault(), {once: true}), 1)", new(int))
		middle("not this")
		h.eventually(id, "ups", "3")
		middle(" and more")
		h.eventually(id, "pad.textContent.includes('and more') && !pad.textContent.includes('not this')", "true")
	})
	t.Run("a hidden field is not selected for it", func(t *testing.T) {
		h.js(id, "(secret.focus(), secret.select(), 1)", new(int))
		c.must("clipboard.selection", TabArgs{Tab: id}, &got)
		if got.Text != "" {
			t.Errorf("a hidden field gave %q", got.Text)
		}
	})
}
