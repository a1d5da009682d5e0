package cli

import (
	"math"
	"strings"
	"testing"
	"time"

	"baton/app"
)

// What a person sees and chooses at Baton's own window beside the page itself,
// by a real mouse and keyboard (SPEC H2, H4).
func TestWhatLiesOverThePageInTheWindow(t *testing.T) {
	s := newScreen(t)
	s.manage()
	p := s.sit(t)
	w := p.w

	p.run(t, "a tooltip", func(t *testing.T) {
		p.tool(p.to(700, 250)...)
		before := p.glance(690, 180, 160, 50)
		p.tool(p.to(710, 165)...)
		p.changes("the tooltip shows", before)
		p.tool(p.to(700, 290)...)
		p.returns("it goes with the pointer", before)
	})
	p.run(t, "where a link leads", func(t *testing.T) {
		p.tool(p.to(700, 250)...)
		corner := p.glance(0, p.tall-p.top-30, 200, 16)
		p.tool(p.to(820, 160)...)
		p.changes("the address shows", corner)
		p.tool(p.to(700, 250)...)
		p.returns("it goes with the pointer", corner)
	})
	p.run(t, "the pointer's shape", func(t *testing.T) {
		shapes := map[string]string{}
		for _, c := range []struct {
			name string
			x, y int
		}{{"nothing", 700, 250}, {"a link", 820, 160}, {"a field", 100, 40}} {
			p.tool(p.to(c.x, c.y)...)
			p.wait("a pointer for "+c.name, func() bool {
				got := p.pointer()
				for _, other := range shapes {
					if other == got {
						return false
					}
				}
				shapes[c.name] = got
				return true
			})
		}
		p.tool(p.to(700, 250)...)
		p.wait("the plain one again", func() bool { return p.pointer() == shapes["nothing"] })
	})
	p.run(t, "what a form wants", func(t *testing.T) {
		before := p.glance(680, 62, 200, 40)
		p.click(930, 40)
		p.changes("the message shows", before)
		w.eventually(w.noted("invalid", "submit"), "invalid")
		p.press("a")
		p.returns("it is gone", before)
		p.press("Return")
		w.eventually(w.noted("invalid", "submit"), "invalid | submit a")
	})
	p.run(t, "a select list", func(t *testing.T) {
		before := p.glance(690, 145, 150, 90)
		p.click(780, 125)
		p.changes("the list shows", before)
		p.press("c", "h", "Return")
		w.eventually("list.value", "cherry")
		w.eventually(w.noted("input", "change"), "input cherry | change cherry")
		p.returns("the list is gone", before)
		p.click(780, 125)
		p.changes("the list shows", before)
		p.click(740, 160)
		w.eventually("list.value", "apple")
		w.eventually(w.noted("input", "change"), "input cherry | change cherry | input apple | change apple")
		p.returns("the list is gone", before)
	})
	p.run(t, "a date picker", func(t *testing.T) {
		before := p.glance(910, 145, 150, 90)
		p.click(1085, 125)
		p.changes("the calendar shows", before)
		p.press("Right", "Return")
		w.eventually("day.value", "2026-03-11")
		// The picker is Baton's own, so a script sets what was chosen.
		w.eventually("log.filter(e => /input|change/.test(e)).join(' | ')", "untrusted input 2026-03-11 | untrusted change 2026-03-11")
		p.returns("the calendar is gone", before)
	})
	p.run(t, "the menu of a link", func(t *testing.T) {
		p.menu(820, 160, 2) // "Copy link address"
		p.wait("the address is on the clipboard", func() bool { return p.clipboard("clipboard", "UTF8_STRING") == w.url+"/colour/2060c0" })
		p.menu(820, 160, 1) // "Open link in new tab"
		opened := p.l.tab("the link in a tab", func(x app.Tab) bool { return x.URL == w.url+"/colour/2060c0" })
		p.l.must("tabs.close", app.TabArgs{Tab: opened.ID}, nil)
	})
	p.run(t, "the menu of an image", func(t *testing.T) {
		p.menu(430, 150, 1) // "Save image": a data: image has no address to open
		p.wait("the image is saved", func() bool { return p.l.seen(app.EventDownloads) > 1 })
	})
	p.run(t, "the menu of a field", func(t *testing.T) {
		p.put("clipboard", "UTF8_STRING", "by the menu")
		p.menu(170, 40, 3) // "Paste": undo, redo, and then that, since nothing is selected
		w.eventually("field.value", "by the menu")
		w.eventually("document.activeElement.id", "field")
	})
	p.run(t, "a shadow lets the page show through", func(t *testing.T) {
		w.eventually("document.body.style.background = '#2060c0'", "#2060c0")
		p.tool(append(p.to(700, 250), "click", "3")...)
		p.wait("a darker blue about the menu", func() bool {
			n := 0
			for pixels := p.glance(660, 220, 320, 260).pixels; len(pixels) > 0; pixels = pixels[4:] {
				blue, red := float64(pixels[0]), float64(pixels[2])
				if blue > 100 && blue < 0xbc && math.Abs(red/blue-32.0/192) < 0.02 {
					n++
				}
			}
			return n > 200
		})
		p.press("Escape")
		w.eventually("document.body.style.background = ''", "")
	})
	p.run(t, "dialogs", func(t *testing.T) {
		for _, c := range []struct{ deed, keys, want string }{
			{"alert('look')", "Return", "undefined"},
			{"confirm('sure?')", "Return", "true"},
			{"confirm('sure?')", "Escape", "false"},
			{"prompt('who?', 'me')", "Return", "me"},
			{"prompt('who?', 'me')", "y o u Return", "you"},
			{"prompt('who?', 'me')", "Escape", "null"},
		} {
			w.eventually("deed = () => { log.push('said ' + "+c.deed+") }; reset()", "true")
			before := p.glance(500, 10, 300, 60)
			p.click(970, 165)
			p.changes(c.deed+" shows", before)
			p.press(strings.Fields(c.keys)...)
			w.eventually(w.noted("said"), "said "+c.want)
			p.returns("it is gone", before)
		}
	})
	p.run(t, "leaving a page that asks", func(t *testing.T) {
		w.eventually("onbeforeunload = e => e.preventDefault(); reset()", "true")
		p.focus() // Chromium asks only where the person did something
		before := p.glance(500, 10, 300, 60)
		p.press("F5")
		// All the time the page is seen through what darkens it.
		left, top, _, _ := p.where(p.window())
		var shown time.Time
		for end := time.Now().Add(20 * time.Second); shown.IsZero() || time.Since(shown) < 300*time.Millisecond; {
			if time.Now().After(end) {
				p.keep()
				t.Fatal("the question never showed")
			}
			if g := p.see(left+p.left+60, top+p.top+150, 1, 1); int(g.pixels[2])-int(g.pixels[0]) < 50 {
				t.Fatalf("what is orange looks % x", g.pixels[:3])
			}
			if shown.IsZero() && p.see(before.x, before.y, before.wide, before.high).differs(before) > 0.03 {
				shown = time.Now()
			}
		}
		p.press("Escape")
		p.returns("it is gone", before)
		p.press("a")
		w.eventually("field.value", "a")
		marked := p.glance(245, 125, 90, 50)
		w.eventually("to.style.background = '#102030'", "#102030")
		p.changes("the mark shows", marked)
		before = p.glance(500, 10, 300, 60)
		p.press("F5")
		p.changes("the question shows", before)
		p.press("Return")
		p.returns("the page is another, without it", marked)
		w.eventually("document.readyState + field.value + onbeforeunload", "completenull")
	})
}

// menu opens the menu at a place of the page and takes the entry of that number.
func (p *desktop) menu(x, y, n int) {
	p.w.t.Helper()
	p.tool(p.to(x, y)...)
	before := p.glance(x+12, y+24, 100, 50)
	p.tool("click", "3")
	p.changes("the menu shows", before)
	for range n {
		p.press("Down")
	}
	p.press("Return")
	p.returns("the menu is gone", before)
}
