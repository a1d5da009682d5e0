//go:build desktop

package app

/*
#cgo pkg-config: gtk+-3.0
#cgo CFLAGS: -O2
#cgo LDFLAGS: -l:libjpeg.a -lm
#include "picture_linux.h"
#include "underlay_linux.h"
*/
import "C"

import (
	"context"
	"encoding/json"
	"sync"
	"time"
	"unsafe"

	"github.com/coder/websocket"
	desktop "github.com/wailsapp/wails/v2/pkg/runtime"
)

// underlay draws the page's pictures under the web view, which is transparent
// there: decoding and drawing them here takes a quarter of the time that
// WebKit's canvas takes, and passes through three processes fewer. What the
// interface has over the page lies over it as before.
type underlay struct {
	decoder sync.Mutex // held while a picture is decoded

	mu      sync.Mutex
	stop    context.CancelFunc // ends the connection that pictures come by; nil without one
	placed  PictureShape       // pictures of this shape are drawn
	told    PictureShape       // what the interface was told of last
	waiting unsafe.Pointer     // a picture that has no place yet
	shape   PictureShape       // its shape
}

const underlayWait = 5 * time.Second // bounds the way to the host

// Underlay has pictures of another connection's views, named by Hello.client,
// drawn here. It is false when that can not be: then they come to the web view.
func (w *Window) Underlay(client string) bool {
	ctx, cancel := context.WithTimeout(w.ctx, underlayWait)
	defer cancel()
	url, token, err := w.config.Host.Endpoint(ctx)
	if err != nil {
		return false
	}
	ws, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{Subprotocols: []string{"baton", token}, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return false
	}
	ws.SetReadLimit(64 << 20)
	if !asksToPaint(ctx, ws, client) {
		_ = ws.CloseNow()
		return false
	}
	run, stop := context.WithCancel(w.ctx)
	u := &w.under
	u.mu.Lock()
	if u.stop != nil {
		u.stop()
	}
	u.stop = stop
	u.mu.Unlock()
	go u.take(run, w.ctx, ws)
	return true
}

// asksToPaint asks the host for the frames of a client's views.
func asksToPaint(ctx context.Context, ws *websocket.Conn, client string) bool {
	ask, _ := json.Marshal(Request{ID: 1, Call: "view.paint", Args: PaintArgs{Client: client}})
	if ws.Write(ctx, websocket.MessageText, ask) != nil {
		return false
	}
	for {
		kind, b, err := ws.Read(ctx)
		if err != nil {
			return false
		}
		var r Reply
		if kind == websocket.MessageText && json.Unmarshal(b, &r) == nil && r.ID == 1 {
			return r.Error == nil
		}
	}
}

// take decodes and draws what comes, the newest first, until the connection ends.
func (u *underlay) take(ctx, window context.Context, ws *websocket.Conn) {
	newest := make(chan []byte, 1)
	var work sync.WaitGroup
	work.Go(func() {
		for b := range newest {
			h, _ := decodeFrameHeader(b)
			ack(ctx, ws, h)
			u.paint(window, h, b[FrameHeaderSize:])
		}
	})
	for {
		kind, b, err := ws.Read(ctx)
		if err != nil {
			break
		}
		h, ok := decodeFrameHeader(b)
		if kind != websocket.MessageBinary || !ok || h.View != firstView {
			continue
		}
		select {
		case <-newest: // an older one is let go of: its answer is that of this one
		default:
		}
		newest <- b
	}
	close(newest)
	work.Wait()
	_ = ws.CloseNow()
	if ctx.Err() == nil { // nothing has taken its place
		u.clear()
		desktop.EventsEmit(window, eventNoPictures)
	}
}

// ack says that a frame has come; the next one may come while it is decoded.
func ack(ctx context.Context, ws *websocket.Conn, h FrameHeader) {
	b, _ := json.Marshal(Ack{Ack: h.Seq, View: int(h.View)})
	_ = ws.Write(ctx, websocket.MessageText, b) // a broken connection ends the reading too
}

// paint draws a frame, or keeps it until the interface says where.
func (u *underlay) paint(window context.Context, h FrameHeader, data []byte) {
	u.decoder.Lock()
	picture := C.picture_decode(C.int(h.Format), (*C.uchar)(unsafe.Pointer(unsafe.SliceData(data))), C.ulong(len(data)), C.int(h.PixelW), C.int(h.PixelH))
	u.decoder.Unlock()
	if picture == nil {
		return
	}
	shape := PictureShape{Tab: h.Tab, Width: h.Width, Height: h.Height, Zoom: h.Zoom, PixelW: h.PixelW, PixelH: h.PixelH}
	if u.offer(shape, picture) {
		desktop.EventsEmit(window, eventPicture, shape)
	}
}

// offer shows a picture whose place is known, or has it wait. It is true when the
// interface is to be told of the shape.
func (u *underlay) offer(shape PictureShape, picture unsafe.Pointer) (tell bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.drop()
	if shape == u.placed {
		C.underlay_order(nil, picture, 1)
		return false
	}
	u.waiting, u.shape = picture, shape
	tell = shape != u.told
	u.told = shape
	return tell
}

// drop lets go of the picture that waits. Call with mu held.
func (u *underlay) drop() {
	if u.waiting != nil {
		C.picture_free(u.waiting)
		u.waiting = nil
	}
}

// PlacePicture says where pictures of a shape stand; those of others wait, and
// the interface is told of theirs again: it may not have listened yet.
func (w *Window) PlacePicture(p PicturePlace) {
	if shape, waits := w.under.place(p); waits {
		desktop.EventsEmit(w.ctx, eventPicture, shape)
	}
}

func (u *underlay) place(p PicturePlace) (shape PictureShape, waits bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	place := C.struct_underlay_place{
		ground: C.uint(p.Ground), chrome: C.uint(p.Chrome),
		x: C.int(p.At.X), y: C.int(p.At.Y), width: C.int(p.At.Width), height: C.int(p.At.Height),
		wellX: C.int(p.Well.X), wellY: C.int(p.Well.Y), wellWidth: C.int(p.Well.Width), wellHeight: C.int(p.Well.Height),
	}
	same := p.Shape == u.placed
	u.placed = p.Shape
	switch {
	case u.waiting != nil && u.shape == p.Shape:
		C.underlay_order(&place, u.waiting, 1)
		u.waiting = nil
	case same:
		C.underlay_order(&place, nil, 0)
	default:
		C.underlay_order(&place, nil, 1)
	}
	return u.shape, u.waiting != nil
}

// ClearPicture shows no picture until one has a place again.
func (w *Window) ClearPicture() { w.under.clear() }

func (u *underlay) clear() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.drop()
	u.placed, u.told = PictureShape{}, PictureShape{}
	C.underlay_order(nil, nil, 1)
}
