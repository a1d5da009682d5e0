package agenttools

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"

	"baton/backend/card"
	"baton/backend/fault"
	"baton/backend/handover"
	"baton/backend/tab"
)

// takeover waits for the card of a takeover.
func takeover(t *testing.T, reason string) card.Card {
	t.Helper()
	changed, stop := shared.cards.State.Watch()
	defer stop()
	late := time.After(20 * time.Second)
	for {
		select {
		case <-changed:
			list, _ := shared.cards.State.Get()
			for _, c := range list {
				if c.Kind == card.Takeover && c.Reason == reason {
					return c
				}
			}
		case <-late:
			t.Fatal("no card was shown")
		}
	}
}

// ask calls request_takeover in its own goroutine.
func (d *desk) ask(ctx context.Context, args string) <-chan answer {
	out := make(chan answer, 1)
	for _, x := range Tools() {
		if x.Name == "request_takeover" {
			go func() {
				r, err := x.Call(ctx, d.Thread, []byte(args))
				out <- answer{r, err}
			}()
		}
	}
	return out
}

func wait(t *testing.T, c <-chan answer) answer {
	t.Helper()
	select {
	case a := <-c:
		return a
	case <-time.After(30 * time.Second):
		t.Fatal("the call did not end")
		return answer{}
	}
}

var signPage = map[string]string{"/": `<title>Sign in</title><style>*{margin:0}input,select{position:absolute;left:10px;width:200px;height:30px}</style>
	<input aria-label="User name" style="top:10px"><input type=password aria-label=Password style="top:60px"><input type=checkbox aria-label=Stay style="top:110px">`}

func TestAPersonTakesOverWhenAskedAndTheAgentLearnsWhatTheyDid(t *testing.T) {
	d := sit(t)
	defer shared.cards.Attend()()
	d.open(signPage)
	got := d.ask(t.Context(), `{"tab":"`+d.current+`","reason":"Please sign in"}`)
	c := takeover(t, "Please sign in")
	if c.Agent != t.Name() || c.Tab != d.current || c.Gone {
		t.Errorf("the card is %+v", c)
	}
	for range 2 { // opened again it is the same tab
		if id, err := shared.handover.Open(c.ID); err != nil || id != d.current {
			t.Fatalf("it opened %q: %v", id, err)
		}
	}
	if _, err := d.call("browser_snapshot", `{}`); !fault.Is(err, fault.InUseByPerson) {
		t.Errorf("the agent reads a tab that a card holds: %v", err)
	}
	if r := d.must("browser_tabs", `{}`); !strings.Contains(r.Text, "in use by the person") || strings.Contains(r.Text, "Sign in") {
		t.Errorf("the list says %s", r.Text)
	}
	click := func(y float64) {
		for _, k := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
			if err := shared.tabs.Input(t.Context(), d.current, input.DispatchMouseEventParams{Type: k, X: 20, Y: y, Button: input.MouseButtonLeft, ClickCount: 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	click(20)
	_ = shared.tabs.Input(t.Context(), d.current, input.InsertTextParams{Text: "ana-canary-user"})
	click(70)
	_ = shared.tabs.Input(t.Context(), d.current, input.InsertTextParams{Text: "canary-hunter2"})
	click(120)
	p, err := shared.tabs.Page(t.Context(), d.current)
	if err != nil {
		t.Fatal(err)
	}
	// The page has had it all once it has had the last of it.
	end := time.Now().Add(20 * time.Second)
	for time.Now().Before(end) {
		var r struct{ Result struct{ Value bool } }
		if err := p.Session().Call(t.Context(), "Runtime.evaluate", map[string]any{"expression": "document.querySelector('[type=checkbox]').checked"}, &r); err != nil {
			t.Fatal(err)
		}
		if r.Result.Value {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := shared.handover.Done(c.ID, "I am in"); err != nil {
		t.Fatal(err)
	}
	a := wait(t, got)
	if a.err != nil || a.res.Data["result"] != "done" {
		t.Fatalf("%v %v", a.res, a.err)
	}
	for _, part := range []string{`saying "I am in"`, `filled textbox "User name"`, `filled textbox "Password"`, `checked checkbox "Stay"`} {
		if !strings.Contains(a.res.Text, part) {
			t.Errorf("the agent is not told %s: %s", part, a.res.Text)
		}
	}
	if strings.Contains(a.res.Text, "canary") {
		t.Error("the agent is told what was typed")
	}
	if r := d.must("browser_snapshot", `{}`); strings.Contains(r.Text, "gave it back") {
		t.Error("the next result tells it again")
	}
	if err := shared.handover.Done(c.ID, ""); !fault.Is(err, fault.ApprovalExpired) {
		t.Errorf("a card was answered twice: %v", err)
	}
}

func TestTheSameRequestIsTheSameCard(t *testing.T) {
	d := sit(t)
	defer shared.cards.Attend()()
	d.open(signPage)
	args := `{"tab":"` + d.current + `","reason":"Look here"}`
	ctx, cancel := context.WithCancel(t.Context())
	first := d.ask(ctx, args)
	c := takeover(t, "Look here")
	cancel() // the client has given up; the card stays
	if a := wait(t, first); !fault.Is(a.err, fault.Cancelled) {
		t.Errorf("%v %v", a.res, a.err)
	}
	second := d.ask(t.Context(), args)
	if again := takeover(t, "Look here"); again.ID != c.ID {
		t.Errorf("asked again it is card %s, not %s", again.ID, c.ID)
	}
	if err := shared.handover.Decline(c.ID); err != nil {
		t.Fatal(err)
	}
	if a := wait(t, second); a.err != nil || a.res.Data["result"] != "declined" {
		t.Errorf("%v %v", a.res, a.err)
	}
}

func TestAPageThatHasGoneCannotBeOpenedFromItsCard(t *testing.T) {
	d := sit(t)
	defer shared.cards.Attend()()
	base, _ := d.open(map[string]string{"/": `<title>One</title>one`, "/two": `<title>Two</title>two`})
	got := d.ask(t.Context(), `{"tab":"`+d.current+`","reason":"See one"}`)
	c := takeover(t, "See one")
	if err := shared.tabs.Navigate(t.Context(), d.current, base+"/two"); err != nil {
		t.Fatal(err)
	}
	changed, stop := shared.cards.State.Watch()
	defer stop()
	for late := time.After(20 * time.Second); !takeover(t, "See one").Gone; {
		select {
		case <-changed:
		case <-late:
			t.Fatal("the card does not say that its page has gone")
		}
	}
	if _, err := shared.handover.Open(c.ID); !fault.Is(err, fault.TargetGone) {
		t.Errorf("it opened all the same: %v", err)
	}
	if err := shared.handover.Done(c.ID, ""); err != nil {
		t.Fatal(err)
	}
	if a := wait(t, got); a.err != nil || a.res.Data["result"] != "done" {
		t.Errorf("%v %v", a.res, a.err)
	}
}

func TestClosingTheTabEndsItsCard(t *testing.T) {
	d := sit(t)
	defer shared.cards.Attend()()
	d.open(signPage)
	got := d.ask(t.Context(), `{"tab":"`+d.current+`","reason":"Before it closes"}`)
	takeover(t, "Before it closes")
	id := d.current
	d.must("browser_close", `{"tab":"`+id+`"}`)
	if a := wait(t, got); a.err != nil || a.res.Data["result"] != handover.TimedOut || !strings.Contains(a.res.Text, id+" was closed") {
		t.Errorf("%v %v", a.res, a.err)
	}
}

// A tab that the person uses stays open, and its agent is told to leave it.
func TestATabThatThePersonUsesIsNotClosed(t *testing.T) {
	d := sit(t)
	defer shared.cards.Attend()()
	for _, how := range []string{tab.ByTouch, tab.ByButton, tab.ByCard} {
		d.open(signPage)
		id := d.current
		var card string
		if how == tab.ByCard {
			_ = d.ask(t.Context(), `{"tab":"`+id+`","reason":"For closing"}`)
			card = takeover(t, "For closing").ID
			if _, err := shared.handover.Open(card); err != nil {
				t.Fatal(err)
			}
		} else if err := shared.tabs.Take(id, how); err != nil {
			t.Fatal(err)
		}
		_, err := d.call("browser_close", `{"tab":"`+id+`"}`)
		if f := fault.From(err); !fault.Is(err, fault.InUseByPerson) || !strings.Contains(f.Message, "the person is using tab "+id) || !strings.HasPrefix(f.Next, "leave it open") {
			t.Errorf("held by %s, closing gives %v, next %q", how, err, fault.From(err).Next)
		}
		if r := d.must("browser_tabs", `{}`); !strings.Contains(r.Text, id+" · in use by the person") {
			t.Errorf("held by %s, the list says %s", how, r.Text)
		}
		if how == tab.ByCard {
			err = shared.handover.Done(card, "")
		} else {
			err = shared.tabs.Give(id, "")
		}
		if err != nil {
			t.Fatal(err)
		}
		d.must("browser_close", `{"tab":"`+id+`"}`)
	}
}

func TestWithNobodyThereTheRequestStays(t *testing.T) {
	d := sit(t)
	d.open(signPage)
	for end := time.Now().Add(20 * time.Second); shared.cards.Attended() && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond) // the interface of a test before may still come back
	}
	args := `{"tab":"` + d.current + `","reason":"Nobody sees this yet"}`
	r := d.must("request_takeover", args)
	if r.Data["result"] != "timed_out" || !strings.Contains(r.Text, "no window of Baton is open") {
		t.Errorf("%s", r.Text)
	}
	c := takeover(t, "Nobody sees this yet")
	if err := shared.handover.Decline(c.ID); err != nil {
		t.Fatal(err)
	}
	if r := d.must("request_takeover", args); r.Data["result"] != "declined" {
		t.Errorf("the answer that came meanwhile is %s", r.Text)
	}
	if _, err := d.call("request_takeover", `{"tab":"`+d.current+`","reason":"  "}`); !fault.Is(err, fault.BadArguments) {
		t.Errorf("an empty reason: %v", err)
	}
}
