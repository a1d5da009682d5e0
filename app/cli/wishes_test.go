package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/app"
)

// Pages that ask for something as they load or by a press, at Baton's own window
// by a real mouse and keyboard (SPEC H1, H4, H5).
func TestWhatPagesAskForInTheWindow(t *testing.T) {
	s := newScreen(t)
	s.manage()
	p := s.sit(t)
	w := p.w
	middle := func() glance {
		left, top, wide, _ := p.where(p.window())
		return p.see(left+wide/2-300, top+110, 200, 60)
	}

	p.run(t, "dialogs of a page that loads", func(t *testing.T) {
		p.visit(w.url + "/asking")
		answered := func() bool { _, _, ok := middle().find("20a040"); return ok }
		p.wait("both are answered", func() bool {
			p.press("Return")
			p.tool("sleep", "0.3")
			return p.l.seen(app.EventDialog) >= 4 && answered()
		})
	})
	p.run(t, "files, by a field that is not in the page", func(t *testing.T) {
		note := filepath.Join(t.TempDir(), "note.txt")
		if err := os.WriteFile(note, []byte("hello"), 0o600); err != nil {
			t.Fatal(err)
		}
		p.press("Control+1")
		p.home("the page that asks")
		w.eventually(`deed = () => {
			const i = Object.assign(document.createElement('input'), { type: 'file' })
			i.onchange = async () => log.push('file ' + i.files[0].name + ' ' + await i.files[0].text())
			i.click()
			deed = () => {}
		}; reset()`, "true")
		p.click(970, 165)
		windows := func() []uint32 { return p.list(p.root(), "_NET_CLIENT_LIST") }
		p.wait("the system's dialog", func() bool { return len(windows()) == 2 })
		p.wait("it has the keyboard", func() bool { return p.list(p.root(), "_NET_ACTIVE_WINDOW")[0] != p.window() })
		dialog := p.list(p.root(), "_NET_ACTIVE_WINDOW")[0]
		left, top, wide, _ := p.where(dialog)
		names := p.see(left+wide/2, top, wide/3, 40)
		p.press("/") // asks for a name, where the rest is typed
		p.changes("the name is asked for", names)
		p.tool("type", "--delay", "20", note[1:])
		// GTK takes a Return for its own list of names while that is about to show.
		p.wait("the dialog is gone", func() bool {
			if len(windows()) == 2 {
				p.press("Return")
				p.tool("sleep", "0.5")
			}
			return len(windows()) == 1
		})
		w.eventually("log.filter(e => e.startsWith('file')).join()", "file note.txt hello")
	})
	p.run(t, "a sign-in in a window of another site", func(t *testing.T) {
		p.press("Control+1")
		p.home("the page that asks")
		other := strings.Replace(w.url, "127.0.0.1", "localhost", 1)
		w.eventually("deed = () => open('"+other+"/identity', 'id', 'width=480,height=600'); onmessage = e => log.push('told ' + e.data); reset()", "true")
		p.click(970, 165)
		popup := p.l.tab("it is a tab", func(x app.Tab) bool { return strings.HasSuffix(x.URL, "/identity") })
		p.shows("d0a000")
		p.click(300, 300)
		w.eventually("log.filter(e => e.startsWith('told')).join()", "told approved")
		p.wait("it closed", func() bool {
			p.l.mu.Lock()
			defer p.l.mu.Unlock()
			for _, x := range p.l.tabs {
				if x.ID == popup.ID {
					return false
				}
			}
			return true
		})
		p.home("its opener shows again")
		p.focus()
		p.press("a")
		w.eventually("field.value", "a")
	})
	p.run(t, "a user name and a password", func(t *testing.T) {
		p.visit(w.url + "/staff")
		before := p.l.seen(app.EventAsks)
		p.wait("it asks", func() bool { return p.l.seen(app.EventAsks) > before || before > 0 })
		p.glance(300, 20, 400, 200) // once it is there
		p.tool("type", "--delay", "20", "demo")
		p.press("Tab")
		p.tool("type", "--delay", "20", "pass")
		p.press("Return")
		p.shows("30a0a0")
	})
	p.run(t, "a page where nothing moves", func(t *testing.T) {
		p.visit(w.url + "/colour/3050d0")
		p.shows("3050d0")
		for range 2 {
			p.press("Control+1")
			p.home("the witness")
			p.press("Control+9")
			p.shows("3050d0")
		}
		p.tool("windowsize", "--sync", p.id, "1300", "900")
		p.shows("3050d0")
		p.wait("all of it is shown", func() bool {
			left, top, _, high := p.where(p.window())
			_, _, ok := p.see(left+p.left+10, top+high-60, 20, 20).find("3050d0")
			return ok
		})
	})
}

// home waits until the window shows the witness: its image is seen.
func (p *desktop) home(what string) {
	p.w.t.Helper()
	p.wait(what, func() bool {
		left, top, _, _ := p.where(p.window())
		_, _, ok := p.see(left+p.left+405, top+p.top+125, 40, 40).find("e04020")
		return ok
	})
}

// visit opens an address in a tab of its own.
func (p *desktop) visit(url string) {
	p.w.t.Helper()
	count := func() int { p.l.mu.Lock(); defer p.l.mu.Unlock(); return len(p.l.tabs) }
	was := count()
	p.press("Control+t")
	p.wait("a new tab", func() bool { return count() > was })
	p.glance(0, -60, 600, 100) // until the window has drawn it
	p.tool("type", "--delay", "8", url)
	p.press("Return")
}
