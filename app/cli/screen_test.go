package cli

import (
	"bufio"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// screen is an X display that nobody sees and nobody else uses: its keyboard's
// layout and its clipboard are the test's own.
type screen struct {
	t       *testing.T
	env     []string
	managed bool // by a window manager
}

func newScreen(t *testing.T) *screen {
	t.Helper()
	for _, name := range []string{"Xvfb", "xdotool", "setxkbmap", "xclip"} {
		if _, err := exec.LookPath(name); err != nil {
			lacks(t, "there is no "+name)
		}
	}
	s := &screen{t: t}
	ready, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer ready.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{theirs}
	s.start(cmd)
	theirs.Close()
	line, err := bufio.NewReader(ready).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb did not get ready: %v", err)
	}
	s.env = []string{"DISPLAY=:" + strings.TrimSpace(line), "WAYLAND_DISPLAY=", "GDK_BACKEND=x11", "NO_AT_BRIDGE=1"}
	return s
}

// start runs a program on the screen until the test ends.
func (s *screen) start(cmd *exec.Cmd) {
	s.t.Helper()
	cmd.Env = append(os.Environ(), s.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
}

// do runs a program on the screen to its end and gives what it printed.
func (s *screen) do(stdin, name string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), s.env...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("%s %v: %v", name, args, err)
	}
	return string(out)
}

// layout gives the keyboard another layout.
func (s *screen) layout(name string) { s.do("", "setxkbmap", strings.Fields(name)...) }

// The places of keys on a keyboard, as X numbers them.
var place = map[string]string{
	"1": "10", "2": "11", "3": "12", "4": "13", "5": "14", "6": "15", "7": "16", "8": "17", "9": "18", "´": "21", "q": "24", "w": "25", "e": "26", "r": "27", "t": "28", "y": "29", "u": "30", "i": "31", "o": "32", "p": "33",
	"a": "38", "s": "39", "d": "40", "f": "41", "g": "42", "h": "43", "j": "44", "k": "45", "l": "46", "^": "49",
	"z": "52", "x": "53", "c": "54", "v": "55", "b": "56", "n": "57", "m": "58",
	"Escape": "Escape", "grave": "49", "/": "61", "F5": "71", "F11": "95", "F12": "96", "Right": "114", "Down": "116", "BackSpace": "22", "Tab": "23", "Return": "36", "Control": "37", "Shift": "50", "Alt": "64", "space": "65", "AltGr": "108",
}

// desktop is a person at Baton's window on a screen: what they press is a key's
// place, whatever the layout makes of it.
type desktop struct {
	glass
	*screen
	w          *witness
	x, y       int // the window, on the screen
	wide, tall int
	left, top  int // of the page, in the window
}

// sit opens the witness in Baton's window on a screen of its own.
func sit(t *testing.T, env ...string) *desktop {
	t.Helper()
	s := newScreen(t)
	s.env = append(s.env, env...)
	return s.sit(t)
}

// sit opens the witness in Baton's window on the screen.
func (s *screen) sit(t *testing.T) *desktop {
	t.Helper()
	d := newDesk(t)
	p := &desktop{screen: s, w: newWitness(t)}
	p.glass = d.windowOn(s.env)
	p.open(p.w.url)
	if s.managed { // room for what lies beside the page
		p.tool("windowmove", p.id, "0", "24", "windowsize", "--sync", p.id, "1590", "1140")
	}
	var number int
	if _, err := fmt.Sscanf(p.tool("getwindowgeometry", "--shell", p.id), "WINDOW="+p.id+"\nX=%d\nY=%d\nWIDTH=%d\nHEIGHT=%d\nSCREEN=%d", &p.x, &p.y, &p.wide, &p.tall, &number); err != nil {
		t.Fatal(err)
	}
	// The page itself tells where it lies.
	p.w.eventually("document.readyState", "complete")
	d.wait("the page feels the mouse", func() bool {
		x, y := p.wide/2, p.tall/2
		p.tool("mousemove", "--window", p.id, fmt.Sprint(x+1), fmt.Sprint(y), "mousemove", "--window", p.id, fmt.Sprint(x), fmt.Sprint(y))
		time.Sleep(100 * time.Millisecond)
		_, err := fmt.Sscanf(p.w.js("at"), "%d,%d", &p.left, &p.top)
		p.left, p.top = x-p.left, y-p.top
		return err == nil && p.left < 20 // it lies in the middle until it follows the window's size
	})
	return p
}

func (p *desktop) tool(args ...string) string { return p.screen.do("", "xdotool", args...) }

// to gives xdotool's words for a place of the page.
func (p *desktop) to(x, y int) []string {
	return []string{"mousemove", "--window", p.id, fmt.Sprint(p.left + x), fmt.Sprint(p.top + y)}
}

func (p *desktop) click(x, y int) { p.tool(append(p.to(x, y), "click", "1")...) }

// focus clicks the field, which then has the keys.
func (p *desktop) focus() {
	p.w.t.Helper()
	p.click(170, 40)
	p.w.eventually("document.activeElement.id", "field")
}

// press presses the keys at these places one after the other; those that are
// joined by + are held together.
func (p *desktop) press(keys ...string) {
	p.w.t.Helper()
	for _, k := range keys {
		var down, up []string
		for part := range strings.SplitSeq(k, "+") {
			code, ok := place[part]
			if !ok {
				p.w.t.Fatalf("no place of %q", part)
			}
			down = append(down, "keydown", code)
			up = append([]string{"keyup", code}, up...)
		}
		p.tool(append(down, up...)...)
	}
}

// away gives the keyboard to a window of another program, until back is called.
func (p *desktop) away() (back func()) {
	p.w.t.Helper()
	x := p.connect()
	to := xproto.Setup(x).DefaultScreen(x)
	id, err := xproto.NewWindowId(x)
	if err != nil {
		p.w.t.Fatal(err)
	}
	xproto.CreateWindow(x, to.RootDepth, id, to.Root, 1500, 1100, 50, 50, 0, xproto.WindowClassInputOutput, to.RootVisual, xproto.CwOverrideRedirect, []uint32{1})
	xproto.MapWindow(x, id)
	if err := xproto.SetInputFocusChecked(x, xproto.InputFocusPointerRoot, id, xproto.TimeCurrentTime).Check(); err != nil {
		p.w.t.Fatal(err)
	}
	return func() {
		x.Close()
		p.tool("windowfocus", p.id)
	}
}

// connect is a program of the test's own on the screen.
func (s *screen) connect() *xgb.Conn {
	s.t.Helper()
	xgb.Logger.SetOutput(io.Discard) // it has much to say of a display without a password
	_, display, _ := strings.Cut(s.env[0], "=")
	x, err := xgb.NewConnDisplay(display)
	if err != nil {
		s.t.Fatal(err)
	}
	return x
}

// clipboard gives what lies on a clipboard of the screen in one form; "" when
// there is none of it.
func (s *screen) clipboard(which, form string) string {
	cmd := exec.Command("xclip", "-o", "-selection", which, "-t", form)
	cmd.Env = append(os.Environ(), s.env...)
	out, _ := cmd.Output() // it fails where there is nothing
	return string(out)
}

// put puts something on a clipboard of the screen as another program would.
func (s *screen) put(which, form, what string) {
	s.t.Helper()
	cmd := exec.Command("xclip", "-i", "-selection", which, "-t", form)
	cmd.Env = append(os.Environ(), s.env...)
	cmd.Stdin = strings.NewReader(what)
	if err := cmd.Run(); err != nil { // it stays behind and answers
		s.t.Fatal(err)
	}
}

func (p *desktop) wait(what string, ok func() bool) {
	p.w.t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			p.keep()
			p.w.t.Fatalf("never came: %s", what)
		}
	}
}

// keep leaves a picture of the screen among the test's artifacts (go test -artifacts).
func (p *desktop) keep() {
	p.w.t.Helper()
	left, top, wide, high := p.where(uint32(p.root()))
	g := p.see(left, top, wide, high)
	m := image.NewNRGBA(image.Rect(0, 0, wide, high))
	for i := 0; i+4 <= len(g.pixels); i += 4 {
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = g.pixels[i+2], g.pixels[i+1], g.pixels[i], 255
	}
	f, err := os.Create(filepath.Join(p.w.t.ArtifactDir(), "screen.png"))
	if err != nil {
		p.w.t.Log(err)
		return
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		p.w.t.Log(err)
	}
}

// choose takes the menu's entry of that number.
func (p *desktop) choose(n int) {
	p.w.t.Helper()
	time.Sleep(500 * time.Millisecond) // it opens once the page has told of it
	for range n {
		p.press("Down")
	}
	p.press("Return")
}

// run is a part of a test with a page that has noted nothing yet.
func (p *desktop) run(t *testing.T, name string, f func(t *testing.T)) {
	p.w.run(t, name, func(t *testing.T) {
		outer := p.screen.t
		p.screen.t = t
		defer func() { p.screen.t = outer }()
		f(t)
	})
}
