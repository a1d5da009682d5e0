//go:build desktop && !linux

package app

// watch has nothing to do here: the web view gives dropped files to the
// interface.
func (w *Window) watch() {}
