package inject

import (
	"context"

	"baton/backend/outline"
)

// DefaultBudget and MaxBudget bound an outline's size in characters.
const (
	DefaultBudget = 10_000
	MaxBudget     = 32_000
)

// WalkArgs ask for an outline of one document.
type WalkArgs struct {
	// Next is the first free ref number of the whole tab. Elements that already have a number keep it.
	Next int `json:"next"`
	// Budget in characters; 0 means DefaultBudget.
	Budget int `json:"budget,omitempty"`
	// Root is the ref whose subtree is wanted; 0 means the document.
	Root int `json:"root,omitempty"`
	// Query keeps what matches (any case; part of a name, value, description or text, or a whole role), with the
	// ancestors and contents of each match.
	Query string `json:"query,omitempty"`
	// URLs adds the addresses of links.
	URLs bool `json:"urls,omitempty"`
	// Later gives new elements the numbers from Next on without keeping them: documents that are read side by side
	// share one numbering. Number says where those of this document begin.
	Later bool `json:"later,omitempty"`
}

// Walked is one document's outline. Nodes are within the budget when rendered at depth 0.
type Walked struct {
	// Next is the first ref number still free.
	Next  int            `json:"next"`
	Nodes []outline.Node `json:"nodes"`
	Title string         `json:"title"`
	URL   string         `json:"url"`
	// Frames are the iframe elements shown in the outline, in order; see outline.Join.
	Frames []FrameSlot `json:"frames"`
	// Modal says that only an open modal dialog is shown.
	Modal bool `json:"modal"`
	// Count is how many lines the whole document has, before budget and folding.
	Count int `json:"count"`
	// Gone says that Root no longer exists.
	Gone bool `json:"gone"`
	// Matches is how many lines match Query.
	Matches int `json:"matches"`
	// Check says that the main document may be a bot check; see Challenge.
	Check bool `json:"check"`
}

// Shift moves the refs from first on by as many.
func (w *Walked) Shift(first, by int) {
	if by == 0 {
		return
	}
	var move func(list []outline.Node)
	move = func(list []outline.Node) {
		for i := range list {
			if list[i].Ref >= first {
				list[i].Ref += by
			}
			move(list[i].Kids)
		}
	}
	move(w.Nodes)
	for i := range w.Frames {
		if w.Frames[i].Ref >= first {
			w.Frames[i].Ref += by
		}
	}
	w.Next += by
}

// FrameSlot is an iframe whose contents package page walks and joins.
type FrameSlot struct {
	Ref int    `json:"ref"`
	Src string `json:"src"`
	Box Box    `json:"box"`
}

// Walk reads the outline of a document and numbers what it shows.
func Walk(ctx context.Context, c Caller, a WalkArgs) (Walked, error) {
	return call[Walked](ctx, c, "walk", a)
}

// Number keeps the numbers of the elements that were new to the last Walk with Later; the first of them gets from.
func Number(ctx context.Context, c Caller, from int) error {
	return c.Call(ctx, "number", struct {
		From int `json:"from"`
	}{from}, nil)
}

// Mark tells the world about nodes that it cannot find by itself: elements with a listener for clicks (they get a ref),
// and closed shadow roots (their contents are read like open ones). Anything else is ignored; marks last as long as the
// document. DOMDebugger.getEventListeners with depth -1 lists the listeners under one root; ask it without pierce, and for
// the root as the page's own world sees it (asked from an isolated world with pierce, Chromium 156 lost the page's process
// some navigations later). Keep the types IsPress names and resolve their backend node ids in this world. Mark returns how
// many nodes were new.
func Mark(ctx context.Context, c NodeCaller, objects []string) (int, error) {
	if len(objects) == 0 {
		return 0, nil
	}
	var n int
	err := c.CallNodes(ctx, "mark", objects, &n)
	return n, err
}

// IsPress says whether a listener for this type of event makes an element worth pressing.
func IsPress(event string) bool {
	switch event {
	case "click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "dblclick", "contextmenu", "drop", "dragover":
		return true
	}
	return false
}

// SettleArgs bound how long Settle waits.
type SettleArgs struct {
	// MaxMS is the longest wait for a loading marker to go; 0 means 2000.
	MaxMS int `json:"maxMs,omitempty"`
}

// Settled says what Settle waited for.
type Settled struct {
	// Why is "", "loading marker", "young document" or "before" (this document was settled already).
	Why string `json:"why"`
	// WaitedMS is how long it took.
	WaitedMS int `json:"waitedMs"`
	// Busy says that the marker was still there at the end.
	Busy bool `json:"busy"`
	// Nodes counts the document's elements, without those in shadow roots.
	Nodes int `json:"nodes"`
}

// Settle waits while a visible loading marker shows (then for 150 ms of quiet), or for the first change of a young
// document without controls. It waits at most once for each document.
func Settle(ctx context.Context, c Caller, a SettleArgs) (Settled, error) {
	return call[Settled](ctx, c, "settle", a)
}

// Facts are a document's plain facts.
type Facts struct {
	Title      string `json:"title"`
	URL        string `json:"url"`
	ReadyState string `json:"readyState"`
	// AgeMS counts from the start of the navigation.
	AgeMS         float64 `json:"ageMs"`
	ScrollX       float64 `json:"scrollX"`
	ScrollY       float64 `json:"scrollY"`
	ScrollWidth   float64 `json:"scrollWidth"`
	ScrollHeight  float64 `json:"scrollHeight"`
	InnerWidth    float64 `json:"innerWidth"`
	InnerHeight   float64 `json:"innerHeight"`
	PixelRatio    float64 `json:"pixelRatio"`
	VisualScale   float64 `json:"visualScale"`
	VisualOffsetX float64 `json:"visualOffsetX"`
	VisualOffsetY float64 `json:"visualOffsetY"`
	// Secrets says that the document has, or had, a secret field; SecretsFilled that one of them
	// holds a value that is not the agent's own text.
	Secrets       bool `json:"secrets"`
	SecretsFilled bool `json:"secretsFilled"`
	// SecretsHeld says that one of them has held such a value in this document.
	SecretsHeld bool `json:"secretsHeld"`
}

// Info reads a document's facts. It is cheap.
func Info(ctx context.Context, c Caller) (Facts, error) {
	return call[Facts](ctx, c, "info", struct{}{})
}

// Filled tells whether a secret field holds, or has held, what the agent did not enter: Facts.SecretsFilled or SecretsHeld.
func Filled(ctx context.Context, c Caller) (bool, error) {
	return call[bool](ctx, c, "filled", struct{}{})
}

// OwnSecretArgs name the secret field that the agent enters a text into, in place of what it holds or behind it.
type OwnSecretArgs struct {
	Ref    int    `json:"ref"`
	Text   string `json:"text"`
	Append bool   `json:"append,omitempty"`
}

// OwnSecret notes a text as the agent's own, before it is entered: it keeps no script from the page.
func OwnSecret(ctx context.Context, c Caller, a OwnSecretArgs) error {
	_, err := call[bool](ctx, c, "ownSecret", a)
	return err
}
