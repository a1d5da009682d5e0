package app

// What the wire says of tabs.

// Tab is one tab as the strip shows it.
type Tab struct {
	ID       string    `json:"id"` // "t3", never reused
	URL      string    `json:"url"`
	Host     string    `json:"host,omitempty"` // the URL's host in letters, where it has some and none of them deceives
	Title    string    `json:"title"`
	Favicon  string    `json:"favicon,omitempty"` // data: URL
	State    string    `json:"state"`             // loading, ready, asleep, crashed, failed
	Progress float64   `json:"progress"`          // 0..1 while loading
	Owner    string    `json:"owner"`             // "person" or the agent's name
	Opener   string    `json:"opener,omitempty"`
	Inspects string    `json:"inspects,omitempty"` // the tab whose developer tools it is; for the owner alone
	Profile  string    `json:"profile"`
	Audible  bool      `json:"audible,omitempty"` // a media element plays; Web Audio is not known
	Muted    bool      `json:"muted,omitempty"`
	Pinned   bool      `json:"pinned,omitempty"`
	Viewport *Viewport `json:"viewport,omitempty"` // where the page is not shown as it comes
	CanBack  bool      `json:"canBack"`
	CanNext  bool      `json:"canForward"`
	Control  Control   `json:"control"`
	Private  bool      `json:"private,omitempty"`  // agents may not see it
	Error    string    `json:"error,omitempty"`    // why a load failed, a sentence
	Failed   string    `json:"failed,omitempty"`   // the same as a name: net::ERR_…, baton::SIGN_IN, baton::PROXY_SIGN_IN, baton::NO_ENGINE
	Asked    []string  `json:"asked,omitempty"`    // permissions that the page was refused
	Security string    `json:"security,omitempty"` // of the connection: secure, insecure (a bad certificate), neutral (none), "" unknown
	Zoom     float64   `json:"zoom,omitempty"`     // 1 is none; 0 is not known, of a tab that sleeps
	Full     bool      `json:"full,omitempty"`     // an element of the page fills the screen
}

// Control says who is in control of a tab now (O6).
type Control struct {
	By     string `json:"by"`               // "nobody", "agent", "person"
	Agent  string `json:"agent,omitempty"`  // the agent's name when By is "agent", or whom the person took it from
	Action string `json:"action,omitempty"` // what the agent is doing, a few words
	Held   string `json:"held,omitempty"`   // "", "touch" (ends by Give back or idle), "button" (ends by Give back only), "card" (ends with its card)
}

// ZoomArgs is for tabs.zoom.
type ZoomArgs struct {
	Tab    string  `json:"tab"`
	Factor float64 `json:"factor"` // 1 is none
}

// Steps are the entries that a tab can go to, the nearest first.
type Steps struct {
	Back    []Step `json:"back"`
	Forward []Step `json:"forward"`
}

// Step is one of them.
type Step struct {
	Delta   int    `json:"delta"` // for tabs.history
	URL     string `json:"url"`
	Title   string `json:"title"`
	Favicon string `json:"favicon,omitempty"`
}

// TabArgs names a tab.
type TabArgs struct {
	Tab string `json:"tab"`
}

// OpenArgs is for tabs.open. An empty URL opens the start page.
type OpenArgs struct {
	URL        string `json:"url,omitempty"` // as typed: an address or a search
	Background bool   `json:"background,omitempty"`
	Profile    string `json:"profile,omitempty"`
}

// NavigateArgs is for tabs.navigate: text as typed in the address bar.
type NavigateArgs struct {
	Tab string `json:"tab"`
	URL string `json:"url"`
}

// InspectArgs is for tabs.inspect: developer tools of a tab. Menu is the context
// menu whose element they show; Pick lets the person point at one.
type InspectArgs struct {
	Tab  string `json:"tab"`
	Menu int    `json:"menu,omitempty"`
	Pick bool   `json:"pick,omitempty"`
	Dark bool   `json:"dark,omitempty"` // they are drawn dark
}

// TextArgs is for address.read: text as typed in the address bar.
type TextArgs struct {
	Text string `json:"text"`
}

// ReadResult says what a text would do: search, or open an address.
type ReadResult struct {
	Search bool `json:"search"`
}

// ServersResult lists the ports of this computer where a web server answers.
type ServersResult struct {
	Ports []int `json:"ports"`
}

// HistoryArgs is for tabs.history: go back or forward by Delta (-1, 1, …).
type HistoryArgs struct {
	Tab   string `json:"tab"`
	Delta int    `json:"delta"`
}

// ReloadArgs is for tabs.reload.
type ReloadArgs struct {
	Tab  string `json:"tab"`
	Hard bool   `json:"hard,omitempty"`
}

// MoveArgs is for tabs.move: the tab's new index in the strip.
type MoveArgs struct {
	Tab   string `json:"tab"`
	Index int    `json:"index"`
}

// PrivateArgs is for tabs.private.
type PrivateArgs struct {
	Tab     string `json:"tab"`
	Private bool   `json:"private"`
}

// Viewport is what a page is shown in where that is not the view's size and the
// person's own appearance.
type Viewport struct {
	Width  int    `json:"width"` // CSS pixels
	Height int    `json:"height"`
	Device string `json:"device,omitempty"` // a name of Hello.Devices
	Scheme string `json:"scheme"`           // light, dark, system
	Fixed  bool   `json:"fixed"`            // the size was asked for; else it is the view's
}

// Device is a preset of a viewport's size, CSS pixels in portrait.
type Device struct {
	Name   string `json:"name"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// ViewportArgs is for tabs.viewport; what is left out stays as it is.
type ViewportArgs struct {
	Tab    string `json:"tab"`
	Width  int    `json:"width,omitempty"` // CSS pixels, 100 to 10000
	Height int    `json:"height,omitempty"`
	Device string `json:"device,omitempty"`
	Turn   string `json:"turn,omitempty"`   // portrait or landscape
	Scheme string `json:"scheme,omitempty"` // light, dark, system
	Fill   bool   `json:"fill,omitempty"`   // the view's own size again
}

// PinArgs is for tabs.pin.
type PinArgs struct {
	Tab    string `json:"tab"`
	Pinned bool   `json:"pinned"`
}

// MuteArgs is for tabs.mute.
type MuteArgs struct {
	Tab   string `json:"tab"`
	Muted bool   `json:"muted"`
}

// TabResult names the tab that tabs.open, tabs.reopen and tabs.duplicate made.
type TabResult struct {
	Tab string `json:"tab"`
}

// GiveArgs is for tabs.give: hand a held tab back, with an optional note.
type GiveArgs struct {
	Tab  string `json:"tab"`
	Note string `json:"note,omitempty"`
}
