// Package card holds what waits for the person's answer. Whoever needs an
// answer calls [Deck.Ask], which waits; the person's interface shows
// [Deck.State] and gives it with [Deck.Answer]. A card is answered once.
//
// Answers come over the interface's authenticated connection alone: no tool of
// an agent reaches a deck.
package card

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"baton/backend/bus"
	"baton/backend/fault"
)

// Kind is what a card asks for.
type Kind string

// Kinds of cards.
const (
	Approval Kind = "approval" // an agent wants to act
	File     Kind = "file"     // an agent wants files outside its folders
	Takeover Kind = "takeover" // an agent asks the person to do something in a tab
)

// Card is one question to the person.
type Card struct {
	ID    string // "a7" of this run of the host, or "c7" where it outlives the host
	Kind  Kind
	Agent string
	Tab   string
	Asked time.Time
	Until time.Time // when it expires by itself
	// Reason is the agent's own words, when Kind is Takeover.
	Reason string
	// Gone says that the page which the agent asked about is no longer there, so
	// that it cannot be opened.
	Gone bool
	// Held says that the person has opened it and holds the tab.
	Held bool
	// Action is what the agent wants to do, when Kind is Approval or File.
	Action Action
}

// Action is what an agent wants to do. It holds no value of any field.
type Action struct {
	Verb    string   // click, type, press, …
	Targets []Target // what it acts on; none for the page as a whole
	// Text is what would be typed, pressed or chosen, or the code to run. It is
	// empty and TextHidden set where the field holds a secret or could not be
	// inspected.
	Text       string
	TextHidden bool
	Files      []string // names of the files to give; of a File card whole paths
	URL        string   // of the page, without secrets
	Title      string
}

// Target describes an element for a card.
type Target struct {
	Role, Name    string
	Tag, Type     string
	Autocomplete  string
	FormHost      string // the host that its form is sent to
	Secret        bool
	Unseen        bool    // it could not be inspected
	X, Y          float64 // of a point, CSS pixels, when Point is set
	Point         bool
	Ref           int    // for comparing, never shown
	Frame         string // its document's site, when that is another than the page's
	Width, Height float64
	Left, Top     float64 // its box in the page's viewport, CSS pixels; all zero when unknown
}

// Same tells whether both describe the same element, wherever it stands now.
func (t Target) Same(o Target) bool {
	o.Left, o.Top, o.Width, o.Height = t.Left, t.Top, t.Width, t.Height
	return t == o
}

// Outcome is how a card ended.
type Outcome string

// How cards end.
const (
	Approved Outcome = "approved"
	Declined Outcome = "declined"
	Expired  Outcome = "expired"
)

// grace is how long a person's interface may be away, as when it is loaded
// again, before nobody counts as there.
const grace = 3 * time.Second

// Deck is all open cards. The zero Deck is ready.
type Deck struct {
	State bus.State[[]Card] // open ones, oldest first

	mu      sync.Mutex
	last    int64
	open    []*waiting
	present int       // interfaces that show cards
	leftAt  time.Time // when the last of them went
}

type waiting struct {
	Card
	answer chan Outcome // buffered
}

// ErrNobody says that no person is there to answer.
var ErrNobody = errors.New("no window or browser view of Baton is open")

// Attend counts an interface in that shows cards to the person; the returned
// func counts it out.
func (d *Deck) Attend() (leave func()) {
	d.mu.Lock()
	d.present++
	d.mu.Unlock()
	return sync.OnceFunc(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.present--; d.present == 0 {
			d.leftAt = time.Now()
		}
	})
}

// Attended tells whether a person can answer.
func (d *Deck) Attended() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.attended()
}

func (d *Deck) attended() bool {
	return d.present > 0 || !d.leftAt.IsZero() && time.Since(d.leftAt) < grace
}

// Ask shows a card until it is answered, its time is over, nobody is there any
// more, or ctx ends. ID and Asked are filled in. fits is asked four times a
// second whether the card still means the same; false expires it. Its error is
// ErrNobody when no person can answer, or ctx's.
func (d *Deck) Ask(ctx context.Context, c Card, fits func() bool) (Outcome, error) {
	d.mu.Lock()
	if !d.attended() {
		d.mu.Unlock()
		return Expired, ErrNobody
	}
	d.last++
	c.ID, c.Asked = "a"+strconv.FormatInt(d.last, 10), time.Now()
	w := &waiting{Card: c, answer: make(chan Outcome, 1)}
	d.open = append(d.open, w)
	d.publish()
	d.mu.Unlock()
	defer d.withdraw(w)
	end := time.NewTimer(time.Until(c.Until))
	defer end.Stop()
	look := time.NewTicker(250 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case o := <-w.answer:
			return o, nil
		case <-end.C:
			return Expired, nil
		case <-look.C:
			if !fits() {
				return Expired, nil
			}
			if !d.Attended() {
				return Expired, ErrNobody
			}
		case <-ctx.Done():
			return Expired, context.Cause(ctx)
		}
	}
}

// Answer gives the person's answer to an open card.
func (d *Deck) Answer(id string, approve bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.open, func(w *waiting) bool { return w.ID == id && w.Kind != Takeover })
	if i < 0 {
		return fault.New(fault.ApprovalExpired, "this question has ended already")
	}
	w := d.open[i]
	d.open = slices.Delete(d.open, i, i+1)
	w.answer <- map[bool]Outcome{true: Approved, false: Declined}[approve]
	d.publish()
	return nil
}

// Put shows a card whose answer does not come through Answer, or shows it anew;
// its ID is given. Withdraw takes it away.
func (d *Deck) Put(c Card) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, w := range d.open {
		if w.ID == c.ID {
			w.Card = c
			d.publish()
			return
		}
	}
	d.open = append(d.open, &waiting{Card: c, answer: make(chan Outcome, 1)})
	d.publish()
}

// Withdraw takes a card away; one that is not there is no matter.
func (d *Deck) Withdraw(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.IndexFunc(d.open, func(w *waiting) bool { return w.ID == id }); i >= 0 {
		d.open = slices.Delete(d.open, i, i+1)
		d.publish()
	}
}

func (d *Deck) withdraw(w *waiting) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.open, w); i >= 0 {
		d.open = slices.Delete(d.open, i, i+1)
		d.publish()
	}
}

// publish tells the open cards. Call with mu held.
func (d *Deck) publish() {
	out := make([]Card, len(d.open))
	for i, w := range d.open {
		out[i] = w.Card
	}
	d.State.Set(out)
}
