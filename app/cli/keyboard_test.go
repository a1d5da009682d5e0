package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A person's real keyboard at Baton's own window: what they press arrives in
// the page as if the page lay in a browser of its own (SPEC H2).
func TestTheKeyboardInTheWindow(t *testing.T) {
	p := sit(t, "GTK_IM_MODULE=gtk-im-context-simple")
	w := p.w

	p.run(t, "a plain key", func(t *testing.T) {
		p.layout("us")
		p.focus()
		p.press("q", "Shift+2", "space", "Return")
		w.eventually("field.value", "q@ ")
		w.eventually(w.noted("key"), "keydown q | keyup q | keydown Shift+S | keydown @+S | keyup @+S | keyup Shift | keydown   | keyup   | keydown Enter | keyup Enter")
	})
	p.run(t, "AltGr and dead keys of a German keyboard", func(t *testing.T) {
		p.layout("de")
		p.focus()
		p.press("z", "AltGr+q", "AltGr+e", "AltGr+7")
		w.eventually("field.value", "y@€{")
		if got := w.js(w.noted("keydown")); strings.Contains(got, "+") {
			t.Errorf("what AltGr types counts as a shortcut: %s", got)
		}
		p.press("´", "e", "^", "a", "Shift+´", "o", "´", "space")
		w.eventually("field.value", "y@€{éâò'")
		w.eventually("log.filter(e => e.startsWith('compositionend')).join(' ')", "compositionend é compositionend â compositionend ò compositionend '")
	})
	p.run(t, "a dead key that is called off", func(t *testing.T) {
		p.focus()
		p.press("´", "BackSpace", "a")
		w.eventually("field.value", "a")
	})
	p.run(t, "letters and shortcuts of a Russian keyboard", func(t *testing.T) {
		p.layout("ru")
		p.focus()
		p.press("a", "s", "d")
		w.eventually("field.value", "фыв")
		p.press("Control+a", "Control+c")
		w.eventually("log.filter(e => e === 'copy').length", "1")
		p.press("Control+x")
		w.eventually("field.value", "")
		p.press("Control+v")
		w.eventually("field.value", "фыв")
		p.press("Control+z")
		w.eventually("field.value", "")
	})
	p.layout("us")
	p.run(t, "a held key repeats", func(t *testing.T) {
		p.focus()
		p.tool("keydown", place["x"])
		w.eventually("field.value.length > 3", "true")
		p.tool("keyup", place["x"])
		w.eventually("log.at(-1)", "keyup x")
		w.eventually("log.filter(e => e === 'keydown x').length", "1")
		w.eventually("log.filter(e => e === 'keydown x again').length === field.value.length - 1", "true")
	})
	p.run(t, "what is held when the window loses the keyboard is let go", func(t *testing.T) {
		for _, key := range []string{"Shift", "Control", "Alt"} {
			w.eventually("reset()", "true")
			p.focus()
			p.tool("keydown", place[key])
			w.eventually("log.some(e => e.startsWith('keydown "+key+"'))", "true")
			back := p.away()
			w.eventually("log.filter(e => e.startsWith('keyup "+key+"')).length", "1")
			p.tool("keyup", place[key])
			back()
			p.focus()
			p.press("a")
			w.eventually("field.value", "a")
			w.eventually("log.filter(e => / a(\\+|$)/.test(e)).join(' | ')", "keydown a | beforeinput insertText a | keyup a")
		}
	})
	p.run(t, "shortcuts of editing", func(t *testing.T) {
		p.focus()
		p.press("o", "n", "e")
		p.press("Control+a", "Control+c")
		w.eventually("log.filter(e => e === 'copy').length", "1")
		p.wait("the text is on the clipboard", func() bool { return p.clipboard("clipboard", "UTF8_STRING") == "one" })
		p.press("Control+x")
		w.eventually("field.value", "")
		p.press("Control+v", "Control+v")
		w.eventually("field.value", "oneone")
		p.press("Control+z")
		w.eventually("field.value", "one")
		p.press("Control+Shift+z")
		w.eventually("field.value", "oneone")
	})
	p.run(t, "going back by Shift+Tab", func(t *testing.T) {
		p.focus()
		p.press("Shift+Tab")
		w.eventually("log.filter(e => /^keydown .*Tab/.test(e)).join(' | ')", "keydown Tab+S")
		w.eventually("document.activeElement === field", "false")
	})
	p.run(t, "a code point by its number", func(t *testing.T) {
		p.focus()
		p.press("Control+Shift+u", "e", "9", "space")
		w.eventually("field.value", "é")
	})
	p.run(t, "an emoji", func(t *testing.T) {
		// xdotool gives the sign to a free key and presses it at once; who hears of
		// the new map too late hears an unknown key.
		for try := 0; try < 5 && w.js("field.value") != "😀"; try++ {
			p.focus()
			p.tool("type", "😀")
			time.Sleep(2 * time.Second)
		}
		w.eventually("field.value", "😀")
	})
}

// A person's real mouse at Baton's own window.
func TestTheMouseInTheWindow(t *testing.T) {
	p := sit(t)
	w := p.w
	p.run(t, "buttons", func(t *testing.T) {
		p.tool(append(p.to(100, 250), "click", "1", "click", "--repeat", "2", "--delay", "60", "1")...)
		w.eventually("log.filter(e => /click/.test(e)).join(' ')", "click 0 click 0 dblclick 0 click 0")
	})
	p.run(t, "the wheel", func(t *testing.T) {
		p.tool(append(p.to(100, 250), "click", "5", "click", "5", "click", "5")...)
		w.eventually("scrollY > 50", "true")
		w.eventually("log.filter(e => e.startsWith('wheel')).every(e => /^wheel 0,\\d/.test(e))", "true")
		p.tool("click", "4", "click", "4", "click", "4")
		w.eventually("scrollY", "0")
	})
	p.run(t, "the middle button", func(t *testing.T) {
		p.tool(append(p.to(100, 250), "click", "2")...)
		w.eventually(w.noted("mouse", "aux", "click"), "mousedown 1 | mouseup 1 | auxclick 1")
	})
	p.run(t, "a selection beyond the edge", func(t *testing.T) {
		p.tool(append(p.to(40, 330), "mousedown", "1")...)
		p.tool(p.to(60, 600)...)
		p.tool("mousemove", "--window", p.id, fmt.Sprint(p.left+60), fmt.Sprint(p.tall+60))
		w.eventually("scrollY > 100 && String(getSelection()).split('\\n').length > 15", "true")
		p.tool("mouseup", "1")
		w.eventually(w.noted("mouse"), "mousedown 0 | mouseup 0")
		w.eventually("String(getSelection()).split('\\n').length > 15", "true")
	})
	p.run(t, "HTML drag and drop", func(t *testing.T) {
		p.tool(append(p.to(60, 150), "mousedown", "1")...)
		for x := 70; x <= 290; x += 20 {
			p.tool(p.to(x, 152)...)
		}
		w.eventually("log.includes('dragstart')", "true")
		time.Sleep(200 * time.Millisecond)
		p.tool("mouseup", "1")
		w.eventually("log.filter(e => /^(drag|drop)/.test(e)).join(' | ')", "dragstart | drop carried | dragend copy")
	})
	p.run(t, "a tab dragged to another place", func(t *testing.T) {
		// In the tab strip, which is the window's top row.
		order := func() string {
			p.l.mu.Lock()
			defer p.l.mu.Unlock()
			var ids []string
			for _, x := range p.l.tabs {
				ids = append(ids, x.ID)
			}
			return strings.Join(ids, " ")
		}
		was := order()
		p.press("Control+t")
		p.press("Control+t")
		p.wait("two more tabs", func() bool { return len(strings.Fields(order())) == len(strings.Fields(was))+2 })
		all := strings.Fields(order())
		time.Sleep(time.Second) // the window draws them a little later
		p.tool("mousemove", "--window", p.id, "80", "20", "mousedown", "1")
		for x := 90; x <= p.wide-300; x += 60 {
			p.tool("mousemove", "--window", p.id, fmt.Sprint(x), "20")
		}
		p.tool("mouseup", "1")
		want := strings.Join(append(all[1:], all[0]), " ")
		p.wait("the first tab is the last", func() bool { return order() == want })
	})
}
