//go:build desktop

package app

// PictureShape tells pictures apart that stand at different places.
type PictureShape struct {
	Tab    uint32  `json:"tab"`   // the N of "tN"
	Width  float32 `json:"width"` // of the page's viewport, CSS pixels
	Height float32 `json:"height"`
	Zoom   uint8   `json:"zoom"`   // in fiftieths, rounded up; 0 is none
	PixelW uint32  `json:"pixelW"` // of the picture
	PixelH uint32  `json:"pixelH"`
}

// Box is a part of the window, in device pixels.
type Box struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// PicturePlace is where pictures of a shape stand, and what is about them.
type PicturePlace struct {
	N      uint64       `json:"n"`   // counts them: they may come in another order
	Tab    uint32       `json:"tab"` // whose pictures are wanted; 0 is none
	Shape  PictureShape `json:"shape"`
	At     Box          `json:"at"`
	Well   Box          `json:"well"`   // the page's part of the window
	Ground uint32       `json:"ground"` // its colour, 0xRRGGBB
	Chrome uint32       `json:"chrome"` // the window's colour
	Shade  uint32       `json:"shade"`  // of shadows and scrims
}

// eventPicture tells the interface of a picture's shape that has no place yet.
const eventPicture = "underlay.picture"

// eventNoPictures tells it that pictures come to the web view again.
const eventNoPictures = "underlay.gone"
