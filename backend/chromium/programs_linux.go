package chromium

import (
	"fmt"
	"os"
	"path/filepath"
)

// settings answers Chromium's question whether it is itself the program for a
// scheme. See noPrograms.
const settings = `#!/bin/sh
[ "$1 $2" = "check default-url-scheme-handler" ] && echo yes
`

// noPrograms gives the value of PATH with which Chromium opens no other
// program for an address such as zoommtg: or mailto:. It would ask first, in a
// dialog that no picture shows and that keeps all input from the page. It asks
// nothing and opens nothing where xdg-settings says that the program is
// Chromium itself.
func noPrograms(profile string) (path string, err error) {
	dir := filepath.Join(profile, "no-programs")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("programs of other addresses: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "xdg-settings"), []byte(settings), 0o700); err != nil {
		return "", fmt.Errorf("programs of other addresses: %w", err)
	}
	return dir + string(os.PathListSeparator) + os.Getenv("PATH"), nil
}
