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

// underlay draws the page's pictures under the web view, through the ground that
// it has there: decoding and drawing them here takes a third of the time that
// WebKit's canvas takes, and passes through three processes fewer. What the
// interface has over the page lies over it as before.
type underlay struct {
	decoder sync.Mutex // held while a picture is decoded

	mu     sync.Mutex
	run    int                // counts the connections that pictures came by
	stop   context.CancelFunc // ends the one of now; nil without one
	n      uint64             // of the newest place
	tab    uint32             // whose pictures are wanted
	placed PictureShape       // pictures of this shape are drawn
	told   PictureShape       // what the interface knows of
	last   unsafe.Pointer     // the newest picture
	shape  PictureShape       // its shape
}

const underlayWait = 5 * time.Second // bounds the way to the host

// Underlay has pictures of another connection's views, named by Hello.client,
// drawn here. It is false when that can not be: then they come to the web view.
func (w *Window) Underlay(client string) bool {
	u := &w.under
	number := u.renew()
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
	if !u.begins(number, stop) { // another one has begun meanwhile
		stop()
		_ = ws.CloseNow()
		return false
	}
	go u.take(run, w.ctx, number, ws)
	return true
}

// renew ends the connection of now, forgets its pictures, and counts the next.
func (u *underlay) renew() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.stop != nil {
		u.stop()
	}
	u.stop = nil
	u.run++
	u.forget()
	return u.run
}

// begins notes how a connection ends, unless it is no longer the newest.
func (u *underlay) begins(number int, stop context.CancelFunc) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.run != number {
		return false
	}
	u.stop = stop
	return true
}

// ended forgets a connection's pictures; false when another one has begun.
func (u *underlay) ended(number int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.run != number {
		return false
	}
	u.stop = nil
	u.forget()
	return true
}

// forget shows no picture until one has a place again. Call with mu held.
func (u *underlay) forget() {
	u.drop()
	u.placed, u.told = PictureShape{}, PictureShape{}
	C.underlay_order(nil, nil, 1)
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
func (u *underlay) take(ctx, window context.Context, number int, ws *websocket.Conn) {
	newest := make(chan []byte, 1)
	var work sync.WaitGroup
	work.Go(func() {
		for b := range newest {
			h, _ := decodeFrameHeader(b)
			ack(ctx, ws, h)
			u.paint(window, number, h, b[FrameHeaderSize:])
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
	if u.ended(number) {
		desktop.EventsEmit(window, eventNoPictures)
	}
}

// ack says that a frame has come; the next one may come while it is decoded.
func ack(ctx context.Context, ws *websocket.Conn, h FrameHeader) {
	b, _ := json.Marshal(Ack{Ack: h.Seq, View: int(h.View)})
	_ = ws.Write(ctx, websocket.MessageText, b) // a broken connection ends the reading too
}

// paint draws a frame, or keeps it until the interface says where.
func (u *underlay) paint(window context.Context, number int, h FrameHeader, data []byte) {
	u.decoder.Lock()
	picture := C.picture_decode(C.int(h.Format), (*C.uchar)(unsafe.Pointer(unsafe.SliceData(data))), C.ulong(len(data)), C.int(h.PixelW), C.int(h.PixelH))
	u.decoder.Unlock()
	if picture == nil {
		return
	}
	shape := PictureShape{Tab: h.Tab, Width: h.Width, Height: h.Height, Zoom: h.Zoom, PixelW: h.PixelW, PixelH: h.PixelH}
	if u.offer(number, shape, picture) {
		desktop.EventsEmit(window, eventPicture, shape)
	}
}

// offer takes a picture over and shows it where its place is known. It is true
// when the interface is to be told of the shape.
func (u *underlay) offer(number int, shape PictureShape, picture unsafe.Pointer) (tell bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.run != number {
		C.picture_free(picture)
		return false
	}
	u.drop()
	u.last, u.shape = picture, shape
	return u.show(nil)
}

// show shows the newest picture if it is of the wanted tab and of the shape that
// has a place; it is true when the interface is to be told of its shape. Call
// with mu held.
func (u *underlay) show(place *C.struct_underlay_place) (tell bool) {
	if u.last == nil || u.shape.Tab != u.tab {
		if place != nil {
			C.underlay_order(place, nil, 1)
		}
		return false
	}
	if u.shape == u.placed {
		C.underlay_order(place, C.picture_ref(u.last), 1)
		return false
	}
	if place != nil {
		C.underlay_order(place, nil, 1)
	}
	tell = u.shape != u.told
	u.told = u.shape
	return tell
}

// drop lets go of the newest picture. Call with mu held.
func (u *underlay) drop() {
	if u.last != nil {
		C.picture_free(u.last)
		u.last = nil
	}
}

// PlacePicture says whose pictures are wanted and where those of a shape stand.
// The interface is told of the newest one's shape if it is another.
func (w *Window) PlacePicture(p PicturePlace) {
	if shape, tell := w.under.place(p); tell {
		desktop.EventsEmit(w.ctx, eventPicture, shape)
	}
}

func (u *underlay) place(p PicturePlace) (shape PictureShape, tell bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if p.N <= u.n { // a newer one has come before it
		return shape, false
	}
	u.n = p.N
	place := C.struct_underlay_place{
		ground: C.uint(p.Ground), chrome: C.uint(p.Chrome), shade: C.uint(p.Shade),
		x: C.int(p.At.X), y: C.int(p.At.Y), width: C.int(p.At.Width), height: C.int(p.At.Height),
		wellX: C.int(p.Well.X), wellY: C.int(p.Well.Y), wellWidth: C.int(p.Well.Width), wellHeight: C.int(p.Well.Height),
	}
	u.tab, u.placed, u.told = p.Tab, p.Shape, p.Shape
	return u.shape, u.show(&place)
}
