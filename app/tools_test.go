package app

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/backend/tab"
)

// toolsOf opens a tab's developer tools and watches them.
func (h *host) toolsOf(c *client, of string, a InspectArgs) string {
	h.t.Helper()
	var r TabResult
	a.Tab = of
	c.must("tabs.inspect", a, &r)
	return r.Tab
}

func tabsHave(fits func(Tab) bool) func(json.RawMessage) bool {
	return func(data json.RawMessage) bool {
		var list []Tab
		if json.Unmarshal(data, &list) != nil {
			return false
		}
		for _, t := range list {
			if fits(t) {
				return true
			}
		}
		return false
	}
}

func TestDeveloperToolsStreamAndTakeInput(t *testing.T) {
	h, c, page := watchFields(t)
	tools := h.toolsOf(c, page, InspectArgs{})
	c.event(EventTabs, 5*time.Second, tabsHave(func(t Tab) bool { return t.ID == tools && t.Inspects == page }))
	number, _ := strconv.Atoi(strings.TrimPrefix(tools, "t"))
	n, from := uint32(number), c.count()
	c.watch(tools, 1000, 640)
	c.until(from, 5*time.Second, "of the tools at rest", func(f frame) bool { return f.Tab == n && f.Kind == 1 && f.Width == 1000 })

	// The tree shows the page: a press on a line chooses the element, and keys go
	// there.
	p := h.tabs.Live(tools)
	if p == nil || !p.IsTools() {
		t.Fatal("no developer tools")
	}
	h.eventually(tools, `(() => { const all = []; const go = r => { for (const e of r.querySelectorAll('*')) { all.push(e); if (e.shadowRoot) go(e.shadowRoot); } }; go(document); globalThis.deep = s => all.filter(e => e.matches(s)); return deep('li[role=treeitem]').length > 2; })()`, "true")
	var at struct{ X, Y float64 }
	h.js(tools, `(() => { const r = deep('li[role=treeitem]').find(e => e.textContent.includes('<body')).getBoundingClientRect(); return {x: r.left + 40, y: r.top + 6}; })()`, &at)
	c.click(at.X, at.Y)
	h.eventually(tools, `deep('li[role=treeitem].selected').map(e => e.textContent.includes('<body')).join()`, "true")

	// Its menus are drawn in the page, and what they copy is the person's.
	c.menu(at.X, at.Y)
	h.eventually(tools, `(() => { const go = r => { for (const e of r.querySelectorAll('*')) { if (e.matches('.soft-context-menu')) return true; if (e.shadowRoot && go(e.shadowRoot)) return true; } return false; }; return go(document); })()`, "true")
	c.press("Escape", "Escape", 0)
	c.press("c", "KeyC", 2)
	c.event(EventCopied, 5*time.Second, func(data json.RawMessage) bool {
		var v Copied
		return json.Unmarshal(data, &v) == nil && v.Tab == tools && strings.HasPrefix(v.Text, "<body")
	})

	// In the console keys type, a paste arrives, and the page answers. The wheel
	// scrolls, a drag moves what divides them.
	h.js(tools, `import('devtools://devtools/bundled/ui/legacy/legacy.js').then(m => m.ViewManager.ViewManager.instance().showView('console')).then(() => 1)`, new(any))
	const deep = `((() => { const all = []; const go = r => { for (const e of r.querySelectorAll('*')) { all.push(e); if (e.shadowRoot) go(e.shadowRoot); } }; go(document); globalThis.deep = s => all.filter(e => e.matches(s)); })(),`
	h.eventually(tools, deep+`deep('.cm-content').length)`, "1")
	h.js(tools, deep+`(() => { const r = deep('.cm-content')[0].getBoundingClientRect(); return {x: r.left + 20, y: r.top + 6}; })())`, &at)
	c.click(at.X, at.Y)
	enter := func(text string) {
		for _, k := range text {
			c.press(string(k), "", 0)
		}
		c.press("Enter", "Enter", 0)
	}
	enter("document.title.length+6*7")
	var title string
	h.js(page, "String(document.title.length+42)", &title)
	h.eventually(tools, deep+`deep('.console-user-command-result').map(e => e.innerText.trim()).join())`, title)
	h.js(tools, `(addEventListener('paste', e => globalThis.got = [e.isTrusted, e.clipboardData.getData('text/plain')].join()), 1)`, new(any))
	c.write(Input{In: "paste", View: 1, Text: "1 + 1", Mods: 2})
	h.eventually(tools, "globalThis.got", "true,1 + 1")
	for range 25 {
		enter("1")
	}
	h.eventually(tools, deep+`deep('#console-messages').map(e => e.scrollTop > 200).join())`, "true")
	c.write(Input{In: "wheel", View: 1, X: 300, Y: 200, DY: -5000})
	h.eventually(tools, deep+`deep('#console-messages').map(e => e.scrollTop).join())`, "0")

	// They are opened once.
	if again := h.toolsOf(c, page, InspectArgs{}); again != tools {
		t.Errorf("a second time gives %s, not %s", again, tools)
	}
	if err := c.call("tabs.inspect", InspectArgs{Tab: tools}, nil); err == nil {
		t.Error("the tools were inspected")
	}
	// Reloading them loads the page.
	h.js(page, "globalThis.before = 1", new(any))
	c.must("tabs.reload", ReloadArgs{Tab: tools}, nil)
	h.eventually(page, "typeof before", "undefined")
	// They go with their page.
	c.must("tabs.close", TabArgs{Tab: page}, nil)
	h.gone(tools)
}

func TestDeveloperToolsShowTheElementUnderThePointer(t *testing.T) {
	h, c, page := watchFields(t)
	var at struct {
		X, Y float64
		Text string
	}
	h.js(page, `(() => { const e = document.querySelector('label, p, h1, select'); const r = e.getBoundingClientRect(); return {x: r.left + 3, y: r.top + 3, text: e.localName}; })()`, &at)
	c.menu(at.X, at.Y)
	menu := c.surface("menu", nil).ID
	c.must("surface.close", SurfaceArgs{Tab: page, ID: menu}, nil)
	tools := h.toolsOf(c, page, InspectArgs{Menu: menu})
	h.eventually(tools, `(() => { const go = r => { for (const e of r.querySelectorAll('*')) { if (e.matches('li[role=treeitem].selected')) return e.textContent; const x = e.shadowRoot && go(e.shadowRoot); if (x) return x; } return ''; }; return go(document).trim().startsWith('<`+at.Text+`'); })()`, "true")

	// An element that the person points at brings the tools to the front.
	h.toolsOf(c, page, InspectArgs{Pick: true})
	for range 100 {
		c.click(300, 400)
		if slices.ContainsFunc(c.heard(EventView), func(data string) bool { return strings.Contains(data, `"`+tools+`"`) }) {
			break
		}
		settle()
	}
	c.event(EventView, 5*time.Second, func(data json.RawMessage) bool {
		var v ViewState
		return json.Unmarshal(data, &v) == nil && v.Tab == tools
	})

	// Closed by the person, or by themselves, they are gone and the page stays.
	c.must("tabs.close", TabArgs{Tab: tools}, nil)
	h.gone(tools)
	again := h.toolsOf(c, page, InspectArgs{})
	h.js(again, "InspectorFrontendHost.closeWindow()", new(any))
	h.gone(again)
	h.eventually(page, "document.readyState", "complete")
}

// menu asks for the context menu at a point.
func (c *client) menu(x, y float64) {
	c.write(Input{In: "mouse", View: 1, Type: "down", X: x, Y: y, Button: "right", Buttons: 2, Count: 1})
	c.write(Input{In: "mouse", View: 1, Type: "up", X: x, Y: y, Button: "right", Count: 1})
}

// gone waits until a tab is.
func (h *host) gone(id string) {
	h.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if _, err := h.tabs.Get(id, tab.Actor{}); err != nil {
			return
		}
	}
	h.t.Fatalf("tab %s is still there", id)
}
