package cli

import (
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"
)

// glance is what a part of the screen looked like: in four bytes a pixel, blue,
// green, red and nothing.
type glance struct {
	x, y, wide, high int // on the screen
	pixels           []byte
}

// manage has a window manager take care of the windows, as on a desktop.
func (s *screen) manage() {
	s.t.Helper()
	if _, err := exec.LookPath("openbox"); err != nil {
		lacks(s.t, "there is no openbox")
	}
	s.start(exec.Command("openbox", "--sm-disable"))
	s.managed = true
	x := s.connect()
	defer x.Close()
	root := xproto.Setup(x).DefaultScreen(x).Root
	for end := time.Now().Add(20 * time.Second); len(s.list(root, "_NET_SUPPORTING_WM_CHECK")) == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatal("openbox manages nothing")
		}
	}
}

// list gives a property of a window that is a list of numbers.
func (s *screen) list(of xproto.Window, name string) (out []uint32) {
	x := s.connect()
	defer x.Close()
	atom, err := xproto.InternAtom(x, false, uint16(len(name)), name).Reply()
	if err != nil {
		return nil
	}
	p, err := xproto.GetProperty(x, false, of, atom.Atom, xproto.GetPropertyTypeAny, 0, 1<<10).Reply()
	if err != nil || p.Format != 32 { // a window that has gone
		return nil
	}
	for at := 0; at+4 <= len(p.Value); at += 4 {
		out = append(out, uint32(p.Value[at])|uint32(p.Value[at+1])<<8|uint32(p.Value[at+2])<<16|uint32(p.Value[at+3])<<24)
	}
	return out
}

// root is the window of the whole screen.
func (s *screen) root() xproto.Window {
	x := s.connect()
	defer x.Close()
	return xproto.Setup(x).DefaultScreen(x).Root
}

// is tells whether a window has a state of that name.
func (s *screen) is(window uint32, state string) bool {
	x := s.connect()
	defer x.Close()
	atom, err := xproto.InternAtom(x, false, uint16(len(state)), state).Reply()
	return err == nil && slices.Contains(s.list(xproto.Window(window), "_NET_WM_STATE"), uint32(atom.Atom))
}

// where gives a window's place on the screen.
func (s *screen) where(window uint32) (left, top, wide, high int) {
	s.t.Helper()
	x := s.connect()
	defer x.Close()
	size, err := xproto.GetGeometry(x, xproto.Drawable(window)).Reply()
	if err != nil {
		return 0, 0, 0, 0 // it has gone
	}
	at, err := xproto.TranslateCoordinates(x, xproto.Window(window), xproto.Setup(x).DefaultScreen(x).Root, 0, 0).Reply()
	if err != nil {
		return 0, 0, 0, 0
	}
	return int(at.DstX), int(at.DstY), int(size.Width), int(size.Height)
}

// see looks at a part of the screen, with whatever lies over it.
func (s *screen) see(x, y, wide, high int) glance {
	s.t.Helper()
	c := s.connect()
	defer c.Close()
	root := xproto.Setup(c).DefaultScreen(c).Root
	r, err := xproto.GetImage(c, xproto.ImageFormatZPixmap, xproto.Drawable(root), int16(x), int16(y), uint16(wide), uint16(high), 1<<32-1).Reply()
	if err != nil {
		s.t.Fatalf("nothing is seen at %d,%d %dx%d: %v", x, y, wide, high, err)
	}
	return glance{x, y, wide, high, r.Data}
}

// window is the number of Baton's window.
func (p *desktop) window() uint32 {
	n, err := strconv.ParseUint(p.id, 10, 32)
	if err != nil {
		p.w.t.Fatal(err)
	}
	return uint32(n)
}

// glance looks at a part of the page once it has stopped changing.
func (p *desktop) glance(x, y, wide, high int) glance {
	p.w.t.Helper()
	left, top, _, _ := p.where(p.window())
	g := p.see(left+p.left+x, top+p.top+y, wide, high)
	since := time.Now()
	p.wait("the screen is at rest", func() bool {
		now := p.see(g.x, g.y, wide, high)
		if now.differs(g) > 0 {
			g, since = now, time.Now()
		}
		return time.Since(since) > 400*time.Millisecond
	})
	return g
}

// differs gives the part of the pixels that differ so that it is seen.
func (g glance) differs(from glance) float64 {
	n := 0
	for at := 0; at < len(g.pixels) && at < len(from.pixels); at += 4 {
		if !near(g.pixels[at:], from.pixels[at:], 24) {
			n++
		}
	}
	return float64(n) / float64(g.wide*g.high)
}

func near(a, b []byte, by int) bool {
	for i := range 3 {
		if d := int(a[i]) - int(b[i]); d > by || d < -by {
			return false
		}
	}
	return true
}

// changes waits until that part of the screen looks clearly different.
func (p *desktop) changes(what string, from glance) {
	p.w.t.Helper()
	p.wait(what, func() bool { return p.see(from.x, from.y, from.wide, from.high).differs(from) > 0.03 })
}

// returns waits until that part of the screen looks as it did.
func (p *desktop) returns(what string, to glance) {
	p.w.t.Helper()
	p.wait(what, func() bool { return p.see(to.x, to.y, to.wide, to.high).differs(to) < 0.003 })
}

// find gives the middle of what has a colour, such as "2060c0"; none where too
// little has it.
func (g glance) find(colour string) (x, y int, ok bool) {
	var r, b, green byte
	if _, err := fmt.Sscanf(colour, "%02x%02x%02x", &r, &green, &b); err != nil {
		return 0, 0, false
	}
	n := 0
	for at := 0; at+4 <= len(g.pixels); at += 4 {
		if near(g.pixels[at:], []byte{b, green, r}, 10) {
			n++
			x += at / 4 % g.wide
			y += at / 4 / g.wide
		}
	}
	if n < 60 {
		return 0, 0, false
	}
	return g.x + x/n, g.y + y/n, true
}

// shows waits until the middle of the page has a colour.
func (p *desktop) shows(colour string) {
	p.w.t.Helper()
	p.wait("the page of "+colour, func() bool {
		left, top, wide, high := p.where(p.window())
		_, _, ok := p.see(left+wide/2-10, top+high/2-10, 20, 20).find(colour)
		return ok
	})
}

// strip looks at the window's row of tabs.
func (p *desktop) strip() glance {
	p.w.t.Helper()
	left, top, wide, _ := p.where(p.window())
	return p.see(left, top, wide, 42)
}

// pointer gives the shape of the mouse's pointer.
func (s *screen) pointer() string {
	s.t.Helper()
	x := s.connect()
	defer x.Close()
	if err := xfixes.Init(x); err != nil {
		s.t.Fatal(err)
	}
	if _, err := xfixes.QueryVersion(x, 4, 0).Reply(); err != nil {
		s.t.Fatal(err)
	}
	r, err := xfixes.GetCursorImage(x).Reply()
	if err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprint(r.Width, r.Height, r.Xhot, r.Yhot, r.CursorImage)
}
