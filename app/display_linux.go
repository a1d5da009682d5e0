//go:build desktop

package app

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// CheckDisplay tells why no window can be shown, or nil. It asks GTK, which
// Wails would start next and end the program over. Call it on the main
// goroutine, which stays on its thread from then on.
func CheckDisplay() error {
	runtime.LockOSThread()
	// Wails chooses so too, and GTK chooses only once.
	if session := os.Getenv("XDG_SESSION_TYPE"); os.Getenv("GDK_BACKEND") == "" && (session == "" || session == "unspecified" || session == "x11") {
		_ = os.Setenv("GDK_BACKEND", "x11")
	}
	if C.gtk_init_check(nil, nil) != 0 {
		return nil
	}
	x, wayland := os.Getenv("DISPLAY"), os.Getenv("WAYLAND_DISPLAY")
	switch {
	case x == "" && wayland == "":
		return errors.New("there is no display")
	case x == "":
		return fmt.Errorf("the display %s does not answer", wayland)
	}
	return fmt.Errorf("the display %s does not answer", x)
}
