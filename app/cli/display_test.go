package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestWithoutADisplayTheWindowSaysOneSentence(t *testing.T) {
	built, err := filepath.Abs(filepath.Join("..", "..", "build", "bin", "baton-window"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(built); err != nil {
		lacks(t, "baton-window is not built")
	}
	dead, none := "DISPLAY=:"+unusedDisplay(t), "DISPLAY="
	beside := filepath.Join(filepath.Dir(program), "baton-window")
	if err := os.Symlink(built, beside); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(beside)
	for _, c := range []struct{ name, display, want string }{
		{built, dead, "does not answer"},
		{built, none, "there is no display"},
		{program, dead, "does not answer"},
	} {
		d := newDesk(t)
		cmd := exec.Command(c.name, "--data-dir", d.data)
		cmd.Env = append(os.Environ(), c.display, "WAYLAND_DISPLAY=", "XDG_SESSION_TYPE=")
		said, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 {
			t.Errorf("%s with %s ended with %v, want 1", c.name, c.display, err)
		}
		text := strings.TrimSpace(string(said))
		if strings.Contains(text, "\n") || !strings.Contains(text, c.want) || !strings.Contains(text, "baton serve") {
			t.Errorf("%s with %s says %q", c.name, c.display, text)
		}
		if n := len(d.processes()); n != 0 {
			t.Errorf("%s with %s left %d processes", c.name, c.display, n)
		}
		doctor := exec.Command(program, "doctor", "--data-dir", d.data)
		doctor.Env = cmd.Env
		report, _ := doctor.CombinedOutput() // whatever else is to mend here
		if !strings.Contains(string(report), "MEND  window: ") || !strings.Contains(string(report), c.want) {
			t.Errorf("doctor with %s says %s", c.display, report)
		}
	}
}

// unusedDisplay gives the number of an X display that nothing serves.
func unusedDisplay(t *testing.T) string {
	for _, n := range []string{"7701", "7702", "7703"} {
		if _, err := os.Stat("/tmp/.X11-unix/X" + n); err != nil {
			return n
		}
	}
	t.Fatal("every display is in use")
	return ""
}
