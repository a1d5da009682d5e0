package tab

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"baton/backend/fault"
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
	if v, _, err := p.Evaluate(t.Context(), "log.join()", 0); err != nil || string(v) != `"mousedown30,mouseup30,mousedown50,mouseup50"` {
		t.Errorf("the page saw %s, %v", v, err)
	}
	eventually(t, "a hold by touch ends by itself", func() bool { x, _ := w.Get(i.ID, me); return x.Hold == nil })
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
