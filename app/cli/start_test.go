package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/backend/link"
	"baton/backend/paths"
)

// killStarting kills the first host of the data folder as it starts, and tells
// whether it was before it took connections.
func (d *desk) killStarting() (early bool) {
	d.t.Helper()
	socket, err := paths.Socket(d.data)
	if err != nil {
		d.t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); ; {
		if pid := link.Owner(d.data); pid > 0 {
			// Stopped, it can do nothing between the look and the kill.
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				d.t.Fatal(err)
			}
			_, err := os.Stat(socket)
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				d.t.Fatal(err)
			}
			return errors.Is(err, os.ErrNotExist)
		}
		if time.Now().After(end) {
			d.t.Fatal("no host starts")
		}
	}
}

// An agent whose first host is killed while it starts gets the answer of another.
func TestInitializeIsAnsweredWhenTheFirstHostIsKilledWhileItStarts(t *testing.T) {
	early := 0
	for try := 0; try < 20 && early < 3; try++ {
		d := newDesk(t)
		r, wait := d.mute()
		r.hello("2025-11-25")
		if d.killStarting() {
			early++
		}
		if got := r.hear(); !strings.Contains(got, `"id":0`) || !strings.Contains(got, `"protocolVersion"`) {
			t.Fatalf("initialize is answered %s", got)
		}
		if err := wait(); err != nil {
			t.Errorf("it ended with %v", err)
		}
	}
	if early == 0 {
		t.Error("no host was killed before it took connections: this showed nothing")
	}
}

// When no host can be started at all, initialize says why.
func TestInitializeSaysWhyNoHostCanBeStarted(t *testing.T) {
	d := newDesk(t)
	if err := os.MkdirAll(filepath.Join(d.data, "baton.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	r, wait := d.mute()
	r.hello("2025-11-25")
	got := r.hear()
	for _, want := range []string{`"id":0`, `"code":-32603`, "Baton's host could not be started", "database", "baton doctor"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the answer %s", want, got)
		}
	}
	var exit *exec.ExitError
	if err := wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("it ended with %v", err)
	}
}
