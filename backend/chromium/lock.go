package chromium

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// LockedError says that a living Chromium uses the profile.
type LockedError struct {
	Profile string
	Host    string
	PID     int
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("the profile %s is in use by another Chromium (process %d on %s): close it first", e.Profile, e.PID, e.Host)
}

// Unlock removes the lock that a dead Chromium left in a profile folder and
// says in note what it found, for the log. A lock of a living process on this
// computer is left alone and answered with a *LockedError. Chromium's lock is
// a dangling link named SingletonLock that reads "host-pid".
func Unlock(profile string) (note string, err error) {
	link := filepath.Join(profile, "SingletonLock")
	to, err := os.Readlink(link)
	if err != nil {
		if os.IsNotExist(err) {
			return "", nil
		}
		return "", fmt.Errorf("profile lock: %w", err)
	}
	i := strings.LastIndexByte(to, '-')
	host, pid := to, 0
	if i >= 0 {
		host = to[:i]
		pid, _ = strconv.Atoi(to[i+1:])
	}
	here, _ := os.Hostname()
	if host == here && usesProfile(pid, profile) {
		return "", &LockedError{Profile: profile, Host: host, PID: pid}
	}
	for _, f := range []string{"SingletonLock", "SingletonSocket", "SingletonCookie"} {
		if err := os.Remove(filepath.Join(profile, f)); err != nil && !os.IsNotExist(err) {
			return "", fmt.Errorf("profile lock: %w", err)
		}
	}
	if host != here {
		return fmt.Sprintf("the profile was locked by a Chromium on another computer (%s); the lock was removed", host), nil
	}
	return fmt.Sprintf("the profile was locked by a Chromium that is gone (process %d); the lock was removed", pid), nil
}
