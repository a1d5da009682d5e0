// Package tab is the registry of tabs: who owns each, who may act on it now,
// in what order, and what survives a restart.
//
// [Registry.Do] is the only way for an agent to act on a page: one operation a
// tab at a time, checked at entry, before each input that it dispatches and
// before its result leaves. The person's input goes through [Registry.Input],
// beside the queue, and takes the tab over at the instant it touches a page
// that an agent drives.
package tab

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"baton/backend/page"
	"baton/backend/preview"
	"baton/backend/store"
)

// Person is the owner of tabs that the person opened.
const Person = "person"

// Actor is who wants something of a tab.
type Actor struct {
	Agent string // the agent's name; empty means the person
}

// IsPerson tells whether the actor is the person at a window or view.
func (a Actor) IsPerson() bool { return a.Agent == "" }

func (a Actor) owner() string {
	if a.IsPerson() {
		return Person
	}
	return agentPrefix + a.Agent
}

const agentPrefix = "agent:"

// ownerName gives the name to show: "person" or the agent's name.
func ownerName(owner string) string { return strings.TrimPrefix(owner, agentPrefix) }

// States of a tab.
const (
	Loading = "loading"
	Ready   = "ready"
	Asleep  = "asleep"
	Crashed = "crashed"
	Failed  = "failed"
)

// NoEngine names why a tab has no page: Chromium could not be started.
const NoEngine = "baton::NO_ENGINE"

// Hold says that an actor may not touch a tab. The person takes holds; agents
// are what they keep out.
type Hold struct {
	How   string // touch, button, card
	Agent string // whom the tab was taken from, or ""
	Since time.Time
}

// Holds that a person takes.
const (
	ByTouch  = "touch"  // ends by Give back, or after a time without input
	ByButton = "button" // ends by Give back only
	ByCard   = "card"   // ends when the card that asked for it is settled
)

// Info is a tab as lists show it.
type Info struct {
	ID       string
	URL      string
	Title    string
	Favicon  string
	State    string
	Progress float64
	Owner    string // "person" or the agent's name
	Mine     bool   // the asking actor owns it
	Foreign  bool   // another agent's, or private: only id, owner and state are filled in
	Opener   string
	Inspects string // the tab whose developer tools it is; for the person alone
	Profile  string
	Private  bool
	Pinned   bool
	Shown    page.InForce // what the page is shown in; zero until that was changed
	Muted    bool         // the person muted it
	Audible  bool         // a media element of it plays; Web Audio is not known
	CanBack  bool
	CanNext  bool
	Failure  string // why the last load failed, a sentence
	Failed   string // the same as a name: net::ERR_…, or one of Baton's own
	Security page.Security
	Hold     *Hold
	Driver   string        // the agent that drives it now
	Action   string        // what the driver does
	Zoom     float64       // of its page; 1 is none
	Full     bool          // an element of its page fills the screen
	Finding  *page.Finding // the person's search in it; for the person alone
	Dialog   *page.Dialog
	Surface  *page.Surface // what the interface draws for the page; for the person alone
	Asks     page.Asks     // what the page asks of the person; for the person alone
	Asked    string        // permissions that it was refused, with commas between; for the person alone
}

// Tab is one tab of the registry.
type Tab struct {
	id  int64
	num string // "t3"

	queue chan struct{} // the one operation at a time: a token in a buffer of one
	wake  chan struct{} // the one waking at a time

	hold  atomic.Pointer[Hold] // written under in
	input atomic.Int64         // unix nanoseconds of the person's last input

	account atomic.Pointer[account] // what the person did during the present hold; nil without one
	control atomic.Int64            // counts the person's takings and givings; written under in

	in  sync.Mutex // orders input: the agent's through the gate, the person's, a takeover
	run *run       // the agent's action under way; guarded by in
	// The last action, for who drives; guarded by in.
	lastAgent string
	lastEnd   time.Time
	failed    map[string]int // failed actions by agent

	// Guarded by Registry.mu.
	unfilled string // why it has no page: Chromium could not be started
	owner    string
	profile  string
	url      string // of the page, or to load on first use
	title    string
	favicon  string
	private  bool
	pinned   bool
	muted    bool
	opener   int64
	inspects int64  // the tab whose developer tools it is; 0 for others; fixed
	driver   string // who drove it when that was last looked at, and doing what
	action   string
	live     bool // the opener's page and this one are connected
	closed   bool
	page     *page.Page
	used     time.Time
	notice   string         // what the next result on this tab has to say
	local    *preview.Grant // the local file that it showed last
	zoomOf   string         // the site whose zoom its page has
	past     []store.Entry
	future   []store.Entry
	entries  []store.Entry // the live page's history
	entry    int
	refs     int    // the first ref number that no page of the tab has given out
	savedURL string // as the last settled operation saved it
}

func newTab(id int64) *Tab {
	return &Tab{id: id, num: Name(id), queue: make(chan struct{}, 1), wake: make(chan struct{}, 1)}
}

// Name gives the id that people and agents see for a number.
func Name(id int64) string { return "t" + strconv.FormatInt(id, 10) }

// number reads an id as people and agents write it.
func number(name string) (int64, bool) {
	s := strings.TrimPrefix(strings.TrimSpace(name), "t")
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n > 0
}

// driven tells which agent drives the tab: one whose action runs or ended
// under three seconds ago. Call with in held.
func (t *Tab) driven(now time.Time) string {
	if t.run != nil {
		return t.run.agent
	}
	if t.lastAgent != "" && now.Sub(t.lastEnd) < driveTime {
		return t.lastAgent
	}
	return ""
}

const driveTime = 3 * time.Second
