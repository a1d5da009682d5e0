package inject

import (
	"context"
	"fmt"
)

// BannerLikelyArgs ask whether a document may show a cookie banner.
type BannerLikelyArgs struct {
	// MS is how long to look, from when the document is parsed.
	MS int `json:"ms"`
	// Now looks once, at once.
	Now bool `json:"now,omitempty"`
}

// BannerLikely is what the first look found.
type BannerLikely struct {
	// Likely says that something may be a cookie banner: a box over the page that speaks of cookies, or Platform.
	Likely bool `json:"likely"`
	// Platform says that a known consent platform has left its marks.
	Platform bool `json:"platform"`
	// Over says that the time passed, or that there is nothing to look at.
	Over bool `json:"over"`
	// CostMS is what the last look cost the page's thread.
	CostMS float64 `json:"costMs"`
}

// IsBannerLikely waits until the document is parsed and drawn once, and then until something may be a cookie banner or MS
// has passed. It is cheap.
func IsBannerLikely(ctx context.Context, c Caller, a BannerLikelyArgs) (BannerLikely, error) {
	return call[BannerLikely](ctx, c, "bannerLikely", a)
}

// BannerWatched is what the look for a button found.
type BannerWatched struct {
	// Button says that a button that refuses cookies shows.
	Button bool `json:"button"`
	// Over says that the time passed.
	Over bool `json:"over"`
	// CostMS is what the last look cost the page's thread.
	CostMS float64 `json:"costMs"`
}

// BannerWatch looks for up to ms for a button that refuses cookies, by its whole label, in a dialog, a fixed or sticky box
// or a consent container that speaks of cookies. With ms 0 it looks once.
func BannerWatch(ctx context.Context, c Caller, ms int) (BannerWatched, error) {
	return later[BannerWatched](ctx, c, "bannerWatch", map[string]any{"ms": ms, "now": ms == 0})
}

// BannerButton is a button that refuses cookies.
type BannerButton struct {
	// Ref is 0 when none shows now.
	Ref   int    `json:"ref"`
	Label string `json:"label"`
	// Next is the first ref number still free.
	Next int `json:"next"`
}

// FindBannerButton gives the button that BannerWatch found a number.
func FindBannerButton(ctx context.Context, c Caller, next int) (BannerButton, error) {
	return later[BannerButton](ctx, c, "bannerButton", map[string]int{"next": next})
}

// BannerGone waits up to ms until the banner of a button shows no more.
func BannerGone(ctx context.Context, c Caller, ref, ms int) (bool, error) {
	return later[bool](ctx, c, "bannerGone", map[string]int{"ref": ref, "ms": ms})
}

// Kinds of bot checks.
const (
	CheckNone    = "none"
	CheckWaits   = "waits"   // it passes by itself
	CheckWidget  = "widget"  // one press on Point may do
	CheckPerson  = "person"  // only a person passes it
	CheckBlocked = "blocked" // nobody does
)

// Challenged says which bot check the main document is.
type Challenged struct {
	Kind   string `json:"kind"`
	Vendor string `json:"vendor"`
	// Point is where a widget's checkbox is; nil when there is none in view.
	Point *Point `json:"point"`
	// Passed says that a widget's answer is filled in.
	Passed bool `json:"passed"`
	// Turnstile says that the widget often passes without a press.
	Turnstile bool `json:"turnstile"`
}

// Challenge looks whether the main document is a bot check, or holds one that waits. Closed shadow roots are seen as far
// as Mark told of them.
func Challenge(ctx context.Context, c Caller) (Challenged, error) {
	return later[Challenged](ctx, c, "challenge", struct{}{})
}

// later runs an entry of the second bundle, which it loads into the document on first use.
func later[T any](ctx context.Context, c Caller, fn string, arg any) (T, error) {
	type answer struct {
		Missing bool `json:"missing"`
		Value   T    `json:"value"`
	}
	asked := map[string]any{"fn": fn, "arg": arg}
	out, err := call[answer](ctx, c, "later", asked)
	if err != nil || !out.Missing {
		return out.Value, err
	}
	src, err := guards()
	if err != nil {
		return out.Value, err
	}
	if err := c.Load(ctx, src); err != nil {
		return out.Value, fmt.Errorf("inject: load the second bundle: %w", err)
	}
	out, err = call[answer](ctx, c, "later", asked)
	return out.Value, err
}
