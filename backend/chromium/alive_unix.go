//go:build unix

package chromium

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// usesProfile tells whether the process lives and is a Chromium: a pid that
// another program has taken over since does not hold the profile.
func usesProfile(pid int, profile string) bool {
	if pid <= 0 || syscall.Kill(pid, 0) == syscall.ESRCH {
		return false
	}
	if runtime.GOOS != "linux" {
		return true
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || len(line) == 0 {
		return false // gone, or a zombie
	}
	name, _, _ := bytes.Cut(line, []byte{0})
	for _, part := range []string{"chrom", "edge", "brave"} {
		if bytes.Contains(bytes.ToLower(name), []byte(part)) {
			return true
		}
	}
	// The owner may be renamed; a command line that names the folder is proof.
	return bytes.Contains(line, []byte(profile))
}
