package app

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// The window's least size, in CSS pixels.
const (
	minWidth  = 640
	minHeight = 480
)

// place is how large the window was when it was closed last.
type place struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised"`
}

func placeFile(data string) string { return filepath.Join(data, "window.json") }

// loadPlace gives the kept size, or the first one.
func loadPlace(data string) place {
	p := place{Width: 1280, Height: 860}
	b, err := os.ReadFile(placeFile(data))
	if err != nil {
		return p
	}
	var kept place
	if json.Unmarshal(b, &kept) != nil || kept.Width < minWidth || kept.Height < minHeight || kept.Width > 16384 || kept.Height > 16384 {
		return p
	}
	return kept
}

// savePlace keeps the size. One that cannot be kept is no reason to say
// anything: the next window has the first size.
func savePlace(data string, p place) {
	b, err := json.Marshal(p)
	if err != nil {
		return
	}
	temporary := placeFile(data) + ".new"
	if os.WriteFile(temporary, b, 0o600) == nil {
		_ = os.Rename(temporary, placeFile(data))
	}
}
