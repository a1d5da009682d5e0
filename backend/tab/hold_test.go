package tab

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/page"
)

func press(x, y float64) []any {
	return []any{
		input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, X: x, Y: y, Button: "left", Buttons: 1, ClickCount: 1},
		input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseReleased, X: x, Y: y, Button: "left", ClickCount: 1},
	}
}

func move(x, y float64) any {
	return input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y}
}

func TestAHeldTabIsClosedToAgentsUntilItIsGivenBack(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(ada, s.URL+"/x")
	if _, err := w.do(ada, i.ID, "1"); err != nil {
		t.Fatal(err)
	}
	if err := w.Take(i.ID, ByButton); err != nil {
		t.Fatal(err)
	}
	_, err := w.do(ada, i.ID, "1")
	wantCode(t, err, fault.InUseByPerson)
	wantCode(t, w.Close(t.Context(), i.ID, ada), fault.InUseByPerson)
	if x, _ := w.Get(i.ID, ada); x.URL != "" || x.Title != "" || x.Hold == nil {
		t.Errorf("a held tab shows its agent %+v", x)
	}
	if err := w.Give(i.ID, "the captcha is done"); err != nil {
		t.Fatal(err)
	}
	if n := w.Notice(i.ID); !strings.Contains(n, "the captcha is done") {
		t.Errorf("the agent hears %q", n)
	}
	if _, err := w.do(ada, i.ID, "1"); err != nil {
		t.Fatal(err)
	}
}

func TestTheFirstTouchInterruptsTheAgentAndReleasesWhatItHeld(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(ada, s.URL+"/x")
	if _, err := w.do(ada, i.ID, `window.log=[]; for (const k of ['mousedown','mouseup']) addEventListener(k, e=>log.push(k+e.clientX), true); 1`); err != nil {
		t.Fatal(err)
	}
	started := make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		ended <- w.Do(context.Background(), Op{Actor: ada, Tab: i.ID}, func(ctx context.Context, p *page.Page) error {
			if err := p.Send(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, X: 30, Y: 30, Button: "left", Buttons: 1, ClickCount: 1}); err != nil {
				return err
			}
			close(started)
			<-ctx.Done()
			return p.Send(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, X: 31, Y: 31, Button: "right", ClickCount: 1})
		})
	}()
	<-started
	if err := w.Input(t.Context(), i.ID, move(5, 5)); err != nil {
		t.Fatal(err)
	}
	if x, _ := w.Get(i.ID, me); x.Hold != nil {
		t.Fatal("a move took the tab over")
	}
	if err := w.Input(t.Context(), i.ID, press(50, 50)...); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		wantCode(t, err, fault.InterruptedByPerson)
		if f := fault.From(err); f.Effect != "unknown" {
			t.Errorf("effect %q, want unknown", f.Effect)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the agent's action goes on after the takeover")
	}
	if x, _ := w.Get(i.ID, me); x.Hold == nil || x.Hold.How != ByTouch || x.Hold.Agent != "ada" {
		t.Fatalf("the hold is %+v", x.Hold)
	}
	p, err := w.Page(t.Context(), i.ID)
	if err != nil {
		t.Fatal(err)
	}
	seen := ""
	for end := time.Now().Add(5 * time.Second); strings.Count(seen, ",") < 3 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		v, _, err := p.Evaluate(t.Context(), "log.join()", 0) // scripts may overtake input
		if err != nil {
			t.Fatal(err)
		}
		seen = string(v)
	}
	if seen != `"mousedown30,mouseup30,mousedown50,mouseup50"` {
		t.Errorf("the page saw %s", seen)
	}
	eventually(t, "a hold by touch ends by itself", func() bool { x, _ := w.Get(i.ID, me); return x.Hold == nil })
}

func TestLettingGoAfterGivingBackTakesNothingOver(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(ada, s.URL+"/x")
	key := func(kind input.DispatchKeyEventType) any {
		return input.DispatchKeyEventParams{Type: kind, Key: "Control", Code: "ControlLeft", WindowsVirtualKeyCode: 17}
	}
	if _, err := w.do(ada, i.ID, "1"); err != nil {
		t.Fatal(err)
	}
	both := press(50, 50)
	if err := w.Input(t.Context(), i.ID, both[0], key(input.DispatchKeyEventTypeRawKeyDown)); err != nil {
		t.Fatal(err)
	}
	if x, _ := w.Get(i.ID, me); x.Hold == nil {
		t.Fatal("a press takes nothing over")
	}
	if err := w.Give(i.ID, ""); err != nil {
		t.Fatal(err)
	}
	err := w.Do(t.Context(), Op{Actor: ada, Tab: i.ID}, func(context.Context, *page.Page) error {
		return w.Input(t.Context(), i.ID, both[1], key(input.DispatchKeyEventTypeKeyUp))
	})
	if err != nil {
		t.Errorf("the agent's action ended with %v", err)
	}
	if x, _ := w.Get(i.ID, me); x.Hold != nil {
		t.Errorf("letting go took the tab over: %+v", x.Hold)
	}
}

func TestAPersonsOwnTabNeedsNoHold(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(me, s.URL+"/x")
	if _, err := w.Page(t.Context(), i.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.Input(t.Context(), i.ID, press(20, 20)...); err != nil {
		t.Fatal(err)
	}
	if x, _ := w.Get(i.ID, me); x.Hold != nil {
		t.Fatalf("the hold is %+v", x.Hold)
	}
	if _, err := w.do(ada, i.ID, "1"); err != nil {
		t.Fatal(err)
	}
}

func TestAHoldByButtonOutlastsTouches(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(ada, s.URL+"/x")
	if _, err := w.do(ada, i.ID, "1"); err != nil {
		t.Fatal(err)
	}
	if err := w.Take(i.ID, ByButton); err != nil {
		t.Fatal(err)
	}
	if err := w.Input(t.Context(), i.ID, press(20, 20)...); err != nil {
		t.Fatal(err)
	}
	w.expire(time.Now().Add(time.Hour))
	if x, _ := w.Get(i.ID, me); x.Hold == nil || x.Hold.How != ByButton {
		t.Fatalf("the hold is %+v", x.Hold)
	}
}

func TestAHoldSurvivesARestart(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(ada, s.URL+"/x")
	if err := w.Take(i.ID, ByButton); err != nil {
		t.Fatal(err)
	}
	w.stop()
	w.open()
	_, err := w.do(ada, i.ID, "1")
	wantCode(t, err, fault.InUseByPerson)
}

func TestDialogsOfAnAgentsActionAreItsOwn(t *testing.T) {
	w, s := newWorld(t), site(t)
	i := w.add(ada, s.URL+"/x")
	if _, err := w.do(ada, i.ID, "1"); err != nil {
		t.Fatal(err)
	}
	p, err := w.Page(t.Context(), i.ID)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	// A dialog that evaluate opens is the person's.
	_ = w.Do(ctx, Op{Actor: ada, Tab: i.ID}, func(ctx context.Context, p *page.Page) error {
		_, _, err := p.Evaluate(ctx, "setTimeout(()=>confirm('sure?')); 1", 0)
		return err
	})
	eventually(t, "the dialog", func() bool { return openDialog(p) != nil })
	if d := openDialog(p); d.For != "" {
		t.Errorf("the dialog is %s's", d.For)
	}
	_, err = w.do(ada, i.ID, "1")
	wantCode(t, err, fault.DialogOpen)
	if err := w.Answer(t.Context(), i.ID, true, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.do(ada, i.ID, "1"); err != nil {
		t.Fatal(err)
	}
}

// Whatever an agent's click or typing has under way in the page, the person's
// own click and words arrive where the person put them.
func TestThePersonsClickAndWordsArriveWhateverTheAgentHasUnderWay(t *testing.T) {
	w := newWorld(t)
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		fmt.Fprint(rw, `<!doctype html><title>two</title><style>input{position:absolute;left:20px;width:200px;height:30px}</style>
			<input id=mine style="top:20px"><input id=its aria-label=Its style="top:100px"><button style="position:absolute;top:200px;left:20px">Its button</button>`)
	}))
	t.Cleanup(s.Close)
	i := w.add(ada, s.URL)
	if _, err := w.do(ada, i.ID, "1"); err != nil {
		t.Fatal(err)
	}
	p, err := w.Page(t.Context(), i.ID)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 5))
	for round := range 40 {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for n := 0; ; n++ {
				err := w.Do(context.Background(), Op{Actor: ada, Tab: i.ID}, func(ctx context.Context, p *page.Page) error {
					if n%2 == 0 {
						_, err := p.Click(ctx, page.ClickArgs{Target: page.Target{Locator: inject.Locator{Role: "button"}}})
						return err
					}
					_, err := p.Type(ctx, page.TypeArgs{Target: &page.Target{Locator: inject.Locator{Label: "Its"}}, Text: "the agent writes"})
					return err
				})
				if err != nil {
					return
				}
			}
		}()
		eventually(t, "the agent is at work", func() bool { x, _ := w.Get(i.ID, me); return x.Driver == "ada" })
		time.Sleep(time.Duration(rng.IntN(60_000)) * time.Microsecond)
		if err := w.Input(t.Context(), i.ID, press(60, 35)...); err != nil {
			t.Fatal(err)
		}
		if err := w.Input(t.Context(), i.ID, input.InsertTextParams{Text: "mine"}); err != nil {
			t.Fatal(err)
		}
		<-ended
		// Input and scripts reach the page by ways of their own.
		state := ""
		for end := time.Now().Add(5 * time.Second); state != `"mine,false,mine"` && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			v, _, err := p.Evaluate(t.Context(), `[mine.value, its.value.includes('mine'), document.activeElement.id].join()`, 0)
			if err != nil {
				t.Fatal(err)
			}
			state = string(v)
		}
		if state != `"mine,false,mine"` {
			t.Fatalf("round %d: the page has %s", round, state)
		}
		if _, _, err := p.Evaluate(t.Context(), `mine.value = its.value = ''; document.activeElement.blur(); 1`, 0); err != nil {
			t.Fatal(err)
		}
		if err := w.Give(i.ID, ""); err != nil {
			t.Fatal(err)
		}
	}
}
