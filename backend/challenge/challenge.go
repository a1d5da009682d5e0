// Package challenge tells an agent of a bot check that stands in its way (W3):
// which it is, whether it passes by itself, and what the agent is to do.
//
// Every outline of a page says whether its main document has marks of a check;
// only then [Checks.Look] looks closer. It waits for checks that pass by
// themselves, offers the checkbox of a widget once, and leaves the rest to the
// person. Nothing is ever solved, and no data of a page goes anywhere.
package challenge

import (
	"context"
	"fmt"
	"sync"
	"time"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/page"
)

// Status is how a check stands.
type Status string

// Statuses of checks.
const (
	Cleared   Status = "cleared"    // it has passed
	Checking  Status = "checking"   // it runs by itself
	ClickOnce Status = "click-once" // a press on Point may pass it
	NeedsUser Status = "needs-user" // only a person passes it
	Blocked   Status = "blocked"    // the site lets this browser in for nobody
)

// Challenge is a bot check as agents are told of it.
type Challenge struct {
	Status Status
	Vendor string // empty when it could not be told
	Waited time.Duration
	Point  *inject.Point // in the viewport; with ClickOnce
	Next   string        // what the agent is to do; empty with Cleared
}

// Limits are how long checks are waited for.
type Limits struct {
	Wait  time.Duration // a check that passes by itself, for all reads of a document
	Token time.Duration // a widget that may pass without a press, before its point is offered
	Click time.Duration // a widget after its point was offered
}

// Usual are the limits outside tests.
var Usual = Limits{Wait: 15 * time.Second, Token: 3 * time.Second, Click: 6 * time.Second}

const (
	// pause is the time between two looks.
	pause = 200 * time.Millisecond
	// onward is how long a page may take to go on once its check has passed.
	onward = 800 * time.Millisecond
	// reserve is what is kept of a call's time for reading the page at the end.
	reserve = 1500 * time.Millisecond
)

// Checks remembers the checks of pages between reads. Make it with New.
type Checks struct {
	limits Limits

	mu    sync.Mutex
	pages map[*page.Page]*memory
}

// memory is what reads of one page share.
type memory struct {
	turn     chan struct{} // one look at a time: a token in a buffer of one
	document string
	vendor   string
	told     bool // a read has told of a check
	waited   time.Duration
	token    time.Duration
	clicked  time.Duration
	passed   time.Duration
	offered  bool
}

// New makes the checks.
func New(l Limits) *Checks { return &Checks{limits: l, pages: map[*page.Page]*memory{}} }

// Look tells how the check on a page stands, waiting for it where that helps.
// marked is what the outline said (page.Snapshot.Check). It gives nil when
// there is no check. again says that the page may show something else now than
// the outline told. It ends early, with nil, when ctx does.
func (c *Checks) Look(ctx context.Context, p *page.Page, marked bool) (found *Challenge, again bool) {
	if c == nil {
		return nil, false
	}
	m := c.memory(p, marked)
	if m == nil {
		return nil, false
	}
	select {
	case m.turn <- struct{}{}:
		defer func() { <-m.turn }()
	case <-ctx.Done():
		return nil, false
	}
	start := time.Now()
	var first string
	for {
		kind, got, err := look(ctx, p)
		now := kind.document
		if first == "" {
			first = now
		}
		again = time.Since(start) > pause/2 || now != first
		if err != nil && !page.Gone(err) && !fault.Is(err, fault.TargetGone) || ctx.Err() != nil {
			return nil, again
		}
		if err == nil {
			if now != m.document {
				*m = memory{turn: m.turn, document: now, vendor: m.vendor, told: m.told}
			}
			if got.Vendor != "" && got.Kind != inject.CheckNone {
				m.vendor = got.Vendor
			}
			if out, done := c.judge(m, got, kind.loading, start, again); done {
				if out == nil || out.Status == Cleared {
					c.forget(p)
				} else {
					m.told = true
				}
				return out, again
			}
		}
		if !m.sleep(ctx, got, err != nil || kind.loading) {
			if ctx.Err() != nil {
				return nil, again
			}
			m.told = true
			return say(Checking, m.vendor, time.Since(start), nil), again
		}
	}
}

// judge says what a look means; done is false when the check is to be waited
// for.
func (c *Checks) judge(m *memory, got inject.Challenged, loading bool, start time.Time, waited bool) (out *Challenge, done bool) {
	took := time.Since(start)
	switch got.Kind {
	case inject.CheckBlocked:
		return say(Blocked, m.vendor, took, nil), true
	case inject.CheckPerson:
		return say(NeedsUser, m.vendor, took, nil), true
	case inject.CheckWaits:
		if m.waited >= c.limits.Wait {
			return say(NeedsUser, m.vendor, took, nil), true
		}
		return nil, false
	case inject.CheckWidget:
		switch {
		case m.offered && m.clicked >= c.limits.Click:
			return say(NeedsUser, m.vendor, took, nil), true
		case m.offered, got.Turnstile && m.token < c.limits.Token:
			return nil, false
		}
		m.offered = true
		return say(ClickOnce, m.vendor, took, got.Point), true
	}
	if loading {
		return nil, false
	}
	if m.told || waited && m.vendor != "" {
		if got.Passed && m.passed < onward {
			return nil, false
		}
		return say(Cleared, m.vendor, took, nil), true
	}
	return nil, true
}

// sleep waits for the next look and counts it where it belongs. It is false
// when the call's time is up.
func (m *memory) sleep(ctx context.Context, got inject.Challenged, between bool) bool {
	if t, ok := ctx.Deadline(); ok && time.Until(t) < reserve {
		return false
	}
	start := time.Now()
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
		return false
	}
	d := time.Since(start)
	switch {
	case between:
	case got.Passed:
		m.passed += d
	case got.Kind == inject.CheckWaits:
		m.waited += d
	case got.Kind == inject.CheckWidget && m.offered:
		m.clicked += d
	case got.Kind == inject.CheckWidget:
		m.token += d
	}
	return true
}

// seen is which document was looked at.
type seen struct {
	document string
	loading  bool
}

// look looks at the page's main document.
func look(ctx context.Context, p *page.Page) (seen, inject.Challenged, error) {
	d, err := p.Document(ctx)
	if err != nil {
		return seen{}, inject.Challenged{}, err
	}
	s := seen{document: d.ID()}
	facts, err := inject.Info(ctx, d)
	if err != nil {
		return s, inject.Challenged{}, err
	}
	s.loading = facts.ReadyState == "loading"
	d.Mark(ctx)
	got, err := inject.Challenge(ctx, d)
	return s, got, err
}

// memory gives what is remembered of a page, made when marked.
func (c *Checks) memory(p *page.Page, marked bool) *memory {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.pages[p]
	if m == nil && marked {
		for q := range c.pages {
			if st, _ := q.State.Get(); st.Closed {
				delete(c.pages, q)
			}
		}
		m = &memory{turn: make(chan struct{}, 1)}
		c.pages[p] = m
	}
	return m
}

func (c *Checks) forget(p *page.Page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pages, p)
}

func say(s Status, vendor string, waited time.Duration, at *inject.Point) *Challenge {
	c := &Challenge{Status: s, Vendor: vendor, Waited: waited.Round(10 * time.Millisecond), Point: at}
	const never = "do not solve, reload or retry the check"
	switch s {
	case Checking:
		c.Next = "look again with browser_snapshot; " + never
	case ClickOnce:
		c.Next = fmt.Sprintf(`click {"x":%g,"y":%g} once with browser_click, then look with browser_snapshot; %s`, at.X, at.Y, never)
	case NeedsUser:
		c.Next = "ask the person with request_takeover; " + never
	case Blocked:
		c.Next = "tell the person that the site refuses this browser; " + never
	}
	return c
}

// String is the check in one line.
func (c *Challenge) String() string {
	what := "Bot check"
	if c.Vendor != "" {
		what += " (" + c.Vendor + ")"
	}
	switch c.Status {
	case Cleared:
		return what + ": cleared."
	case Checking:
		return what + ": checking. Next: " + c.Next + "."
	case ClickOnce:
		return what + ": waits for one click. Next: " + c.Next + "."
	case NeedsUser:
		return what + ": needs the person. Next: " + c.Next + "."
	}
	return what + ": blocked. Next: " + c.Next + "."
}
