package tab

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"baton/backend/access"
	"baton/backend/bus"
	"baton/backend/card"
	"baton/backend/engine"
	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/preview"
	"baton/backend/store"
)

// Config is fixed for a registry's life.
type Config struct {
	Store  *store.Store
	Log    *slog.Logger
	Engine func(profile string) (*engine.Engine, error) // ProfileMissing when it is gone
	// Access says what an agent may do; nil lets all do everything.
	Access func(agent string) access.Rule
	// Cards asks the person where an agent needs their leave; nil lets nobody ask.
	Cards *card.Deck
	// TouchHold is how long a hold by touch outlasts the person's last input.
	TouchHold func() time.Duration
	// Preview shows local files; nil shows none.
	Preview *preview.Server
	// Guard looks after agents' pages; nil looks after none.
	Guard Guard
}

// Pointer is an agent's pointer on a tab.
type Pointer struct {
	Tab   string
	Agent string
	page.Pointer
}

// Registry holds all tabs. Make it with Load and run Serve.
type Registry struct {
	cfg      Config
	State    bus.State[[]Info] // all tabs, as the person sees them
	Pointers bus.Topic[Pointer]
	Popups   bus.Topic[Popup]
	Words    bus.Topic[Words] // what pages wanted and cannot have, for the person
	Clips    bus.Topic[Clip]  // what developer tools copied
	reveals  bus.Topic[string]

	dirty chan struct{}
	shown bus.State[string]

	mu       sync.Mutex
	tabs     map[int64]*Tab
	order    []*Tab // strip order
	pages    map[*page.Page]*Tab
	zooms    map[[2]string]float64 // the person's, by profile and host
	stopping bool                  // the host ends: pages that go leave their tabs
}

// Words are a notice about a tab. Print says that its page asked to be printed;
// Program is an address that it asked another program to open.
type Words struct {
	Tab, Words string
	Print      bool
	Program    string
}

// Popup tells that a page opened a tab.
type Popup struct{ Tab, From string }

// Load reads the saved tabs; none is loaded yet. A tab with a damaged profile
// mark is dropped.
func Load(ctx context.Context, cfg Config) (*Registry, error) {
	r := &Registry{cfg: cfg, dirty: make(chan struct{}, 1), tabs: map[int64]*Tab{}, pages: map[*page.Page]*Tab{}}
	if err := r.loadZooms(ctx); err != nil {
		return nil, err
	}
	saved, err := cfg.Store.Tabs(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range saved {
		if _, err := cfg.Engine(s.Profile); err != nil {
			cfg.Log.Warn("a saved tab was dropped: its profile is gone", "tab", s.ID)
			if err := cfg.Store.CloseTab(ctx, s.ID, false); err != nil {
				return nil, err
			}
			continue
		}
		t := newTab(s.ID)
		t.owner, t.profile, t.url, t.title, t.private, t.pinned = s.Owner, s.Profile, s.URL, s.Title, s.Private, s.Pinned
		if len(s.History) > 0 {
			t.past, t.future = s.History[:s.Entry:s.Entry], s.History[s.Entry+1:]
		}
		if s.Hold != "" {
			t.hold.Store(&Hold{How: s.Hold, Since: time.Now()})
			t.input.Store(time.Now().UnixNano())
		}
		r.tabs[t.id] = t
		r.order = append(r.order, t)
	}
	// Pinned tabs stand before the others, whatever was saved.
	slices.SortStableFunc(r.order, func(a, b *Tab) int { return rank(a) - rank(b) })
	r.publish()
	return r, nil
}

// Serve publishes changes, saves them within 100 ms, and ends holds by touch
// that nobody touches any more. It saves once more when ctx ends.
func (r *Registry) Serve(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	naps := time.NewTicker(napEvery)
	defer naps.Stop()
	var save <-chan time.Time
	for {
		select {
		case <-r.dirty:
			r.publish()
			if save == nil {
				save = time.After(80 * time.Millisecond)
			}
			// Changes come in bursts; the next look waits a moment.
			select {
			case <-time.After(8 * time.Millisecond):
			case <-ctx.Done():
			}
		case <-save:
			save = nil
			r.save(ctx)
		case now := <-tick.C:
			r.expire(now)
		case now := <-naps.C:
			r.nap(now, lowMemory())
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			defer cancel()
			r.save(last)
			return nil
		}
	}
}

// changed asks Serve to publish and save.
func (r *Registry) changed() {
	select {
	case r.dirty <- struct{}{}:
	default:
	}
}

func (r *Registry) publish() { r.State.Set(r.List(Actor{})) }

func (r *Registry) save(ctx context.Context) {
	r.mu.Lock()
	rows := make([]store.Tab, 0, len(r.order))
	for _, t := range r.order {
		if t.inspects == 0 {
			rows = append(rows, t.row(len(rows)))
		}
	}
	r.mu.Unlock()
	for i := range rows {
		r.unknown(&rows[i])
	}
	if err := r.cfg.Store.SaveTabs(ctx, rows); err != nil && !errors.Is(err, context.Canceled) {
		r.cfg.Log.Error("tabs could not be saved", "error", err)
	}
}

// List gives all tabs in strip order as the actor may see them.
func (r *Registry) List(a Actor) []Info {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	out := make([]Info, 0, len(r.order))
	for _, t := range r.order {
		if t.seenBy(a) {
			out = append(out, r.info(t, a, now))
		}
	}
	return out
}

// Get gives one tab as the actor may see it.
func (r *Registry) Get(id string, a Actor) (Info, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := r.findFor(id, a)
	if err != nil {
		return Info{}, err
	}
	return r.info(t, a, time.Now()), nil
}

// IsOpen tells whether a tab is open.
func (r *Registry) IsOpen(id string) bool {
	_, err := r.Get(id, Actor{})
	return err == nil
}

// page gives an open tab and the page that it has, nil while it sleeps.
func (r *Registry) page(id string) (*Tab, *page.Page, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := r.find(id)
	if err != nil {
		return nil, nil, err
	}
	return t, t.page, nil
}

// find gives an open tab. Call with mu held.
func (r *Registry) find(id string) (*Tab, error) {
	n, ok := number(id)
	if t := r.tabs[n]; ok && t != nil {
		return t, nil
	}
	return nil, fault.New(fault.NoSuchTab, "there is no tab %q", id)
}

// findFor is find for an actor: agents have no developer tools.
func (r *Registry) findFor(id string, a Actor) (*Tab, error) {
	t, err := r.find(id)
	if err == nil && !t.seenBy(a) {
		return nil, fault.New(fault.NoSuchTab, "there is no tab %q", id)
	}
	return t, err
}

// seenBy tells whether a tab is there for an actor at all.
func (t *Tab) seenBy(a Actor) bool { return t.inspects == 0 || a.IsPerson() }

func (r *Registry) info(t *Tab, a Actor, now time.Time) Info {
	i := Info{ID: t.num, Owner: ownerName(t.owner), Mine: t.owner == a.owner(), State: Asleep, Profile: t.profile, Hold: t.hold.Load()}
	var st page.State
	if t.page != nil {
		st, _ = t.page.State.Get()
		i.State = Ready
		switch {
		case st.Crashed:
			i.State = Crashed
		case st.Loading:
			i.State = Loading
		case st.Failed != "":
			i.State = Failed
		}
	}
	if !a.IsPerson() && (t.private || (!i.Mine && t.owner != Person)) {
		i.Foreign, i.Profile = true, ""
		return i
	}
	i.URL, i.Title, i.Favicon, i.Private = t.url, t.title, t.favicon, t.private
	i.Pinned, i.Muted, i.Audible, i.Shown = t.pinned, t.muted, st.Audible, st.Shown
	i.Progress = st.Progress
	i.CanBack = st.CanBack || len(t.past) > 0
	i.CanNext = st.CanNext || len(t.future) > 0
	if st.Failed != "" {
		i.Failure, i.Failed = page.FailureText(st.Failed, t.url), st.Failed
	}
	if t.page == nil && t.unfilled != "" && a.IsPerson() {
		i.State, i.Failure, i.Failed = Failed, t.unfilled, NoEngine
	}
	i.Security = st.Security
	if t.inspects != 0 {
		i.Inspects, i.URL = Name(t.inspects), page.ToolsScheme
	}
	if t.live {
		i.Opener = Name(t.opener)
	}
	if t.page != nil {
		i.Dialog, _ = t.page.Dialogs.Get()
		if a.IsPerson() {
			i.Surface, _ = t.page.Surfaces.Get()
			i.Asks, _ = t.page.Asks.Get()
			i.Asked = st.Asked
			i.Finding, _ = t.page.Findings.Get()
			i.Zoom, i.Full = t.page.InForce().Zoom, st.Full
		}
	}
	// Who drives is advisory here; a busy input lock is not waited for, and what
	// was true a moment ago is told.
	if t.in.TryLock() {
		t.driver, t.action = t.driven(now), ""
		if t.run != nil {
			t.action = t.run.what
		}
		t.in.Unlock()
	}
	i.Driver, i.Action = t.driver, t.action
	if !a.IsPerson() && i.Hold != nil {
		i.URL, i.Title, i.Favicon = "", "", ""
	}
	return i
}

// row gives what is saved of a tab. Call with mu held.
func (t *Tab) row(position int) store.Tab {
	s := store.Tab{ID: t.id, Position: position, Owner: t.owner, Profile: t.profile, URL: clean(t.url), Title: t.title, Private: t.private, Pinned: t.pinned}
	if h := t.hold.Load(); h != nil {
		s.Hold = h.How
	}
	before, after := t.entries, []store.Entry(nil)
	if t.entry < len(t.entries) {
		before, after = t.entries[:t.entry], t.entries[t.entry+1:]
	}
	past := slices.Concat(t.past, before)
	future := slices.Concat(after, t.future)
	past = past[max(0, len(past)-historyKept/2):]
	future = future[:min(len(future), historyKept-1-len(past))]
	s.Entry = len(past)
	s.History = slices.Concat(past, []store.Entry{{URL: s.URL, Title: t.title}}, future)
	for i := range s.History {
		s.History[i].URL = clean(s.History[i].URL)
	}
	return s
}

// historyKept is how many entries of a tab's history are saved.
const historyKept = 32

// Shown tells which tab the person looks at; empty when none.
func (r *Registry) Shown() string { id, _ := r.shown.Get(); return id }

// Show records which tab the person looks at.
func (r *Registry) Show(id string) {
	if id != r.Shown() {
		r.shown.Set(id)
	}
	r.mu.Lock()
	if t, err := r.find(id); err == nil {
		t.used = time.Now()
	}
	r.mu.Unlock()
}

// Reveals tells which tab an agent asked to show.
func (r *Registry) Reveals() *bus.Topic[string] { return &r.reveals }

// Reveal asks the person's view to show a tab, where their settings allow it.
func (r *Registry) Reveal(id string) { r.reveals.Publish(id) }
