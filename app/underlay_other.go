//go:build desktop && !linux

package app

// underlay is of Linux alone: the web views of other systems draw pictures by
// the graphics processor, and quickly.
type underlay struct{}

// Underlay tells that pictures are drawn by the web view.
func (w *Window) Underlay(string) bool { return false }

// PlacePicture has nothing to place.
func (w *Window) PlacePicture(PicturePlace) {}
