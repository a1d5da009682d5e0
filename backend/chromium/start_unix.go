//go:build unix

package chromium

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
)

// starter runs every start on one OS thread that never ends: the kernel sends
// a child its parent-death signal when the thread that started it goes, not
// the process (see prctl(2), PR_SET_PDEATHSIG).
var starter = sync.OnceValue(func() chan func() {
	c := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range c {
			f()
		}
	}()
	return c
})

// start runs cmd with the pipe on its descriptors 3 (commands) and 4 (answers).
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
	cmd.ExtraFiles = []*os.File{cmdR, ansW}
	dieWithParent(cmd)
	done := make(chan error)
	starter() <- func() { done <- cmd.Start() }
	err = <-done
	cmdR.Close()
	ansW.Close()
	if err != nil {
		cmdW.Close()
		ansR.Close()
		return nil, nil, err
	}
	return ansR, cmdW, nil
}
