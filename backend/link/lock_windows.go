package link

import (
	"errors"
	"os"
	"path/filepath"
)

// ErrTaken says that another host has the data folder.
var ErrTaken = errors.New("another Baton has this data folder")

// Lock takes the data folder for this process: a file that cannot be replaced
// while it is open.
func Lock(data string) (*os.File, error) {
	p := filepath.Join(data, "host.lock")
	if err := os.Remove(p); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, ErrTaken
	}
	return os.OpenFile(p, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// Held is true on Windows: the file cannot be removed while it is open.
func Held(*os.File, string) bool { return true }

// Owner is not known on Windows.
func Owner(string) int { return 0 }
