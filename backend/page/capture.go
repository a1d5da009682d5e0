package page

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/chromedp/cdproto/emulation"

	cdppage "github.com/chromedp/cdproto/page"
)

// captures are the pictures of a page that Chromium takes now. For each it gives
// the page other metrics, and once it is taken those back that the page had when
// it was asked for: what was set meanwhile, by us or for another picture, is lost.
type captures struct {
	under   int
	crossed bool // metrics were set meanwhile
}

// capture takes a picture; the page keeps the metrics that it has by then.
func (p *Page) capture(ctx context.Context, params cdppage.CaptureScreenshotParams) ([]byte, error) {
	p.mu.Lock()
	life := p.life
	pending, err := p.sess.Send(ctx, "Page.captureScreenshot", params)
	if err == nil {
		p.captures.crossed = p.captures.crossed || p.captures.under > 0
		p.captures.under++
	}
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case <-pending.Done():
	case <-ctx.Done(): // Chromium takes it all the same
		go func() {
			select {
			case <-pending.Done():
			case <-life.Done():
			}
			p.captured()
		}()
		return nil, fmt.Errorf("Page.captureScreenshot: no answer: %w", context.Cause(ctx))
	}
	p.captured()
	var r struct {
		Data string `json:"data"`
	}
	if err := pending.Wait(ctx, &r); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(r.Data)
}

func (p *Page) captured() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.captures.under--
	if !p.captures.crossed {
		return
	}
	p.captures.crossed = p.captures.under > 0
	_, _ = p.sess.Send(p.life, "Emulation.setDeviceMetricsOverride", p.metrics())
}

// measure gives the page its size and zoom.
func (p *Page) measure(ctx context.Context) error {
	p.mu.Lock()
	p.captures.crossed = p.captures.crossed || p.captures.under > 0
	pending, err := p.sess.Send(ctx, "Emulation.setDeviceMetricsOverride", p.metrics())
	p.mu.Unlock()
	if err != nil {
		return err
	}
	return pending.Wait(ctx, nil)
}

// metrics are the page's size and zoom for Chromium. Call with mu held.
func (p *Page) metrics() emulation.SetDeviceMetricsOverrideParams {
	m := emulation.SetDeviceMetricsOverrideParams{Width: int64(p.size.Width), Height: int64(p.size.Height)}
	if z := p.shown.zoom; z != 0 && z != 1 {
		m.Width, m.Height = int64(float64(m.Width)/z+0.5), int64(float64(m.Height)/z+0.5)
		m.DeviceScaleFactor = max(p.size.Scale, 1) * z
	}
	return m
}
