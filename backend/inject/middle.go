package inject

import "context"

type middleArgs struct {
	Wait int `json:"wait"` // milliseconds
}

// Middle tells whether the middle button's last press in the document is one that
// pastes: the page did nothing of its own with it. It waits so many milliseconds
// for the press to end.
func Middle(ctx context.Context, c Caller, wait int) (bool, error) {
	return call[bool](ctx, c, "middle", middleArgs{Wait: wait})
}
