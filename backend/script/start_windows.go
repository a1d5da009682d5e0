package script

import (
	"os/exec"
	"syscall"
)

// createNoWindow keeps a console program from showing one.
const createNoWindow = 0x08000000

// start relies on the pipe, as a child ends when its stdin closes.
func start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: createNoWindow}
	return cmd.Start()
}
