//go:build !linux

package chromium

import "os"

// noPrograms changes nothing: Chromium asks other systems directly.
func noPrograms(string) (path string, err error) { return os.Getenv("PATH"), nil }
