package app

import (
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"baton/backend/bus"
	"baton/backend/page"
	"baton/backend/tab"
)

// follow tells a client the present state and then every change.
func (c *conn) follow() {
	cfg := c.s.cfg
	tabs, stopTabs := cfg.Tabs.State.Watch()
	defer stopTabs()
	settings, stopSettings := cfg.Settings.State.Watch()
	defer stopSettings()
	icons, stopIcons := c.s.icons.changed.Watch()
	defer stopIcons()
	pointers, stopPointers := cfg.Tabs.Pointers.Subscribe(64)
	defer stopPointers()
	popups, stopPopups := cfg.Tabs.Popups.Subscribe(16)
	defer stopPopups()
	clips, stopClips := watchTopic(c.role >= Owner, &cfg.Tabs.Clips)
	defer stopClips()
	words, stopWords := cfg.Tabs.Words.Subscribe(16)
	defer stopWords()
	defer cfg.Cards.Attend()()
	cards, stopCards := cfg.Cards.State.Watch()
	defer stopCards()
	access, stopAccess := cfg.Access.State.Watch()
	defer stopAccess()
	files, stopFiles := watchFor(c.role >= Admin, &cfg.Downloads.State)
	defer stopFiles()
	recents, stopRecents := watchFor(c.role >= Owner, &cfg.History.Recents)
	defer stopRecents()
	agents := make(<-chan struct{})
	if cfg.Agents != nil {
		var stop func()
		agents, stop = cfg.Agents.Watch()
		defer stop()
	}
	var seen teller
	seen.dialogs, seen.surfaces, seen.asks = map[string]*page.Dialog{}, map[string]*page.Surface{}, map[string]page.Asks{}
	for {
		select {
		case <-tabs:
			seen.tabs(c)
		case <-icons:
			seen.tabs(c)
		case <-agents:
			seen.agents(c)
		case <-settings:
			v, _ := cfg.Settings.State.Get()
			c.out.post(EventSettings, "all", wireSettings(v))
		case <-cards:
			v, _ := cfg.Cards.State.Get()
			c.out.post(EventCards, "all", wireCards(v))
		case <-access:
			v, _ := cfg.Access.State.Get()
			c.out.post(EventAccess, "all", wireAccess(v))
		case <-files:
			v, _ := cfg.Downloads.State.Get()
			c.out.post(EventDownloads, "all", wireDownloads(v))
		case <-recents:
			v, _ := cfg.History.Recents.Get()
			c.out.post(EventRecents, "all", wirePlaces(v))
		case p := <-pointers:
			c.out.post(EventPointer, p.Tab, Pointer{Tab: p.Tab, X: p.X, Y: p.Y, State: p.State, Agent: p.Agent, Label: p.Label})
		case p := <-popups:
			c.popup(p)
		case v := <-clips:
			if c.views.of(v.Tab) != nil {
				c.out.post(EventCopied, "", Copied(v))
			}
		case w := <-words:
			if (w.Print || w.Program != "") && c.views.of(w.Tab) == nil {
				continue // whoever looks at it is asked
			}
			c.out.post(EventNotice, "", Notice{Kind: "info", Message: w.Words, Tab: w.Tab, Print: w.Print, Program: w.Program})
		case <-c.ctx.Done():
			return
		}
	}
}

// watchFor watches a state for those who may see it.
func watchFor[T any](may bool, s *bus.State[T]) (changed <-chan struct{}, stop func()) {
	if !may {
		return nil, func() {}
	}
	return s.Watch()
}

// watchTopic hears a topic for those who may.
func watchTopic[T any](may bool, t *bus.Topic[T]) (<-chan T, func()) {
	if !may {
		return nil, func() {}
	}
	return t.Subscribe(8)
}

// teller knows what a client was told last.
type teller struct {
	list    []Tab
	told    bool
	crew    []Agent
	crewed  bool
	dialogs map[string]*page.Dialog
	control map[string]string // who drives, to take a gone pointer away

	surfaces map[string]*page.Surface
	asks     map[string]page.Asks
	finding  map[string]*page.Finding
}

// tabs tells the strip, and the dialogs that opened or closed.
func (t *teller) tabs(c *conn) {
	infos, _ := c.s.cfg.Tabs.State.Get()
	list := make([]Tab, 0, len(infos))
	open := map[string]*page.Dialog{}
	control := map[string]string{}
	for _, i := range infos {
		if i.Inspects != "" && c.role < Owner {
			continue
		}
		list = append(list, c.s.wireTab(i))
		if icon := list[len(list)-1].Favicon; icon != "" && i.State == tab.Ready {
			c.s.cfg.History.SeeIcon(c.ctx, i, icon)
		}
		if i.Dialog != nil {
			open[i.ID] = i.Dialog
		}
		if by := list[len(list)-1].Control; by.By == "agent" {
			control[i.ID] = by.Agent
		}
	}
	if !t.told || !reflect.DeepEqual(list, t.list) {
		t.list, t.told = list, true
		c.out.post(EventTabs, "all", list)
	}
	for id, d := range open {
		if t.dialogs[id] != d {
			c.out.post(EventDialog, id, wireDialog(id, d))
		}
	}
	for id := range t.dialogs {
		if open[id] == nil {
			c.out.post(EventDialog, id, Dialog{Tab: id})
		}
	}
	t.dialogs = open
	surfaces := map[string]*page.Surface{}
	for _, i := range infos {
		if i.Surface != nil {
			surfaces[i.ID] = i.Surface
			if t.surfaces[i.ID] != i.Surface {
				c.out.post(EventSurface, i.ID, wireSurface(i.ID, i.Surface))
			}
		}
	}
	for id := range t.surfaces {
		if surfaces[id] == nil {
			c.out.post(EventSurface, id, Surface{Tab: id})
		}
	}
	t.surfaces = surfaces
	t.asked(c, infos)
	t.finds(c, infos)
	for id, agent := range t.control {
		if control[id] == "" {
			c.out.post(EventPointer, id, Pointer{Tab: id, State: "gone", Agent: agent})
		}
	}
	t.control = control
	t.agents(c)
}

// agents tells who is connected and how many tabs each has.
func (t *teller) agents(c *conn) {
	crew := []Agent{}
	if c.s.cfg.Agents != nil {
		now, _ := c.s.cfg.Agents.Get()
		infos, _ := c.s.cfg.Tabs.State.Get()
		for _, a := range now {
			a.Tabs = 0
			for _, i := range infos {
				if i.Owner == a.Name && i.Owner != tab.Person {
					a.Tabs++
				}
			}
			crew = append(crew, a)
		}
	}
	if !t.crewed || !reflect.DeepEqual(crew, t.crew) {
		t.crew, t.crewed = crew, true
		c.out.post(EventAgents, "all", crew)
	}
}

// wireTab puts a tab as the person sees it on the wire.
func (s *Server) wireTab(i tab.Info) Tab {
	t := Tab{
		ID: i.ID, URL: i.URL, Host: shownHost(i.URL), Inspects: i.Inspects, Title: i.Title, State: i.State, Progress: i.Progress, Owner: i.Owner, Opener: i.Opener,
		Profile: i.Profile, CanBack: i.CanBack, CanNext: i.CanNext, Private: i.Private, Control: control(i),
		Favicon: s.icons.of(i), Zoom: i.Zoom, Full: i.Full, Audible: i.Audible, Muted: i.Muted, Pinned: i.Pinned, Failed: i.Failed, Security: i.Security.State,
	}
	if i.Asked != "" {
		t.Asked = strings.Split(i.Asked, ",")
	}
	if v := i.Shown; v.Fixed || (v.ColorScheme != "" && v.ColorScheme != "system") {
		t.Viewport = &Viewport{Width: v.Width, Height: v.Height, Device: v.Device, Scheme: v.ColorScheme, Fixed: v.Fixed}
	}
	if i.Failure != "" {
		t.Error = sentence(i.Failure)
	}
	return t
}

// control says who is in control of a tab.
func control(i tab.Info) Control {
	switch {
	case i.Hold != nil:
		return Control{By: "person", Agent: i.Hold.Agent, Held: i.Hold.How}
	case i.Driver != "":
		return Control{By: "agent", Agent: i.Driver, Action: i.Action}
	}
	return Control{By: "nobody"}
}

func wireDialog(id string, d *page.Dialog) Dialog {
	w := Dialog{Tab: id, Open: true, Kind: d.Kind, Message: d.Message, Default: d.Default, For: d.For, More: d.More}
	if w.For == "" {
		w.For = tab.Person
	}
	if u, err := url.Parse(d.URL); err == nil && u.Host != "" {
		w.Origin = u.Scheme + "://" + u.Host
	}
	return w
}

// popup shows a tab that a page opened where the person looks at that page. An
// agent's popups change nothing that the person looks at.
func (c *conn) popup(p tab.Popup) {
	info, err := c.s.cfg.Tabs.Get(p.Tab, person)
	if err != nil || info.Owner != tab.Person || p.From == "" {
		return
	}
	if c.views.wantsBehind(p.From) {
		return
	}
	for _, n := range c.views.showing(p.From) {
		c.out.post(EventView, strconv.Itoa(n), ViewState{View: n, Tab: p.Tab})
	}
}

// firstView is the number of an interface's only view.
const firstView = 1

// inUse is how long after the person's last input they count as using a page.
const inUse = 10 * time.Second

// Reveal shows a tab that an agent asks to show, where the person lets agents
// do that and is not using another tab. The keyboard stays where it is.
func (s *Server) Reveal(id string) {
	if !s.cfg.Settings.Get().RevealAutomation {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		if c.views.idle() < inUse {
			continue
		}
		shown := c.views.showing("")
		if len(shown) == 0 {
			shown = []int{firstView} // a start page shows, and no view yet
		}
		for _, n := range shown {
			c.out.post(EventView, strconv.Itoa(n), ViewState{View: n, Tab: id})
		}
	}
}

// Tell shows every connected interface a notice.
func (s *Server) Tell(n Notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.out.post(EventNotice, "", n)
	}
}
