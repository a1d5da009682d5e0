package page

import (
	"context"
	"encoding/base64"
	"sync/atomic"

	cdppage "github.com/chromedp/cdproto/page"

	"baton/backend/fault"
)

// printMost bounds a printed page, in bytes.
const printMost = 200 << 20

// prints are a page's wishes to be printed.
type prints struct {
	own atomic.Int32 // Baton prints it now
	wishes
}

// wantsPrint hears that a document is about to be printed, as it believes: the
// page called print(). What an agent's action led to is not told.
func (p *Page) wantsPrint() {
	if p.prints.own.Load() > 0 || p.agent() != "" {
		return
	}
	if p.prints.tell(p) {
		p.Prints.Publish(struct{}{})
	}
}

// Print gives the page as a PDF, on A4 paper, as its print style has it.
func (p *Page) Print(ctx context.Context) ([]byte, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer cancel()
	p.prints.own.Add(1)
	defer p.prints.own.Add(-1)
	yes := true
	var r struct {
		Stream string `json:"stream"`
	}
	err = p.sess.Call(ctx, "Page.printToPDF", cdppage.PrintToPDFParams{
		PrintBackground: &yes, PaperWidth: 8.27, PaperHeight: 11.69, PreferCSSPageSize: &yes, GenerateTaggedPDF: &yes,
		TransferMode: cdppage.PrintToPDFTransferModeReturnAsStream,
	}, &r)
	if err != nil {
		return nil, p.explain(ctx, err)
	}
	return p.stream(ctx, p.sess, r.Stream, printMost)
}

// imageMost bounds an image that the person saves or copies, in bytes.
const imageMost = 50 << 20

// Image gives an image that the page shows, as the page got it.
func (p *Page) Image(ctx context.Context, url string) ([]byte, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer cancel()
	p.mu.Lock()
	frames := make([]*frame, 0, len(p.frames))
	for _, f := range p.frames {
		frames = append(frames, f)
	}
	p.mu.Unlock()
	for _, f := range frames {
		var r struct {
			Content string `json:"content"`
			Base64  bool   `json:"base64Encoded"`
		}
		if f.sess.Call(ctx, "Page.getResourceContent", map[string]any{"frameId": f.id, "url": url}, &r) != nil {
			continue // another frame's, or no longer kept
		}
		if !r.Base64 {
			return []byte(r.Content), nil
		}
		b, err := base64.StdEncoding.DecodeString(r.Content)
		if err == nil && len(b) > 0 {
			return b, nil
		}
	}
	b, err := p.Resource(ctx, url, imageMost)
	if err != nil {
		return nil, fault.New(fault.NavigationFailed, "the image could not be fetched").Because(err)
	}
	return b, nil
}
