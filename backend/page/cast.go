package page

import (
	"bytes"
	"context"

	cdppage "github.com/chromedp/cdproto/page"
)

// Frame is one picture of the page.
type Frame struct {
	Data          []byte  // JPEG or PNG
	Width, Height float64 // the viewport shown, CSS pixels
	Still         bool    // a full-quality picture at rest, not one of a moving stream
	ack           func()
}

// Ack lets Chromium send the next picture.
func (f *Frame) Ack() {
	if f.ack != nil {
		f.ack()
	}
}

// unwatched is the stream of a page that nobody watches: its pictures have one
// pixel and none is acknowledged, so that it comes to rest at once. While a page
// is streamed Chromium draws it in full, also behind the other tabs of its
// window; else what needs what was drawn (a wheel over a box that scrolls, a
// click in a frame of another site) would miss there.
var unwatched = func() cdppage.StartScreencastParams {
	quality := int64(1)
	return cdppage.StartScreencastParams{
		Format: cdppage.StartScreencastFormatPng, Quality: &quality, MaxWidth: 1, MaxHeight: 1, EveryNthFrame: 1 << 30,
	}
}()

type cast struct {
	on     func(Frame)
	stream cdppage.StartScreencastParams
}

// StartCast streams pictures of the page to on, no larger than width by height
// pixels, instead of a stream that runs. on runs on the page's event goroutine
// and must not wait; the next picture comes once the last one's Ack was called.
func (p *Page) StartCast(ctx context.Context, quality, width, height int, on func(Frame)) error {
	q := int64(quality)
	stream := cdppage.StartScreencastParams{
		Format: cdppage.StartScreencastFormatJpeg, Quality: &q, MaxWidth: int64(width), MaxHeight: int64(height), EveryNthFrame: 1,
	}
	p.mu.Lock()
	p.cast = &cast{on: on, stream: stream}
	p.mu.Unlock()
	if _, err := p.sess.Send(ctx, "Page.stopScreencast", nil); err != nil {
		return err
	}
	return p.sess.Call(ctx, "Page.startScreencast", stream, nil)
}

// StopCast ends the stream.
func (p *Page) StopCast(ctx context.Context) error {
	p.mu.Lock()
	p.cast = nil
	p.mu.Unlock()
	if _, err := p.sess.Send(ctx, "Page.stopScreencast", nil); err != nil {
		return err
	}
	return p.sess.Call(ctx, "Page.startScreencast", unwatched, nil)
}

func (p *Page) castFrame(e cdppage.EventScreencastFrame) {
	if bytes.HasPrefix(e.Data, []byte("\x89PNG")) {
		return // of a page that nobody watches
	}
	p.mu.Lock()
	c := p.cast
	if p.revived {
		c = nil // it still shows what there was before the crash
	}
	p.mu.Unlock()
	ack := func() {
		_, _ = p.sess.Send(context.Background(), "Page.screencastFrameAck", cdppage.ScreencastFrameAckParams{SessionID: e.SessionID})
	}
	if c == nil || e.Metadata == nil {
		ack()
		return
	}
	c.on(Frame{Data: e.Data, Width: e.Metadata.DeviceWidth, Height: e.Metadata.DeviceHeight, ack: ack})
}

// restream begins the stream anew, in the process that came after a crash. Call
// with mu held, so that a stream that somebody starts now comes after it.
func (p *Page) restream() {
	stream := unwatched
	if p.cast != nil {
		stream = p.cast.stream
	}
	_, _ = p.sess.Send(context.Background(), "Page.stopScreencast", nil)
	_, _ = p.sess.Send(context.Background(), "Page.startScreencast", stream)
}

// Still takes one full-quality picture of the viewport at a pixel ratio.
func (p *Page) Still(ctx context.Context, scale float64, format string, quality int) (Frame, error) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	width, height := p.Viewport()
	no, yes := false, true
	params := cdppage.CaptureScreenshotParams{
		Format: cdppage.CaptureScreenshotFormat(format), CaptureBeyondViewport: &no, OptimizeForSpeed: &yes,
	}
	if format != "png" {
		q := int64(quality)
		params.Quality = &q
	}
	if scale > 0 && scale != 1 {
		m, err := p.layout(ctx)
		if err != nil {
			return Frame{}, err
		}
		params.Clip = &cdppage.Viewport{X: m.x, Y: m.y, Width: width, Height: height, Scale: scale}
	}
	b, err := p.capture(ctx, params)
	return Frame{Data: b, Width: width, Height: height, Still: true}, p.explain(ctx, err)
}

// Viewport gives the size that the page lays itself out in, CSS pixels: its
// size, divided by its zoom.
func (p *Page) Viewport() (width, height float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.metrics()
	return float64(m.Width), float64(m.Height)
}

type layout struct{ x, y, contentW, contentH float64 }

func (p *Page) layout(ctx context.Context) (layout, error) {
	var r struct {
		Visual struct {
			PageX float64 `json:"pageX"`
			PageY float64 `json:"pageY"`
		} `json:"cssVisualViewport"`
		Content struct {
			Width  float64 `json:"width"`
			Height float64 `json:"height"`
		} `json:"cssContentSize"`
	}
	if err := p.sess.Call(ctx, "Page.getLayoutMetrics", nil, &r); err != nil {
		return layout{}, p.explain(ctx, err)
	}
	return layout{r.Visual.PageX, r.Visual.PageY, r.Content.Width, r.Content.Height}, nil
}
