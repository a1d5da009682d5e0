//go:build unix

package link

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ErrTaken says that another host has the data folder.
var ErrTaken = errors.New("another Baton has this data folder")

// Lock takes the data folder for this process until the file is closed or the
// process dies, and notes the process in it.
func Lock(data string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(data, "host.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, ErrTaken
	}
	if err := f.Truncate(0); err == nil {
		_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0)
	}
	return f, nil
}

// Held tells whether the data folder's lock is still the one that was taken: a
// folder that was deleted or replaced may have another host.
func Held(lock *os.File, data string) bool {
	now, err := os.Stat(filepath.Join(data, "host.lock"))
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	was, err := lock.Stat()
	return err != nil || os.SameFile(was, now)
}

// Owner gives the process that last took the data folder, or 0.
func Owner(data string) int {
	b, err := os.ReadFile(filepath.Join(data, "host.lock"))
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSpace(string(b)))
	return n
}
