// Package handover is how an agent asks the person to do something in a tab,
// and how the tab comes back: a card says what for, opening it holds the tab,
// and the agent learns how it ended and what the person did.
//
// [Desk.Takeover] is the agent's side; [Desk.Open], [Desk.Done] and
// [Desk.Decline] the person's. Run [Desk.Serve].
package handover

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"baton/backend/card"
	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/store"
	"baton/backend/tab"
)

// Results of a takeover.
const (
	Done     = "done"
	Declined = "declined"
	TimedOut = "timed_out"
)

// Answer is how a takeover ended.
type Answer struct {
	Result string
	// Did is what the person did, in words, with their note; empty for none.
	Did string
	// Stays says that the card is still there: the same request goes on waiting.
	Stays bool
	// Nobody says that no window or view of Baton shows the card.
	Nobody bool
}

const (
	cardTime   = 15 * time.Minute // a card expires by itself
	keepTime   = 10 * time.Minute // an answer that nobody waits for is kept
	reasonMost = 300              // characters of a reason
)

// Config is what a desk works on.
type Config struct {
	Tabs  *tab.Registry
	Cards *card.Deck
	Store *store.Store
	Log   *slog.Logger
}

// Desk holds the takeovers that wait. Make it with Load.
type Desk struct {
	cfg Config

	mu   sync.Mutex
	asks map[int64]*ask
}

// ask is one takeover.
type ask struct {
	id    int64
	agent string
	tab   string
	card  card.Card
	until time.Time

	// The document asked about; nil after a restart, until it is asked again.
	page     *page.Page
	revision int64

	settled chan struct{} // closed with the answer
	answer  Answer
	ended   time.Time
}

// Load brings back the cards that were open when the host ended.
func Load(ctx context.Context, cfg Config) (*Desk, error) {
	d := &Desk{cfg: cfg, asks: map[int64]*ask{}}
	saved, err := cfg.Store.Cards(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range saved {
		if _, err := cfg.Tabs.Get(tab.Name(s.Tab), tab.Actor{}); err != nil || time.Now().After(s.Until) || s.Kind != string(card.Takeover) {
			if err := cfg.Store.DropCard(ctx, s.ID); err != nil {
				return nil, err
			}
			continue
		}
		a := &ask{id: s.ID, agent: s.Agent, tab: tab.Name(s.Tab), until: s.Until, settled: make(chan struct{})}
		a.card = card.Card{ID: name(s.ID), Kind: card.Takeover, Agent: s.Agent, Tab: a.tab, Until: s.Until, Reason: s.Reason, Gone: true}
		if info, err := cfg.Tabs.Get(a.tab, tab.Actor{}); err == nil && info.Hold != nil && info.Hold.How == tab.ByCard {
			a.card.Held, a.card.Gone = true, false
		}
		d.asks[a.id] = a
		cfg.Cards.Put(a.card)
	}
	// A hold without its card has nobody to end it.
	for _, info := range cfg.Tabs.List(tab.Actor{}) {
		if info.Hold != nil && info.Hold.How == tab.ByCard && !d.holds(info.ID) {
			if err := cfg.Tabs.Give(info.ID, ""); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

func name(id int64) string { return "c" + strconv.FormatInt(id, 10) }

// Takeover asks the person to do something in a tab and waits for the answer,
// at most wait. The same request asked again is the same card: it takes the
// answer that came meanwhile, or goes on waiting.
func (d *Desk) Takeover(ctx context.Context, agent, id, reason string, wait time.Duration) (Answer, error) {
	reason = strings.Join(strings.Fields(reason), " ")
	if reason == "" {
		return Answer{}, fault.New(fault.BadArguments, "the reason is empty").Then("say in a few words what the person is to do")
	}
	if r := []rune(reason); len(r) > reasonMost {
		reason = string(r[:reasonMost]) + "…"
	}
	info, err := d.cfg.Tabs.Get(id, tab.Actor{Agent: agent})
	switch {
	case err != nil:
		return Answer{}, err
	case info.Foreign:
		return Answer{}, fault.New(fault.NotYourTab, "tab %s is not this agent's", id)
	}
	a, err := d.find(ctx, agent, info.ID, reason)
	if err != nil {
		return Answer{}, err
	}
	if !d.cfg.Cards.Attended() {
		select {
		case <-a.settled:
		default:
			return Answer{Result: TimedOut, Stays: true, Nobody: true}, nil
		}
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-a.settled:
		d.mu.Lock()
		delete(d.asks, a.id)
		d.mu.Unlock()
		return a.answer, nil
	case <-timer.C:
		return Answer{Result: TimedOut, Stays: true}, nil
	case <-ctx.Done():
		return Answer{}, fault.New(fault.Cancelled, "the call was cancelled; the person still sees the request").WithEffect("no").Then("ask again to go on waiting")
	}
}

// find gives the card of a request, a new one where there is none.
func (d *Desk) find(ctx context.Context, agent, id, reason string) (*ask, error) {
	p := d.cfg.Tabs.Live(id)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, a := range d.asks {
		if a.agent == agent && a.tab == id && a.card.Reason == reason {
			if a.ended.IsZero() && !a.card.Held {
				a.bind(p) // what is asked about is what is there now
				d.cfg.Cards.Put(a.card)
			}
			return a, nil
		}
	}
	until := time.Now().Add(cardTime)
	number, err := strconv.ParseInt(strings.TrimPrefix(id, "t"), 10, 64)
	if err != nil {
		return nil, err
	}
	n, err := d.cfg.Store.AddCard(ctx, store.Card{Kind: string(card.Takeover), Agent: agent, Tab: number, Reason: reason, Until: until})
	if err != nil {
		return nil, fault.New(fault.Internal, "the request could not be saved in Baton's data folder").Because(err)
	}
	a := &ask{id: n, agent: agent, tab: id, until: until, settled: make(chan struct{})}
	a.card = card.Card{ID: name(n), Kind: card.Takeover, Agent: agent, Tab: id, Asked: time.Now(), Until: until, Reason: reason}
	a.bind(p)
	d.asks[n] = a
	d.cfg.Cards.Put(a.card)
	return a, nil
}

func (a *ask) bind(p *page.Page) {
	a.page, a.revision, a.card.Gone = p, 0, p == nil
	if p != nil {
		st, _ := p.State.Get()
		a.revision = st.Revision
	}
}

// there tells whether the tab still shows the document that was asked about.
func (d *Desk) there(a *ask) bool {
	if a.page == nil || d.cfg.Tabs.Live(a.tab) != a.page {
		return false
	}
	st, _ := a.page.State.Get()
	return st.Revision == a.revision
}

// of gives an open takeover by its card's id. Call with mu held.
func (d *Desk) of(cardID string) (*ask, error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(cardID, "c"), 10, 64)
	if a := d.asks[n]; err == nil && strings.HasPrefix(cardID, "c") && a != nil && a.ended.IsZero() {
		return a, nil
	}
	return nil, fault.New(fault.ApprovalExpired, "this question has ended already")
}

// Open holds the tab for the person and gives its id, to be shown. Opened again
// it gives the same tab.
func (d *Desk) Open(cardID string) (tabID string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a, err := d.of(cardID)
	if err != nil {
		return "", err
	}
	if a.card.Held {
		return a.tab, nil
	}
	if !d.there(a) {
		return "", fault.New(fault.TargetGone, "the page that was asked about is no longer there")
	}
	if err := d.cfg.Tabs.Take(a.tab, tab.ByCard); err != nil {
		return "", err
	}
	a.card.Held = true
	d.cfg.Cards.Put(a.card)
	return a.tab, nil
}

// Done ends a takeover: the person has done what was asked. The note goes to
// the agent.
func (d *Desk) Done(cardID, note string) error { return d.end(cardID, Done, note) }

// Decline ends a takeover undone.
func (d *Desk) Decline(cardID string) error { return d.end(cardID, Declined, "") }

func (d *Desk) end(cardID, result, note string) error {
	d.mu.Lock()
	a, err := d.of(cardID)
	if err != nil {
		d.mu.Unlock()
		return err
	}
	d.settle(a, result)
	hold := a.card.Held && !d.holds(a.tab)
	d.mu.Unlock()
	if hold {
		if err := d.cfg.Tabs.Give(a.tab, note); err != nil && !fault.Is(err, fault.NoSuchTab) {
			return err
		}
		// The answer carries it; the next result need not.
		a.answer.Did = d.cfg.Tabs.Notice(a.tab)
	} else if note != "" {
		a.answer.Did = "The person says " + strconv.Quote(note) + "."
	}
	close(a.settled)
	return nil
}

// settle takes a card away. Call with mu held, and close a.settled afterwards.
func (d *Desk) settle(a *ask, result string) {
	a.answer.Result, a.ended = result, time.Now()
	d.cfg.Cards.Withdraw(a.card.ID)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := d.cfg.Store.DropCard(ctx, a.id); err != nil {
		d.cfg.Log.Warn("a card could not be forgotten", "error", err)
	}
}

// holds tells whether an open card holds a tab. Call with mu held.
func (d *Desk) holds(id string) bool {
	for _, a := range d.asks {
		if a.tab == id && a.card.Held && a.ended.IsZero() {
			return true
		}
	}
	return false
}

// Gave is told that the person gave a tab back by another way than its cards:
// all that hold it are done.
func (d *Desk) Gave(id, note string) (settled bool, err error) {
	d.mu.Lock()
	var cards []string
	for _, a := range d.asks {
		if a.tab == id && a.card.Held && a.ended.IsZero() {
			cards = append(cards, a.card.ID)
		}
	}
	d.mu.Unlock()
	for _, c := range cards {
		if err := d.Done(c, note); err != nil {
			return true, err
		}
	}
	return len(cards) > 0, nil
}

// Serve lets cards expire, notes when their page has gone, and forgets answers
// that nobody came for.
func (d *Desk) Serve(ctx context.Context) error {
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			for _, c := range d.look(now) {
				if err := d.end(c, TimedOut, ""); err != nil {
					d.cfg.Log.Debug("a card had ended", "card", c, "error", err)
				}
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// look gives the cards that are over.
func (d *Desk) look(now time.Time) (over []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for n, a := range d.asks {
		if !a.ended.IsZero() {
			if now.Sub(a.ended) > keepTime {
				delete(d.asks, n)
			}
			continue
		}
		if _, err := d.cfg.Tabs.Get(a.tab, tab.Actor{}); err != nil || now.After(a.until) && !a.card.Held {
			over = append(over, a.card.ID)
			continue
		}
		if gone := !a.card.Held && !d.there(a); gone != a.card.Gone {
			a.card.Gone = gone
			d.cfg.Cards.Put(a.card)
		}
	}
	return over
}
