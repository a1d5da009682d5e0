package inject

import (
	"context"
	"fmt"
)

// Locator is a target other than a ref; exactly one of Role, Text, Label, Placeholder, TestID and CSS is set.
type Locator struct {
	Role        string `json:"role,omitempty"`
	Name        string `json:"name,omitempty"`
	Text        string `json:"text,omitempty"`
	Label       string `json:"label,omitempty"`
	Placeholder string `json:"placeholder,omitempty"`
	TestID      string `json:"testid,omitempty"`
	CSS         string `json:"css,omitempty"`
	// Exact compares Name, Text, Label and Placeholder whole and with case.
	Exact bool `json:"exact,omitempty"`
	// Nth picks one of several, counted from 0; nil means that there must be one only.
	Nth *int `json:"nth,omitempty"`
}

// LocateArgs are a locator and the tab's next free ref number.
type LocateArgs struct {
	Locator
	Next int `json:"next"`
	// Boundary refuses and hides what could reveal a secret value: text and names built from secret fields.
	Boundary bool `json:"boundary,omitempty"`
	// Words asks for Located.Words and Located.Kept.
	Words bool `json:"words,omitempty"`
	// Skip are matches, by their place in Words, that do not count.
	Skip []int `json:"skip,omitempty"`
}

// Located are the matches. When more than one visible element matches, hidden ones do not count.
type Located struct {
	Next int `json:"next"`
	// Ref is the match to use; 0 with Count 0 (none) or above 1 (ambiguous and no Nth).
	Ref   int `json:"ref"`
	Count int `json:"count"`
	// Found describe up to 5 matches, each with its ref.
	Found []Candidate `json:"found"`
	// Near are the nearest candidates when nothing matches, at most 5.
	Near []Candidate `json:"near"`
	// Error says what is wrong with the locator itself ("" when nothing is).
	Error string `json:"error"`
	// Missing says that the runtime must be loaded first; Locate handles it.
	Missing bool `json:"missing"`
	// Words are what the locator was compared with, of each match.
	Words []string `json:"words"`
	// Kept are the texts that a CSS selector compares with, all over the document.
	Kept []string `json:"kept"`
}

// Candidate is a short description of an element.
type Candidate struct {
	Ref  int    `json:"ref"`
	Desc string `json:"desc"`
	// Hidden says that it is not visible.
	Hidden bool `json:"hidden"`
}

// Locate finds elements through Playwright's injected runtime, which it loads into the document on first use.
func Locate(ctx context.Context, c Caller, a LocateArgs) (Located, error) {
	out, err := call[Located](ctx, c, "locate", a)
	if err != nil || !out.Missing {
		return out, err
	}
	src, err := Playwright()
	if err != nil {
		return out, err
	}
	if err := c.Load(ctx, src); err != nil {
		return out, fmt.Errorf("inject: load the selector runtime: %w", err)
	}
	return call[Located](ctx, c, "locate", a)
}

// ScrollArgs name what to scroll: the scroller of a ref, or the page's with Ref 0.
type ScrollArgs struct {
	Ref int `json:"ref"`
	// To: "" only looks, "top", "bottom", or "target" (bring the ref into view).
	To string `json:"to,omitempty"`
	// DX, DY say which way a wheel is about to turn, to pick a scroller that can still move that way.
	DX float64 `json:"dx,omitempty"`
	DY float64 `json:"dy,omitempty"`
}

// Scrolled is a scroller and where it stands.
type Scrolled struct {
	// Status: ok, gone or hidden.
	Status string `json:"status"`
	// Point lies inside the visible part of the scroller and reaches it (for a wheel event).
	Point Point `json:"point"`
	Box   Box   `json:"box"`
	// X, Y are the position, MaxX, MaxY the furthest one.
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
	MaxX float64 `json:"maxX"`
	MaxY float64 `json:"maxY"`
	// Page says that the scroller is the document's own.
	Page bool `json:"page"`
	// None says that nothing here scrolls.
	None bool   `json:"none"`
	Desc string `json:"desc"`
	// Key names the scroller for ScrollState.
	Key int `json:"key"`
}

// Scroller finds the scroller that matters for a ref or for the page, and scrolls it when To says so.
func Scroller(ctx context.Context, c Caller, a ScrollArgs) (Scrolled, error) {
	return call[Scrolled](ctx, c, "scroller", a)
}

// ScrollState reads a scroller again, by its Key, after it has stood still for two animation frames (at most 500 ms).
func ScrollState(ctx context.Context, c Caller, key int) (Scrolled, error) {
	return call[Scrolled](ctx, c, "scrollState", struct {
		Key int `json:"key"`
	}{key})
}

// HasText says whether the document shows a text (any case, runs of white space alike): rendered text, labels, titles,
// placeholders and unmasked values. Frames are documents of their own.
func HasText(ctx context.Context, c Caller, text string) (bool, error) {
	out, err := call[found](ctx, c, "hasText", hasTextArgs{Text: text})
	return out.Has, err
}

// TextAround gives what stands around each place where the document shows a text, for a look at it that the document
// itself cannot take.
func TextAround(ctx context.Context, c Caller, text string) ([]string, error) {
	out, err := call[found](ctx, c, "hasText", hasTextArgs{Text: text, Around: true})
	return out.Around, err
}

type hasTextArgs struct {
	Text   string `json:"text"`
	Around bool   `json:"around,omitempty"`
}

type found struct {
	Has    bool     `json:"has"`
	Around []string `json:"around"`
}

// States are what can be waited for of an element.
type States struct {
	Gone     bool `json:"gone"`
	Visible  bool `json:"visible"`
	Enabled  bool `json:"enabled"`
	Checked  bool `json:"checked"`
	Editable bool `json:"editable"`
}

// State reads them all. A gone element is not visible, enabled, checked or editable.
func State(ctx context.Context, c Caller, ref int) (States, error) {
	return call[States](ctx, c, "state", RefArgs{ref})
}

// ReadArgs ask for a document's main text.
type ReadArgs struct {
	// Ref limits it to one subtree.
	Ref int `json:"ref,omitempty"`
	// Query returns only the passages around matches.
	Query string `json:"query,omitempty"`
	// Offset and Max are in UTF-16 units of the Markdown; Max 0 means 8000.
	Offset int `json:"offset,omitempty"`
	Max    int `json:"max,omitempty"`
}

// Text is Markdown cut at an end of a block where possible.
type Text struct {
	Text string `json:"text"`
	// Total is the length of the whole Markdown, End the offset to go on from (Total when nothing is left).
	Total int  `json:"total"`
	End   int  `json:"end"`
	Gone  bool `json:"gone"`
	// Matches counts the passages that match Query.
	Matches int    `json:"matches"`
	Title   string `json:"title"`
	// Frames are iframes inside the text, which package page may read in turn.
	Frames []int `json:"frames"`
}

// Read returns the main text of a document as Markdown with headings, lists, links and tables.
func Read(ctx context.Context, c Caller, a ReadArgs) (Text, error) {
	return call[Text](ctx, c, "read", a)
}

// Described is an element in words.
type Described struct {
	Gone bool `json:"gone"`
	// Desc is `button "Save"`; empty when Gone.
	Desc string `json:"desc"`
	Role string `json:"role"`
	Name string `json:"name"`
	// Tag, Type, Autocomplete and FormHost are for approval cards; FormHost is the host that the form is sent to.
	Tag          string `json:"tag"`
	Type         string `json:"type"`
	Autocomplete string `json:"autocomplete"`
	FormHost     string `json:"formHost"`
	Secret       bool   `json:"secret"`
	Box          Box    `json:"box"`
}

// Describe tells what a ref is, without any value.
func Describe(ctx context.Context, c Caller, ref int) (Described, error) {
	return call[Described](ctx, c, "describe", RefArgs{ref})
}

// DescribeAt tells what a point of the document's viewport reaches, in CSS pixels.
func DescribeAt(ctx context.Context, c Caller, x, y float64) (Described, error) {
	return call[Described](ctx, c, "describeAt", struct {
		X float64 `json:"x"`
		Y float64 `json:"y"`
	}{x, y})
}

// DescribeFocus tells what has the focus in the document; Gone when nothing has.
func DescribeFocus(ctx context.Context, c Caller) (Described, error) {
	return call[Described](ctx, c, "describeFocus", struct{}{})
}

// Scrub cleans texts that come from a page by another way, such as its console, of what its secret fields hold.
func Scrub(ctx context.Context, c Caller, texts []string) ([]string, error) {
	return call[[]string](ctx, c, "scrub", struct {
		Texts []string `json:"texts"`
	}{texts})
}

// SecretBoxes are the visible boxes of secret fields, to be painted over in a picture. Reading them also notes secret
// fields, so that one shown as plain text later stays secret.
func SecretBoxes(ctx context.Context, c Caller) ([]Box, error) {
	return call[[]Box](ctx, c, "secretBoxes", struct{}{})
}
