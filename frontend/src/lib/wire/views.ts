// Generated from app/wire_views.go by build/gen: change it there.

// WatchArgs is for view.watch: show a tab in this connection's view, at a size
// in CSS pixels and a pixel ratio. Watching another tab replaces it.
export interface WatchArgs {
  view: number // chosen by the client; one canvas, one number
  tab: string
  width: number
  height: number
  scale: number
  follow?: boolean // another view's size goes before this one's
}

// PaintArgs is for view.paint: from now on this connection gets the frames of
// another one's views and acknowledges them, for a window that draws them
// outside of its web view.
export interface PaintArgs {
  client: string // Hello.Client of the other one
}

// ViewArgs is for view.leave.
export interface ViewArgs {
  view: number
}

// ViewState says what a view shows.
export interface ViewState {
  view: number
  tab: string
}

// Cursor is the page's cursor under a view's pointer.
export interface Cursor {
  view: number
  cursor: string // a CSS cursor keyword
  link?: string // the address of the link under the pointer
  title?: string
}

// Input is a person's input on a view. It has no reply. Positions are CSS
// pixels of the page's viewport, worked out from the canvas box and the last
// frame's size, never from devicePixelRatio.
export interface Input {
  in: string // mouse, wheel, key, compose, commit, blur, paste, touch
  view: number
  type?: string // mouse: move, down, up; key: down, up; touch: start, move, end, cancel
  x?: number
  y?: number
  dx?: number // wheel, CSS pixels
  dy?: number
  button?: string // none, left, middle, right, back, forward
  buttons?: number // held buttons: 1 left, 2 right, 4 middle
  count?: number // clicks in a row
  mods?: number // 1 Alt, 2 Control, 4 Meta, 8 Shift
  key?: string // KeyboardEvent.key
  code?: string // KeyboardEvent.code
  keyCode?: number
  location?: number
  repeat?: boolean
  finger?: number // touch: tells fingers apart
  pointer?: string // mouse: "pen", or a mouse
  pressure?: number // of a pen or finger, 0..1; a finger that tells none has 0
  tiltX?: number // of a pen, degrees
  tiltY?: number
  twist?: number // of a pen, degrees
  text?: string // compose, commit, paste
  html?: string // paste
  image?: string // paste: a PNG in base64
  start?: number // compose: selection in Text
  end?: number
}

// Ack says that a frame has come and is drawn next: another may come meanwhile.
// One frame is in flight to a view.
export interface Ack {
  ack: number
  view: number
}

// FrameHeader opens a binary message; all numbers are little endian, 32 bytes:
//
// 	0  u8   version, 1
// 	1  u8   format: 1 JPEG, 2 PNG, 3 WebP
// 	2  u8   kind: 0 moving, 1 still at rest (full quality)
// 	3  u8   zoom of the page in fiftieths, rounded up; 0 is none
// 	4  u32  view
// 	8  u32  sequence, answered by Ack
// 	12 u32  tab number (the N of "tN")
// 	16 f32  page viewport width, CSS pixels
// 	20 f32  page viewport height, CSS pixels
// 	24 u32  image width, pixels
// 	28 u32  image height, pixels
export interface FrameHeader {
  format: number
  kind: number
  zoom: number
  view: number
  seq: number
  tab: number
  width: number
  height: number
  pixelW: number
  pixelH: number
}

// FrameHeaderSize is the length of an encoded FrameHeader.
export const FrameHeaderSize = 32
