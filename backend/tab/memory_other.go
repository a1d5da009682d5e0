//go:build !linux

package tab

// lowMemory is not known here.
func lowMemory() bool { return false }
