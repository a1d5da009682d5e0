//go:build unix && !linux

package chromium

import (
	"os/exec"
	"syscall"
)

// dieWithParent relies on the pipe here: Chromium ends when its command pipe
// closes, which the kernel does for a dead host.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
