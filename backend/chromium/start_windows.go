package chromium

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// start passes the pipe's handles by number (--remote-debugging-io-pipes), as
// Windows has no descriptors 3 and 4.
func start(cmd *exec.Cmd) (in io.ReadCloser, out io.WriteCloser, err error) {
	cmdR, cmdW, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	ansR, ansW, err := os.Pipe()
	if err != nil {
		cmdR.Close()
		cmdW.Close()
		return nil, nil, err
	}
	for _, f := range []*os.File{cmdR, ansW} {
		if err := syscall.SetHandleInformation(syscall.Handle(f.Fd()), syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
			return nil, nil, err
		}
	}
	cmd.Args = append(cmd.Args, fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", cmdR.Fd(), ansW.Fd()))
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:                 true,
		AdditionalInheritedHandles: []syscall.Handle{syscall.Handle(cmdR.Fd()), syscall.Handle(ansW.Fd())},
	}
	err = cmd.Start()
	cmdR.Close()
	ansW.Close()
	if err != nil {
		cmdW.Close()
		ansR.Close()
		return nil, nil, err
	}
	return ansR, cmdW, nil
}
