package app

import (
	"strings"
	"testing"
)

// watchGesture shows the page that notes drags, fingers and pens.
func watchGesture(t *testing.T) (*host, *client, string) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/gesture.html")
	c.watch(id, 600, 400)
	c.until(0, patience, "at rest", func(f frame) bool { return f.Kind == 1 })
	h.eventually(id, "document.readyState", "complete")
	return h, c, id
}

func (c *client) mouse(kind string, x, y float64, buttons int) {
	button := "left"
	if kind == "move" && buttons == 0 {
		button = "none"
	}
	in := Input{In: "mouse", View: 1, Type: kind, X: x, Y: y, Button: button, Buttons: buttons}
	if kind != "move" {
		in.Count = 1
	}
	c.write(in)
}

func TestHTMLDragAndDropByThePersonsMouse(t *testing.T) {
	h, c, id := watchGesture(t)
	drag := func() {
		c.mouse("down", 50, 40, 1)
		for x := 60.0; x <= 260; x += 20 {
			c.mouse("move", x, 42, 1)
		}
	}
	drag()
	h.eventually(id, "log.join(';')", "start true;enter")
	c.mouse("move", 265, 44, 1)
	c.mouse("up", 265, 44, 0)
	h.eventually(id, "log.join(';')", "start true;enter;drop carried <b>carried</b> true;end copy")

	t.Run("Escape calls it off", func(t *testing.T) {
		h.js(id, "log.length = 0", new(int))
		drag()
		h.eventually(id, "log.join(';')", "start true;enter")
		c.press("Escape", "Escape", 0)
		c.mouse("up", 260, 42, 0)
		h.eventually(id, "log.join(';')", "start true;enter;end none")
	})
	t.Run("a flick that is over before the page knows of it", func(t *testing.T) {
		h.js(id, "log.length = 0", new(int))
		c.mouse("down", 50, 40, 1)
		c.mouse("move", 120, 42, 1)
		c.mouse("move", 260, 42, 1)
		c.mouse("up", 260, 42, 0)
		h.eventually(id, "log.filter(e => e !== 'enter').join(';')", "start true;drop carried <b>carried</b> true;end copy")
	})
	t.Run("the page still takes clicks", func(t *testing.T) {
		h.js(id, "(to.onclick = () => log.push('click'), log.length = 0)", new(int))
		c.click(260, 42)
		h.eventually(id, "log.join(';')", "click")
	})
}

func TestFingersKeepTheirNames(t *testing.T) {
	h, c, id := watchGesture(t)
	touch := func(kind string, finger int, x float64) {
		c.write(Input{In: "touch", View: 1, Type: kind, X: x, Y: 180, Finger: finger})
	}
	touch("start", 4, 100)
	touch("start", 9, 200)
	h.eventually(id, "log.join(' ')", "start0:0@100 start1:0@100,1@200")
	touch("move", 9, 260)
	h.eventually(id, "log.at(-1)", "move1:0@100,1@260")
	touch("end", 4, 100)
	h.eventually(id, "log.at(-1)", "end0:1@260")
	touch("move", 9, 300)
	h.eventually(id, "log.at(-1)", "move1:1@300")
	touch("end", 9, 300)
	h.eventually(id, "log.at(-1)", "end1:")
	h.eventually(id, "log.filter(e => e.startsWith('start')).length", "2")

	t.Run("a lost view lifts them", func(t *testing.T) {
		touch("start", 1, 100)
		touch("start", 2, 200)
		h.eventually(id, "log.at(-1).startsWith('start') && log.at(-1).includes(',')", "true")
		c.write(Input{In: "blur", View: 1})
		h.eventually(id, "log.at(-1).startsWith('cancel')", "true")
	})
}

func TestAPenTellsItsPressureAndTilt(t *testing.T) {
	h, c, id := watchGesture(t)
	pen := func(kind string, buttons int, pressure float64) {
		c.write(Input{
			In: "mouse", View: 1, Type: kind, X: 100, Y: 180, Button: "left", Buttons: buttons, Count: 1,
			Pointer: "pen", Pressure: pressure, TiltX: 30, TiltY: -20, Twist: 45,
		})
	}
	pen("down", 1, 0.25)
	pen("move", 1, 0.75)
	pen("up", 0, 0)
	h.eventually(id, "log.filter(e => !e.startsWith('move 0.00')).join(';')", "down 0.25 30 -20 45 1;move 0.75 30 -20 45 1;up 0.00 30 -20 45 0")
}

func TestASelectionScrollsBeyondTheEdge(t *testing.T) {
	h, c, id := watchGesture(t)
	c.mouse("down", 30, 275, 1)
	c.mouse("move", 60, 390, 1)
	c.mouse("move", 60, 460, 1) // below the view, which is 400 high
	h.eventually(id, "scrollY > 100", "true")
	c.mouse("up", 60, 460, 0)
	h.eventually(id, "String(getSelection()).split('\\n').length > 12", "true")
}

func TestAHeldKeyRepeats(t *testing.T) {
	h, c, id := watchEcho(t)
	c.click(100, 335)
	for n := range 4 {
		c.write(Input{In: "key", View: 1, Type: "down", Key: "x", Code: "KeyX", KeyCode: 88, Repeat: n > 0})
	}
	c.key("up", "x", "KeyX", 0)
	h.eventually(id, "field.value", "xxxx")
	h.eventually(id, "log.filter(e => e.key === 'x').map(e => e.kind + e.repeat).join(' ')", "keydownfalse keydowntrue keydowntrue keydowntrue keyupfalse")
}

func TestALinkOpensBehindWithTheKeyForIt(t *testing.T) {
	h, c, id := watchGesture(t)
	link := func(button string, bit, mods int) {
		c.write(Input{In: "mouse", View: 1, Type: "down", X: 450, Y: 28, Button: button, Buttons: bit, Count: 1, Mods: mods})
		c.write(Input{In: "mouse", View: 1, Type: "up", X: 450, Y: 28, Button: button, Count: 1, Mods: mods})
	}
	came := func(n int) Tab {
		t.Helper()
		l := c.settled("the new tab", func(l []Tab) bool { return len(l) == n && strings.HasSuffix(l[1].URL, "/other.html") })
		return l[1]
	}
	shown := func() (out string) {
		for _, e := range c.heard(EventView) {
			out = e
		}
		return out
	}
	link("left", 1, 2)
	came(2)
	link("middle", 4, 0)
	came(3)
	if got := shown(); strings.Contains(got, `"t2"`) || strings.Contains(got, `"t3"`) {
		t.Errorf("a tab that was to stay behind is shown: %s", got)
	}
	link("left", 1, 2|8)
	front := came(4)
	for range 200 {
		if strings.Contains(shown(), `"`+front.ID+`"`) {
			break
		}
		settle()
	}
	if got := shown(); !strings.Contains(got, `"`+front.ID+`"`) {
		t.Errorf("with Shift the new tab comes to the front; shown is %s", got)
	}
	h.eventually(id, "location.pathname", "/gesture.html")
}
