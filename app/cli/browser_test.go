package cli

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/target"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// What a person does in their own browser, on the page that `baton serve` gives,
// arrives in the page as if that lay in their browser (SPEC H2).
func TestAPersonsBrowserOnThePageOfServe(t *testing.T) {
	o := browse(t)
	w := o.w
	type key = input.DispatchKeyEventParams
	const down, up, raw = input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp, input.DispatchKeyEventTypeRawKeyDown

	w.run(t, "a wheel that counts pixels", func(t *testing.T) {
		for range 3 {
			o.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseWheel", "x": o.left + 100, "y": o.top + 250, "deltaX": 0, "deltaY": 12.5})
		}
		w.eventually("log.filter(e => e.startsWith('wheel')).reduce((n, e) => n + Number(e.split(',')[1]), 0)", "37.5")
		w.eventually("scrollY > 30", "true")
	})
	w.run(t, "a wheel that counts lines", func(t *testing.T) {
		o.js(fmt.Sprintf(`document.querySelector('.surface').dispatchEvent(new WheelEvent('wheel', {deltaMode: 1, deltaY: 3, clientX: %g, clientY: %g, bubbles: true, cancelable: true}))`, o.left+100, o.top+250), new(bool))
		w.eventually("log.filter(e => e.startsWith('wheel')).join()", "wheel 0,120")
	})
	w.run(t, "an input method", func(t *testing.T) {
		o.focus()
		for _, s := range []string{"n", "に", "にほ", "日本"} {
			n := int64(len([]rune(s)))
			o.call("Input.imeSetComposition", input.ImeSetCompositionParams{Text: s, SelectionStart: n, SelectionEnd: n})
			w.eventually("field.value", s)
		}
		o.call("Input.insertText", input.InsertTextParams{Text: "日本"})
		w.eventually("field.value", "日本")
		w.eventually(w.noted("composition"), "compositionstart | compositionupdate n | compositionupdate に | compositionupdate にほ | compositionupdate 日本 | compositionupdate 日本 | compositionend 日本") // the last one is Chromium's own, at the end
	})
	w.run(t, "an input method that is called off", func(t *testing.T) {
		o.focus()
		o.call("Input.imeSetComposition", input.ImeSetCompositionParams{Text: "ni", SelectionStart: 2, SelectionEnd: 2})
		w.eventually("field.value", "ni")
		o.call("Input.imeSetComposition", input.ImeSetCompositionParams{})
		w.eventually("field.value", "")
		o.press("a", "KeyA", 'A', 0)
		w.eventually("field.value", "a")
	})
	w.run(t, "dead keys", func(t *testing.T) {
		o.focus()
		// As Windows has it: the key after the dead one types the letter.
		o.key(key{Type: raw, Key: "Dead", Code: "Equal", WindowsVirtualKeyCode: 221})
		o.key(key{Type: up, Key: "Dead", Code: "Equal", WindowsVirtualKeyCode: 221})
		o.key(key{Type: down, Key: "é", Text: "é", Code: "KeyE", WindowsVirtualKeyCode: 'E'})
		o.key(key{Type: up, Key: "e", Code: "KeyE", WindowsVirtualKeyCode: 'E'})
		w.eventually("field.value", "é")
		// As macOS and Linux have it: a composition.
		o.key(key{Type: raw, Key: "Dead", Code: "Equal", WindowsVirtualKeyCode: 229})
		o.call("Input.imeSetComposition", input.ImeSetCompositionParams{Text: "´", SelectionStart: 1, SelectionEnd: 1})
		o.key(key{Type: up, Key: "Dead", Code: "Equal", WindowsVirtualKeyCode: 221})
		o.key(key{Type: raw, Key: "Process", Code: "KeyO", WindowsVirtualKeyCode: 229})
		o.call("Input.insertText", input.InsertTextParams{Text: "ó"})
		o.key(key{Type: up, Key: "o", Code: "KeyO", WindowsVirtualKeyCode: 'O'})
		w.eventually("field.value", "éó")
	})
	w.run(t, "AltGr", func(t *testing.T) {
		o.focus()
		o.key(key{Type: raw, Key: "AltGraph", Code: "AltRight", WindowsVirtualKeyCode: 225, Location: 2})
		o.press("@", "KeyQ", 'Q', 0)
		o.key(key{Type: up, Key: "AltGraph", Code: "AltRight", WindowsVirtualKeyCode: 225, Location: 2})
		w.eventually("field.value", "@")
		w.eventually(w.noted("key"), "keydown AltGraph | keydown @ | keyup @ | keyup AltGraph")
	})
	w.run(t, "letters and shortcuts of other layouts", func(t *testing.T) {
		o.focus()
		o.press("ф", "KeyA", 'A', 0)
		o.press("ы", "KeyS", 'S', 0)
		w.eventually("field.value", "фы")
		o.press("ф", "KeyA", 'A', ctrlKey)
		o.press("ч", "KeyX", 'X', ctrlKey)
		w.eventually("field.value", "")
		w.eventually("log.filter(e => e === 'cut').length", "1")
		w.eventually("log.at(-1)", "keyup ч+C")
	})
	w.run(t, "a held key repeats", func(t *testing.T) {
		o.focus()
		again := true
		o.key(key{Type: down, Key: "x", Text: "x", Code: "KeyX", WindowsVirtualKeyCode: 'X'})
		for range 3 {
			o.key(key{Type: down, Key: "x", Text: "x", Code: "KeyX", WindowsVirtualKeyCode: 'X', AutoRepeat: &again})
		}
		o.key(key{Type: up, Key: "x", Code: "KeyX", WindowsVirtualKeyCode: 'X'})
		w.eventually(w.noted("key"), "keydown x | keydown x again | keydown x again | keydown x again | keyup x")
		w.eventually("field.value", "xxxx")
	})
	w.run(t, "an emoji without a key", func(t *testing.T) {
		o.focus()
		o.call("Input.insertText", input.InsertTextParams{Text: "👩‍🚀"})
		w.eventually("field.value", "👩‍🚀")
	})
	w.run(t, "what is held when another tab comes to the front is let go", func(t *testing.T) {
		o.focus()
		o.key(key{Type: raw, Key: "Shift", Code: "ShiftLeft", WindowsVirtualKeyCode: 16, Modifiers: shiftKey, Location: 1})
		w.eventually(w.noted("key"), "keydown Shift+S")
		other, err := cdproto.Call(t.Context(), o.browser, target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
		if err != nil {
			t.Fatal(err)
		}
		w.eventually(w.noted("key"), "keydown Shift+S | keyup Shift")
		if err := o.browser.Call(t.Context(), "Target.closeTarget", target.CloseTargetParams(other), nil); err != nil {
			t.Fatal(err)
		}
		o.call("Page.bringToFront", nil)
		o.wait("it is in front again", "document.visibilityState === 'visible'")
		o.focus()
		o.press("a", "KeyA", 'A', 0)
		w.eventually("field.value", "a")
		w.eventually("log.filter(e => /key.* a/.test(e)).join(' | ')", "keydown a | keyup a")
	})
	w.run(t, "fingers", func(t *testing.T) {
		touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
			t.Helper()
			if points == nil {
				points = []*input.TouchPoint{}
			}
			o.call("Input.dispatchTouchEvent", input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		}
		at := func(id, x float64) *input.TouchPoint {
			return &input.TouchPoint{X: o.left + x, Y: o.top + 250, ID: &id}
		}
		touch(input.DispatchTouchEventTypeTouchStart, at(1, 100))
		touch(input.DispatchTouchEventTypeTouchStart, at(1, 100), at(2, 200))
		touch(input.DispatchTouchEventTypeTouchMove, at(1, 100), at(2, 260))
		w.eventually("log.filter(e => e.startsWith('touchmove')).length > 0", "true")
		touch(input.DispatchTouchEventTypeTouchEnd)
		w.eventually(strings.Replace(w.noted("touch"), "join(", "filter((e, n, all) => e !== all[n-1]).join(", 1), "touchstart 1 | touchstart 2 | touchmove 2 | touchend 1 | touchend 0")
	})
	w.run(t, "HTML drag and drop", func(t *testing.T) {
		o.mouse(input.DispatchMouseEventTypeMouseMoved, 60, 150, input.MouseButtonNone, 0)
		o.mouse(input.DispatchMouseEventTypeMousePressed, 60, 150, input.MouseButtonLeft, 1)
		for x := 70.0; x <= 290; x += 20 {
			o.mouse(input.DispatchMouseEventTypeMouseMoved, x, 152, input.MouseButtonLeft, 1)
		}
		w.eventually("log.includes('dragstart')", "true")
		o.mouse(input.DispatchMouseEventTypeMouseReleased, 290, 152, input.MouseButtonLeft, 0)
		w.eventually(w.noted("drag", "drop"), "dragstart | drop carried | dragend copy")
	})
	w.run(t, "a copy takes text and HTML to the browser's clipboard", func(t *testing.T) {
		w.eventually("(getSelection().selectAllChildren(words), true)", "true")
		o.js("(document.querySelector('.surface textarea').focus(), true)", new(bool))
		o.press("c", "KeyC", 'C', ctrlKey)
		o.wait("the copy", `navigator.clipboard.readText().then(s => s === 'some bold words')`)
		got := o.clipboard("text/html")
		if b, _ := base64.StdEncoding.DecodeString(got); !strings.Contains(string(b), "bold</b>") {
			t.Errorf("the HTML is %q", b)
		}
	})
	w.run(t, "a paste brings HTML and an image", func(t *testing.T) {
		o.js(`(async () => {
			const image = new OffscreenCanvas(2, 2); image.getContext('2d')
			const png = await image.convertToBlob()
			await navigator.clipboard.write([new ClipboardItem({'text/plain': 'rich', 'text/html': new Blob(['<i>rich</i>'], {type: 'text/html'}), 'image/png': png})])
			return true
		})()`, new(bool))
		o.click(490, 40)
		w.eventually("document.activeElement.id", "rich")
		o.press("v", "KeyV", 'V', ctrlKey, "paste")
		w.eventually("rich.querySelector('i')?.textContent", "rich")
		w.eventually(w.noted("paste"), "paste text/plain,text/html,Files")
	})
	w.run(t, "the middle button pastes what was selected in a page last", func(t *testing.T) {
		selected := ""
		for range 20 { // until the interface has asked what is selected, which it does a moment later
			w.js("reset()")
			o.mouse(input.DispatchMouseEventTypeMousePressed, 30, 90, input.MouseButtonLeft, 1)
			o.mouse(input.DispatchMouseEventTypeMouseMoved, 90, 90, input.MouseButtonLeft, 1)
			o.mouse(input.DispatchMouseEventTypeMouseReleased, 90, 90, input.MouseButtonLeft, 0)
			w.eventually("String(getSelection()).length > 3", "true")
			selected = w.js("new Promise(done => setTimeout(() => done(String(getSelection())), 400))")
			o.mouse(input.DispatchMouseEventTypeMousePressed, 170, 40, input.MouseButtonMiddle, 4)
			o.mouse(input.DispatchMouseEventTypeMouseReleased, 170, 40, input.MouseButtonMiddle, 0)
			if w.js("new Promise(done => setTimeout(() => done(field.value), 400))") == selected {
				break
			}
		}
		w.eventually("field.value", selected)
	})
	w.run(t, "a page reads nothing of it by itself", func(t *testing.T) {
		o.focus()
		w.eventually("navigator.clipboard.readText().catch(e => e.name)", "NotAllowedError")
		w.eventually("document.execCommand('paste')", "false")
	})
	w.run(t, "an element on the whole screen", func(t *testing.T) {
		w.eventually("deed = () => to.requestFullscreen(); reset()", "true")
		o.focus()
		w.eventually("act.focus(); document.activeElement.id", "act")
		o.press("Enter", "Enter", 13, 0)
		w.eventually("document.fullscreenElement?.id", "to")
		o.wait("the browser has the screen", `document.fullscreenElement === document.documentElement`)
		o.wait("the page has all of it", `(r => r.width === innerWidth && r.height === innerHeight)(document.querySelector('.surface').getBoundingClientRect())`)
		var size string
		o.js("innerWidth + 'x' + innerHeight", &size)
		w.eventually("innerWidth + 'x' + innerHeight", size)
		o.press("Escape", "Escape", 27, 0)
		w.eventually("String(document.fullscreenElement)", "null")
		o.wait("the browser gave it back", `!document.fullscreenElement`)
	})
}

// A tab in a small browser window of its own (SPEC H8).
func TestASmallWindowOfThePageOfServe(t *testing.T) {
	o := browse(t)
	o.js(`(document.querySelector('[aria-label="New tab"]').click(), true)`, new(bool)) // Ctrl+T is the browser's own
	o.wait("a new tab", `document.querySelectorAll('[data-tab]').length === 2`)
	o.press("l", "KeyL", 'L', ctrlKey)
	o.wait("the address bar has the keys", `document.activeElement.localName === 'input'`)
	o.call("Input.insertText", input.InsertTextParams{Text: o.w.url + "/colour/3050d0"})
	o.press("Enter", "Enter", 13, 0)
	o.wait("the page is shown", `document.querySelector('.surface:not(.hidden) textarea')?.ariaLabel.includes('3050d0')`)
	o.press("P", "KeyP", 'P', ctrlKey|shiftKey)
	o.wait("the palette has the keys", `document.activeElement.closest('[role=dialog]')`)
	o.call("Input.insertText", input.InsertTextParams{Text: "picture"})
	o.press("Enter", "Enter", 13, 0)
	small := func() (id target.ID) {
		t.Helper()
		all, err := cdproto.Call(t.Context(), o.browser, target.GetTargets, target.GetTargetsParams{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range all.TargetInfos {
			if x.Type == "page" && strings.HasPrefix(x.URL, o.origin) && strings.Contains(x.URL, "pip=") {
				id = x.TargetID
			}
		}
		return id
	}
	until := func(what string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(30 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("never came: %s", what)
			}
		}
	}
	until("the small window", func() bool { return small() != "" })
	at, err := cdproto.Call(t.Context(), o.browser, target.AttachToTarget, target.AttachToTargetParams{TargetID: small(), Flatten: yes})
	if err != nil {
		t.Fatal(err)
	}
	pip := *o
	pip.s = o.attach(string(at.SessionID))
	pip.wait("it shows the tab", `(c => c && String(c.getContext('2d').getImageData(c.width / 2, c.height / 2, 1, 1).data.slice(0, 3)).match(/^4[5-9]|^5[01]/))(document.querySelector('.surface canvas'))`)
	pip.wait("it is a small window, not one more tab", `!window.toolbar.visible`)
	o.js(`(document.querySelector('[data-tab][aria-selected=true] .close').click(), true)`, new(bool))
	until("it goes with its tab", func() bool { return small() == "" })
}

// clipboard gives one form of what lies on the browser's clipboard, in base64.
func (o *outer) clipboard(form string) (data string) {
	o.t.Helper()
	o.js(fmt.Sprintf(`(async () => {
		for (const item of await navigator.clipboard.read()) {
			if (!item.types.includes(%[1]q)) continue
			const bytes = new Uint8Array(await (await item.getType(%[1]q)).arrayBuffer())
			return btoa(String.fromCharCode(...bytes))
		}
		return ''
	})()`, form), &data)
	return data
}
