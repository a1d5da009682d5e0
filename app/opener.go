//go:build desktop

package app

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// openWait bounds what opening a file takes until the system has it.
const openWait = 10 * time.Second

// OpenFile opens a finished download in the program that the system has for it.
func (w *Window) OpenFile(path string) error {
	if err := plainFile(path); err != nil {
		return err
	}
	return w.opener(path)
}

// opener has the system open a path or an address.
func (w *Window) opener(what string) error {
	switch runtime.GOOS {
	case "darwin":
		return w.start("open", what)
	case "windows":
		return w.start("rundll32", "url.dll,FileProtocolHandler", what)
	}
	return w.start("xdg-open", what)
}

// ShowFile shows a finished download in its folder.
func (w *Window) ShowFile(path string) error {
	if err := plainFile(path); err != nil {
		return err
	}
	switch runtime.GOOS {
	case "darwin":
		return w.start("open", "-R", path)
	case "windows":
		return w.start("explorer", "/select,"+path)
	}
	if showInFolder(w.ctx, path) {
		return nil
	}
	return w.start("xdg-open", filepath.Dir(path))
}

// plainFile refuses what is no file on this computer.
func plainFile(path string) error {
	if st, err := os.Lstat(path); !filepath.IsAbs(path) || err != nil || !st.Mode().IsRegular() {
		return fmt.Errorf("%s is not there any more", filepath.Base(path))
	}
	return nil
}

// start runs the system's opener, which goes on by itself.
func (w *Window) start(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("this system has no %s to open it with", name)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	ctx, cancel := context.WithTimeout(w.ctx, openWait)
	defer cancel()
	select {
	case err := <-ended:
		if err != nil && runtime.GOOS != "windows" { // explorer answers 1 when all is well
			return fmt.Errorf("no program opened %s", filepath.Base(args[len(args)-1]))
		}
	case <-ctx.Done():
	}
	return nil
}
