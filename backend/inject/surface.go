package inject

import "context"

// SurfaceBinding is the func of the isolated world by which a document tells of
// what Chromium would draw outside the page. Its payload is a Surface as JSON.
const SurfaceBinding = "__batonSurface"

// Surface is what a document told.
type Surface struct {
	ID int `json:"id"`
	// Kind: select, date, time, datetime-local, month, week, color, list (suggestions of a datalist), menu (a context
	// menu), or "" when the one of ID has gone.
	Kind string `json:"kind"`
	// Box is the field's, or the point of a menu, in the frame's viewport.
	Box   Box `json:"box"`
	Style struct {
		Size float64 `json:"size"` // of the font, CSS pixels
		RTL  bool    `json:"rtl"`
	} `json:"style"`
	Options  []SurfaceOption `json:"options"`
	Index    int             `json:"index"` // of the chosen option in the select
	Value    string          `json:"value"`
	Min      string          `json:"min"`
	Max      string          `json:"max"`
	Step     string          `json:"step"`
	Required bool            `json:"required"`
	Text     string          `json:"text"` // what is selected, of a menu
	// Of a menu.
	Link     string `json:"link"`
	LinkText string `json:"linkText"`
	Image    string `json:"image"`
	Media    string `json:"media"`
	Editable bool   `json:"editable"`
	Secret   bool   `json:"secret"`
	Frame    string `json:"frame"` // address of the frame, when it is not the page itself
}

// SurfaceOption is one line of a list.
type SurfaceOption struct {
	Index    int    `json:"index"` // in the select
	Label    string `json:"label"`
	Value    string `json:"value"` // of a suggestion
	Group    string `json:"group"`
	Disabled bool   `json:"disabled"`
	Selected bool   `json:"selected"`
}

// SurfacePlan says how the keys of an open select list reach an option.
type SurfacePlan struct {
	Gone  bool `json:"gone"`  // the list is not open any more
	Wrong bool `json:"wrong"` // there is no such option, or it is disabled
	Open  bool `json:"open"`  // Chromium holds its own list open
	Downs int  `json:"downs"` // presses of ArrowDown after Home
	Same  bool `json:"same"`  // it is chosen already
}

type surfaceArgs struct {
	ID    int    `json:"id"`
	Index int    `json:"index"`
	Value string `json:"value"`
	Hold  bool   `json:"hold"`
}

// PlanSurface says how to choose an option of the select list id.
func PlanSurface(ctx context.Context, c Caller, id, index int) (SurfacePlan, error) {
	return call[SurfacePlan](ctx, c, "surfacePlan", surfaceArgs{ID: id, Index: index})
}

// SurfaceState is what has become of a surface.
type SurfaceState struct {
	Gone  bool `json:"gone"`
	Open  bool `json:"open"`
	Index int  `json:"index"` // that a select shows; -1 for none
}

// LookAtSurface tells what has become of the surface id. Held, it stays until it is set or closed, whatever Chromium
// holds open.
func LookAtSurface(ctx context.Context, c Caller, id int, hold bool) (SurfaceState, error) {
	return call[SurfaceState](ctx, c, "surfaceState", surfaceArgs{ID: id, Hold: hold})
}

// SetSurface sets the field of the surface id: a select's index, else a value. It gives the value that the field shows.
func SetSurface(ctx context.Context, c Caller, id, index int, value string) (shown string, gone bool, err error) {
	out, err := call[struct {
		Gone  bool   `json:"gone"`
		Value string `json:"value"`
	}](ctx, c, "surfaceSet", surfaceArgs{ID: id, Index: index, Value: value})
	return out.Value, out.Gone, err
}

// CloseSurface forgets the surface id.
func CloseSurface(ctx context.Context, c Caller, id int) error {
	_, err := call[any](ctx, c, "surfaceClose", surfaceArgs{ID: id})
	return err
}
