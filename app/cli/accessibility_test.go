package cli

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/chromedp/cdproto/input"
)

var tabName = regexp.MustCompile(`\bt\d+\b`)

// spared are rules of axe-core that are not kept, and why. There are none.
var spared = map[string]string{}

// sight looks at what shows with axe-core, in both themes.
type sight struct {
	*outer
	axe  string
	seen int
}

// look checks what the interface shows now.
func (s *sight) look(what string) {
	s.t.Helper()
	loaded := false
	if s.js("!!window.axe", &loaded); !loaded {
		s.js(s.axe+"; true", &loaded)
	}
	for _, theme := range []string{"light", "dark"} {
		var wrong []struct {
			ID, Help string
			Nodes    []struct{ HTML, FailureSummary string }
		}
		s.js(fmt.Sprintf(`(async () => {
			document.documentElement.dataset.theme = %q
			await Promise.all(document.getAnimations().filter(a => a.effect.getComputedTiming().iterations < 9).map(a => a.finished.catch(() => 0)))
			const found = await axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'], iframes: false})
			return found.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.map(n => ({html: n.html, failureSummary: n.failureSummary}))}))
		})()`, theme), &wrong)
		for _, w := range wrong {
			if spared[w.ID] != "" {
				continue
			}
			for _, n := range w.Nodes {
				s.t.Errorf("%s, %s: %s (%s): %.300s: %s", what, theme, w.Help, w.ID, n.HTML, strings.Join(strings.Fields(n.FailureSummary), " "))
			}
		}
	}
	s.seen++
}

// escape goes one level back, until what was open has gone.
func (s *sight) escape(selector string) {
	s.t.Helper()
	s.chord("Escape")
	s.gone(selector)
}

// All that the interface can show passes what a program can check of the Web
// Content Accessibility Guidelines 2.2 AA, in the light and the dark theme (SPEC U1).
func TestEverythingThatShowsIsAccessible(t *testing.T) {
	o := browse(t)
	s := &sight{outer: o, axe: axe(t)}
	o.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-reduced-motion", "value": "reduce"}}})
	site := newHall(t)

	s.aroundThePage(site)
	s.panels(site)
	s.overThePage(site)
	s.withAgents(site)
	s.whatWentWrong(site)
	t.Logf("looked at %d states of the interface, twice", s.seen)
}

// aroundThePage looks at menus, bars and overlays.
func (s *sight) aroundThePage(site string) {
	s.there(".side .connect")
	s.look("the first run")
	s.on(".side summary")
	s.look("how to connect over HTTP")
	s.on(`[aria-label="Close panel"]`)
	s.reach(site)
	s.shows("Hall")
	s.look("a page")

	s.chord("Ctrl+l")
	s.chord("ArrowDown")
	s.there("#suggestions li")
	s.chord("ArrowDown")
	s.look("suggestions")
	s.escape("#suggestions")
	s.on(".address input", input.MouseButtonRight)
	s.there("[role=menu]")
	s.look("the menu of the address bar")
	s.escape("[role=menu]")
	s.on("[aria-label=Menu]")
	s.there("[role=menu]")
	s.chord("ArrowDown")
	s.look("the main menu")
	s.escape("[role=menu]")
	s.on("[role=tab]", input.MouseButtonRight)
	s.there("[role=menu]")
	s.look("the menu of a tab")
	s.escape("[role=menu]")
	s.on(`[aria-label="Back"]`, input.MouseButtonRight)
	s.there(".steps")
	s.look("where to go back to")
	s.escape(".steps")
	s.inPage(100, 555, input.MouseButtonRight)
	s.there(".page-menu")
	s.chord("ArrowDown")
	s.look("the menu of the page")
	s.escape(".page-menu")

	s.chord("Ctrl+f")
	s.there(".find input")
	s.write("hedge")
	s.wait("a match", `/1 of 1/.test(document.querySelector('.find .count').textContent)`)
	s.look("find in page")
	s.write("hog")
	s.wait("no match", `document.querySelector('.find .count.none')`)
	s.look("nothing found")
	s.escape(".find")
	s.chord("Ctrl+=")
	s.there(".zoom")
	s.look("a zoomed page")
	s.chord("Ctrl+0")
	s.gone(".zoom")
	s.chord("Ctrl+Shift+m")
	s.there("[role=toolbar]")
	s.js(`(e => (e.value = e.options[4].value, e.dispatchEvent(new Event('change', {bubbles: true}))))(document.querySelector('[role=toolbar] select'))`, new(bool))
	s.there(".edge")
	s.look("a page of another size")
	s.on(`[aria-label="Close and reset"]`)
	s.gone("[role=toolbar]")

	for _, over := range []string{"Ctrl+Shift+p", "Ctrl+/", "Ctrl+Shift+a"} {
		s.chord(over)
		s.there("[aria-modal=true]")
		s.look(over)
		s.escape("[aria-modal=true]")
	}
	s.chord("Ctrl+Shift+p")
	s.there("#finder-list")
	s.write("zoom")
	s.wait("what fits", `document.querySelectorAll('#finder-list [role=option]').length === 2`)
	s.look("commands that fit")
	s.escape("#finder-list")
	s.command("Pin or unpin tab")
	s.there(".tab.pinned")
	s.on(`[aria-label="New tab"]`) // a browser keeps Ctrl+T for itself
	s.there(".start")
	s.look("the start page, a pinned tab")
	s.command("Make tab private or shared")
	s.there(".private")
	s.look("a private tab")
}

// panels looks at what opens beside the page, and at the shelf.
func (s *sight) panels(site string) {
	s.chord("Ctrl+j")
	s.there(".shelf-box")
	s.look("no downloads")
	s.escape(".shelf-box")
	s.reach(site + "/?n=Two")
	s.shows("HallTwo")
	s.reach(site + "/file/done.bin")
	s.there(`[aria-label="Downloads"]`)
	s.reach(site + "/file/slow.bin")
	s.wait("a download goes on", `document.querySelector('[aria-label^="Downloads: 1"]')`)
	s.chord("Ctrl+j")
	s.wait("both are listed", `document.querySelectorAll('.shelf-box li').length === 2 && document.querySelector('.shelf-box [role=progressbar]')`)
	s.look("downloads")
	s.on(`.shelf-box [aria-label^="Cancel"]`)
	s.wait("it is cancelled", `/Cancelled/.test(document.querySelector('.shelf-box').textContent)`)
	s.look("a download that was cancelled")
	s.escape(".shelf-box")

	s.chord("Ctrl+h")
	s.there(".history li")
	s.look("history")
	s.on(".history .top button")
	s.there(".history .clear")
	s.look("clearing the history")
	s.chord("Ctrl+,")
	s.there(".settings")
	s.look("settings")
	s.js(`(document.querySelector('#s-home').focus(), document.querySelector('#s-home').select(), true)`, new(bool))
	s.write("nowhere")
	s.there(".setting .wrong")
	s.look("a setting that is wrong")
	s.chord("Escape")
	s.on(`[aria-labelledby="s-about"] button`)
	s.there(".news li")
	s.look("what is new")
	s.escape(".news")
}

// overThePage looks at what the page itself brings up.
func (s *sight) overThePage(site string) {
	s.reach(site)
	s.shows("Hall.")
	for _, c := range []struct {
		x, y       float64
		what, sees string
	}{
		{100, 33, "a select list", "[role=listbox]"},
		{170, 73, "a date", ".cal-day"},
		{170, 113, "a time", ".columns"},
		{170, 153, "a date and a time", ".both .columns"},
		{170, 193, "a month", ".months"},
		{100, 233, "a color", ".picker"},
	} {
		s.brings(c.x, c.y, "[popover] "+c.sees)
		s.look(c.what)
		s.escape("[popover]")
	}
	s.inPage(100, 273)
	s.write("on")
	s.there("[popover] [role=option]")
	s.look("suggestions of a field")
	s.escape("[popover]")

	s.brings(100, 313, "[role=alertdialog]")
	s.look("an alert")
	s.chord("Enter")
	s.gone("[role=alertdialog]")
	s.brings(100, 353, "[role=alertdialog] input")
	s.look("a prompt")
	s.escape("[role=alertdialog]")
	s.js(`(HTMLInputElement.prototype.click = () => {}, true)`, new(bool)) // that browser's own dialog is not looked at
	s.brings(100, 393, "#files-title")
	s.look("a request for files")
	s.escape("#files-title")
	s.brings(100, 433, ".sign .dot")
	s.look("a permission that was refused")
	s.on(".address .sign")
	s.there(".info .line")
	s.look("site information")
	s.on("[aria-labelledby=site-notifications] label:nth-child(2)")
	s.there(".again")
	s.look("a permission that was given")
	s.escape(".info")
	s.brings(100, 473, ".toast")
	s.inPage(100, 513)
	s.wait("both messages", `document.querySelectorAll('.toast').length === 2`)
	s.look("messages")
	s.on(".toast [aria-label=Dismiss]")
	s.wait("one message", `document.querySelectorAll('.toast').length === 1`)
	s.on(".toast [aria-label=Dismiss]")
	s.gone(".toast")
}

// withAgents looks at what shows of agents, and what they ask.
func (s *sight) withAgents(site string) {
	t := s.t
	a := s.desk.agent("--agent", "tester")
	tab := tabName.FindString(must(t, a, "browser_open", map[string]any{"url": site + "/?n=Agent"}))
	s.wait("its tab", `document.querySelectorAll('[role=tab]').length === 3`)
	s.on("[role=tab]:last-child")
	s.shows("HallAgent")
	wait := make(chan struct{})
	go func() {
		defer close(wait)
		_, _ = call(t, a, "browser_wait", map[string]any{"text": "never", "timeout_ms": 8000})
	}()
	s.there(".badge.agent button")
	s.look("an agent at work")
	s.chord("Ctrl+Shift+Space")
	s.there(".badge.person")
	s.look("a tab that the person holds")
	s.on(".badge.person [aria-label^='Add a note']")
	s.there("#give-note")
	s.look("a note for the agent")
	s.escape("#give-note")
	s.chord("Ctrl+Shift+Space")
	s.gone(".badge.person")
	<-wait

	s.command("Agents act: Ask")
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		_, _ = call(t, a, "browser_click", map[string]any{"target": map[string]any{"role": "button", "name": "ask"}})
	}()
	s.there(".card")
	s.wait("it can be answered", `!document.querySelector('.card [aria-disabled=true]')`)
	s.look("an agent asks for leave")
	s.on(".card .foot button:nth-last-child(2)")
	s.gone(".card")
	<-asked
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = call(t, a, "request_takeover", map[string]any{"tab": tab, "reason": "Please sign in."})
	}()
	s.there(".card")
	s.look("an agent asks for a takeover")
	s.on(".card .foot button:last-child")
	s.there(".card input")
	s.look("a takeover")
	s.on(".card .foot button:last-child")
	s.gone(".card")
	<-over
	s.chord("Ctrl+,")
	s.there(".settings .agent")
	s.look("settings of agents")
	s.escape(".settings")
}

// whatWentWrong looks at reasons and at what is left when things end.
func (s *sight) whatWentWrong(site string) {
	s.reach("http://127.0.0.1:1/")
	s.there(".trouble button")
	s.look("a page that did not load")
	unknown := httptest.NewUnstartedServer(http.NotFoundHandler())
	unknown.Config.ErrorLog = log.New(io.Discard, "", 0)
	unknown.StartTLS()
	s.t.Cleanup(unknown.Close)
	s.reach(unknown.URL)
	s.on(".trouble [aria-expanded]")
	s.there(".trouble .past")
	s.look("a certificate that nobody knows")
	s.on(".address .sign")
	s.there(".info")
	s.look("site information of such a site")
	s.escape(".info")
	s.reach(site + "/members")
	s.there("#sign-in-title")
	s.look("a sign-in")
	s.escape("#sign-in-title")
	s.wait("the reason", `/sign-in/.test(document.querySelector('.trouble h1')?.textContent)`)
	s.look("a page that needs a sign-in")

	for what, other := range map[string]*outer{"a small window": s.again(s.origin+"/?pip=t1", false), "a browser that is not signed in": s.again(s.origin, true)} {
		other.wait(what, `document.querySelector('.pip .title, h1')`)
		(&sight{outer: other, axe: s.axe}).look(what)
		other.shut()
	}
	s.call("Page.bringToFront", nil)

	for _, pid := range s.desk.ofHost() {
		if line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); bytes.Contains(line, []byte("--type=renderer")) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	s.reach(site)
	s.on("[role=tab]:first-child")
	s.wait("a crashed tab", `document.querySelector('.tab.crashed, .trouble')`)
	s.look("a page that crashed")
	s.desk.killHost()
	s.there(".banner")
	s.look("a host that has gone")
}
