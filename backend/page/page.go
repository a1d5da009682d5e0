// Package page drives one page of Chromium: its frames, navigation, input,
// dialogs and console, and what agents read and do on it.
//
// [New] takes over a freshly attached target, before its first line of script
// runs; [Page.Init] prepares it and lets it run. Every method has its deadline
// in ctx, and ends at once when the page crashes or closes. An agent's input
// goes through the [Gate] in ctx, so that it stops the instant the person takes
// over.
package page

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/bus"
	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/redact"
)

// Identity is what the page sees of the browser (P7).
type Identity struct {
	UserAgent string
	Metadata  *emulation.UserAgentMetadata
	Language  string // Accept-Language
}

// Config is fixed for a page's life.
type Config struct {
	Identity Identity
	Width    int     // CSS pixels; 0 means 1280
	Height   int     // CSS pixels; 0 means 720
	Scale    float64 // the engine's pixel ratio; 0 means 1
	Log      *slog.Logger
	// Known are the values of secret fields of all the engine's pages; nil is a
	// set of the page's own.
	Known *redact.Known
	// Group names the tab that the page belongs to with those that opened it or
	// were opened by it; empty is the page alone.
	Group string
	// Own are Baton's own addresses, which no page loads; nil is none.
	Own *Own
	// Trust holds the sites that the person opened in spite of their certificate;
	// nil is none.
	Trust *Trust
	// Tools says that the page is Chromium's own developer tools.
	Tools bool
}

// State is what the page tells about itself.
type State struct {
	URL      string
	Title    string
	Favicon  string // address of the icon; empty when the page names none
	Loading  bool
	Progress float64 // 0..1
	CanBack  bool
	CanNext  bool
	Crashed  bool
	Closed   bool
	Full     bool     // an element of it fills the screen
	Failed   string   // why the last load failed: a net::ERR_ name, or one of Baton's own
	Security Security // of the main document's connection
	Asked    string   // permissions that the document asked for and was refused, with commas between
	Shown    InForce  // what it is shown in, once that was changed
	Audible  bool     // a media element plays that can be heard, or could if the tab were not muted
	Revision int64    // grows with every new document in the main frame
}

// Page is one page target. Make it with New.
type Page struct {
	ID     string // the target's id
	Opener string // the opener's target id, or ""

	cfg  Config
	sess *cdp.Session
	log  *slog.Logger

	known   *redact.Known
	group   string
	site    atomic.Value // string: the main document's host
	telling sync.Map     // *cdp.Session -> true: those that have told of secret fields

	State   bus.State[State]
	Dialogs bus.State[*Dialog] // the open dialog, or nil
	Console consoleLog
	// Deeds tells what the person enters and chooses, by the names of the fields.
	Deeds bus.Topic[Deed]
	// Surfaces is what the person's interface draws for the page, or nil.
	Surfaces bus.State[*Surface]
	menu     atomic.Pointer[Surface] // the last context menu
	// Asks is what the page asks of the person.
	Asks bus.State[Asks]
	// Words are told to the person: what the page wanted and cannot have.
	Words bus.Topic[string]
	// Prints tells that the page asked to be printed, and nobody did.
	Prints bus.Topic[struct{}]
	// Programs are addresses that the page asked another program to open, and
	// nobody did.
	Programs bus.Topic[string]
	prints   prints
	programs wishes
	// Tools is what developer tools ask of their surroundings.
	Tools bus.Topic[ToolsWord]
	// Findings is the person's search in the page, or nil.
	Findings bus.State[*Finding]
	// Documents tells of each new document, of frames too, at its start.
	Documents bus.Topic[Document]

	showing sync.Mutex // orders what is published; taken before mu
	shows   State      // as published last

	mu         sync.Mutex
	life       context.Context // ends with a fault when the page crashes or closes; Revive makes a new one
	end        context.CancelCauseFunc
	state      State // as the page tells it
	frames     map[cdproto.FrameID]*frame
	root       cdproto.FrameID
	sessions   map[string]*cdp.Session
	waiters    map[*waiter]struct{}
	nextRef    int
	refs       map[int]string   // ref number -> document key
	window     func()           // told when the page opens a window; fixed before Init
	auth       *SignIn          // that nobody signed in for, in the main frame's present load
	authShown  cdproto.LoaderID // what came in that document's place
	answered   *SignIn          // the last one answered
	offer      *offered
	signIns    int         // the last id of one
	cancelling atomic.Bool // a chooser is being cancelled: another one is not the page's
	choosers   int         // the last id of one; guarded by showing
	alerts     alerts
	responded  *Security   // of the main frame's last answer
	distrusted string      // the net::ERR_ name of a certificate that a load was refused for
	personal   func() bool // tells whether the page is the person's to decide on
	overriding bool        // Chromium asks about certificates; only the handler's
	size       Size
	shown      shown             // what was asked for by SetEnvironment
	prepared   map[string]*marks // what is known of documents, by document
	numbering  chan struct{}     // one reading that gives out refs at a time
	held       held
	queued     *cdp.Pending // the last of the person's input
	new        newcomers
	cast       *cast
	captures   captures
	loads      int                            // main-frame loads begun
	under      map[network.RequestID]*request // requests under way that can change the page
	begun      int64                          // requests ever begun
	told       int64                          // the document (State.Revision) whose own title is known
	revived    bool                           // it crashed, and no document has come since
	downloads  []*download                    // what the page began to save, oldest first
	dialogFor  string                         // the agent whose running action owns new dialogs
	carry      carry                          // guards itself
	muted      bool                           // by the person
	locals     []*localFile                   // previews of local files in this tab, newest last
	seek       *search                        // for a text, by the person
	seeks      int                            // searches ever begun
	source     bool                           // it shows a page's source
	born       int                            // frames ever made
}

// Size is the viewport's size in CSS pixels and its pixel ratio.
type Size struct {
	Width, Height int
	Scale         float64
}

// New takes over the target behind sess.
func New(info target.Info, sess *cdp.Session, cfg Config) *Page {
	if cfg.Width == 0 {
		cfg.Width, cfg.Height = 1280, 720
	}
	p := &Page{
		ID: string(info.TargetID), Opener: string(info.OpenerID), cfg: cfg, sess: sess, log: cfg.Log,
		frames: map[cdproto.FrameID]*frame{}, sessions: map[string]*cdp.Session{sess.ID: sess},
		waiters: map[*waiter]struct{}{}, nextRef: 1, refs: map[int]string{},
		under: map[network.RequestID]*request{}, prepared: map[string]*marks{}, numbering: make(chan struct{}, 1),
		size: Size{Width: cfg.Width, Height: cfg.Height, Scale: max(cfg.Scale, 1)},
	}
	p.life, p.end = context.WithCancelCause(context.Background())
	if p.cfg.Trust == nil {
		p.cfg.Trust = new(Trust)
	}
	if p.known = cfg.Known; p.known == nil {
		p.known = new(redact.Known)
	}
	if p.group = cfg.Group; p.group == "" {
		p.group = p.ID
	}
	p.root = cdproto.FrameID(info.TargetID)
	p.frames[p.root] = newFrame(p.root, nil, sess)
	p.state.URL = info.URL
	p.Console.clean = p.clean
	return p
}

// Session is the page's main session, for what has no method here.
func (p *Page) Session() *cdp.Session { return p.sess }

// Resize gives the viewport a viewer's size, unless another was asked for by
// SetEnvironment.
func (p *Page) Resize(ctx context.Context, width, height int) error {
	p.mu.Lock()
	if p.shown.fixed || p.size.Width == width && p.size.Height == height {
		p.mu.Unlock()
		return nil
	}
	p.size.Width, p.size.Height = width, height
	p.mu.Unlock()
	return p.measure(ctx)
}

// Size gives the viewport's size.
func (p *Page) Size() Size {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size
}

// bind gives a context that also ends, with a fault as its cause, when the
// page crashes or closes. Every method starts with it.
func (p *Page) bind(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	life := p.alive()
	stop := context.AfterFunc(life, func() { cancel(context.Cause(life)) })
	return ctx, func() { stop(); cancel(nil) }
}

// explain turns an error of a call into a fault: a crash or takeover that is
// the context's cause wins; a passed deadline on a page whose thread does not
// answer is PageBusy, and one with a dialog open DialogOpen.
func (p *Page) explain(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var f *fault.Fault
	if errors.As(err, &f) {
		return f
	}
	if cause := context.Cause(ctx); errors.As(cause, &f) {
		return f
	}
	if d, _ := p.Dialogs.Get(); d != nil && errors.Is(err, context.DeadlineExceeded) {
		return d.fault()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fault.New(fault.PageBusy, "the page's main thread did not answer in time").Because(err)
	}
	if errors.Is(err, cdp.ErrClosed) {
		return fault.New(fault.PageCrashed, "Chromium ended during the call").Because(err)
	}
	if errors.Is(err, cdp.ErrDetached) {
		return fault.New(fault.TargetGone, "the page or frame went away during the call").Because(err)
	}
	return err
}

// update changes the state and publishes it.
func (p *Page) update(f func(*State)) {
	p.mu.Lock()
	before := p.state
	f(&p.state)
	p.state.URL = p.shownAs(p.state.URL)
	changed := p.state != before
	p.mu.Unlock()
	if changed {
		p.publish()
	}
}

// publish shows the state without known values.
func (p *Page) publish() {
	p.showing.Lock()
	defer p.showing.Unlock()
	p.mu.Lock()
	s := p.state
	p.mu.Unlock()
	s.URL, s.Title, s.Favicon = p.clean(s.URL), p.clean(s.Title), p.clean(s.Favicon)
	if s != p.shows {
		p.shows = s
		p.State.Set(s)
	}
}

// Info reports what the browser says of the target: its title and address.
func (p *Page) Info(info target.Info) {
	p.update(func(s *State) {
		switch {
		case p.told == s.Revision && s.Revision > 0: // the document's own word is newer
		case !strings.HasSuffix(strings.TrimSuffix(info.URL, "/"), strings.TrimSuffix(info.Title, "/")) || info.Title == "":
			s.Title = info.Title // Chromium names a page without a title by its address
		default:
			s.Title = ""
		}
		if info.URL != "" {
			s.URL = info.URL
		}
	})
}
