// Package app is what a user interface can call: methods by area, events, and
// the live page's frames and input, served over one WebSocket by [Server].
//
// The same wire serves the desktop window and a browser. Text messages are
// JSON objects: [Request] and [Input] go to the host, [Reply] and [Event] come
// back. Binary messages are frames: a [FrameHeader] followed by image bytes.
package app

import (
	"encoding/binary"
	"math"
)

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
	Failed   string    `json:"failed,omitempty"`   // the same as a name: net::ERR_…, baton::SIGN_IN, baton::PROXY_SIGN_IN
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

// Download is a file that a page saved or saves.
type Download struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	URL      string `json:"url"`   // where it came from, without credentials
	State    string `json:"state"` // going on, finished, failed, cancelled
	Received int64  `json:"received"`
	Total    int64  `json:"total"` // 0 when not known
	Began    int64  `json:"began"` // Unix milliseconds
	Gone     bool   `json:"gone,omitempty"`
	Risky    bool   `json:"risky,omitempty"` // opening it could run something: ask first
	Again    bool   `json:"again,omitempty"` // it can be asked for again
}

// DownloadArgs names a download. Sure is the person's word on a risky one.
type DownloadArgs struct {
	ID   int64 `json:"id"`
	Sure bool  `json:"sure,omitempty"`
}

// FileResult is a finished download: its path for the window of this computer,
// for a browser an address that gives it once.
type FileResult struct {
	Path string `json:"path,omitempty"`
	URL  string `json:"url,omitempty"`
}

// Place is an address that the person visited.
type Place struct {
	ID      int64  `json:"id"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	Favicon string `json:"favicon,omitempty"` // data: URL
	Last    int64  `json:"last"`              // Unix milliseconds
}

// PlacesArgs is for history.list and history.suggest: addresses that hold all
// words of Text, at most Limit. Before, in Unix milliseconds, gives older ones.
type PlacesArgs struct {
	Text   string `json:"text,omitempty"`
	Before int64  `json:"before,omitempty"`
	Limit  int    `json:"limit,omitempty"`
}

// ForgetArgs is for history.forget: rows by ID.
type ForgetArgs struct {
	IDs []int64 `json:"ids"`
}

// ClearArgs is for history.clear: what was visited since, Unix milliseconds; 0
// is all.
type ClearArgs struct {
	Since int64 `json:"since"`
}

// FindArgs is for find.start: search a tab's page for a text.
type FindArgs struct {
	Tab       string `json:"tab"`
	Text      string `json:"text"`
	MatchCase bool   `json:"matchCase,omitempty"`
}

// FindStepArgs is for find.step: so many matches on, or back.
type FindStepArgs struct {
	Tab string `json:"tab"`
	By  int    `json:"by"`
}

// Find is how the search in a tab's page stands.
type Find struct {
	Tab       string     `json:"tab"`
	Text      string     `json:"text"`
	MatchCase bool       `json:"matchCase"`
	Count     int        `json:"count"`
	Active    int        `json:"active"` // from 1; 0 is none
	Marks     []FindMark `json:"marks"`  // of the matches in view
}

// FindMark is a piece of a match, in CSS pixels of the page's viewport.
type FindMark struct {
	Left   float64 `json:"left"`
	Top    float64 `json:"top"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	On     bool    `json:"on,omitempty"` // of the active match
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

// ImageArgs is for image.save and image.copy: an image of a tab's page.
type ImageArgs struct {
	Tab string `json:"tab"`
	URL string `json:"url"`
}

// ImageResult is an image as a data: address.
type ImageResult struct {
	Data string `json:"data"`
}

// SavedResult names a file that was put into the download folder.
type SavedResult struct {
	Name string `json:"name"`
}

// Agent is one agent with open connections.
type Agent struct {
	Name        string `json:"name"`
	Connections int    `json:"connections"`
	Tabs        int    `json:"tabs"`
}

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
	Version string       `json:"version"`
	Host    string       `json:"host"`  // "linux", "darwin", "windows"
	Role    string       `json:"role"`  // "owner"
	Shell   string       `json:"shell"` // "window" or "browser"
	Connect ConnectAgent `json:"connect"`
	Devices []Device     `json:"devices"` // presets of a page's size
}

// ConnectAgent is what the first-run panel shows to connect an agent.
type ConnectAgent struct {
	Command string   `json:"command"` // absolute path of the program
	Args    []string `json:"args"`
	HTTPURL string   `json:"httpURL,omitempty"` // streamable HTTP endpoint; its token is in TokenFile
	Token   string   `json:"token,omitempty"`
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

// Copied is text for the person's clipboard.
type Copied struct {
	Tab  string `json:"tab"`
	Text string `json:"text"`
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

// ClipResult is what clipboard.copy and clipboard.cut took, in every form that
// there is of it.
type ClipResult struct {
	Text  string `json:"text"`
	HTML  string `json:"html,omitempty"`
	Image string `json:"image,omitempty"` // a PNG in base64
}

// GiveArgs is for tabs.give: hand a held tab back, with an optional note.
type GiveArgs struct {
	Tab  string `json:"tab"`
	Note string `json:"note,omitempty"`
}

// WatchArgs is for view.watch: show a tab in this connection's view, at a size
// in CSS pixels and a pixel ratio. Watching another tab replaces it.
type WatchArgs struct {
	View   int     `json:"view"` // chosen by the client; one canvas, one number
	Tab    string  `json:"tab"`
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Scale  float64 `json:"scale"`
	Follow bool    `json:"follow,omitempty"` // another view's size goes before this one's
}

// ViewArgs is for view.leave.
type ViewArgs struct {
	View int `json:"view"`
}

// ViewState says what a view shows.
type ViewState struct {
	View int    `json:"view"`
	Tab  string `json:"tab"`
}

// DialogArgs is for dialog.answer.
type DialogArgs struct {
	Tab    string `json:"tab"`
	Accept bool   `json:"accept"`
	Text   string `json:"text,omitempty"`
	Quiet  bool   `json:"quiet,omitempty"` // and no more dialogs of this page
}

// Dialog is a page's alert, confirm, prompt or beforeunload.
type Dialog struct {
	Tab     string `json:"tab"`
	Open    bool   `json:"open"`
	Kind    string `json:"kind"` // alert, confirm, prompt, beforeunload
	Message string `json:"message"`
	Default string `json:"default,omitempty"`
	Origin  string `json:"origin,omitempty"`
	For     string `json:"for"`            // "person", or the agent's name whose action opened it
	More    bool   `json:"more,omitempty"` // the page has shown several: it may be kept from showing more
}

// Asks are what a page asks of the person beside dialogs.
type Asks struct {
	Tab     string   `json:"tab"`
	Chooser *Chooser `json:"chooser,omitempty"`
	SignIn  *SignIn  `json:"signIn,omitempty"`
}

// Chooser asks for files: files.choose or files.cancel answers it.
type Chooser struct {
	ID       int      `json:"id"`
	Multiple bool     `json:"multiple"`
	Folder   bool     `json:"folder"` // a whole folder is asked for
	Accept   []string `json:"accept"` // as a page writes it: ".pdf", "image/*"
}

// SignIn asks for a site's or proxy's user name and password: signin.answer or
// signin.cancel answers it.
type SignIn struct {
	ID     int    `json:"id"`
	Origin string `json:"origin"`
	Realm  string `json:"realm"`
	Scheme string `json:"scheme"` // basic, digest, …
	Proxy  bool   `json:"proxy"`
	Wrong  bool   `json:"wrong"`  // the last answer was not taken
	For    string `json:"for"`    // the agent that was refused for want of it, or ""
	Secure bool   `json:"secure"` // the password goes over an encrypted connection
}

// AskArgs names a question of a tab's page: files.cancel, signin.cancel.
type AskArgs struct {
	Tab string `json:"tab"`
	ID  int    `json:"id"`
}

// SignInArgs is for signin.answer.
type SignInArgs struct {
	Tab      string `json:"tab"`
	ID       int    `json:"id"`
	User     string `json:"user"`
	Password string `json:"password"`
}

// ChooseArgs is for files.choose: Upload names what files.begin began, Paths are
// files of the host's computer, from the window's own dialog alone.
type ChooseArgs struct {
	Tab    string   `json:"tab"`
	ID     int      `json:"id"`
	Upload string   `json:"upload,omitempty"`
	Paths  []string `json:"paths,omitempty"`
}

// DropArgs is for files.drop: files dropped at a point of the page's viewport,
// CSS pixels. Upload and Paths are as in ChooseArgs.
type DropArgs struct {
	Tab    string   `json:"tab"`
	X      float64  `json:"x"`
	Y      float64  `json:"y"`
	Upload string   `json:"upload,omitempty"`
	Paths  []string `json:"paths,omitempty"`
}

// UploadArgs is for files.begin: files that are sent for a tab, in parts.
type UploadArgs struct {
	Tab   string       `json:"tab"`
	Files []UploadFile `json:"files"`
}

// UploadFile is one of them. Its name is a path with slashes where it is in a
// folder.
type UploadFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // bytes
}

// UploadResult names a batch.
type UploadResult struct {
	Upload string `json:"upload"`
}

// PartArgs is for files.part: the next bytes of a file, at most 1 MiB.
type PartArgs struct {
	Upload string `json:"upload"`
	Index  int    `json:"index"` // of the file in the batch
	Data   string `json:"data"`  // base64
}

// DropUploadArgs is for files.forget.
type DropUploadArgs struct {
	Upload string `json:"upload"`
}

// Site is what is known of the site that a tab shows: the result of site.info.
type Site struct {
	Origin      string       `json:"origin"`   // "" where the page has none
	Security    string       `json:"security"` // secure, insecure, neutral, "" unknown
	Problem     string       `json:"problem"`  // with the certificate, that the person went past: a sentence
	Protocol    string       `json:"protocol"`
	Subject     string       `json:"subject"`
	Issuer      string       `json:"issuer"`
	From        int64        `json:"from"` // of the certificate, Unix seconds; 0 unknown
	To          int64        `json:"to"`
	Cookies     int          `json:"cookies"`
	Permissions []Permission `json:"permissions"`
}

// Permission is what a site may do.
type Permission struct {
	Name    string `json:"name"`    // geolocation, notifications, clipboard-read, camera, microphone
	Setting string `json:"setting"` // allow, deny; "" is the default, which refuses
	Asked   bool   `json:"asked"`   // the page was refused it
}

// PermitArgs is for site.permit. Origin is that of the site.info shown.
type PermitArgs struct {
	Tab     string `json:"tab"`
	Origin  string `json:"origin"`
	Name    string `json:"name"`
	Setting string `json:"setting"`
}

// PassResult says whether the person may open a page in spite of its
// certificate.
type PassResult struct {
	May bool   `json:"may"`
	Why string `json:"why,omitempty"` // why not, a sentence
}

// Surface is what Chromium would draw outside a page and the interface draws
// for it. Kind: select, date, time, datetime-local, month, week, color, list
// (suggestions that go with what is typed), menu (a context menu), "" when it has
// gone.
type Surface struct {
	Tab      string          `json:"tab"`
	ID       int             `json:"id"`
	Kind     string          `json:"kind"`
	Left     float64         `json:"left"` // of the field or point, CSS pixels of the page's viewport
	Top      float64         `json:"top"`
	Width    float64         `json:"width"`
	Height   float64         `json:"height"`
	Size     float64         `json:"size,omitempty"` // of the field's font, CSS pixels
	RTL      bool            `json:"rtl,omitempty"`
	Options  []SurfaceOption `json:"options,omitempty"`
	Index    int             `json:"index,omitempty"` // the select's chosen option
	Value    string          `json:"value,omitempty"`
	Min      string          `json:"min,omitempty"`
	Max      string          `json:"max,omitempty"`
	Step     string          `json:"step,omitempty"`
	Required bool            `json:"required,omitempty"`
	Text     string          `json:"text,omitempty"` // what is selected, of a menu
	Link     string          `json:"link,omitempty"`
	LinkText string          `json:"linkText,omitempty"`
	Image    string          `json:"image,omitempty"`
	Media    string          `json:"media,omitempty"`
	Editable bool            `json:"editable,omitempty"`
	Secret   bool            `json:"secret,omitempty"`
	Frame    string          `json:"frame,omitempty"` // address of the frame under the pointer
}

// SurfaceOption is one line of a list.
type SurfaceOption struct {
	Index    int    `json:"index"`
	Label    string `json:"label"`
	Value    string `json:"value,omitempty"`
	Group    string `json:"group,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
	Selected bool   `json:"selected,omitempty"`
}

// SurfaceArgs is for surface.choose (a select's Index), surface.set (a Value)
// and surface.close.
type SurfaceArgs struct {
	Tab   string `json:"tab"`
	ID    int    `json:"id"`
	Index int    `json:"index,omitempty"`
	Value string `json:"value,omitempty"`
}

// Card is a question to the person, with one answer. It is gone from the list
// once it is answered or no longer means the same.
type Card struct {
	ID     string     `json:"id"`
	Kind   string     `json:"kind"` // approval, file, takeover
	Agent  string     `json:"agent"`
	Tab    string     `json:"tab"`
	Until  int64      `json:"until"`  // Unix milliseconds, when it expires by itself
	Action CardAction `json:"action"` // of an approval

	Reason string `json:"reason,omitempty"` // of a takeover: the agent's own words
	Gone   bool   `json:"gone,omitempty"`   // the page that was asked about is no longer there to open
	Held   bool   `json:"held,omitempty"`   // the person has opened it and holds the tab
}

// CardAction is what an agent wants to do. It holds no value of any field.
type CardAction struct {
	Verb    string       `json:"verb"` // click, type, press, evaluate, …
	Targets []CardTarget `json:"targets"`
	Text    string       `json:"text,omitempty"`   // what would be typed, pressed or chosen, or the code
	Hidden  bool         `json:"hidden,omitempty"` // the text is left out: the field holds a secret or could not be looked at
	Files   []string     `json:"files,omitempty"`  // names of the files to give; of a file card whole paths
	URL     string       `json:"url"`
	Title   string       `json:"title"`
}

// CardTarget describes an element; its box is in CSS pixels of the page's
// viewport, all zero when unknown.
type CardTarget struct {
	Role         string  `json:"role"`
	Name         string  `json:"name"`
	Tag          string  `json:"tag"`
	Type         string  `json:"type,omitempty"`
	Autocomplete string  `json:"autocomplete,omitempty"`
	FormHost     string  `json:"formHost,omitempty"` // where its form is sent
	Host         string  `json:"host,omitempty"`     // of the document that it is in
	Secret       bool    `json:"secret,omitempty"`
	Unseen       bool    `json:"unseen,omitempty"` // it could not be looked at
	Left         float64 `json:"left"`
	Top          float64 `json:"top"`
	Width        float64 `json:"width"`
	Height       float64 `json:"height"`
}

// CardArgs is for cards.answer.
type CardArgs struct {
	Card    string `json:"card"`
	Approve bool   `json:"approve"`
}

// DoneArgs is for cards.done: a takeover is done; the note goes to the agent.
type DoneArgs struct {
	Card string `json:"card"`
	Note string `json:"note,omitempty"`
}

// AgentAccess is what the person lets an agent do; it is also the argument of
// agents.access.
type AgentAccess struct {
	Name    string `json:"name"`
	Access  string `json:"access"`  // "" follows the setting; full, ask, off
	Bounded bool   `json:"bounded"` // no code, files, recordings or developer tools, and every action asks
	Seen    int64  `json:"seen"`    // Unix seconds of its last connection; not read in an argument
}

// Cursor is the page's cursor under a view's pointer.
type Cursor struct {
	View   int    `json:"view"`
	Cursor string `json:"cursor"`         // a CSS cursor keyword
	Link   string `json:"link,omitempty"` // the address of the link under the pointer
	Title  string `json:"title,omitempty"`
}

// Pointer is the agent's pointer, in CSS pixels of the page's viewport. The UI
// draws it over the page (I8).
type Pointer struct {
	Tab   string  `json:"tab"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	State string  `json:"state"` // move, down, up, type, gone
	Agent string  `json:"agent"`
	Label string  `json:"label,omitempty"` // what it is about to do
}

// Notice is a toast.
type Notice struct {
	Kind    string `json:"kind"` // info, warning, error
	Message string `json:"message"`
	Tab     string `json:"tab,omitempty"`
	Print   bool   `json:"print,omitempty"`   // the tab's page can be saved as a PDF
	Program string `json:"program,omitempty"` // an address that another program can open
}

// Input is a person's input on a view. It has no reply. Positions are CSS
// pixels of the page's viewport, worked out from the canvas box and the last
// frame's size, never from devicePixelRatio.
type Input struct {
	In   string `json:"in"` // mouse, wheel, key, compose, commit, blur, paste, touch
	View int    `json:"view"`

	Type    string  `json:"type,omitempty"` // mouse: move, down, up; key: down, up; touch: start, move, end, cancel
	X       float64 `json:"x,omitempty"`
	Y       float64 `json:"y,omitempty"`
	DX      float64 `json:"dx,omitempty"` // wheel, CSS pixels
	DY      float64 `json:"dy,omitempty"`
	Button  string  `json:"button,omitempty"`  // none, left, middle, right, back, forward
	Buttons int     `json:"buttons,omitempty"` // held buttons: 1 left, 2 right, 4 middle
	Count   int     `json:"count,omitempty"`   // clicks in a row
	Mods    int     `json:"mods,omitempty"`    // 1 Alt, 2 Control, 4 Meta, 8 Shift

	Key      string `json:"key,omitempty"`  // KeyboardEvent.key
	Code     string `json:"code,omitempty"` // KeyboardEvent.code
	KeyCode  int    `json:"keyCode,omitempty"`
	Location int    `json:"location,omitempty"`
	Repeat   bool   `json:"repeat,omitempty"`

	Finger   int     `json:"finger,omitempty"`   // touch: tells fingers apart
	Pointer  string  `json:"pointer,omitempty"`  // mouse: "pen", or a mouse
	Pressure float64 `json:"pressure,omitempty"` // of a pen or finger, 0..1; a finger that tells none has 0
	TiltX    float64 `json:"tiltX,omitempty"`    // of a pen, degrees
	TiltY    float64 `json:"tiltY,omitempty"`
	Twist    float64 `json:"twist,omitempty"` // of a pen, degrees

	Text  string `json:"text,omitempty"`  // compose, commit, paste
	HTML  string `json:"html,omitempty"`  // paste
	Image string `json:"image,omitempty"` // paste: a PNG in base64
	Start int    `json:"start,omitempty"` // compose: selection in Text
	End   int    `json:"end,omitempty"`
}

// Ack says that a frame has come and is drawn next: another may come meanwhile.
// One frame is in flight to a view.
type Ack struct {
	Ack  uint32 `json:"ack"`
	View int    `json:"view"`
}

// FrameHeader opens a binary message; all numbers are little endian, 32 bytes:
//
//	0  u8   version, 1
//	1  u8   format: 1 JPEG, 2 PNG, 3 WebP
//	2  u8   kind: 0 moving, 1 still at rest (full quality)
//	3  u8   zoom of the page in fiftieths, rounded up; 0 is none
//	4  u32  view
//	8  u32  sequence, answered by Ack
//	12 u32  tab number (the N of "tN")
//	16 f32  page viewport width, CSS pixels
//	20 f32  page viewport height, CSS pixels
//	24 u32  image width, pixels
//	28 u32  image height, pixels
type FrameHeader struct {
	Format, Kind   uint8
	Zoom           uint8
	View, Seq, Tab uint32
	Width, Height  float32
	PixelW, PixelH uint32
}

// FrameHeaderSize is the length of an encoded FrameHeader.
const FrameHeaderSize = 32

// frameVersion opens every frame.
const frameVersion = 1

// Encode gives the header's bytes.
func (h FrameHeader) Encode() [FrameHeaderSize]byte {
	var b [FrameHeaderSize]byte
	b[0], b[1], b[2], b[3] = frameVersion, h.Format, h.Kind, h.Zoom
	le := binary.LittleEndian
	le.PutUint32(b[4:], h.View)
	le.PutUint32(b[8:], h.Seq)
	le.PutUint32(b[12:], h.Tab)
	le.PutUint32(b[16:], math.Float32bits(h.Width))
	le.PutUint32(b[20:], math.Float32bits(h.Height))
	le.PutUint32(b[24:], h.PixelW)
	le.PutUint32(b[28:], h.PixelH)
	return b
}
