//go:build desktop && linux

package app

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/backend/page"
	"baton/build/probe"
	"baton/frontend"
)

// The measures of the real window: how often what a person sees changes, and
// how soon after a press, read from the memory that the X server draws in,
// beside a bare client of the same page in turns.
//
//	BATON_MEASURE=1 go test -tags "webkit2_41 production desktop" -v -run TheWindow ./app

// envGlass makes this test's program a window of the host at that address.
const envGlass = "BATON_TEST_WINDOW"

func init() {
	runGlass = func() bool {
		url, token, ok := strings.Cut(os.Getenv(envGlass), " ")
		if !ok {
			return false
		}
		if err := CheckDisplay(); err != nil {
			panic(err)
		}
		if err := RunWindow(WindowConfig{Host: glassHost{url, token}, Files: frontend.Files(), Data: os.Getenv("BATON_DATA_DIR")}); err != nil {
			panic(err)
		}
		return true
	}
}

// glassHost leads a window to the host in the test's process.
type glassHost struct{ url, token string }

func (h glassHost) Endpoint(context.Context) (url, token string, err error) {
	return h.url, h.token, nil
}
func (glassHost) Agents(context.Context) (int, error)    { return 0, nil }
func (glassHost) Background(context.Context, bool) error { return nil }
func (glassHost) Stop(context.Context) error             { return nil }
func (glassHost) Show(context.Context) error             { return nil }

// The page's part of the window, in CSS pixels.
const glassWidth, glassHeight = 1280, 800

// glass is a window on a screen of its own, with a window manager.
type glass struct {
	h      *host
	screen *screen
	env    []string
	scale  int       // of the screen
	group  int       // of the window's processes
	hands  io.Writer // of an xdotool that reads its orders
	client *client   // another interface, for the tabs
	conn   *conn     // the window's
	rest   string    // a tab that nothing moves in
	left   int       // of the page's part, on the screen
	top    int
}

func (h *host) glass() *glass {
	const scale = 1
	t := h.t
	t.Helper()
	for _, name := range []string{"Xvfb", "openbox", "xdotool"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("there is no " + name)
		}
	}
	dir := t.TempDir()
	var env []string
	ready, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	start := func(files []*os.File, in *os.File, name string, args ...string) (pid int) {
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), env...)
		cmd.ExtraFiles, cmd.Stderr = files, t.Output()
		if in != nil {
			cmd.Stdin = in
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
		return cmd.Process.Pid
	}
	start([]*os.File{theirs}, nil, "Xvfb", "-displayfd", "3", "-screen", "0", "2800x2000x24", "-nolisten", "tcp", "-noreset", "-fbdir", dir)
	theirs.Close()
	var display int
	if _, err := fmt.Fscan(ready, &display); err != nil {
		t.Fatal(err)
	}
	ready.Close()
	client := h.connect()
	var mine *conn
	for c := range h.server.conns {
		mine = c
	}
	client.must("settings.set", Settings{Theme: "light", RevealAutomation: true, SearchURL: "https://s.example/?q=%s", AgentAccess: "full", TouchHoldSeconds: 60}, nil)
	url, token := h.server.Endpoint()
	env = append(env, fmt.Sprintf("GDK_SCALE=%d", scale), fmt.Sprintf("DISPLAY=:%d", display), "WAYLAND_DISPLAY=", "GDK_BACKEND=x11", "NO_AT_BRIDGE=1", "BATON_DATA_DIR="+dir, envGlass+"="+url+" "+token)
	start(nil, nil, "openbox", "--sm-disable")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	group := start(nil, nil, self, "-test.run=^$")
	orders, hands, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	start(nil, orders, "xdotool", "-")
	t.Cleanup(func() { orders.Close(); hands.Close() })
	g := &glass{h: h, screen: readScreen(t, filepath.Join(dir, "Xvfb_screen0")), hands: hands, client: client, env: env, scale: scale, group: group}
	g.wait("the window connects", func() bool {
		h.server.mu.Lock()
		defer h.server.mu.Unlock()
		for c := range h.server.conns {
			if c != mine {
				g.conn = c
			}
		}
		return g.conn != nil
	})
	g.fit()
	g.rest = client.open(h.pages + "/still.html")
	return g
}

func (g *glass) wait(what string, ok func() bool) {
	g.h.t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			g.h.t.Fatal("never came: " + what)
		}
	}
}

// show brings a tab before the person.
func (g *glass) show(id string) {
	g.h.t.Helper()
	g.wait("the tab shows", func() bool {
		// The interface may not have heard of the tab yet.
		g.conn.out.post(EventView, strconv.Itoa(firstView), ViewState{View: firstView, Tab: id})
		time.Sleep(50 * time.Millisecond)
		return g.conn.views.of(id) != nil
	})
}

// fit makes the page's part of the window glassWidth by glassHeight, and finds
// it on the screen by the colour of a page that shows nothing else.
func (g *glass) fit() {
	t := g.h.t
	t.Helper()
	id := g.client.open(g.h.pages + "/other.html")
	g.show(id)
	p, err := g.h.tabs.Page(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var window string
	g.wait("the window shows", func() bool {
		out, _ := g.do("search", "--onlyvisible", "--name", "^Baton$")
		window = strings.TrimSpace(out)
		return window != ""
	})
	g.wait("the window has its size", func() bool {
		s := p.Size()
		if s.Width == glassWidth && s.Height == glassHeight && g.find() {
			return true
		}
		var x, y, w, ht int
		out, err := g.do("getwindowgeometry", "--shell", window)
		if err != nil {
			return false
		}
		for line := range strings.Lines(out) {
			for name, to := range map[string]*int{"X": &x, "Y": &y, "WIDTH": &w, "HEIGHT": &ht} {
				if v, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
					*to, _ = strconv.Atoi(v)
				}
			}
		}
		if s.Width > 0 && (s.Width != glassWidth || s.Height != glassHeight) {
			k := g.scale
			_, _ = g.do("windowmove", window, "0", "0", "windowsize", window, strconv.Itoa(w+(glassWidth-s.Width)*k), strconv.Itoa(ht+(glassHeight-s.Height)*k))
		}
		time.Sleep(300 * time.Millisecond)
		return false
	})
	g.client.must("tabs.close", TabArgs{Tab: id}, nil)
}

func (g *glass) do(args ...string) (string, error) {
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(os.Environ(), g.env...)
	out, err := cmd.Output()
	return string(out), err
}

// find looks for the page's part of the window.
func (g *glass) find() bool {
	s := g.screen
	is := func(x, y int) bool { return s.at(x, y) == 0xe6c828 }
	k := g.scale
	for y := 0; y < s.height; y += 8 {
		for x := 0; x < s.width; x += 8 {
			if !is(x, y) {
				continue
			}
			x, y = x+100, y+100 // its corners are round
			left, top := x, y
			for left > 0 && is(left-1, y) {
				left--
			}
			for top > 0 && is(x, top-1) {
				top--
			}
			g.left, g.top = left, top
			return is(left+glassWidth*k-1, y) && is(x, top+glassHeight*k-1)
		}
	}
	return false
}

// shown gives how often a second the page's part of the screen changes.
func (g *glass) shown() float64 {
	seed := maphash.MakeSeed()
	look := func() uint64 {
		var h maphash.Hash
		h.SetSeed(seed)
		for y := g.top; y < g.top+glassHeight*g.scale; y += 20 {
			_, _ = h.Write(g.screen.row(g.left, y, glassWidth*g.scale))
		}
		return h.Sum64()
	}
	n, last, moving := 0, look(), false
	for end := time.Now().Add(measured); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		now := look()
		if now == last && moving {
			n++ // it came and is whole: two looks in a row are the same
		}
		moving, last = now != last, now
	}
	return float64(n) / measured.Seconds()
}

// screen is the memory that an X server draws in.
type screen struct {
	bits          []byte
	width, height int
	stride        int
}

// readScreen maps what Xvfb draws in, a file in the form of xwd.
func readScreen(t *testing.T, name string) *screen {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, int(st.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	field := func(n int) int { return int(binary.BigEndian.Uint32(b[4*n:])) }
	const size, width, height, perPixel, perLine, colours = 0, 4, 5, 11, 12, 19
	if field(perPixel) != 32 {
		t.Fatalf("the screen has %d bits a pixel", field(perPixel))
	}
	return &screen{bits: b[field(size)+12*field(colours):], width: field(width), height: field(height), stride: field(perLine)}
}

func (s *screen) row(x, y, n int) []byte { return s.bits[y*s.stride+4*x : y*s.stride+4*(x+n)] }

// at gives a pixel as 0xRRGGBB.
func (s *screen) at(x, y int) uint32 {
	return binary.LittleEndian.Uint32(s.bits[y*s.stride+4*x:]) & 0xffffff
}

func TestTheWindowsFrameRateAgainstABareClient(t *testing.T) {
	measures(t)
	h := newHost(t)
	g := h.glass()
	for _, name := range []string{"boxes", "scroll"} {
		for _, n := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("%s of %d tabs", name, n), func(t *testing.T) { g.against(t, h.pages+"/"+name+".html", n) })
		}
	}
}

// against measures one of n tabs in the window, while others look at the rest,
// beside a bare client of all of them.
func (g *glass) against(t *testing.T, url string, n int) {
	var ids []string
	var pages []*page.Page
	for range n {
		id := g.client.open(url)
		p, err := g.h.tabs.Page(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		ids, pages = append(ids, id), append(pages, p)
	}
	var bare, drawn, screen, busy float64
	const turns = 3
	for range turns {
		for _, p := range pages {
			if err := p.Resize(t.Context(), glassWidth, glassHeight); err != nil {
				t.Fatal(err)
			}
		}
		f, _ := bareRate(t, pages)
		bare += f / float64(turns*n)
		for i, id := range ids[1:] {
			g.client.must("view.watch", WatchArgs{View: i, Tab: id, Width: glassWidth, Height: glassHeight, Scale: 1}, nil)
		}
		g.show(ids[0])
		time.Sleep(time.Second)
		from, start, spent := g.drawn(), time.Now(), g.spent()
		screen += g.shown() / turns
		busy += ms(g.spent()-spent) / float64(max(1, g.drawn()-from)) / turns
		drawn += float64(g.drawn()-from) / time.Since(start).Seconds() / turns
		for i := range ids[1:] {
			g.client.must("view.leave", ViewArgs{View: i}, nil)
		}
		g.show(g.rest)
	}
	t.Logf("bare %.1f frames/s a tab, drawn %.1f (%.2f), changes of the screen %.1f (%.2f), %.1f ms of processor time a frame in the window", bare, drawn, drawn/bare, screen, screen/bare, busy)
	for _, id := range ids {
		g.client.must("tabs.close", TabArgs{Tab: id}, nil)
	}
}

// spent gives the processor time of the window's processes.
func (g *glass) spent() (total time.Duration) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(b), ") ")
		f := strings.Fields(rest)
		if len(f) < 13 || f[2] != strconv.Itoa(g.group) {
			continue
		}
		user, _ := strconv.Atoi(f[11])
		system, _ := strconv.Atoi(f[12])
		total += time.Duration(user+system) * 10 * time.Millisecond // Linux counts in hundredths
	}
	return total
}

func TestTheWindowOverAPageAtRestForAMinute(t *testing.T) {
	measures(t)
	h := newHost(t)
	g := h.glass()
	g.show(g.rest)
	time.Sleep(5 * time.Second)
	pid, _ := h.engine.Running()
	const rest = time.Minute
	from, window, chromium := g.drawn(), g.spent(), probe.CPU(probe.Descend(pid)...)
	time.Sleep(rest)
	share := func(d time.Duration) float64 { return 100 * d.Seconds() / rest.Seconds() }
	t.Logf("Chromium %.2f %% of a core, the window %.2f %%", share(probe.CPU(probe.Descend(pid)...)-chromium), share(g.spent()-window))
	if n := g.drawn() - from; n != 0 {
		t.Errorf("%d frames came of a page at rest", n)
	}
}

// drawn gives how many frames the window has drawn: it acknowledges each after
// drawing it, and gets none before.
func (g *glass) drawn() uint32 {
	v := &g.conn.views
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.seq
}

func TestTheWindowsInputToPixelAgainstABareClient(t *testing.T) {
	measures(t)
	h := newHost(t)
	g := h.glass()
	id := g.client.open(h.pages + "/flash.html")
	p, err := h.tabs.Page(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var bare, seen []time.Duration
	for range 3 {
		if err := p.Resize(t.Context(), glassWidth, glassHeight); err != nil {
			t.Fatal(err)
		}
		bare = append(bare, bareLag(t, p, 20)...)
		g.show(id)
		seen = append(seen, g.lag(20)...)
		g.show(g.rest)
	}
	t.Logf("input to changed frame: bare %s; to changed pixel of the screen: %s", spread(bare), spread(seen))
}

func (g *glass) lag(n int) (out []time.Duration) {
	x, y := g.left+300*g.scale, g.top+300*g.scale
	fmt.Fprintf(g.hands, "mousemove %d %d\n", x, y)
	time.Sleep(time.Second)
	for i := range n {
		time.Sleep(time.Duration(400+i*7%37) * time.Millisecond)
		was, start := g.screen.at(x+40, y+40), time.Now()
		fmt.Fprintln(g.hands, "mousedown 1")
		for g.screen.at(x+40, y+40) == was {
			if time.Since(start) > 3*time.Second {
				g.h.t.Fatal("the press showed nothing")
			}
			time.Sleep(300 * time.Microsecond)
		}
		out = append(out, time.Since(start))
		fmt.Fprintln(g.hands, "mouseup 1")
	}
	return out
}
