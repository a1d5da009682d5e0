package cli

import (
	"encoding/binary"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"
)

// A file manager's drag: files of the computer are dropped from another program
// onto the page in Baton's window (SPEC H2, H4).
func TestFilesAreDraggedIntoTheWindow(t *testing.T) {
	p := sit(t)
	w := p.w
	folder := t.TempDir()
	var files []string
	for name, text := range map[string]string{"one.txt": "first", "zwei & drei.txt": "second"} {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	const want = "file one.txt first | file zwei & drei.txt second"
	const got = "log.filter(e => e.startsWith('file ')).sort().join(' | ')"

	p.run(t, "onto a place that takes them", func(t *testing.T) {
		m := p.carry(files)
		m.over(60, 150)
		m.over(290, 150)
		m.drop()
		w.eventually(got, want)
		w.eventually("log.filter(e => e.startsWith('drop')).length", "1")
	})
	p.run(t, "away again", func(t *testing.T) {
		m := p.carry(files)
		m.over(290, 150)
		m.leave()
		m = p.carry(files[:1])
		m.over(290, 150)
		m.drop()
		w.eventually("log.filter(e => e.startsWith('file ')).length", "1")
	})
	p.run(t, "beside the page, where the window stays what it is", func(t *testing.T) {
		for _, list := range [][]string{files, {w.url + "/elsewhere"}} {
			m := p.carry(list)
			for range 20 {
				m.move(290, -60)
				time.Sleep(20 * time.Millisecond)
			}
			m.drop() // also where it said that it takes none
		}
		p.focus()
		p.press("a")
		w.eventually("field.value", "a")
		w.eventually("log.filter(e => e.startsWith('file ')).length", "0")
	})
}

// manager is a program that drags files over Baton's window, by the protocol of
// X desktops (XDND 5).
type manager struct {
	p     *desktop
	atom  func(name string) xproto.Atom
	send  func(kind string, data ...uint32)
	heard func(kind string) []uint32 // waits for a message of Baton's window
}

// carry begins to drag files, or addresses.
func (p *desktop) carry(files []string) *manager {
	t := p.w.t
	t.Helper()
	x := p.connect()
	t.Cleanup(x.Close)
	fail := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	atoms := map[string]xproto.Atom{}
	atom := func(name string) xproto.Atom {
		if atoms[name] == 0 {
			r, err := xproto.InternAtom(x, false, uint16(len(name)), name).Reply()
			fail(err)
			atoms[name] = r.Atom
		}
		return atoms[name]
	}
	to := xproto.Setup(x).DefaultScreen(x)
	id, err := xproto.NewWindowId(x)
	fail(err)
	number, err := strconv.ParseUint(p.id, 10, 32)
	fail(err)
	target := xproto.Window(number)
	m := &manager{p: p, atom: atom}
	var list string // of the files
	for _, f := range files {
		if !strings.Contains(f, "://") {
			f = (&url.URL{Scheme: "file", Path: f}).String()
		}
		list += f + "\r\n"
	}
	xproto.CreateWindow(x, to.RootDepth, id, to.Root, 1500, 1100, 50, 50, 0, xproto.WindowClassInputOutput, to.RootVisual, xproto.CwOverrideRedirect, []uint32{1})
	xproto.MapWindow(x, id)
	fail(xproto.SetSelectionOwnerChecked(x, id, atom("XdndSelection"), xproto.TimeCurrentTime).Check())
	m.send = func(kind string, data ...uint32) {
		t.Helper()
		all := append([]uint32{uint32(id)}, data...)
		e := xproto.ClientMessageEvent{Format: 32, Window: target, Type: atom(kind), Data: xproto.ClientMessageDataUnionData32New(append(all, make([]uint32, 5-len(all))...))}
		fail(xproto.SendEventChecked(x, false, target, 0, string(e.Bytes())).Check())
	}
	// answer gives the files to who asks for them.
	answer := func(e xproto.SelectionRequestEvent) {
		done := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target}
		switch e.Target {
		case atom("text/uri-list"):
			done.Property = e.Property
			xproto.ChangeProperty(x, xproto.PropModeReplace, e.Requestor, e.Property, e.Target, 8, uint32(len(list)), []byte(list))
		case atom("TARGETS"):
			done.Property = e.Property
			b := binary.LittleEndian.AppendUint32(nil, uint32(atom("text/uri-list")))
			xproto.ChangeProperty(x, xproto.PropModeReplace, e.Requestor, e.Property, xproto.AtomAtom, 32, 1, b)
		}
		xproto.SendEvent(x, false, e.Requestor, 0, string(done.Bytes()))
	}
	m.heard = func(kind string) []uint32 {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			ev, err := x.PollForEvent()
			if err != nil {
				t.Fatal(err)
			}
			switch e := ev.(type) {
			case xproto.SelectionRequestEvent:
				answer(e)
			case xproto.ClientMessageEvent:
				if e.Type == atom(kind) {
					return e.Data.Data32
				}
			}
		}
		t.Fatalf("Baton's window sent no %s", kind)
		return nil
	}
	m.send("XdndEnter", 5<<24, uint32(atom("text/uri-list")), 0, 0)
	return m
}

// over moves the files about a place of the page, until the window would take
// them there.
func (m *manager) over(x, y int) {
	m.p.w.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		x ^= 1
		if m.move(x, y) {
			return
		}
	}
	m.p.w.t.Fatal("the window takes no files")
}

// move moves the files and tells whether the window would take them there, as
// far as it knows yet.
func (m *manager) move(x, y int) bool {
	m.p.w.t.Helper()
	m.send("XdndPosition", 0, uint32(m.p.x+m.p.left+x)<<16|uint32(m.p.y+m.p.top+y), 0, uint32(m.atom("XdndActionCopy")))
	return m.heard("XdndStatus")[1]&1 != 0
}

// drop lets go of them.
func (m *manager) drop() {
	m.p.w.t.Helper()
	m.send("XdndDrop", 0, 0)
	m.heard("XdndFinished")
}

func (m *manager) leave() {
	m.p.w.t.Helper()
	m.send("XdndLeave")
}
