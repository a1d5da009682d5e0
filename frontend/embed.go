// Package frontend holds the built user interface.
package frontend

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Files gives the built interface, index.html at its root. Before `go tool
// task gen` has built it there is none.
func Files() fs.FS {
	f, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder's name is fixed at build time
	}
	return f
}
