package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"baton/build/probe"
)

// agent goes through a task as a model would that makes no mistakes. It knows
// what the server told it and nothing more: it looks at the page when it has no
// outline that it may trust, and leaves out a wait when the last answer shows
// what it would wait for. After a first failure its methods do nothing.
type agent struct {
	ctx  context.Context
	s    *session
	site *probe.Site

	seen  []string // outlines that may be trusted, the newest last
	last  string   // text of the last answer
	read  bool     // the passage asked for was found
	err   error
	calls int
	took  time.Duration
	in    []string // what came
	out   []string // what was asked
}

func (a *agent) do(list []use) (failed bool) {
	if a.err != nil {
		return true
	}
	for _, u := range list {
		r, err := a.s.Call(a.ctx, u.tool, u.args)
		if err != nil {
			a.err = err
			return true
		}
		a.calls++
		a.took += r.Took
		a.in, a.out = append(a.in, r.Text), append(a.out, r.Asked)
		a.last, failed = r.Text, r.Failed
		if o := a.s.p.outline(r.Text); o != "" && !r.Failed {
			if !a.s.p.keeps {
				a.seen = nil
			}
			a.seen = append(a.seen, o)
		}
	}
	return failed
}

// known finds an element in what was seen.
func (a *agent) known(role, name string) string {
	for i := len(a.seen) - 1; i >= 0; i-- {
		if ref := a.s.p.find(a.seen[i], role, name); ref != "" {
			return ref
		}
	}
	return ""
}

// ref finds an element, looking again when it has to.
func (a *agent) ref(role, name string) string {
	for try := 0; a.err == nil; try++ {
		if len(a.seen) == 0 {
			a.do(a.s.p.snapshot())
		}
		if ref := a.known(role, name); ref != "" {
			return ref
		}
		if a.s.p.query != nil {
			a.do(a.s.p.query(name))
			if ref := a.known(role, name); ref != "" {
				return ref
			}
		}
		a.seen = nil
		if try == 3 {
			a.err = fmt.Errorf("no %s %q was shown", role, name)
		}
	}
	return ""
}

// goTo opens a page.
func (a *agent) goTo(path string) {
	a.seen = nil
	a.do(a.s.p.navigate(a.site.Base + path))
}

// click clicks; moves says that another view is expected, so that what was seen
// before counts no more.
func (a *agent) click(role, name string, moves bool) {
	ref := a.ref(role, name)
	if moves {
		a.seen = nil
	}
	a.do(a.s.p.click(ref, name))
}

func (a *agent) typing(role, name, text string) {
	a.do(a.s.p.typing(a.ref(role, name), name, text))
}

func (a *agent) fill(fields []field) {
	list := make([]field, len(fields))
	for i, f := range fields {
		f.ref = a.ref(f.role, f.name)
		list[i] = f
	}
	a.do(a.s.p.fill(list))
}

// wait waits for a text unless the last answer shows it.
func (a *agent) wait(text string) {
	if strings.Contains(a.last, text) {
		return
	}
	if a.do(a.s.p.wait(text)) {
		a.do(a.s.p.snapshot())
	}
}

// passage reads the page for a phrase.
func (a *agent) passage(ask, phrase string) {
	if a.s.p.read != nil {
		a.do(a.s.p.read(ask))
	} else if len(a.seen) == 0 {
		a.do(a.s.p.snapshot())
	}
	a.read = strings.Contains(a.last, phrase)
}

// scrollFor scrolls down until an element shows. Where a server can be asked for
// it, it is asked instead of shown everything.
func (a *agent) scrollFor(role, name string) {
	look := func() {
		if a.s.p.query != nil {
			a.do(a.s.p.query(name))
		} else {
			a.do(a.s.p.snapshot())
		}
	}
	if len(a.seen) == 0 {
		look()
	}
	for range 12 {
		if a.err != nil || a.known(role, name) != "" {
			return
		}
		a.do(a.s.p.scroll())
		if a.known(role, name) != "" {
			return
		}
		time.Sleep(200 * time.Millisecond)
		a.seen = nil
		look()
	}
}

// A task is something to do on the site; done tells, from what the pages told,
// whether it was.
type task struct {
	name string
	do   func(a *agent)
	done func(site *probe.Site, a *agent) bool
}

// contact is what the form is filled with.
var contact = []field{
	{role: "textbox", name: "Given name", kind: "text", value: "Ada"},
	{role: "textbox", name: "Family name", kind: "text", value: "Byron"},
	{role: "textbox", name: "Email", kind: "text", value: "ada@example.org"},
	{role: "textbox", name: "Phone", kind: "text", value: "555-0142"},
	{role: "textbox", name: "Firm", kind: "text", value: "Engines"},
	{role: "combobox", name: "About", kind: "select", value: "A plant"},
	{role: "textbox", name: "Message", kind: "text", value: "Which hedge grows best in the shade?"},
	{role: "checkbox", name: "I accept the terms", kind: "check", value: "true"},
}

const contactTold = `{"given":"Ada","family":"Byron","mail":"ada@example.org","phone":"555-0142","firm":"Engines","about":"plant","text":"Which hedge grows best in the shade?","terms":"yes"}`

func told(name, json string) func(*probe.Site, *agent) bool {
	return func(s *probe.Site, _ *agent) bool { return s.Heard(name) == json }
}

var tasks = []task{
	{"form", func(a *agent) {
		a.goTo("/form")
		a.fill(contact)
		a.click("button", "Send request", false)
		a.wait("case is 5150")
	}, told("form", contactTold)},
	{"wizard", func(a *agent) {
		a.goTo("/signup")
		a.wait("Step 1 of 3")
		a.typing("textbox", "User name", "ada")
		a.typing("textbox", "Mail address", "ada@example.org")
		a.click("button", "On to the plan", true)
		a.wait("Step 2 of 3")
		a.click("radio", "Sapling plan", false)
		a.click("button", "On to the summary", true)
		a.wait("Step 3 of 3")
		a.click("button", "Open the account", true)
		a.wait("Your account is open")
	}, told("account", `{"user":"ada","mail":"ada@example.org","plan":"Sapling"}`)},
	{"table", func(a *agent) {
		a.goTo("/orders")
		a.click("button", "Refund 21337", false)
		a.wait("Refunded 21337")
	}, told("refund", "21337")},
	{"products", func(a *agent) {
		a.goTo("/plants")
		for _, n := range []int{17, 112, 180} {
			a.click("button", fmt.Sprintf("Add plant %d to basket", n), false)
		}
		a.wait("Basket: 3 plants")
	}, told("basket", "[17,112,180]")},
	{"article", func(a *agent) {
		a.goTo("/report")
		a.passage("reservoir", "914 million")
	}, func(_ *probe.Site, a *agent) bool { return a.read }},
	{"iframe", func(a *agent) {
		a.goTo("/frames")
		a.typing("textbox", "Number of the card", "4000 1234")
		a.click("button", "Pay $42.00", false)
		a.wait("Paid with 4000 1234")
	}, told("paid", `"4000 1234"`)},
	{"shadow", func(a *agent) {
		a.goTo("/parts")
		a.click("switch", "Text messages", false)
		a.typing("textbox", "Display name", "Ada")
		a.click("button", "Keep preferences", false)
		a.wait("Kept for Ada")
	}, func(s *probe.Site, _ *agent) bool {
		return s.Heard("kept") == `"Ada"` && s.Heard("switch Text messages") == "true"
	}},
	{"modal", func(a *agent) {
		a.goTo("/modal")
		a.click("button", "Clear North bed", true)
		a.wait("Write its name")
		a.typing("textbox", "Name of the bed", "North bed")
		a.click("button", "Clear it now", false)
		a.wait("North bed is clear")
	}, told("cleared", `"North bed"`)},
	{"feed", func(a *agent) {
		a.goTo("/feed")
		a.scrollFor("button", "Like note 45")
		a.click("button", "Like note 45", false)
		a.wait("You like note 45")
	}, told("liked", "45")},
	{"dash", func(a *agent) {
		a.goTo("/gauges")
		a.click("button", "Confirm the alarm", false)
		a.wait("The alarm is confirmed")
	}, told("alarm", "1")},
}
