package cli

import (
	"fmt"
	"slices"
	"testing"

	"baton/app"
)

// Tabs at Baton's own window, by a real mouse and keyboard, and what one tab can
// be given: the whole screen, developer tools, a small window (SPEC H4–H9).
func TestTheTabsOfTheWindow(t *testing.T) {
	s := newScreen(t)
	s.manage()
	p := s.sit(t)
	w := p.w
	has := func(url string) bool {
		p.l.mu.Lock()
		defer p.l.mu.Unlock()
		return slices.ContainsFunc(p.l.tabs, func(x app.Tab) bool { return x.URL == url })
	}
	colours := []string{"c03020", "20a040", "3050d0", "d0a000", "a020c0"}
	page := func(colour string) string { return w.url + "/colour/" + colour }

	p.run(t, "the middle button on the button for a new tab", func(t *testing.T) {
		p.put("primary", "UTF8_STRING", page("109090"))
		p.tool("mousemove", "--window", p.id, "240", "21", "click", "2")
		p.l.tab("what was selected leads there", func(x app.Tab) bool { return x.URL == page("109090") })
		p.shows("109090")
	})
	p.run(t, "paste and go", func(t *testing.T) {
		p.put("clipboard", "UTF8_STRING", page("907010"))
		left, top, _, _ := p.where(p.window())
		menu := p.see(left+420, top+75, 60, 60)
		p.tool("mousemove", "--window", p.id, "400", "63", "click", "3")
		p.changes("the menu shows", menu)
		p.press("Down", "Down", "Down", "Down", "Return")
		p.shows("907010")
		if has(page("109090")) {
			t.Error("it opened elsewhere")
		}
		p.press("Control+w")
		p.wait("its tab is closed", func() bool { return !has(page("907010")) })
	})
	p.run(t, "what is typed at once after Ctrl+T", func(t *testing.T) {
		p.press("Control+1")
		p.focus()
		p.tool("key", "ctrl+t", "type", "--delay", "1", "--args", "1", page("607080"), "key", "Return")
		p.l.tab("it leads there", func(x app.Tab) bool { return x.URL == page("607080") })
		p.shows("607080")
		w.eventually("field.value", "")
		p.press("Control+w")
		p.wait("its tab is closed", func() bool { return !has(page("607080")) })
	})
	for _, c := range colours {
		p.l.must("tabs.open", app.OpenArgs{URL: page(c), Background: true}, nil)
	}
	p.run(t, "tabs by keys", func(t *testing.T) {
		for i, c := range colours {
			p.wait("the sign of "+c, func() bool { _, _, ok := p.strip().find(c); return ok })
			p.press(fmt.Sprintf("Control+%d", i+2))
			p.shows(c)
		}
		p.press("Control+1")
		p.enter()
		p.press("a")
		w.eventually("field.value", "a")
		p.press("Control+Shift+Tab")
		p.shows(colours[4])
		p.press("Control+Shift+Tab")
		p.shows(colours[3])
		p.press("Control+Tab")
		p.shows(colours[4])
		p.press("Control+w")
		p.wait("it is closed", func() bool { return !has(page(colours[4])) })
		p.shows(colours[3])
		p.press("Control+Shift+t")
		p.shows(colours[4])
		p.visit(page("708090"))
		p.shows("708090")
		p.press("Control+w")
		p.wait("it is closed", func() bool { return !has(page("708090")) })
	})
	p.run(t, "the middle button closes a tab", func(t *testing.T) {
		x, y, ok := p.strip().find(colours[1])
		if !ok {
			t.Fatal("the tab is not seen")
		}
		p.tool("mousemove", fmt.Sprint(x), fmt.Sprint(y), "click", "2")
		p.wait("it is closed", func() bool { return !has(page(colours[1])) })
	})
	p.run(t, "forty tabs", func(t *testing.T) {
		for range 33 {
			p.l.must("tabs.open", app.OpenArgs{Background: true}, nil)
		}
		last := "e010a0"
		p.l.must("tabs.open", app.OpenArgs{URL: page(last), Background: true}, nil)
		seen := func(colour string) bool { _, _, ok := p.strip().find(colour); return ok }
		p.press("Control+1")
		p.wait("the first tabs are seen", func() bool { return seen(colours[0]) && !seen(last) })
		p.press("Control+9")
		p.shows(last)
		p.wait("the shown tab is seen", func() bool { return seen(last) && !seen(colours[0]) })
		p.ask("Control+Shift+a", "colour "+colours[0]) // the list of all
		p.shows(colours[0])
		p.wait("that one is seen", func() bool { return seen(colours[0]) && !seen(last) })
		p.press("Control+1")
		p.enter()
		p.press("a")
		w.eventually("field.value", "a")
	})
	p.run(t, "an element and the window on the whole screen", func(t *testing.T) {
		p.press("Control+1")
		p.enter()
		_, _, wide, high := p.where(p.window())
		before := fmt.Sprint(wide, high)
		size := func() string { _, _, wide, high := p.where(p.window()); return fmt.Sprint(wide, high) }
		page := w.js("innerWidth + 'x' + innerHeight")
		w.eventually("deed = () => to.requestFullscreen(); reset()", "true")
		p.click(970, 165)
		w.eventually("document.fullscreenElement?.id + innerWidth + 'x' + innerHeight", "to1600x1200")
		p.wait("the window has the screen", func() bool { return size() == "1600 1200" && p.is(p.window(), "_NET_WM_STATE_FULLSCREEN") })
		p.shows("88ccff")
		p.press("Escape")
		w.eventually("String(document.fullscreenElement) + innerWidth + 'x' + innerHeight", "null"+page)
		p.wait("the window is as it was", func() bool { return size() == before })
		p.press("F11")
		w.eventually("String(document.fullscreenElement) + innerWidth + 'x' + innerHeight", "null1600x1200")
		p.press("F11")
		w.eventually("innerWidth + 'x' + innerHeight", page)
		p.wait("the window is as it was", func() bool { return size() == before })
	})
	p.run(t, "developer tools", func(t *testing.T) {
		p.press("Control+2")
		p.shows(colours[0])
		p.press("F12")
		tools := p.l.tab("the tools", func(x app.Tab) bool { return x.Inspects != "" })
		p.wait("what is typed there is done in the page", func() bool {
			p.press("Control+grave")
			p.tool("sleep", "1", "type", "--delay", "8", "document.title = 'by the console'")
			p.press("Return")
			p.tool("sleep", "0.5")
			p.l.mu.Lock()
			defer p.l.mu.Unlock()
			return slices.ContainsFunc(p.l.tabs, func(x app.Tab) bool { return x.ID == tools.Inspects && x.Title == "by the console" })
		})
		p.l.must("tabs.close", app.TabArgs{Tab: tools.Inspects}, nil)
		p.wait("the tools went with the page", func() bool {
			p.l.mu.Lock()
			defer p.l.mu.Unlock()
			return !slices.ContainsFunc(p.l.tabs, func(x app.Tab) bool { return x.ID == tools.ID })
		})
	})
	p.run(t, "a small window", func(t *testing.T) {
		small := func() uint32 {
			for _, id := range p.list(p.root(), "_NET_CLIENT_LIST") {
				if id != p.window() {
					return id
				}
			}
			return 0
		}
		open := func() (id uint32) {
			p.ask("Control+Shift+p", "picture")
			p.wait("the small window", func() bool { id = small(); return id != 0 })
			p.wait("it shows the tab", func() bool {
				left, top, wide, high := p.where(id)
				if wide < 40 || high < 40 {
					return false
				}
				_, _, ok := p.see(left+wide/2-10, top+high/2-10, 20, 20).find(colours[2])
				return ok
			})
			return id
		}
		p.ask("Control+Shift+a", "colour "+colours[2])
		p.shows(colours[2])
		id := open()
		p.wait("it is above all", func() bool { return p.is(id, "_NET_WM_STATE_ABOVE") })
		p.tool("windowactivate", "--sync", p.id)
		p.wait("it stays above the window that is used", func() bool {
			order := p.list(p.root(), "_NET_CLIENT_LIST_STACKING")
			return len(order) == 2 && order[1] == id
		})
		left, top, wide, high := p.where(id)
		p.tool("mousemove", fmt.Sprint(left+wide-18), fmt.Sprint(top+high-15), "click", "1")
		p.wait("its button closes it", func() bool { return small() == 0 })
		p.tool("windowactivate", "--sync", p.id)
		open()
		p.tool("windowactivate", "--sync", p.id)
		p.press("Control+w")
		p.wait("it goes with its tab", func() bool { return small() == 0 && !has(page(colours[2])) })
	})
}

// ask opens a list over the window by its keys, types into it and takes what
// comes first.
func (p *desktop) ask(keys, text string) {
	p.w.t.Helper()
	left, top, wide, _ := p.where(p.window())
	before := p.see(left+wide/2-150, top+60, 300, 200)
	p.press(keys)
	p.changes("the list shows", before)
	p.tool("type", "--delay", "20", text)
	p.press("Return")
}

// enter clicks the witness's field until the window shows it and it has the keys.
func (p *desktop) enter() {
	p.w.t.Helper()
	p.wait("the witness has the keys", func() bool {
		p.click(170, 40)
		return p.w.js("new Promise(done => setTimeout(() => done(document.activeElement.id), 100))") == "field"
	})
}
