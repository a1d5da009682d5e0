package page_test

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"baton/backend/page"
)

const counting = `<button style="position:fixed;left:0;top:0;width:300px;height:200px">Item</button>
	<script>window.presses = 0; for (const k of ['pointerdown', 'mousedown', 'mouseup', 'click']) addEventListener(k, () => window.presses++)</script>`

func clickAt(t *testing.T, p *page.Page) {
	t.Helper()
	var events []any
	for _, k := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		events = append(events, input.DispatchMouseEventParams{Type: k, X: 20, Y: 20, Button: input.MouseButtonLeft, ClickCount: 1})
	}
	if err := p.Send(within(t, 20*time.Second), events...); err != nil {
		t.Fatal(err)
	}
}

func TestAPressOnItsWayStopsAtADocumentThatHasCome(t *testing.T) {
	base := site(t, map[string]string{"/one": counting, "/two": counting})
	p := goTo(t, base+"/one")
	p.CloseNew(within(t, 20*time.Second))
	for name, come := range map[string]func() error{
		"another document":  func() error { _, err := p.Navigate(within(t, 20*time.Second), base+"/two"); return err },
		"one that was kept": func() error { _, err := p.History(within(t, 20*time.Second), -1); return err },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "one that was kept" { // an agent has pressed there before
				if _, err := p.Click(within(t, 20*time.Second), page.ClickArgs{Target: ref(t, look(t, p), "Item")}); err != nil {
					t.Fatal(err)
				}
				if _, err := p.Navigate(within(t, 20*time.Second), base+"/two?again"); err != nil {
					t.Fatal(err)
				}
			}
			arrived := p.Pressing()
			if err := come(); err != nil {
				t.Fatal(err)
			}
			before := js(t, p, "window.presses")
			clickAt(t, p)
			if now := js(t, p, "window.presses"); now != before {
				t.Errorf("the document that came saw the press that was meant for the one before: %s, then %s", before, now)
			}
			if !arrived(within(t, 20*time.Second)) {
				t.Error("nobody is told that the press was stopped")
			}
			clickAt(t, p)
			if now := js(t, p, "window.presses"); now == before {
				t.Error("the document stays closed to presses")
			}
		})
	}
}

func TestAPersonsPressReachesADocumentThatHasJustCome(t *testing.T) {
	p := show(t, `<button style="position:fixed;left:0;top:0;width:300px;height:200px" onclick="document.title='pressed'">Item</button>`)
	for _, k := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		if err := p.Queue(within(t, 20*time.Second), input.DispatchMouseEventParams{Type: k, X: 20, Y: 20, Button: input.MouseButtonLeft, ClickCount: 1}); err != nil {
			t.Fatal(err)
		}
	}
	for end := time.Now().Add(20 * time.Second); js(t, p, "document.title") != `"pressed"`; {
		if time.Now().After(end) {
			t.Fatal("the press was lost")
		}
		time.Sleep(20 * time.Millisecond)
	}
}
