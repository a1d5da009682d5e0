package inject

import "context"

// SoundBinding is the func of the isolated world by which a document tells, with
// "on" or "off", whether a media element of it plays that can be heard.
const SoundBinding = "__batonSound"

type muteArgs struct {
	On bool `json:"on"`
}

// Mute keeps the document's media elements silent, or gives back what it took.
func Mute(ctx context.Context, c Caller, on bool) error {
	_, err := call[bool](ctx, c, "mute", muteArgs{On: on})
	return err
}
