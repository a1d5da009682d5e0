//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// detach gives the process a session of its own, so that it lives on when the
// terminal or the agent that started it goes.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
