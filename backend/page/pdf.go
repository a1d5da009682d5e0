package page

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
	"time"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/redact"
)

// A PDF is shown by Chromium's own viewer, whose inside no outline reaches. Its
// text is read by PDF.js in an isolated world of the document around the
// viewer: the renderer bears what a hostile file costs, and is stopped when it
// takes too long.

const (
	pdfBytes = 48 << 20               // of a file, at most
	pdfChars = 4 << 20                // of its text, about at most
	pdfCount = 3 * time.Second        // what an outline spends on counting pages
	pdfStop  = 700 * time.Millisecond // what is kept of a call's time for stopping
)

// IsPDF tells whether the main frame shows a PDF.
func (p *Page) IsPDF() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.frames[p.root]
	return f != nil && f.mime == pdfType
}

const pdfType = "application/pdf"

// inPDF tells whether a frame is a part of Chromium's viewer. Call with Page.mu
// held.
func (f *frame) inPDF() bool {
	for f = f.parent; f != nil; f = f.parent {
		if f.mime == pdfType {
			return true
		}
	}
	return false
}

// pdfOutline is what an outline says of a PDF.
func (p *Page) pdfOutline(ctx context.Context, w *world) Snapshot {
	c, cancel := soon(ctx, pdfCount)
	defer cancel()
	st, _ := p.State.Get()
	s := Snapshot{URL: redact.URL(st.URL), Title: st.Title, Count: 1}
	got, err := p.pdf(c, w, inject.PDFArgs{})
	pages := "a PDF"
	switch {
	case err != nil || got.Error != "" && got.Error != "password":
	case got.Error == "password":
		pages = "a PDF that is locked with a password"
	case got.Count == 1:
		pages = "a PDF with 1 page"
	default:
		pages = fmt.Sprintf("a PDF with %d pages", got.Count)
	}
	s.told = pdfTitle(s.Title, got.Title, st.URL)
	s.Title = p.clean(s.told)
	s.Text = fmt.Sprintf("This is %s: browser_read gives its text, browser_screenshot shows it.\n", pages)
	return s
}

// pdfTitle gives a PDF's title: what the page, the file or the address says.
func pdfTitle(shown, said, address string) string {
	if shown != "" {
		return shown
	}
	if said = strings.TrimSpace(said); said != "" {
		return said
	}
	if u, err := url.Parse(address); err == nil && u.Path != "" && u.Path != "/" {
		return path.Base(u.Path)
	}
	return ""
}

// pdfText gives the text of the PDF that the page shows, its pages marked.
func (p *Page) pdfText(ctx context.Context, w *world, a ReadArgs) (Text, error) {
	if a.Target != nil {
		return Text{}, fault.New(fault.BadArguments, "this is a PDF: it has no elements").Then("read it without target; query finds passages")
	}
	got, err := p.pdf(ctx, w, inject.PDFArgs{Query: a.Query, Offset: a.Offset, Max: min(a.Max, inject.MaxBudget), Pages: true})
	if err != nil {
		return Text{}, err
	}
	switch got.Error {
	case "":
	case "password":
		return Text{}, fault.New(fault.Unsupported, "this PDF is locked with a password").Then("tell the person: only they can open it")
	case "large":
		return Text{}, fault.New(fault.Unsupported, "this PDF is larger than %d MiB", pdfBytes>>20).Then("look at it with browser_screenshot")
	case "fetch":
		return Text{}, fault.New(fault.NavigationFailed, "the PDF could not be fetched a second time to read it").Then("look at it with browser_screenshot")
	default:
		return Text{}, fault.New(fault.Unsupported, "this PDF is damaged, or asks for too much memory to be read").Then("look at it with browser_screenshot")
	}
	st, _ := p.State.Get()
	text := p.passages(got.Text, a.Query)
	if text == "" {
		got.Matches = 0
	}
	t := Text{
		Text: redact.Text(text), Total: got.Total, End: got.End, Matches: got.Matches, URL: redact.URL(st.URL),
		Title: p.clean(pdfTitle(st.Title, got.Title, st.URL)), Pages: got.Count, Read: got.Read,
	}
	if got.Total == 0 && got.Read > 0 {
		t.Text = "(no text: its pages may be pictures; see them with browser_screenshot)"
	}
	return t, nil
}

// pdf runs the reader within ctx, and stops it in the page when that is over.
func (p *Page) pdf(ctx context.Context, w *world, a inject.PDFArgs) (inject.PDFText, error) {
	a.Bytes, a.Chars = pdfBytes, pdfChars
	a.MS = 10_000
	c := ctx
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end) - pdfStop
		a.MS = int(max(left*2/3, time.Millisecond) / time.Millisecond)
		var cancel context.CancelFunc
		c, cancel = soon(ctx, max(left, time.Millisecond))
		defer cancel()
	}
	got, err := inject.PDF(c, w, a)
	if err == nil && got.Error == "fetch" {
		if err = p.pdfFeed(c, w); err == nil {
			got, err = inject.PDF(c, w, a)
		}
	}
	if err != nil && c.Err() != nil && errors.Is(c.Err(), context.DeadlineExceeded) {
		// One page of a hostile file can keep the thread for ever.
		end, cancel := soon(context.WithoutCancel(ctx), pdfStop)
		defer cancel()
		_ = w.sess.Call(end, "Runtime.terminateExecution", nil, nil)
		return inject.PDFText{}, fault.New(fault.PageBusy, "the PDF could not be read in time").Because(err).Then("look at it with browser_screenshot")
	}
	return got, err
}

// pdfFeed fetches the file for a page that may not, and hands it over in pieces.
func (p *Page) pdfFeed(ctx context.Context, w *world) error {
	st, _ := p.State.Get()
	u, err := url.Parse(st.URL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return nil
	}
	var r struct {
		Resource struct {
			Success bool   `json:"success"`
			Stream  string `json:"stream"`
		} `json:"resource"`
	}
	err = p.sess.Call(ctx, "Network.loadNetworkResource", map[string]any{
		"frameId": p.root, "url": u.String(), "options": map[string]any{"disableCache": false, "includeCredentials": true},
	}, &r)
	if err != nil || r.Resource.Stream == "" {
		return err
	}
	defer func() {
		_, _ = p.sess.Send(context.WithoutCancel(ctx), "IO.close", map[string]any{"handle": r.Resource.Stream})
	}()
	if !r.Resource.Success {
		return nil
	}
	for size := 0; ; {
		var chunk struct {
			Data   string `json:"data"`
			Base64 bool   `json:"base64Encoded"`
			EOF    bool   `json:"eof"`
		}
		if err := p.sess.Call(ctx, "IO.read", map[string]any{"handle": r.Resource.Stream, "size": 192 << 10}, &chunk); err != nil {
			return err
		}
		if size += len(chunk.Data); size > pdfBytes*4/3 {
			return fault.New(fault.Unsupported, "this PDF is larger than %d MiB", pdfBytes>>20).Then("look at it with browser_screenshot")
		}
		if !chunk.Base64 {
			chunk.Data = base64.StdEncoding.EncodeToString([]byte(chunk.Data))
		}
		if err := inject.PDFFeed(ctx, w, chunk.Data, chunk.EOF); err != nil {
			return err
		}
		if chunk.EOF {
			return nil
		}
	}
}
