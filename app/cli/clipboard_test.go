package cli

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

// The clipboard of a person's desktop and the page in Baton's window, in both
// directions and every form (SPEC H3). xclip stands for the other programs.
func TestTheClipboardOfTheWindow(t *testing.T) {
	p := sit(t)
	w := p.w
	var dot bytes.Buffer
	img := image.NewRGBA(image.Rect(0, 0, 3, 2))
	img.Set(1, 1, color.RGBA{200, 30, 90, 255})
	if err := png.Encode(&dot, img); err != nil {
		t.Fatal(err)
	}

	p.run(t, "rich text goes out as text and HTML", func(t *testing.T) {
		p.put("primary", "UTF8_STRING", "left alone")
		p.tool(append(p.to(40, 90), "click", "--repeat", "3", "--delay", "50", "1")...)
		w.eventually("String(getSelection()).trim()", "some bold words")
		p.press("Control+c")
		p.wait("the text is on the clipboard", func() bool {
			return strings.TrimSpace(p.clipboard("clipboard", "UTF8_STRING")) == "some bold words"
		})
		if got := p.clipboard("clipboard", "text/html"); !strings.HasPrefix(got, `<meta charset="utf-8">`) && !strings.HasPrefix(got, "<meta charset='utf-8'>") || !strings.Contains(got, "bold</b>") {
			t.Errorf("the HTML is %q", got)
		}
		if got := p.clipboard("clipboard", "text/plain"); strings.TrimSpace(got) != "some bold words" {
			t.Errorf("programs that ask for text/plain get %q", got)
		}
	})
	p.run(t, "an image goes out as a picture", func(t *testing.T) {
		p.tool(append(p.to(430, 150), "click", "3")...)
		p.choose(2) // "Copy image"
		p.wait("a picture is on the clipboard", func() bool {
			got, err := png.Decode(strings.NewReader(p.clipboard("clipboard", "image/png")))
			return err == nil && got.Bounds().Dx() == 4
		})
	})
	p.run(t, "HTML comes in", func(t *testing.T) {
		p.put("clipboard", "text/html", "some <i>slanted</i> words")
		p.click(490, 40)
		w.eventually("document.activeElement.id", "rich")
		p.press("Control+v")
		w.eventually("rich.querySelector('i')?.textContent", "slanted")
		w.eventually("log.filter(e => e.startsWith('paste')).join()", "paste text/html")
	})
	p.run(t, "a picture comes in", func(t *testing.T) {
		p.put("clipboard", "image/png", dot.String())
		p.click(490, 40)
		w.eventually("document.activeElement.id", "rich")
		p.press("Control+v")
		w.eventually("log.filter(e => e.startsWith('paste')).join()", "paste Files")
		w.eventually("(i => i && i.naturalWidth + 'x' + i.naturalHeight)(rich.querySelector('img'))", "3x2")
	})
	p.run(t, "a selection is what the middle button pastes elsewhere", func(t *testing.T) {
		p.put("clipboard", "UTF8_STRING", "left alone")
		p.tool(append(p.to(40, 90), "click", "--repeat", "2", "--delay", "50", "1")...)
		p.wait("the word is the primary selection", func() bool { return p.clipboard("primary", "UTF8_STRING") == "some" })
		p.focus()
		p.press("a", "b", "c", "Control+a")
		p.wait("and what keys select", func() bool { return p.clipboard("primary", "UTF8_STRING") == "abc" })
		if got := p.clipboard("clipboard", "UTF8_STRING"); got != "left alone" {
			t.Errorf("a selection is copied too: %q", got)
		}
		p.tool(append(p.to(540, 95), "click", "1")...)
		w.eventually("document.activeElement.id", "secret")
		p.press("Control+a")
		w.eventually("log.at(-1).startsWith('keyup Control')", "true")
		w.eventually("secret.selectionEnd", "9")
		p.focus()
		p.press("Control+a")
		p.wait("what was asked for after it", func() bool { return p.clipboard("primary", "UTF8_STRING") == "abc" })
	})
	p.run(t, "the middle button pastes what is selected elsewhere", func(t *testing.T) {
		p.put("clipboard", "UTF8_STRING", "not this")
		p.put("primary", "UTF8_STRING", "from elsewhere")
		p.tool(append(p.to(170, 40), "click", "2")...)
		w.eventually("field.value", "from elsewhere")
		w.eventually("document.activeElement.id", "field")
		// Not over what takes no text, nor where the page has its own use of it.
		p.tool(append(p.to(100, 250), "click", "2")...)
		w.eventually("log.filter(e => e === 'auxclick 1').length", "2")
		w.eventually("(field.addEventListener('mouseup', e => e.preventDefault(), {once: true}), true)", "true")
		p.tool(append(p.to(170, 40), "click", "2")...)
		w.eventually("log.filter(e => e === 'auxclick 1').length", "3")
		p.click(490, 40)
		w.eventually("document.activeElement.id", "rich")
		p.tool(append(p.to(490, 40), "click", "2")...)
		w.eventually("rich.textContent", "from elsewhere")
		w.eventually("field.value", "from elsewhere")
		w.eventually("log.filter(e => e.startsWith('paste')).length", "3") // one with nothing to paste into
	})
	p.run(t, "a page reads nothing of it by itself", func(t *testing.T) {
		p.put("clipboard", "UTF8_STRING", "the person's")
		p.put("primary", "UTF8_STRING", "the person's")
		p.focus()
		w.eventually("navigator.clipboard.readText().catch(e => e.name)", "NotAllowedError")
		w.eventually("navigator.clipboard.read().catch(e => e.name)", "NotAllowedError")
		w.eventually("document.execCommand('paste')", "false")
		w.eventually("field.value", "")
	})
}
