//go:build !desktop

package cli

import (
	"os"
	"syscall"
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
