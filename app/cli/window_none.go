//go:build !desktop

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// window hands over to the program with the window: this one links no GTK, so
// that it starts in milliseconds and runs on a server.
func window(o options, _ string) error {
	p, err := windowProgram()
	if err != nil {
		return err
	}
	args := []string{p, "--data-dir", o.data}
	if o.chromium != "" {
		args = append(args, "--chromium", o.chromium)
	}
	return syscall.Exec(p, args, os.Environ())
}

// pip is the window program's own.
func pip(options) error {
	return errors.New("baton-window shows one tab in a small window, from its menu")
}

// display tells why no window can be shown, or nil: the program with the window
// knows.
func display() error {
	p, err := windowProgram()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	said, err := exec.CommandContext(ctx, p, "display").CombinedOutput()
	if text, ok := strings.CutPrefix(strings.TrimSpace(string(said)), "baton: "); err != nil && ok {
		return errors.New(text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p, err)
	}
	return nil
}
