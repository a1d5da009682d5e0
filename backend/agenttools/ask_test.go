package agenttools

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/backend/access"
	"baton/backend/card"
	"baton/backend/fault"
	"baton/backend/tab"
	"baton/backend/tool"
)

// guarded is a thread of an agent that the person has given less than full
// access, with the person at their cards.
type guarded struct {
	*desk
	answers chan answer
}

type answer struct {
	res tool.Result
	err error
}

func guard(t *testing.T, rule access.Rule) *guarded {
	t.Helper()
	r := start(t)
	d := sit(t)
	shared.rules.Store(&map[string]access.Rule{t.Name(): rule})
	t.Cleanup(func() { shared.rules.Store(nil) }) // before the tabs are closed
	d.Thread = NewThread(&Deps{Tabs: r, Uploads: shared.uploads, Log: slog.New(slog.DiscardHandler), Access: ruleOf}, t.Name())
	return &guarded{desk: d, answers: make(chan answer, 1)}
}

// begin calls a tool that is going to wait for the person.
func (g *guarded) begin(ctx context.Context, name, args string) {
	for _, x := range Tools() {
		if x.Name == name {
			go func() {
				res, err := x.Call(ctx, g.Thread, json.RawMessage(args))
				g.answers <- answer{res, err}
			}()
			return
		}
	}
	g.t.Fatalf("there is no tool %s", name)
}

// shown waits for the card.
func (g *guarded) shown() card.Card {
	g.t.Helper()
	changed, stop := shared.cards.State.Watch()
	defer stop()
	late := time.After(20 * time.Second)
	for {
		select {
		case <-changed:
			if list, _ := shared.cards.State.Get(); len(list) == 1 {
				return list[0]
			}
		case a := <-g.answers:
			g.t.Fatalf("it answered without asking: %v %v", a.res.Text, a.err)
		case <-late:
			g.t.Fatal("no card was shown")
		}
	}
}

func (g *guarded) ended() answer {
	g.t.Helper()
	select {
	case a := <-g.answers:
		return a
	case <-time.After(30 * time.Second):
		g.t.Fatal("the call did not end")
		return answer{}
	}
}

func (g *guarded) refused(code fault.Code) {
	g.t.Helper()
	if a := g.ended(); !fault.Is(a.err, code) {
		g.t.Errorf("it ended with %v %v, not %s", a.res.Text, a.err, code)
	}
}

var buyPage = map[string]string{"/": `<title>Shop</title><form action="https://pay.example/now" onsubmit="return false">
	<input id=q aria-label=Search><input type=password aria-label=Password autocomplete=current-password>
	<button onclick="this.textContent='Bought';window.n=(window.n||0)+1">Buy</button></form>
	<a href="/other">Other</a>`, "/other": `<title>Other</title>other`}

func TestAskWaitsForThePersonsLeaveAndSaysWhatItIsFor(t *testing.T) {
	g := guard(t, access.Rule{Mode: access.Ask})
	defer shared.cards.Attend()()
	_, text := g.open(buyPage) // navigation and reading go without
	g.must("browser_snapshot", `{}`)
	g.begin(t.Context(), "browser_click", fmt.Sprintf(`{"target":%q}`, g.ref(text, `button "Buy"`)))
	c := g.shown()
	if c.Agent != t.Name() || c.Action.Verb != "click" || len(c.Action.Targets) != 1 {
		t.Fatalf("the card is %+v", c)
	}
	x := c.Action.Targets[0]
	if x.Role != "button" || x.Name != "Buy" || x.Tag != "button" || x.FormHost != "pay.example" || x.Width == 0 {
		t.Errorf("the card shows the target as %+v", x)
	}
	if err := shared.cards.Answer(c.ID, true); err != nil {
		t.Fatal(err)
	}
	if a := g.ended(); a.err != nil || !strings.Contains(a.res.Text, "Bought") {
		t.Errorf("%v %v", a.res.Text, a.err)
	}
	if err := shared.cards.Answer(c.ID, true); !fault.Is(err, fault.ApprovalExpired) {
		t.Errorf("a card was answered twice: %v", err)
	}
}

func TestADeclinedActionIsNotDone(t *testing.T) {
	g := guard(t, access.Rule{Mode: access.Ask})
	defer shared.cards.Attend()()
	g.open(buyPage)
	g.begin(t.Context(), "browser_click", `{"target":{"role":"button","name":"Buy"}}`)
	if err := shared.cards.Answer(g.shown().ID, false); err != nil {
		t.Fatal(err)
	}
	g.refused(fault.ApprovalDeclined)
	if s := g.must("browser_snapshot", `{}`); strings.Contains(s.Text, "Bought") {
		t.Error("the page was clicked all the same")
	}
}

func TestWithoutAPersonAskEndsAtOnce(t *testing.T) {
	g := guard(t, access.Rule{Mode: access.Ask})
	g.open(buyPage)
	for _, call := range [][2]string{
		{"browser_click", `{"target":{"role":"button","name":"Buy"}}`},
		{"browser_type", `{"target":{"label":"Search"},"text":"tea"}`},
		{"browser_evaluate", `{"expression":"1+1"}`},
		{"browser_wait", `{"function":"true"}`},
	} {
		if _, err := g.call(call[0], call[1]); !fault.Is(err, fault.ApprovalExpired) {
			t.Errorf("%s: %v", call[0], err)
		}
	}
}

func TestWhatChangesThePageEndsTheQuestion(t *testing.T) {
	for name, change := range map[string]func(g *guarded, c card.Card){
		"another document": func(g *guarded, c card.Card) {
			if err := shared.tabs.Navigate(t.Context(), c.Tab, strings.TrimSuffix(c.Action.URL, "/")+"/other"); err != nil {
				t.Fatal(err)
			}
		},
		"the person takes the tab": func(_ *guarded, c card.Card) {
			if err := shared.tabs.Take(c.Tab, tab.ByButton); err != nil {
				t.Fatal(err)
			}
			if err := shared.tabs.Give(c.Tab, ""); err != nil {
				t.Fatal(err)
			}
		},
		"access is turned off": func(g *guarded, _ card.Card) {
			shared.rules.Store(&map[string]access.Rule{g.t.Name(): {Mode: access.Off}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := guard(t, access.Rule{Mode: access.Ask})
			defer shared.cards.Attend()()
			g.open(buyPage)
			g.begin(t.Context(), "browser_click", `{"target":{"role":"button","name":"Buy"}}`)
			change(g, g.shown())
			a := g.ended()
			if !fault.Is(a.err, fault.ApprovalExpired) && !fault.Is(a.err, fault.AccessOff) && !fault.Is(a.err, fault.InUseByPerson) {
				t.Errorf("it ended with %v %v", a.res.Text, a.err)
			}
			if list, _ := shared.cards.State.Get(); len(list) != 0 {
				t.Errorf("the card stayed: %+v", list)
			}
		})
	}
}

func TestAButtonThatBecameAnotherIsNotPressed(t *testing.T) {
	g := guard(t, access.Rule{Mode: access.Ask})
	defer shared.cards.Attend()()
	_, text := g.open(map[string]string{"/": `<title>Swap</title><button onclick="document.title='pressed'">Save</button>
		<script>window.swap=()=>{document.querySelector('button').textContent='Delete everything'};setInterval(()=>{if(window.name==='go')swap()},20)</script>`})
	g.begin(t.Context(), "browser_click", fmt.Sprintf(`{"target":%q}`, g.ref(text, `button "Save"`)))
	c := g.shown()
	p, err := shared.tabs.Page(t.Context(), c.Tab)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Session().Call(t.Context(), "Runtime.evaluate", map[string]any{"expression": "swap()"}, nil); err != nil {
		t.Fatal(err)
	}
	if err := shared.cards.Answer(c.ID, true); err != nil {
		t.Fatal(err)
	}
	g.refused(fault.ApprovalExpired)
	if s := g.must("browser_snapshot", `{}`); strings.Contains(s.Text, "pressed") {
		t.Error("the other button was pressed")
	}
}

func TestTextForASecretFieldIsNotOnTheCard(t *testing.T) {
	g := guard(t, access.Rule{Mode: access.Ask})
	defer shared.cards.Attend()()
	g.open(buyPage)
	ctx, cancel := context.WithCancel(t.Context())
	g.begin(ctx, "browser_type", `{"target":{"label":"Password"},"text":"canary-hunter2"}`)
	c := g.shown()
	b, _ := json.Marshal(c)
	if strings.Contains(string(b), "canary") || !c.Action.TextHidden || !c.Action.Targets[0].Secret {
		t.Errorf("the card is %s", b)
	}
	cancel()
	g.refused(fault.Cancelled)
	g.begin(t.Context(), "browser_type", `{"target":{"label":"Search"},"text":"green tea"}`)
	if c := g.shown(); c.Action.Text != "green tea" {
		t.Errorf("the card is %+v", c)
	} else if err := shared.cards.Answer(c.ID, true); err != nil {
		t.Fatal(err)
	}
	if a := g.ended(); a.err != nil || !strings.Contains(a.res.Text, "green tea") {
		t.Errorf("%v %v", a.res.Text, a.err)
	}
}

func TestTheCardEndsWithItsInterface(t *testing.T) {
	g := guard(t, access.Rule{Mode: access.Ask})
	leave := shared.cards.Attend()
	g.open(buyPage)
	g.begin(t.Context(), "browser_click", `{"target":{"role":"button","name":"Buy"}}`)
	g.shown()
	leave()
	g.refused(fault.ApprovalExpired)
}

func TestABoundedAgentHasLessAndAsksForEverything(t *testing.T) {
	g := guard(t, access.Rule{Mode: access.Full, Bounded: true})
	defer shared.cards.Attend()()
	g.open(buyPage)
	dir := withFiles(g.desk, map[string]string{"a.html": "a"})
	for _, call := range [][2]string{
		{"browser_evaluate", `{"expression":"1"}`},
		{"browser_script", `{"code":"return 1"}`},
		{"browser_wait", `{"function":"true"}`},
		{"browser_console", `{}`},
		{"browser_upload", `{"target":{"label":"Search"},"files":["/etc/passwd"]}`},
		{"browser_open", `{"path":"a.html"}`},
		{"browser_navigate", `{"url":` + quote("file://"+dir+"/a.html") + `}`},
	} {
		if _, err := g.call(call[0], call[1]); !fault.Is(err, fault.AccessOff) {
			t.Errorf("%s: %v", call[0], err)
		}
	}
	if _, err := g.call("browser_open", `{}`); !fault.Is(err, fault.SchemeNotAllowed) {
		t.Errorf("a blank page was opened: %v", err)
	}
	g.begin(t.Context(), "browser_press", `{"keys":"Tab"}`)
	if err := shared.cards.Answer(g.shown().ID, true); err != nil {
		t.Fatal(err)
	}
	if a := g.ended(); a.err != nil {
		t.Error(a.err)
	}
	var names []string
	for _, x := range Tools() {
		if g.Lists(x.Name) {
			names = append(names, x.Name)
		}
	}
	if slices.Contains(names, "browser_evaluate") || slices.Contains(names, "browser_script") || !slices.Contains(names, "browser_click") {
		t.Errorf("its list holds %v", names)
	}
}

// Every tool says whether it acts: in ask mode none reaches a page without a
// card but those that read, navigate or change what is in view.
func TestNoToolThatActsGoesWithoutLeave(t *testing.T) {
	free := []string{
		"browser_tabs", "browser_open", "browser_navigate", "browser_close", "browser_snapshot", "browser_read", "browser_screenshot",
		"browser_scroll", "browser_environment", "browser_console", "browser_wait", "browser_script",
		"request_takeover",
	}
	file := t.TempDir() + "/a.txt"
	if err := writeFile(file); err != nil {
		t.Fatal(err)
	}
	args := map[string]string{
		"browser_click": `{"target":{"label":"Search"}}`, "browser_hover": `{"target":{"label":"Search"}}`,
		"browser_drag": `{"from":{"label":"Search"},"to":{"role":"button","name":"Buy"}}`, "browser_type": `{"target":{"label":"Search"},"text":"x"}`,
		"browser_press": `{"keys":"Tab"}`, "browser_fill": `{"fields":[{"target":{"label":"Search"},"text":"x"}]}`,
		"browser_select": `{"target":{"label":"Search"},"values":["x"]}`, "browser_check": `{"target":{"label":"Search"},"checked":true}`,
		"browser_upload": fmt.Sprintf(`{"target":{"label":"Search"},"files":[%q]}`, file), "browser_evaluate": `{"expression":"1"}`, "browser_dialog": `{"accept":true}`,
	}
	g := guard(t, access.Rule{Mode: access.Ask})
	g.Files = func(context.Context) []string { return []string{t.TempDir(), file[:strings.LastIndex(file, "/")]} }
	g.open(buyPage)
	for _, x := range Tools() {
		if slices.Contains(free, x.Name) {
			continue
		}
		a, ok := args[x.Name]
		if !ok {
			t.Errorf("the tool %s is neither free nor known to this test", x.Name)
			continue
		}
		if _, err := g.call(x.Name, a); !fault.Is(err, fault.ApprovalExpired) {
			t.Errorf("%s went without leave: %v", x.Name, err)
		}
	}
}

func writeFile(name string) error { return os.WriteFile(name, []byte("a"), 0o600) }
