//go:build desktop && !linux

package app

import "context"

// notify does nothing here: the interface shows the same in the window.
func notify(context.Context, string, string) {}
