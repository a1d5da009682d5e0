//go:build desktop

package app

/*
#cgo pkg-config: gtk+-3.0
#cgo !webkit2_41 pkg-config: webkit2gtk-4.0
#cgo webkit2_41 pkg-config: webkit2gtk-4.1
void watch_webview(void);
*/
import "C"

import (
	"strings"
	"sync/atomic"

	desktop "github.com/wailsapp/wails/v2/pkg/runtime"
)

// eventDropped tells the interface of files that were dropped on the window: x
// and y in CSS pixels, and their paths.
const eventDropped = "files.dropped"

// watched is the window that GTK's signals are for; a process has one.
var watched atomic.Pointer[Window]

// watch keeps the window at Baton's own pages and hears of files dropped on it.
func (w *Window) watch() {
	watched.Store(w)
	C.watch_webview()
}

//export filesDropped
func filesDropped(x, y C.int, files *C.char) {
	paths := strings.FieldsFunc(C.GoString(files), func(r rune) bool { return r == '\n' })
	if w := watched.Load(); w != nil {
		go desktop.EventsEmit(w.ctx, eventDropped, int(x), int(y), paths)
	}
}
