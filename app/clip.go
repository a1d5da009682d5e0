//go:build desktop

package app

import (
	"encoding/base64"
	"errors"
	"strings"
)

// The person's clipboard, as the window reads and writes it. The interface asks
// for it at the person's own keys and menus alone.

// Clip is what lies on the person's clipboard, in up to three forms.
type Clip struct {
	Text  string `json:"text"`
	HTML  string `json:"html"`
	Image string `json:"image"` // a PNG in base64
}

// clipMost bounds one form of what goes to the clipboard or comes from it, in
// bytes.
const clipMost = 32 << 20

const pngMagic = "\x89PNG\r\n\x1a\n"

// SetClip puts something on the person's clipboard, and says so only once it
// is there.
func (w *Window) SetClip(c Clip) error {
	image, err := base64.StdEncoding.DecodeString(c.Image)
	if err != nil || (len(image) > 0 && !strings.HasPrefix(string(image), pngMagic)) {
		return errors.New("the image is no PNG")
	}
	if len(c.Text) > clipMost || len(c.HTML) > clipMost || len(image) > clipMost {
		return errors.New("this is too large for the clipboard")
	}
	if strings.ContainsRune(c.Text+c.HTML, 0) { // it would end what C takes for the text
		c.Text, c.HTML = strings.ReplaceAll(c.Text, "\x00", ""), strings.ReplaceAll(c.HTML, "\x00", "")
	}
	return setClip(w.ctx, c.Text, c.HTML, image)
}

// Clip gives what lies on the person's clipboard.
func (w *Window) Clip() (Clip, error) {
	text, html, image, err := getClip(w.ctx)
	if err != nil {
		return Clip{}, err
	}
	return Clip{text, html, base64.StdEncoding.EncodeToString(image)}, nil
}

// SetPrimary makes text what the middle button pastes, where the system has
// that.
func (w *Window) SetPrimary(text string) error {
	if len(text) > clipMost || strings.ContainsRune(text, 0) {
		return errors.New("this cannot be pasted by the middle button")
	}
	return setPrimary(text)
}

// Primary gives what the middle button pastes; "" where the system has no such
// thing.
func (w *Window) Primary() (string, error) { return getPrimary() }
