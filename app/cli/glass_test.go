package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// glass is a person at Baton's own window, with a mouse and a keyboard.
type glass struct {
	l   *look
	id  string   // of the X window
	env []string // of what is on its display
}

// window opens Baton's window on the desk, where there is one and a display.
func (d *desk) window() glass {
	d.t.Helper()
	if os.Getenv("DISPLAY") == "" {
		lacks(d.t, "there is no display")
	}
	return d.windowOn([]string{"GDK_BACKEND=x11", "NO_AT_BRIDGE=1"})
}

// windowOn opens Baton's window on the display that env names.
func (d *desk) windowOn(env []string) glass {
	d.t.Helper()
	at := filepath.Join("..", "..", "build", "bin", "baton-window")
	if _, err := exec.LookPath("xdotool"); err != nil {
		lacks(d.t, "there is no xdotool")
	}
	if _, err := os.Stat(at); err != nil {
		lacks(d.t, "baton-window is not built")
	}
	cmd := exec.Command(at, "--data-dir", d.data)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = d.t.Output()
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	g := glass{l: d.look(), env: env}
	d.wait("the window is there", func() bool {
		find := exec.Command("xdotool", "search", "--onlyvisible", "--pid", fmt.Sprint(cmd.Process.Pid), "--name", "Baton")
		find.Env = append(os.Environ(), env...)
		out, _ := find.Output()
		g.id, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
		return g.id != ""
	})
	return g
}

func (g glass) eyes() *look { return g.l }

func (g glass) do(args ...string) string {
	g.l.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(os.Environ(), g.env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.l.t.Fatalf("xdotool %v: %v: %s", args, err, out)
	}
	return string(out)
}

// open types the address into the address bar once the window takes keys.
func (g glass) open(url string) {
	g.do("windowfocus", g.id)
	there := func() bool {
		g.l.mu.Lock()
		defer g.l.mu.Unlock()
		for _, x := range g.l.tabs {
			if strings.HasPrefix(x.URL, url) {
				return true
			}
		}
		return false
	}
	for range 10 {
		g.do("key", "ctrl+l")
		g.do("type", "--delay", "8", url)
		g.do("key", "Return")
		for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if there() {
				return
			}
		}
	}
	g.l.t.Fatal("the window did not take the address")
}

func (g glass) touch() {
	var x, y, w, h, screen int
	_, err := fmt.Sscanf(g.do("getwindowgeometry", "--shell", g.id), "WINDOW="+g.id+"\nX=%d\nY=%d\nWIDTH=%d\nHEIGHT=%d\nSCREEN=%d", &x, &y, &w, &h, &screen)
	if err != nil {
		g.l.t.Fatal(err)
	}
	g.do("mousemove", "--window", g.id, fmt.Sprint(w/2), fmt.Sprint(h*3/4), "click", "1")
}

func (g glass) write(text string) { g.do("type", "--delay", "8", text) }
