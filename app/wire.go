// Package app is what a user interface can call: methods by area, events, and
// the live page's frames and input, served over one WebSocket by [Server].
//
// The same wire serves the desktop window and a browser. Text messages are
// JSON objects: [Request] and [Input] go to the host, [Reply] and [Event] come
// back. Binary messages are frames: a [FrameHeader] followed by image bytes.
package app

// Request calls a method. Calls are answered in any order, matched by ID.
type Request struct {
	ID   int64  `json:"id"`
	Call string `json:"call"`           // "tabs.open", "view.watch", …; see bind.go
	Args any    `json:"args,omitempty"` // the method's argument struct
}

// Reply answers one Request. Exactly one of Result and Error is set.
type Reply struct {
	ID     int64  `json:"id"`
	Result any    `json:"result,omitempty"`
	Error  *Error `json:"error,omitempty"`
}

// Error is a refusal in the person's terms: one sentence of what is wrong and
// one of what to do next.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next,omitempty"`
}

// Event tells a change. The first event of a kind after hello is the present
// state; Rev grows by every change of that kind.
type Event struct {
	Event string `json:"event"` // one of the Event constants
	Rev   int64  `json:"rev"`
	Data  any    `json:"data"`
}

// Event kinds and what their Data holds.
const (
	EventTabs     = "tabs"     // []Tab, in strip order
	EventAgents   = "agents"   // []Agent connected now
	EventSettings = "settings" // Settings
	EventDialog   = "dialog"   // Dialog: opened (Open true) or closed
	EventCursor   = "cursor"   // Cursor: CSS cursor and link under the pointer, for one view
	EventPointer  = "pointer"  // Pointer: the agent's pointer in a watched tab
	EventNotice   = "notice"   // Notice for the person (a toast)
	EventRaise    = "raise"    // nothing: the window should come to the front
	EventView     = "view"     // ViewState: what one view shows now
	EventSurface  = "surface"  // Surface of a tab: opened, changed, or gone (kind "")
	EventCards    = "cards"    // []Card that wait for the person, oldest first
	EventAsks     = "asks"     // Asks of a tab: what its page asks of the person now
	EventAccess   = "access"   // []AgentAccess of every agent that has connected, by name

	EventDownloads = "downloads" // []Download, the newest first
	EventFind      = "find"      // Find of a tab: it changed, or ended (text "")
	EventCopied    = "copied"    // Copied: developer tools copied something
	EventRecents   = "recents"   // []Place that the person visited last, the newest first
)

// Settings are what a person can change here. Changes apply at once.
type Settings struct {
	Theme            string `json:"theme"`            // system, light, dark
	RevealAutomation bool   `json:"revealAutomation"` // show a tab that an agent opens with show:true
	SearchURL        string `json:"searchURL"`        // %s is the query
	HomeURL          string `json:"homeURL"`          // new tabs; empty is Baton's own start page
	AgentAccess      string `json:"agentAccess"`      // full, ask, off: for agents without a choice of their own; off is off for all
	TouchHoldSeconds int    `json:"touchHoldSeconds"` // a hold by touch ends after so long without input
	ShowFirstRun     bool   `json:"showFirstRun"`     // the connect-an-agent panel
}

// Hello is the result of the first call, "hello". The state events follow it.
type Hello struct {
	Client  string       `json:"client"` // tells this connection from others, for view.paint
	Version string       `json:"version"`
	Host    string       `json:"host"`  // "linux", "darwin", "windows"
	Role    string       `json:"role"`  // "owner"
	Shell   string       `json:"shell"` // "window" or "browser"
	Connect ConnectAgent `json:"connect"`
	Devices []Device     `json:"devices"` // presets of a page's size
}

// Unread is a version whose notes the person has not been told of.
type Unread struct {
	Version string `json:"version,omitempty"` // empty: nothing is new
}

// Notice is a toast.
type Notice struct {
	Kind    string `json:"kind"` // info, warning, error
	Message string `json:"message"`
	Tab     string `json:"tab,omitempty"`
	Print   bool   `json:"print,omitempty"`   // the tab's page can be saved as a PDF
	Program string `json:"program,omitempty"` // an address that another program can open
}
