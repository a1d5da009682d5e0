// Package chromium finds a Chromium on this computer, starts it on a private
// pipe without a window, and makes sure that it ends with the host.
//
// [Find] names the program, [Launch] starts it on a profile folder, and
// [Process.Stop] ends it. A folder that a dead Chromium left locked is opened;
// one that a living Chromium uses is refused with its owner named.
package chromium

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// EnvPath names the variable with an explicit Chromium.
const EnvPath = "BATON_CHROMIUM"

// ErrMissing says that no Chromium was found; its text says how to get one.
var ErrMissing = errors.New("no Chromium found: install one (Debian: `apt install chromium`), or name it with --chromium or " + EnvPath)

// Find gives the Chromium to use: explicit, else the environment's, else the
// copy bundled beside this program, else the system's.
func Find(explicit string) (string, error) {
	if explicit == "" {
		explicit = os.Getenv(EnvPath)
	}
	if explicit != "" {
		p, err := exec.LookPath(explicit)
		if err != nil {
			return "", fmt.Errorf("the Chromium named (%s) cannot be run: %w", explicit, err)
		}
		return filepath.Abs(p)
	}
	if self, err := os.Executable(); err == nil {
		if self, err = filepath.EvalSymlinks(self); err == nil {
			for _, rel := range bundled[runtime.GOOS] {
				if p := filepath.Join(filepath.Dir(self), rel); runnable(p) {
					return p, nil
				}
			}
		}
	}
	for _, name := range system[runtime.GOOS] {
		if filepath.IsAbs(name) {
			if runnable(name) {
				return name, nil
			}
			continue
		}
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", ErrMissing
}

var bundled = map[string][]string{
	"linux":   {"chromium/chrome", "chromium/chromium"},
	"windows": {`chromium\chrome.exe`},
	"darwin":  {"../Resources/Chromium.app/Contents/MacOS/Chromium"},
}

// The programs themselves come before the shell scripts that start them.
var system = map[string][]string{
	"linux": {
		"/usr/lib/chromium/chromium", "/usr/lib/chromium-browser/chromium-browser", "/opt/google/chrome/chrome",
		"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge-stable",
	},
	"windows": {
		`C:\Program Files\Google\Chrome\Application\chrome.exe`, `C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
		`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
	},
	"darwin": {
		"/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	},
}

func runnable(p string) bool {
	st, err := os.Stat(p)
	return err == nil && st.Mode().IsRegular() && (runtime.GOOS == "windows" || st.Mode()&0o111 != 0)
}
