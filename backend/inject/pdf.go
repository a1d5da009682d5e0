package inject

import (
	"context"
	"fmt"
)

// PDFArgs ask for the text of the PDF that a document shows.
type PDFArgs struct {
	Query  string `json:"query,omitempty"`
	Offset int    `json:"offset,omitempty"`
	Max    int    `json:"max,omitempty"` // characters; 0 means 8,000
	// MS is how long pages are read, in milliseconds; a later call goes on where one stopped.
	MS int `json:"ms"`
	// Pages says that the text is wanted; without it the file is opened and its pages counted.
	Pages bool `json:"pages"`
	Bytes int  `json:"bytes"` // of the file, at most
	Chars int  `json:"chars"` // of the text, about at most
}

// PDFText is what a PDF holds.
type PDFText struct {
	Missing bool   `json:"missing"` // PDF.js must be loaded first; PDF handles it
	Text    string `json:"text"`    // with a heading for each page
	Total   int    `json:"total"`   // length of the text of the pages that were read
	End     int    `json:"end"`
	Matches int    `json:"matches"`
	Title   string `json:"title"`
	Count   int    `json:"count"` // pages of the file
	Read    int    `json:"read"`  // pages read so far
	Whole   bool   `json:"whole"`
	// Error: "", fetch (the page's policy or the site keeps the file), password, large or broken.
	Error string `json:"error"`
}

// PDF reads the PDF that a document shows, with PDF.js, which it loads into the document on first use.
func PDF(ctx context.Context, c Caller, a PDFArgs) (PDFText, error) {
	out, err := call[PDFText](ctx, c, "pdf", a)
	if err != nil || !out.Missing {
		return out, err
	}
	src, err := read("pdf.js") // large and seldom needed: not kept
	if err != nil {
		return out, err
	}
	if err := c.Load(ctx, src); err != nil {
		return out, fmt.Errorf("inject: load PDF.js: %w", err)
	}
	return call[PDFText](ctx, c, "pdf", a)
}

// PDFFeed gives the document a piece of the file, in base64, where it cannot fetch it by itself.
func PDFFeed(ctx context.Context, c Caller, data string, end bool) error {
	return c.Call(ctx, "pdfFeed", struct {
		Data string `json:"data"`
		End  bool   `json:"end"`
	}{data, end}, nil)
}
