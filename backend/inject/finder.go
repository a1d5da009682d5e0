package inject

import "context"

// FindBinding is the func of the isolated world by which a document tells of
// where a text that is searched for stands. Its payload is a FindNews as JSON.
const FindBinding = "__batonFind"

// FindNews is what a document told.
type FindNews struct {
	Seq    int        `json:"seq"`    // of the search
	Gone   int        `json:"gone"`   // how often FindGo was called for it
	Count  int        `json:"count"`  // matches in the document
	Active int        `json:"active"` // the active match; -1 for none
	Marks  []FindMark `json:"marks"`  // of the matches in view
}

// FindMark is a piece of a match, in the frame's viewport.
type FindMark struct {
	Box
	On bool `json:"on"` // of the active match
}

// Found is how often a text stands in a document, and the first match at or
// below the top of what is in view; -1 for none.
type Found struct {
	Count int `json:"count"`
	First int `json:"first"`
}

// FindStart begins a search for a text in a document.
func FindStart(ctx context.Context, c Caller, seq int, text string, matchCase bool) (Found, error) {
	return call[Found](ctx, c, "findStart", struct {
		Seq       int    `json:"seq"`
		Text      string `json:"text"`
		MatchCase bool   `json:"matchCase"`
	}{seq, text, matchCase})
}

// FoundAt is where a match lies in the element that holds it.
type FoundAt struct {
	Box
	Gone bool `json:"gone"`
}

// FindGo makes a match the active one; -1 makes none.
func FindGo(ctx context.Context, c Caller, index int) (FoundAt, error) {
	return call[FoundAt](ctx, c, "findGo", struct {
		Index int `json:"index"`
	}{index})
}

// FindStop ends the search in a document; keep leaves the active match selected.
func FindStop(ctx context.Context, c Caller, keep bool) error {
	_, err := call[any](ctx, c, "findStop", struct {
		Select bool `json:"select"`
	}{keep})
	return err
}

// FindElement is a function declaration that returns the element that holds the
// active match, or null.
func FindElement() string { return "function(){return globalThis." + global + ".findElement()}" }
