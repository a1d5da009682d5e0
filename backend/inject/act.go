package inject

import "context"

// What can be wrong with a target. StatusOK is the only good one.
const (
	StatusOK          = "ok"
	StatusGone        = "gone"
	StatusHidden      = "hidden"
	StatusCovered     = "covered"
	StatusDisabled    = "disabled"
	StatusUnstable    = "unstable"
	StatusReadonly    = "readonly"
	StatusNotEditable = "not_editable"
	StatusNotFocused  = "not_focused"
	StatusBadValue    = "bad_value"
	StatusNotFound    = "not_found"
	StatusAmbiguous   = "ambiguous"
	StatusNotSelect   = "not_select"
	StatusNotCheck    = "not_checkable"
)

// AimArgs ask where to press.
type AimArgs struct {
	Ref int `json:"ref"`
	// TimeoutMS bounds the wait for the element to be visible, still and enabled; 0 means 5000. A covered element is
	// refused after it has been covered without change for about 300 ms, well before.
	TimeoutMS int `json:"timeoutMs,omitempty"`
	// NoScroll leaves the page as it is (the end of a drag).
	NoScroll bool `json:"noScroll,omitempty"`
	// Hover does not ask for an enabled element.
	Hover bool `json:"hover,omitempty"`
	// Center scrolls to the middle even when the element is in view (for pictures of it).
	Center bool `json:"center,omitempty"`
	// Loose takes the element where it stands, even while it moves (to show where it is).
	Loose bool `json:"loose,omitempty"`
	// Watch and Arm begin to note what changes and guard the next press, as Watch and Arm do, in the same turn in
	// which the point was found. Arm leaves native selects and their options alone: no press opens them.
	Watch bool `json:"watch,omitempty"`
	Arm   bool `json:"arm,omitempty"`
}

// Aimed is where and what an element is.
type Aimed struct {
	// Status: ok, hidden, covered, disabled, gone or unstable.
	Status string `json:"status"`
	// Point is the centre of the visible part; meaningful when Status is ok.
	Point Point `json:"point"`
	// Box is the element's (or its label's, see ViaLabel) whole box.
	Box Box `json:"box"`
	// Cover describes what would receive the press instead: `dialog "Cookie notice" with buttons "Accept all", …`.
	Cover string `json:"cover"`
	// CoverRef is the cover's ref when it has one already, else 0.
	CoverRef int `json:"coverRef"`
	// CoverSecret says that the cover is or holds a secret field.
	CoverSecret bool `json:"coverSecret"`
	// Kind: "select" (native), "option", "file", "link", "checkbox", "radio", "field" (text-like), "typed" (date, range,
	// colour…), "iframe", "summary", "button" or "other".
	Kind string `json:"kind"`
	// ViaLabel says that the element has no box of its own, and the point lies on its label.
	ViaLabel bool `json:"viaLabel"`
	// Desc is what Describe says.
	Desc string `json:"desc"`
	// Scrolled says that something was scrolled.
	Scrolled bool `json:"scrolled"`
	Secret   bool `json:"secret"`
	// Watched and Armed say that what was asked for has begun.
	Watched bool `json:"watched"`
	Armed   bool `json:"armed"`
}

// Aim scrolls an element into view, waits until it is attached, visible, still (same box in two animation frames) and
// enabled, and finds the point where a press reaches it.
func Aim(ctx context.Context, c Caller, a AimArgs) (Aimed, error) {
	return call[Aimed](ctx, c, "aim", a)
}

// HitArgs ask what a point of the frame's viewport reaches. Ref 0 asks only for a description.
type HitArgs struct {
	Ref int     `json:"ref"`
	X   float64 `json:"x"`
	Y   float64 `json:"y"`
}

// Hitted says whether the point reaches the ref, and what it reaches otherwise.
type Hitted struct {
	Hit         bool   `json:"hit"`
	Gone        bool   `json:"gone"`
	Cover       string `json:"cover"`
	CoverSecret bool   `json:"coverSecret"`
	// Frame is the ref of an iframe under the point when it has one already, else 0; IsFrame says that an iframe is
	// under the point.
	Frame   int  `json:"frame"`
	IsFrame bool `json:"isFrame"`
	// Kind of the element that is reached, as in Aimed.
	Kind   string `json:"kind"`
	Secret bool   `json:"secret"`
}

// Hit tests a point. For a frame's parents the ref is that of the iframe element.
func Hit(ctx context.Context, c Caller, a HitArgs) (Hitted, error) {
	return call[Hitted](ctx, c, "hit", a)
}

// Arm guards the next press: unless it reaches the ref, the world stops it before the page sees it. Ref 0 only records,
// and Bar stops every press.
func Arm(ctx context.Context, c Caller, ref int) error {
	_, err := call[any](ctx, c, "arm", RefArgs{ref})
	return err
}

// Bar is the ref that Arm takes in documents that the press is not meant for.
const Bar = -1

// Admit lets presses into a document that has just come, and tells whether one was stopped there before: it was meant
// for the document that the new one took the place of.
func Admit(ctx context.Context, c Caller) (stopped bool, err error) {
	return call[bool](ctx, c, "admit", struct{}{})
}

// Guarded is what an armed guard saw.
type Guarded struct {
	// Result: "hit", "missed" (the press was stopped) or "none" (no press came).
	Result string `json:"result"`
	// Cover describes what the stopped press would have reached.
	Cover       string `json:"cover"`
	CoverSecret bool   `json:"coverSecret"`
	// Disabled says that it was stopped as the target had just become disabled.
	Disabled bool `json:"disabled"`
	// Clicked says that the target saw a trusted click (or contextmenu, auxclick).
	Clicked bool `json:"clicked"`
}

// Disarm ends the guard and tells what it saw.
func Disarm(ctx context.Context, c Caller) (Guarded, error) {
	return call[Guarded](ctx, c, "disarm", struct{}{})
}

// FocusArgs ask for a field to type into.
type FocusArgs struct {
	Ref int `json:"ref"`
	// Mode: "replace" selects all, "append" puts the caret at the end, "keep" leaves the selection, "check" only looks
	// and focuses nothing.
	Mode string `json:"mode"`
	// Any accepts elements that take no text (for keys pressed on a button).
	Any bool `json:"any,omitempty"`
	// Watch begins to note what changes, as Watch does, before the element is focused.
	Watch bool `json:"watch,omitempty"`
}

// FocusState tells how focusing went and what the field is.
type FocusState struct {
	// Status: ok, gone, hidden, disabled, readonly, not_editable or not_focused.
	Status string `json:"status"`
	// Kind: text, textarea, contenteditable, search, tel, url, email, number, password, date, time, datetime-local,
	// month, week, color, range, select, checkbox, radio, file, or other.
	Kind string `json:"kind"`
	// Secret says that the field is one whose value never shows.
	Secret    bool `json:"secret"`
	Multiline bool `json:"multiline"`
	MaxLength int  `json:"maxLength"`
	// Empty says that the field holds nothing.
	Empty bool   `json:"empty"`
	Desc  string `json:"desc"`
	// Stamp changes with the field's value and identity; compare before input to find a field changed meanwhile.
	Stamp string `json:"stamp"`
	// Box is the element's, once it is focused.
	Box Box `json:"box"`
	// Before is what the field holds once it is focused; only with FocusArgs.Watch and StatusOK.
	Before *FieldValue `json:"before"`
}

// Focus checks that an element takes input, focuses it and places the selection.
func Focus(ctx context.Context, c Caller, a FocusArgs) (FocusState, error) {
	return call[FocusState](ctx, c, "focus", a)
}

// FocusedState tells where focus is.
type FocusedState struct {
	// On says that focus is on the ref, or inside it.
	On bool `json:"on"`
	// Desc describes the deep active element; "" when nothing has focus.
	Desc string `json:"desc"`
	// Kind is as in FocusState, of the deep active element; IsFrame says that it is an iframe.
	Kind    string `json:"kind"`
	IsFrame bool   `json:"isFrame"`
	Secret  bool   `json:"secret"`
	// Ref is the active element's, when it has one already.
	Ref int `json:"ref"`
	// Document says that this document itself has focus.
	Document bool `json:"document"`
}

// Focused tells whether focus is (still) on a ref, and describes what has it. Ref 0 only describes.
func Focused(ctx context.Context, c Caller, ref int) (FocusedState, error) {
	return call[FocusedState](ctx, c, "focused", RefArgs{ref})
}

// FieldValue is a field read back.
type FieldValue struct {
	Status string `json:"status"`
	Kind   string `json:"kind"`
	// Value is "" when Secret; Length is the number of UTF-16 units it has in either case.
	Value  string `json:"value"`
	Length int    `json:"length"`
	Secret bool   `json:"secret"`
	Desc   string `json:"desc"`
	// Files are the names that a file input holds.
	Files []string `json:"files"`
	Stamp string   `json:"stamp"`
}

// Field reads a field's value; contenteditable text comes with line breaks.
func Field(ctx context.Context, c Caller, ref int) (FieldValue, error) {
	return call[FieldValue](ctx, c, "field", RefArgs{ref})
}

// Matches tells whether a field holds exactly this text, in the world itself, so that it works for secret fields too.
// Line breaks are compared as \n.
func Matches(ctx context.Context, c Caller, ref int, text string) (bool, error) {
	return call[bool](ctx, c, "matches", struct {
		Ref  int    `json:"ref"`
		Text string `json:"text"`
	}{ref, text})
}

// SetArgs hold a value for SetTyped.
type SetArgs struct {
	Ref   int    `json:"ref"`
	Value string `json:"value"`
}

// Set is how setting a value went.
type Set struct {
	// Status: ok, gone, hidden, disabled, readonly, not_editable or bad_value.
	Status string `json:"status"`
	// Value is the field's value as the browser normalised it.
	Value string `json:"value"`
	// Message, for bad_value, names the accepted form ("YYYY-MM-DD") or the nearest values ("60 or 65").
	Message string `json:"message"`
	Desc    string `json:"desc"`
	Changed bool   `json:"changed"`
}

// SetTyped sets a date, time, datetime-local, month, week, color, range or number input after checking format, range
// and step, and dispatches input and change when the value changed.
func SetTyped(ctx context.Context, c Caller, a SetArgs) (Set, error) {
	return call[Set](ctx, c, "setTyped", a)
}

// SelectArgs choose options of a native select; each value is a label, else a value. The ref may be an option's: then
// Values may be empty.
type SelectArgs struct {
	Ref    int      `json:"ref"`
	Values []string `json:"values"`
	// Unseen says that no part of it is in sight: another control stands for it, and it is not focused.
	Unseen bool `json:"unseen,omitempty"`
}

// Selected is what a select shows now.
type Selected struct {
	// Status: ok, gone, hidden, disabled, not_select, not_found or ambiguous.
	Status string `json:"status"`
	// Chosen are the labels of the options chosen now, before the page has heard of it.
	Chosen []string `json:"chosen"`
	// Options are, for not_found, the nearest labels (at most 8); Total is how many options there are.
	Options []string `json:"options"`
	Total   int      `json:"total"`
	// Missing is the wanted text without an option.
	Missing  string `json:"missing"`
	Multiple bool   `json:"multiple"`
	Changed  bool   `json:"changed"`
	Secret   bool   `json:"secret"`
	Desc     string `json:"desc"`
}

// Select chooses options, dispatching input and change only when the choice changes.
func Select(ctx context.Context, c Caller, a SelectArgs) (Selected, error) {
	return call[Selected](ctx, c, "select", a)
}

// CheckState is a checkable element's state.
type CheckState struct {
	// Status: ok, gone or not_checkable.
	Status string `json:"status"`
	// Checked: "true", "false" or "mixed".
	Checked  string `json:"checked"`
	Disabled bool   `json:"disabled"`
	// Kind: checkbox, radio, switch, menuitemcheckbox, menuitemradio, option, pressed (a toggle button).
	Kind string `json:"kind"`
	Desc string `json:"desc"`
}

// Checked reads the state of a checkbox, radio, switch, toggle button or menu item, native or by ARIA.
func Checked(ctx context.Context, c Caller, ref int) (CheckState, error) {
	return call[CheckState](ctx, c, "checked", RefArgs{ref})
}
