package inject

import (
	"context"

	"baton/backend/outline"
)

// Watch starts noting what changes in a document, from now on. A later Watch starts afresh. Observers are cheap and are
// taken down by Changes, unless it is told to keep them.
func Watch(ctx context.Context, c Caller) error {
	_, err := call[any](ctx, c, "watch", struct{}{})
	return err
}

// ChangesArgs ask for what changed since Watch.
type ChangesArgs struct {
	// Next is the first free ref number of the tab.
	Next int `json:"next"`
	// Budget in characters; 0 means 2000.
	Budget int `json:"budget,omitempty"`
	// QuietMS: return as soon as nothing happened for so long; 0 means 50. MaxMS: return then at the latest; 0 means
	// 600. The two bounds count from the call. A document where nothing happened at all returns after FirstMS (0 means
	// QuietMS).
	QuietMS int `json:"quietMs,omitempty"`
	MaxMS   int `json:"maxMs,omitempty"`
	FirstMS int `json:"firstMs,omitempty"`
	// FrameMS is QuietMS for when a frame was drawn since the last thing that happened: what a page does upon a frame
	// has been done then. 0 does without.
	FrameMS int `json:"frameMs,omitempty"`
	// HoldMS holds the reading back for so long, unless Hold ends it before: the page has asked for something.
	HoldMS int `json:"holdMs,omitempty"`
	// Guard disarms the guard at once and tells what it saw. After a press that missed nothing is waited for or read.
	Guard bool `json:"guard,omitempty"`
	// Field and Checked are read back at the end.
	Field   *FieldAsk `json:"field,omitempty"`
	Checked int       `json:"checked,omitempty"`
	// Near are refs whose surroundings are read again even without a mutation (style changes by :hover, :focus,
	// :checked leave none); give the action's target.
	Near []int `json:"near,omitempty"`
	// Told are refs whose own new value or state the result says anyway (a field typed into, a box checked): their
	// lines are left out.
	Told []int `json:"told,omitempty"`
	// Marks returns as soon as elements have come, with Added, so that those with listeners can be marked while the page
	// goes on. Again goes on with a Changes that returned so.
	Marks bool `json:"marks,omitempty"`
	Again bool `json:"again,omitempty"`
	// Keep goes on watching: the next Changes tells what came after this one.
	Keep bool `json:"keep,omitempty"`
}

// FieldAsk asks for a field, and whether it holds exactly a text, as Matches does.
type FieldAsk struct {
	Ref  int    `json:"ref"`
	Text string `json:"text"`
}

// Hold is the entry that holds a Changes under way back for HoldArgs.MS; 0 lets it go on.
const Hold = "hold"

// HoldArgs are those of Hold.
type HoldArgs struct {
	MS int `json:"ms"`
}

// Changed is what happened in one document.
type Changed struct {
	outline.Change
	Next   int         `json:"next"`
	Frames []FrameSlot `json:"frames"`
	// Empty says that nothing an outline shows has changed.
	Empty bool `json:"empty"`
	// Unwatched says that Watch did not run in this document (a new document, or never walked): take a snapshot.
	Unwatched bool `json:"unwatched"`
	// Mutations counts what the page did, shown or not; WaitedMS is the wait. Busy says that it went on until MaxMS.
	// Added says that nothing was read yet: elements came, and Marks was asked for.
	Added     bool   `json:"added"`
	Mutations int    `json:"mutations"`
	WaitedMS  int    `json:"waitedMs"`
	Busy      bool   `json:"busy"`
	Title     string `json:"title"`
	URL       string `json:"url"`
	// Guard, Field with Matches, and Checked answer what ChangesArgs asked for.
	Guard   *Guarded    `json:"guard"`
	Field   *FieldValue `json:"field"`
	Matches bool        `json:"matches"`
	Checked *CheckState `json:"checked"`
}

// Changes waits for quiet and reads what changed. Its cost follows what mutated, not the size of the page.
func Changes(ctx context.Context, c Caller, a ChangesArgs) (Changed, error) {
	return call[Changed](ctx, c, "changes", a)
}

// QuietArgs bound a wait for quiet.
type QuietArgs struct {
	QuietMS int `json:"quietMs"`
	MaxMS   int `json:"maxMs"`
}

// Quiet waits until the document has not mutated for QuietMS, at most MaxMS, and says whether it got there.
func Quiet(ctx context.Context, c Caller, a QuietArgs) (bool, error) {
	return call[bool](ctx, c, "quiet", a)
}
