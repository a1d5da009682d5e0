package page

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/input"
)

// Finding is a search for a text in the page, for the person: documents keep it
// up as they change, and nothing in them is touched.
type Finding struct {
	Text      string
	MatchCase bool
	Count     int // matches in all frames
	Active    int // from 1; 0 is none
	Marks     []FindMark
}

// FindMark is a piece of a match in view, in CSS pixels of the main viewport.
type FindMark struct {
	inject.Box
	On bool // of the active match
}

// search is the search under way. Its fields but the fixed ones are guarded by
// mu; step takes one step at a time.
type search struct {
	p         *Page
	seq       int // fixed, with the next three
	text      string
	matchCase bool
	end       context.CancelFunc
	kick      chan struct{} // something was told

	step sync.Mutex

	mu   sync.Mutex
	docs []*searched // the main one first, frames as they came
	at   *searched   // that has the active match
}

// searched is one document of a search.
type searched struct {
	w    *world
	born int
	gone int // how often it was told of an active match
	news inject.FindNews
}

const (
	findWait = 5 * time.Second // bounds a search in one document
	findMost = 500             // bytes of a text that is searched for
)

// Find searches the page for a text and goes to the first match at or below the
// top of what is in view. An empty text ends the search.
func (p *Page) Find(ctx context.Context, text string, matchCase bool) error {
	if text == "" {
		return p.FindEnd(ctx, false)
	}
	if len(text) > findMost {
		return fault.New(fault.BadArguments, "a text of more than %d bytes is not searched for", findMost)
	}
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	life, end := context.WithCancel(p.alive())
	p.mu.Lock()
	p.seeks++
	s := &search{p: p, seq: p.seeks, text: text, matchCase: matchCase, end: end, kick: make(chan struct{}, 1)}
	old := p.seek
	p.seek = s
	p.mu.Unlock()
	if old != nil {
		old.end()
	}
	came, stop := p.Documents.Subscribe(64)
	docs := p.Present()
	found := make([]inject.Found, len(docs))
	var wg sync.WaitGroup
	for i, d := range docs {
		wg.Go(func() { found[i] = s.look(ctx, d) })
	}
	wg.Wait()
	go func() {
		defer stop()
		s.follow(life, came)
	}()
	for _, in := range s.list() {
		for i, d := range docs {
			if d.w.unique == in.w.unique && found[i].Count > 0 {
				return s.goTo(ctx, in, max(found[i].First, 0))
			}
		}
	}
	s.told()
	return nil
}

// look begins the search in one document.
func (s *search) look(ctx context.Context, d Document) inject.Found {
	ctx, cancel := context.WithTimeout(ctx, findWait)
	defer cancel()
	s.p.mu.Lock()
	in := &searched{w: d.w, news: inject.FindNews{Active: -1}}
	if f := s.p.frames[d.w.frame]; f != nil {
		in.born = f.born
	}
	s.p.mu.Unlock()
	s.mu.Lock()
	s.docs = slices.DeleteFunc(s.docs, func(x *searched) bool { return x.w.frame == d.w.frame })
	if s.at != nil && s.at.w.frame == d.w.frame {
		s.at = nil
	}
	s.docs = append(s.docs, in)
	root := s.p.root
	slices.SortStableFunc(s.docs, func(a, b *searched) int {
		switch {
		case a.w.frame == root:
			return -1
		case b.w.frame == root:
			return 1
		}
		return a.born - b.born
	})
	s.mu.Unlock()
	s.p.mark(ctx, d.w) // meets closed shadow roots
	got, err := inject.FindStart(ctx, d.w, s.seq, s.text, s.matchCase)
	if err != nil {
		return inject.Found{First: -1}
	}
	s.mu.Lock()
	in.news.Count = max(in.news.Count, got.Count)
	s.mu.Unlock()
	return got
}

func (s *search) list() []*searched {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.docs)
}

// FindStep goes so many matches on, round the page's end, or back.
func (p *Page) FindStep(ctx context.Context, by int) error {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	p.mu.Lock()
	s := p.seek
	p.mu.Unlock()
	if s == nil {
		return nil
	}
	s.step.Lock()
	defer s.step.Unlock()
	s.mu.Lock()
	total, now := 0, -1
	for _, d := range s.docs {
		if d == s.at && d.news.Active >= 0 {
			now = total + d.news.Active
		}
		total += d.news.Count
	}
	if total == 0 {
		s.mu.Unlock()
		return nil
	}
	switch {
	case now < 0 && by > 0:
		now = by - 1
	case now < 0:
		now = total + by
	default:
		now += by
	}
	now = ((now % total) + total) % total
	var in *searched
	for _, d := range s.docs {
		if now < d.news.Count {
			in = d
			break
		}
		now -= d.news.Count
	}
	s.mu.Unlock()
	return s.goTo(ctx, in, now)
}

// goTo makes a match the active one and brings it into view, through all
// frames around it.
func (s *search) goTo(ctx context.Context, in *searched, index int) error {
	s.mu.Lock()
	before := s.at
	s.at, in.news.Active = in, index
	in.gone++
	s.mu.Unlock()
	if before != nil && before != in {
		s.mu.Lock()
		before.gone++
		before.news.Active = -1
		s.mu.Unlock()
		before.w.post(ctx, "findGo", map[string]int{"index": -1})
	}
	at, err := inject.FindGo(ctx, in.w, index)
	if err != nil {
		return s.failed(ctx, err)
	}
	defer s.told()
	if at.Gone {
		return nil // the page changed; the document tells how it stands now
	}
	var r struct {
		Result runtime.RemoteObject `json:"result"`
	}
	if err := in.w.sess.Call(ctx, "Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": inject.FindElement(), "uniqueContextId": in.w.unique,
	}, &r); err != nil || r.Result.ObjectID == "" {
		return s.failed(ctx, err)
	}
	err = in.w.sess.Call(ctx, "DOM.scrollIntoViewIfNeeded", dom.ScrollIntoViewIfNeededParams{
		ObjectID: r.Result.ObjectID, Rect: &dom.Rect{X: at.X, Y: at.Y, Width: at.W, Height: at.H},
	}, nil)
	_, _ = in.w.sess.Send(ctx, "Runtime.releaseObject", runtime.ReleaseObjectParams{ObjectID: r.Result.ObjectID})
	return s.failed(ctx, err)
}

// failed explains why a step failed. One that a newer search overtook did not:
// its match is no longer there to be gone to.
func (s *search) failed(ctx context.Context, err error) error {
	s.p.mu.Lock()
	mine := s.p.seek == s
	s.p.mu.Unlock()
	if !mine {
		return nil
	}
	return s.p.explain(ctx, err)
}

// FindEnd ends the search; keep leaves the active match selected. The page
// stays where it is.
func (p *Page) FindEnd(ctx context.Context, keep bool) error {
	p.mu.Lock()
	s := p.seek
	p.seek = nil
	p.mu.Unlock()
	if s == nil {
		return nil
	}
	s.end()
	p.Findings.Set(nil)
	ctx, cancel := p.bind(ctx)
	defer cancel()
	s.mu.Lock()
	at := s.at
	s.mu.Unlock()
	var err error
	for _, d := range s.list() {
		if d == at {
			err = inject.FindStop(ctx, d.w, keep)
			continue
		}
		d.w.post(ctx, "findStop", map[string]bool{"select": false})
	}
	return p.explain(ctx, err)
}

// sought takes what a document told of a search.
func (p *Page) sought(sess *cdp.Session, e runtime.EventBindingCalled) {
	var news inject.FindNews
	if len(e.Payload) > surfaceMost || json.Unmarshal([]byte(e.Payload), &news) != nil {
		return
	}
	p.mu.Lock()
	s := p.seek
	unique := ""
	for _, f := range p.frames {
		if f.sess == sess && f.worldID == e.ExecutionContextID {
			unique = f.world
		}
	}
	p.mu.Unlock()
	if s == nil || news.Seq != s.seq || unique == "" {
		return
	}
	s.mu.Lock()
	for _, d := range s.docs {
		if d.w.unique == unique {
			if news.Gone < d.gone {
				news.Active = d.news.Active // it has not heard yet
			}
			d.news = news
			if d == s.at && news.Active < 0 {
				s.at = nil
			}
		}
	}
	s.mu.Unlock()
	s.told()
}

func (s *search) told() {
	select {
	case s.kick <- struct{}{}:
	default:
	}
}

// follow shows how the search stands, and searches what the page loads
// meanwhile, until ctx ends.
func (s *search) follow(ctx context.Context, came <-chan Document) {
	for {
		select {
		case d := <-came:
			go func() { s.look(ctx, d); s.told() }()
		case <-s.kick:
			f := s.finding(ctx)
			s.p.mu.Lock()
			mine := s.p.seek == s
			s.p.mu.Unlock()
			if mine && ctx.Err() == nil {
				s.p.Findings.Set(f)
			}
		case <-ctx.Done():
			s.p.mu.Lock()
			mine := s.p.seek == s
			if mine {
				s.p.seek = nil
			}
			s.p.mu.Unlock()
			if mine {
				s.p.Findings.Set(nil) // the page has gone
			}
			return
		}
	}
}

// finding puts together what the documents told.
func (s *search) finding(ctx context.Context) *Finding {
	width, height := s.p.Viewport()
	out := &Finding{Text: s.text, MatchCase: s.matchCase}
	s.mu.Lock()
	s.docs = slices.DeleteFunc(s.docs, func(d *searched) bool { return !d.w.here() })
	docs := make([]searched, 0, len(s.docs))
	for _, d := range s.docs {
		if d == s.at && d.news.Active >= 0 {
			out.Active = out.Count + d.news.Active + 1
		}
		out.Count += d.news.Count
		docs = append(docs, *d)
	}
	s.mu.Unlock()
	for _, d := range docs {
		if len(d.news.Marks) == 0 {
			continue
		}
		steps, err := s.p.placed(ctx, d.w.frame)
		if err != nil {
			continue
		}
		for _, m := range d.news.Marks {
			b := through(steps, m.Box)
			if b.X+b.W > 0 && b.Y+b.H > 0 && b.X < width && b.Y < height {
				out.Marks = append(out.Marks, FindMark{Box: b, On: m.On})
			}
		}
	}
	return out
}

// placed gives the steps from a frame's viewport to the main one, asked anew:
// the page may have moved the frame.
func (p *Page) placed(ctx context.Context, frame cdproto.FrameID) ([]func(input.Point) input.Point, error) {
	if frame == p.root {
		return nil, nil
	}
	ctx, cancel := soon(ctx, 2*time.Second)
	defer cancel()
	return p.toMain(ctx, frame)
}
