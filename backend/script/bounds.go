//go:build linux || darwin

package script

import "syscall"

// bound takes from this process what a script never needs, should its engine
// ever be made to do more than JavaScript: files to write, many descriptors,
// endless processor time.
func bound() {
	for which, most := range map[int]uint64{
		syscall.RLIMIT_CORE:   0,
		syscall.RLIMIT_FSIZE:  0,
		syscall.RLIMIT_NOFILE: 32,
		syscall.RLIMIT_CPU:    uint64(2 * MaxTime.Seconds()),
		syscall.RLIMIT_DATA:   1 << 30,
	} {
		_ = syscall.Setrlimit(which, &syscall.Rlimit{Cur: most, Max: most})
	}
}
