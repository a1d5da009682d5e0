// Package consent refuses cookie banners in agents' tabs (W2): it presses the
// button that refuses, once a document, and never one that accepts.
//
// A [Guard] follows the pages it is given with [Guard.Attend]. A cheap look
// decides whether a document may show a banner; only then is more loaded into
// it. A button is found by its whole label, in many languages, and pressed by
// trusted input; where there is none, the rules of a kept library know the ways
// of consent platforms. Everything runs in isolated worlds: the page sees a
// press and nothing else. [Guard.Stop] ends it for the present documents.
//
// The rules' own snippets are written for the page's world and would run with
// its rights and before its eyes. They run in the rules' isolated world
// instead: what only reads the document works, what calls the page's functions
// answers no, and the button is found by its label.
package consent

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/page"
)

const (
	// lookFor is how long a document is looked at, from when it is parsed.
	lookFor = 15 * time.Second
	// parseWait is how long a document may take to be parsed.
	parseWait = time.Minute
	// readyWait is how long a reading waits for a banner that is about to be refused.
	readyWait = 300 * time.Millisecond
	// ruleAfter is when the rules are asked, once a platform shows: its button is often found first.
	ruleAfter = 350 * time.Millisecond
	// doubtAfter is when the rules are asked where no platform shows.
	doubtAfter = 1500 * time.Millisecond
	// ruleWait bounds a rule's presses.
	ruleWait = 7 * time.Second
	// goneWait is how long a banner may take to go after the press.
	goneWait = 300 * time.Millisecond
	// pressWait bounds the press of a button.
	pressWait = 4 * time.Second
	// mostFrames bounds how many frames of a page are looked at.
	mostFrames = 40
)

// Refused is what the next result on the tab says.
const Refused = "Refused cookies on this page."

// Guard refuses cookie banners. Make it with New.
type Guard struct {
	log *slog.Logger

	mu    sync.Mutex
	pages map[*page.Page]*visit // the main document of each attended page
}

// New makes a guard.
func New(log *slog.Logger) *Guard {
	return &Guard{log: log, pages: map[*page.Page]*visit{}}
}

// Act runs fn as an operation of the tab's owner, in its turn, with a gate for
// its input in ctx. It fails when the owner may not act on the tab.
type Act = func(ctx context.Context, what string, fn func(context.Context) error) error

// visit is one main document with its frames, until another one comes.
type visit struct {
	g     *Guard
	p     *page.Page
	main  page.Document
	act   Act
	note  func(string)
	ctx   context.Context
	end   context.CancelFunc
	began time.Time
	turn  chan struct{} // one refusal at a time: a token in a buffer of one

	mu     sync.Mutex
	frames int
	over   bool // refused, or stopped
	asked  bool // a reading has looked
	found  []func(context.Context) error
	offers chan struct{} // a token when a way has been found
}

// Attend looks after a page until ctx ends. note takes word for the next result.
func (g *Guard) Attend(ctx context.Context, p *page.Page, act Act, note func(string)) {
	came, stop := p.Documents.Subscribe(64)
	defer stop()
	var wg sync.WaitGroup
	defer wg.Wait()
	var v *visit
	defer func() {
		if v != nil {
			v.end()
		}
		g.mu.Lock()
		delete(g.pages, p)
		g.mu.Unlock()
	}()
	take := func(d page.Document) {
		if !d.Here() {
			return
		}
		if d.Main() {
			if v != nil && v.main.ID() == d.ID() {
				return
			}
			if v != nil {
				v.end()
			}
			v = &visit{g: g, p: p, main: d, act: act, note: note, began: time.Now(), turn: make(chan struct{}, 1), offers: make(chan struct{}, 1)}
			v.ctx, v.end = context.WithTimeout(ctx, parseWait+lookFor)
			g.mu.Lock()
			g.pages[p] = v
			g.mu.Unlock()
		}
		if v == nil || !v.admit(d) {
			return
		}
		now := v
		wg.Go(func() { now.look(d) })
	}
	for _, d := range p.Present() {
		take(d)
	}
	for {
		select {
		case d := <-came:
			take(d)
		case <-ctx.Done():
			return
		}
	}
}

// Stop ends what is under way on the page's present documents, for good: the
// person took the tab, or a secret is entered.
func (g *Guard) Stop(p *page.Page) {
	g.mu.Lock()
	v := g.pages[p]
	g.mu.Unlock()
	if v != nil {
		v.close()
	}
}

// Ready refuses a banner that shows before p is read. It runs within the
// owner's own operation, whose gate is in ctx, and takes 300 ms at most; on a
// page without a banner one cheap look. It says whether it pressed anything.
func (g *Guard) Ready(ctx context.Context, p *page.Page) bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	v := g.pages[p]
	g.mu.Unlock()
	if v == nil || v.ended() || !v.main.Here() {
		return false
	}
	wait, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	stop := context.AfterFunc(v.ctx, cancel)
	defer stop()
	v.mu.Lock()
	asked := v.asked
	v.asked = true
	v.mu.Unlock()
	if !asked && !v.offered() {
		l, err := inject.IsBannerLikely(wait, v.main, inject.BannerLikelyArgs{Now: true})
		if err != nil || !l.Likely {
			return false
		}
		v.once(wait, v.main)
		if !v.offered() {
			v.frameOnce(wait)
		}
		// A platform's button may come with the banner's first moves.
		for l.Platform && !v.offered() && wait.Err() == nil && !v.ended() {
			select {
			case <-v.offers:
			case <-wait.Done():
			}
		}
	}
	if !v.offered() {
		return false
	}
	press, cancel := context.WithTimeout(ctx, pressWait)
	defer cancel()
	v.refuse(press)
	return v.ended()
}

// once looks for a button at once.
func (v *visit) once(ctx context.Context, d page.Document) {
	if w, err := inject.BannerWatch(ctx, d, 0); err == nil && w.Button {
		v.offer(func(ctx context.Context) error { return v.press(ctx, d) })
	}
}

// frameOnce looks into a few frames at once.
func (v *visit) frameOnce(ctx context.Context) {
	var wg sync.WaitGroup
	for i, d := range v.p.Present() {
		if d.Main() || i > 8 {
			continue
		}
		wg.Go(func() {
			if l, err := inject.IsBannerLikely(ctx, d, inject.BannerLikelyArgs{Now: true}); err == nil && l.Likely {
				v.once(ctx, d)
			}
		})
	}
	wg.Wait()
}

// admit counts a document in.
func (v *visit) admit(d page.Document) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.over || v.ctx.Err() != nil {
		return false
	}
	if !d.Main() {
		v.frames++
	}
	return v.frames <= mostFrames
}

func (v *visit) ended() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.over || v.ctx.Err() != nil
}

// close ends the visit.
func (v *visit) close() {
	v.mu.Lock()
	v.over = true
	v.mu.Unlock()
	v.end()
}

// offer adds a way to refuse.
func (v *visit) offer(way func(context.Context) error) {
	v.mu.Lock()
	v.found = append(v.found, way)
	v.mu.Unlock()
	select {
	case v.offers <- struct{}{}:
	default:
	}
}

func (v *visit) offered() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.found) > 0 && !v.over
}

// look looks at one document until the visit ends or the time is up.
func (v *visit) look(d page.Document) {
	left := lookFor
	if !d.Main() {
		left = max(lookFor-time.Since(v.began), 2*time.Second)
	}
	l, err := inject.IsBannerLikely(v.ctx, d, inject.BannerLikelyArgs{MS: int(left.Milliseconds())})
	if err != nil || !l.Likely {
		v.failed(err)
		return
	}
	end := time.Now().Add(min(left, lookFor))
	rules, cancel := context.WithCancel(v.ctx)
	defer cancel()
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { v.byRules(rules, d, l.Platform, end) })
	for time.Now().Before(end) {
		w, err := inject.BannerWatch(v.ctx, d, int(time.Until(end).Milliseconds())+1)
		if err != nil {
			v.failed(err)
			break
		}
		if !w.Button {
			break
		}
		v.offer(func(ctx context.Context) error { return v.press(ctx, d) })
		if v.await() {
			return
		}
		select {
		case <-time.After(300 * time.Millisecond):
		case <-v.ctx.Done():
			return
		}
	}
}

// byRules asks the rule library, a moment later.
func (v *visit) byRules(ctx context.Context, d page.Document, platform bool, end time.Time) {
	after := doubtAfter
	if platform {
		after = ruleAfter
	} else if l, err := kept(); err == nil && l.has(d.URL()) {
		after = ruleAfter
	}
	select {
	case <-time.After(after):
	case <-ctx.Done():
		return
	}
	p, ok, err := find(ctx, d, int(max(time.Until(end), time.Second).Milliseconds()))
	if !ok {
		v.failed(err)
		return
	}
	v.offer(func(ctx context.Context) error { return v.byRule(ctx, p) })
	v.await()
}

// await has what was found done as an operation of the tab's own. It says
// whether the visit is over.
func (v *visit) await() bool {
	ctx, cancel := context.WithTimeout(v.ctx, lookFor+ruleWait)
	defer cancel()
	err := v.act(ctx, "refusing cookies", func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, ruleWait+pressWait)
		defer cancel()
		v.refuse(ctx)
		return nil
	})
	var f *fault.Fault
	if errors.As(err, &f) {
		switch f.Code {
		case fault.InUseByPerson, fault.InterruptedByPerson, fault.AccessOff, fault.NotYourTab, fault.NoSuchTab, fault.ProtectedBySecret:
			v.close()
		}
	}
	return v.ended()
}

// refuse goes the ways found so far, until one has pressed something. Call it
// within an operation of the tab's owner.
func (v *visit) refuse(ctx context.Context) {
	select {
	case v.turn <- struct{}{}:
		defer func() { <-v.turn }()
	case <-ctx.Done():
		return
	}
	for {
		v.mu.Lock()
		if v.over || len(v.found) == 0 {
			v.mu.Unlock()
			return
		}
		way := v.found[0]
		v.found = v.found[1:]
		v.mu.Unlock()
		if err := way(ctx); err != nil {
			v.failed(err)
		}
	}
}

// press presses the button that refuses, if it still shows.
func (v *visit) press(ctx context.Context, d page.Document) error {
	var b inject.BannerButton
	err := d.Numbered(ctx, func(next int) (int, error) {
		var err error
		b, err = inject.FindBannerButton(ctx, d, next)
		return max(b.Next, next), err
	})
	if err != nil || b.Ref == 0 {
		return err
	}
	sent, err := d.Press(ctx, b.Ref)
	if !sent {
		return err
	}
	defer v.close()
	if err != nil {
		return err
	}
	gone, err := inject.BannerGone(ctx, d, b.Ref, int(goneWait.Milliseconds()))
	v.g.log.Debug("a cookie banner was refused", "button", b.Label, "gone", gone)
	if gone || err != nil {
		v.note(Refused)
	} else {
		v.note("Pressed the button that refuses cookies; the banner still shows.")
	}
	return nil
}

// byRule has a rule refuse.
func (v *visit) byRule(ctx context.Context, p platform) error {
	done, pressed, err := p.refuse(ctx)
	v.g.log.Debug("a consent platform was refused", "rule", p.rule, "done", done)
	if pressed || err != nil {
		v.close()
	}
	if done {
		v.note(Refused)
	}
	return err
}

// failed notes what went wrong, unless the document just went away.
func (v *visit) failed(err error) {
	if err != nil && v.ctx.Err() == nil && !page.Gone(err) {
		v.g.log.Debug("a cookie banner was not looked at", "error", err)
	}
}
