// Package outline turns the tree that the page-side walker returns into the text an agent reads: one node a line, two
// spaces a level, `role "name" [ref] state…`. It is pure: no page, no clock, no I/O.
//
// Join puts the walked contents of frames in place, Fit holds the joined tree to a budget, Render writes the text.
// Whatever comes out is valid UTF-8, with bidirectional controls and halves of surrogate pairs written as \uXXXX.
package outline

// Node is one line of an outline and what stands below it. The JSON names are the walker's wire format.
type Node struct {
	// Role is an ARIA role, "text" for running text, "iframe" for a frame, or "" for a gap (see Gap).
	Role string `json:"r,omitempty"`
	// Name is the accessible name, or the text itself when Role is "text". Halves of surrogate pairs travel as
	// U+10D800…U+10DFFF, because neither JSON in Go nor UTF-8 can hold them.
	Name string `json:"n,omitempty"`
	// Ref numbers the element (12 is shown as e12); 0 means that the line cannot be acted on.
	Ref int `json:"e,omitempty"`
	// Value is what a field holds; nil means no value to show. Never set for a secret field.
	Value *string `json:"v,omitempty"`
	// State are words in the order shown: "level=1", "checked", "disabled", "required", "secret", "cross-site"…
	State []string `json:"s,omitempty"`
	// Text are quoted extras shown as key="text", such as placeholder or description.
	Text []Extra `json:"x,omitempty"`
	// Options are a native select's, chosen ones and the first ones; OptionsMore says how many are left out.
	Options     []Option `json:"o,omitempty"`
	OptionsMore int      `json:"om,omitempty"`
	// URL is a link's address; only present when asked for.
	URL string `json:"u,omitempty"`
	// Chars counts the characters cut off the end of Name.
	Chars int `json:"c,omitempty"`
	// Hidden counts the lines below this node that were left out.
	Hidden int `json:"h,omitempty"`
	// Gap, with an empty Role, stands for siblings left out: how many items. Like says that they look like the
	// neighbours (folded rows).
	Gap  int  `json:"g,omitempty"`
	Like bool `json:"l,omitempty"`
	// Mark is "new", "changed" or "moved" in an outline of what changed, otherwise empty.
	Mark string `json:"m,omitempty"`
	Kids []Node `json:"k,omitempty"`
}

// Option is one entry of a native select.
type Option struct {
	Label    string `json:"n"`
	Selected bool   `json:"s,omitempty"`
	Disabled bool   `json:"d,omitempty"`
}

// Extra is a named text shown after the states.
type Extra struct {
	Key  string `json:"k"`
	Text string `json:"t"`
}

// Change is what happened on a page between two readings.
type Change struct {
	// Nodes hold the new and changed nodes, each under the ancestors that place it.
	Nodes []Node `json:"nodes"`
	// Gone are the removed or hidden parts, outermost only; GoneMore counts those not listed.
	Gone     []Gone `json:"gone"`
	GoneMore int    `json:"goneMore"`
	// Focus describes the element that has focus now, when that changed and no line says it; "" otherwise. It is never
	// the action's own target, nor a frame (the frame's own document tells).
	Focus string `json:"focus"`
}

// Gone is a part that is no longer on the page.
type Gone struct {
	Role string `json:"r"`
	Name string `json:"n"`
	Ref  int    `json:"e,omitempty"`
}

// Empty says that nothing an outline would show has changed.
func (c Change) Empty() bool {
	return len(c.Nodes) == 0 && len(c.Gone) == 0 && c.GoneMore == 0 && c.Focus == ""
}
