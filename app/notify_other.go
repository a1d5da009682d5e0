//go:build desktop && !linux

package app

import "context"

// notify does nothing here: the interface shows the same in the window.
func notify(context.Context, string, string) {}

// showInFolder is Linux's alone: the others have a program for it.
func showInFolder(context.Context, string) bool { return false }
