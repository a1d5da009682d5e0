package script

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
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

func start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	done := make(chan error)
	starter() <- func() { done <- cmd.Start() }
	return <-done
}
