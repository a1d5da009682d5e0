// Package build holds what the programs carry along of this folder.
package build

import _ "embed" // the icon

// Icon is Baton's icon, a PNG of 256 by 256 pixels, drawn from
// frontend/public/icon.svg.
//
//go:embed appicon.png
var Icon []byte
