//go:build !linux

package main

import (
	"context"
	"os"
)

// start leaves the tests to the system's own display and keychain.
func start(context.Context) (env []string, end func(), err error) {
	return os.Environ(), func() {}, nil
}
