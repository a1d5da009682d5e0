package cli

import (
	"fmt"
	"testing"
)

// has waits until the keyboard is in a part of the window, at what has this
// name: its label, or how its text begins.
func (o *outer) has(after, region, name string) {
	o.t.Helper()
	o.wait(fmt.Sprintf("after %s the keyboard at %q of %q", after, name, region), fmt.Sprintf(`(e =>
		(e.closest('[data-region]')?.dataset.region ?? '') === %q && (e.ariaLabel ?? e.textContent.trim()).startsWith(%q))(document.activeElement)`, region, name))
}

// Everything is reached by keys, Escape goes one level back, and the keyboard
// goes back to where it was; it is never lost (SPEC U1).
func TestKeysReachEverythingAndAreNeverLost(t *testing.T) {
	o := browse(t)
	site := newHall(t)
	type step struct {
		keys         []string
		region, name string
	}
	walk := func(name string, steps ...step) {
		t.Helper()
		t.Run(name, func(t *testing.T) {
			test := o.t
			o.t = t
			defer func() { o.t = test }()
			for i, s := range steps {
				for _, k := range s.keys {
					o.chord(k)
				}
				o.has(fmt.Sprint(i+1, s.keys), s.region, s.name)
			}
		})
	}
	k := func(keys ...string) []string { return keys }

	walk("the first run", step{nil, "page", "witness"}, step{k("F6"), "panel", "Connect an agent"}, step{k("Escape"), "page", ""})
	o.reach(site)
	o.shows("Hall.")
	walk("the parts of the window",
		step{nil, "page", "Hall"}, step{k("F6"), "address", "Address and search"}, step{k("F6"), "tabs", "Hall"}, step{k("F6"), "page", "Hall"},
		step{k("Shift+F6"), "tabs", "Hall"}, step{k("Escape"), "page", "Hall"},
		step{k("Ctrl+Shift+m", "Shift+F6"), "viewport", "Device"}, step{k("Escape"), "page", "Hall"}, step{k("Ctrl+Shift+m"), "page", "Hall"})
	walk("panels",
		step{k("Ctrl+,"), "panel", "Settings"}, step{k("Tab"), "panel", "Close panel"}, step{k("Escape"), "page", "Hall"},
		step{k("Ctrl+l"), "address", "Address"}, step{k("Ctrl+h"), "panel", "Search history"}, step{k("x", "Escape"), "panel", "Search history"},
		step{k("Escape"), "address", "Address"}, step{k("Escape"), "page", "Hall"})
	walk("what lies over the window",
		step{k("Ctrl+Shift+p"), "", "Search commands"}, step{k("Escape"), "page", "Hall"},
		step{k("Ctrl+l", "Ctrl+Shift+a"), "", "Search tabs"}, step{k("Escape"), "address", "Address"},
		step{k("Ctrl+/"), "", "Close"}, step{k("Tab"), "", "Keyboard shortcuts"}, step{k("Escape"), "address", "Address"},
		step{k("Escape"), "page", "Hall"}, step{k("Ctrl+j"), "", "Downloads"}, step{k("Escape"), "page", "Hall"},
		step{k("Ctrl+f"), "find", "Find in page"}, step{k("F6"), "address", "Address"}, step{k("Shift+F6"), "find", "Find in page"}, step{k("Escape"), "page", "Hall"})
	walk("menus",
		step{k("F6", "Tab"), "address", "Menu"}, step{k("Enter"), "", "New tab"}, step{k("ArrowUp"), "", "Settings"},
		step{k("k"), "", "Keyboard shortcuts"}, step{k("Escape"), "address", "Menu"}, step{k("Escape"), "page", "Hall"},
		step{k("F6", "Shift+Tab"), "address", "Site information"}, step{k("Enter"), "", "Site information"}, step{k("Escape"), "address", "Site information"},
		step{k("Escape"), "page", "Hall"}, step{k("Shift+F10"), "page", "Menu of the page"}, step{k("Escape"), "page", "Hall"},
		step{k("F6", "F6", "Shift+F10"), "", "Reload"}, step{k("ArrowDown"), "", "Duplicate"}, step{k("Escape"), "tabs", "Hall"}, step{k("Escape"), "page", "Hall"})

	for _, n := range []string{"Two", "Three"} {
		o.command("New tab")
		o.has("a new tab", "address", "Address")
		o.reach(site + "/?n=" + n)
		o.shows("Hall" + n)
		o.has("a page in a new tab", "page", "Hall"+n)
	}
	walk("tabs that close",
		step{k("F6", "F6"), "tabs", "HallThree"}, step{k("ArrowLeft"), "tabs", "HallTwo"}, step{k("Delete"), "tabs", "HallThree"}, step{k("Enter"), "page", "HallThree"})
	o.command("Close tab")
	o.has("the tab has gone", "page", "Hall")
	o.reach("http://127.0.0.1:1/")
	o.has("a page that fails", "page", "Reload")
	o.reach(site)
	o.has("a page that loads", "page", "Hall")
	o.command("Close tab")
	o.has("the last tab has gone", "page", "Address and search")

	a := o.desk.agent("--agent", "tester")
	o.reach(site)
	o.shows("Hall.")
	o.has("a page", "page", "Hall")
	must(t, a, "browser_open", map[string]any{"url": site + "/?n=Agent"})
	o.command("Agents act: Ask")
	declined := make(chan struct{})
	go func() {
		defer close(declined)
		_, _ = call(t, a, "browser_click", map[string]any{"target": map[string]any{"role": "button", "name": "ask"}})
	}()
	o.wait("it is said aloud", `/Tester wants to click.*F6/.test(document.querySelector('[role=alert]')?.textContent)`)
	o.wait("it can be answered", `document.querySelector('.card') && !document.querySelector('.card [aria-disabled=true]')`)
	walk("a card", step{nil, "page", "Hall"}, step{k("F6"), "cards", ""}, step{k("Tab", "Tab"), "cards", "Decline"}, step{k("Enter"), "page", "Hall"})
	<-declined
}
