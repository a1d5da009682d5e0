package cli

import (
	"os"

	"baton/backend/script"
)

// runScript is the process that one script of an agent runs in; the host
// starts it and speaks to it on stdin and stdout.
func runScript() int { return script.Child(os.Stdin, os.Stdout) }
