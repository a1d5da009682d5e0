package app

import (
	"encoding/binary"
	"math"
)

// What the wire says of live views: their frames, and a person's input on them.

// WatchArgs is for view.watch: show a tab in this connection's view, at a size
// in CSS pixels and a pixel ratio. Watching another tab replaces it.
type WatchArgs struct {
	View   int     `json:"view"` // chosen by the client; one canvas, one number
	Tab    string  `json:"tab"`
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Scale  float64 `json:"scale"`
	Follow bool    `json:"follow,omitempty"` // another view's size goes before this one's
}

// PaintArgs is for view.paint: from now on this connection gets the frames of
// another one's views and acknowledges them, for a window that draws them
// outside of its web view.
type PaintArgs struct {
	Client string `json:"client"` // Hello.Client of the other one
}

// ViewArgs is for view.leave.
type ViewArgs struct {
	View int `json:"view"`
}

// ViewState says what a view shows.
type ViewState struct {
	View int    `json:"view"`
	Tab  string `json:"tab"`
}

// Cursor is the page's cursor under a view's pointer.
type Cursor struct {
	View   int    `json:"view"`
	Cursor string `json:"cursor"`         // a CSS cursor keyword
	Link   string `json:"link,omitempty"` // the address of the link under the pointer
	Title  string `json:"title,omitempty"`
}

// Input is a person's input on a view. It has no reply. Positions are CSS
// pixels of the page's viewport, worked out from the canvas box and the last
// frame's size, never from devicePixelRatio.
type Input struct {
	In   string `json:"in"` // mouse, wheel, key, compose, commit, blur, paste, touch
	View int    `json:"view"`

	Type    string  `json:"type,omitempty"` // mouse: move, down, up; key: down, up; touch: start, move, end, cancel
	X       float64 `json:"x,omitempty"`
	Y       float64 `json:"y,omitempty"`
	DX      float64 `json:"dx,omitempty"` // wheel, CSS pixels
	DY      float64 `json:"dy,omitempty"`
	Button  string  `json:"button,omitempty"`  // none, left, middle, right, back, forward
	Buttons int     `json:"buttons,omitempty"` // held buttons: 1 left, 2 right, 4 middle
	Count   int     `json:"count,omitempty"`   // clicks in a row
	Mods    int     `json:"mods,omitempty"`    // 1 Alt, 2 Control, 4 Meta, 8 Shift

	Key      string `json:"key,omitempty"`  // KeyboardEvent.key
	Code     string `json:"code,omitempty"` // KeyboardEvent.code
	KeyCode  int    `json:"keyCode,omitempty"`
	Location int    `json:"location,omitempty"`
	Repeat   bool   `json:"repeat,omitempty"`

	Finger   int     `json:"finger,omitempty"`   // touch: tells fingers apart
	Pointer  string  `json:"pointer,omitempty"`  // mouse: "pen", or a mouse
	Pressure float64 `json:"pressure,omitempty"` // of a pen or finger, 0..1; a finger that tells none has 0
	TiltX    float64 `json:"tiltX,omitempty"`    // of a pen, degrees
	TiltY    float64 `json:"tiltY,omitempty"`
	Twist    float64 `json:"twist,omitempty"` // of a pen, degrees

	Text  string `json:"text,omitempty"`  // compose, commit, paste
	HTML  string `json:"html,omitempty"`  // paste
	Image string `json:"image,omitempty"` // paste: a PNG in base64
	Start int    `json:"start,omitempty"` // compose: selection in Text
	End   int    `json:"end,omitempty"`
}

// Ack says that a frame has come and is drawn next: another may come meanwhile.
// One frame is in flight to a view.
type Ack struct {
	Ack  uint32 `json:"ack"`
	View int    `json:"view"`
}

// FrameHeader opens a binary message; all numbers are little endian, 32 bytes:
//
//	0  u8   version, 1
//	1  u8   format: 1 JPEG, 2 PNG, 3 WebP
//	2  u8   kind: 0 moving, 1 still at rest (full quality)
//	3  u8   zoom of the page in fiftieths, rounded up; 0 is none
//	4  u32  view
//	8  u32  sequence, answered by Ack
//	12 u32  tab number (the N of "tN")
//	16 f32  page viewport width, CSS pixels
//	20 f32  page viewport height, CSS pixels
//	24 u32  image width, pixels
//	28 u32  image height, pixels
type FrameHeader struct {
	Format, Kind   uint8
	Zoom           uint8
	View, Seq, Tab uint32
	Width, Height  float32
	PixelW, PixelH uint32
}

// FrameHeaderSize is the length of an encoded FrameHeader.
const FrameHeaderSize = 32

// frameVersion opens every frame.
const frameVersion = 1

// Encode gives the header's bytes.
func (h FrameHeader) Encode() [FrameHeaderSize]byte {
	var b [FrameHeaderSize]byte
	b[0], b[1], b[2], b[3] = frameVersion, h.Format, h.Kind, h.Zoom
	le := binary.LittleEndian
	le.PutUint32(b[4:], h.View)
	le.PutUint32(b[8:], h.Seq)
	le.PutUint32(b[12:], h.Tab)
	le.PutUint32(b[16:], math.Float32bits(h.Width))
	le.PutUint32(b[20:], math.Float32bits(h.Height))
	le.PutUint32(b[24:], h.PixelW)
	le.PutUint32(b[28:], h.PixelH)
	return b
}

// decodeFrameHeader is Encode's reverse. It is false for what is no frame.
func decodeFrameHeader(b []byte) (h FrameHeader, ok bool) {
	if len(b) <= FrameHeaderSize || b[0] != frameVersion {
		return h, false
	}
	le := binary.LittleEndian
	float := func(at int) float32 { return math.Float32frombits(le.Uint32(b[at:])) }
	return FrameHeader{
		Format: b[1], Kind: b[2], Zoom: b[3], View: le.Uint32(b[4:]), Seq: le.Uint32(b[8:]), Tab: le.Uint32(b[12:]),
		Width: float(16), Height: float(20), PixelW: le.Uint32(b[24:]), PixelH: le.Uint32(b[28:]),
	}, true
}
