package page

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/outline"
	"baton/backend/redact"
)

const (
	// frameWait is how long one frame's contents are waited for: a frame that
	// does nothing but compute must not hold the rest up.
	frameWait = 1200 * time.Millisecond
	// mostFrames bounds how many frames one outline shows.
	mostFrames = 40
)

// SnapshotArgs ask for an outline of the page.
type SnapshotArgs struct {
	Target   *Target // the subtree wanted; nil is the page
	Query    string  // keep what matches, with its surroundings
	MaxChars int     // 0 means inject.DefaultBudget
	URLs     bool    // show the addresses of links
}

// Snapshot is an outline of the page.
type Snapshot struct {
	Text    string // one node a line; empty when nothing is shown
	Title   string
	URL     string // redacted
	Modal   bool   // only an open modal dialog is shown
	Matches int    // lines that match the query
	Count   int    // lines that the main document has
	Check   bool   // the main document may be a bot check
	Notes   []string
	told    string // the title as the page tells it
}

// Snapshot reads the page's outline, frames and all. The first one of a
// document waits while the page says that it is loading.
func (p *Page) Snapshot(ctx context.Context, a SnapshotArgs) (Snapshot, error) {
	ctx, cancel, err := p.reading(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	defer cancel()
	s, err := p.snapshot(ctx, a)
	for tries := 0; a.Target == nil && tries < 3 && ctx.Err() == nil && fault.Is(err, fault.TargetGone); tries++ {
		s, err = p.snapshot(ctx, a) // another document came in the middle of it
	}
	if err == nil && a.Target == nil {
		// Chromium tells titles with a delay; what was just read is newer.
		p.update(func(st *State) { st.Title = s.told })
	}
	return s, p.explain(ctx, err)
}

func (p *Page) snapshot(ctx context.Context, a SnapshotArgs) (Snapshot, error) {
	if a.MaxChars <= 0 {
		a.MaxChars = inject.DefaultBudget
	}
	a.MaxChars = min(a.MaxChars, inject.MaxBudget)
	var (
		w    *world
		root int
		err  error
	)
	if a.Target != nil {
		r, err := p.resolve(ctx, *a.Target)
		if err != nil {
			return Snapshot{}, err
		}
		if r.ref == 0 {
			return Snapshot{}, fault.New(fault.BadArguments, "a point names no part of the page").Then("give a ref, or a role and name")
		}
		w, root = r.world, r.ref
	} else {
		if w, err = p.mainWorld(ctx); err != nil {
			return Snapshot{}, err
		}
		k := p.marking(ctx, w)
		nodes := p.settle(ctx, w)
		now, err := p.mainWorld(ctx)
		if err != nil {
			return Snapshot{}, err
		}
		if p.IsPDF() {
			return p.pdfOutline(ctx, now), nil
		}
		if now.unique == w.unique {
			k.finish(ctx, nodes)
		} else { // the wait has seen another document come
			p.mark(ctx, now)
		}
		return p.outline(ctx, now, 0, a)
	}
	p.mark(ctx, w)
	return p.outline(ctx, w, root, a)
}

// Settle waits while the page's document says that it is loading, as the first
// Snapshot does; both may wait at once.
func (p *Page) Settle(ctx context.Context) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	if w, err := p.mainWorld(ctx); err == nil {
		p.settle(ctx, w)
	}
}

// settle waits while a document says that it is loading, and ends well before
// the call's time does. It gives how many elements there are then, or -1.
func (p *Page) settle(ctx context.Context, w *world) int {
	left := 2500 * time.Millisecond
	if t, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(t)-time.Second)
	}
	if left < 50*time.Millisecond {
		return -1
	}
	s, err := inject.Settle(ctx, w, inject.SettleArgs{MaxMS: int(min(left, 2*time.Second) / time.Millisecond)})
	if err != nil {
		return -1
	}
	return s.Nodes
}

// outlining collects one outline over all frames.
type outlining struct {
	p      *Page
	a      SnapshotArgs
	inner  map[int][]outline.Node // by the iframe's ref
	frames int
	notes  []string
	found  int
	hidden int // lines that only matched by a value that is not shown
}

func (p *Page) outline(ctx context.Context, w *world, root int, a SnapshotArgs) (Snapshot, error) {
	rd := &outlining{p: p, a: a, inner: map[int][]outline.Node{}}
	got, err := rd.walk(ctx, w, root, a.Query)
	if err != nil {
		return Snapshot{}, err
	}
	if got.Gone {
		return Snapshot{}, goneFault(root)
	}
	nodes := got.Nodes
	if a.Query == "" {
		rd.descend(ctx, w, got.Frames)
		nodes = outline.Join(nodes, rd.inner)
	} else if root == 0 {
		nodes = append(nodes, rd.search(ctx, w)...)
	}
	if changed := p.cleanNodes(nodes); changed != nil && a.Query != "" {
		nodes, rd.hidden = unmatched(nodes, changed, a.Query)
	}
	if rd.frames > 0 {
		nodes = outline.Fit(nodes, a.MaxChars)
	}
	s := Snapshot{
		Text: outline.Render(nodes), Title: p.clean(got.Title), URL: redact.URL(p.clean(p.ShownAs(got.URL))), Modal: got.Modal,
		Matches: max(0, got.Matches+rd.found-rd.hidden), Count: got.Count, Check: got.Check, Notes: rd.notes, told: got.Title,
	}
	return s, nil
}

// walk reads one document.
func (rd *outlining) walk(ctx context.Context, w *world, root int, query string) (inject.Walked, error) {
	var got inject.Walked
	err := rd.p.numbered(ctx, w, func(next int) (int, error) {
		var err error
		got, err = inject.Walk(ctx, w, inject.WalkArgs{Next: next, Budget: rd.a.MaxChars, Root: root, Query: query, URLs: rd.a.URLs})
		return max(got.Next, next), err
	})
	if rd.a.URLs {
		rd.p.cleanURLs(got.Nodes)
	}
	return got, err
}

// descend reads the frames that a document shows, and those inside them.
func (rd *outlining) descend(ctx context.Context, w *world, slots []inject.FrameSlot) {
	if left := mostFrames - rd.frames; len(slots) > left {
		rd.notes = append(rd.notes, fmt.Sprintf("only the first %d frames are shown", mostFrames))
		slots = slots[:max(left, 0)]
	}
	rd.frames += len(slots)
	for i, in := range rd.enter(ctx, w, slots) {
		ref := slots[i].Ref
		if in == nil {
			continue
		}
		got, err := rd.frameWalk(ctx, in, "")
		switch {
		case vanished(err):
		case err != nil:
			rd.notes = append(rd.notes, fmt.Sprintf("the frame e%d did not answer and is left out", ref))
		default:
			rd.inner[ref] = got.Nodes
			rd.descend(ctx, in, got.Frames)
			rd.inner[ref] = outline.Join(rd.inner[ref], rd.inner)
		}
	}
}

// enter gives the worlds of frames, nil for those that have none, and tells
// them of what they cannot see, all at once. They are read one after another,
// since one numbering serves them all.
func (rd *outlining) enter(ctx context.Context, w *world, slots []inject.FrameSlot) []*world {
	out := make([]*world, len(slots))
	var wg sync.WaitGroup
	for i, slot := range slots {
		wg.Go(func() {
			in, err := rd.frame(ctx, w, slot.Ref)
			if err != nil {
				return
			}
			out[i] = in
			c, cancel := soon(ctx, frameWait)
			defer cancel()
			rd.p.mark(c, in)
		})
	}
	wg.Wait()
	return out
}

// frame gives the world of a frame's document.
func (rd *outlining) frame(ctx context.Context, w *world, ref int) (*world, error) {
	ctx, cancel := soon(ctx, frameWait)
	defer cancel()
	id, err := rd.p.frameOf(ctx, w, ref)
	if err != nil {
		return nil, err
	}
	return rd.p.world(ctx, id)
}

func (rd *outlining) frameWalk(ctx context.Context, in *world, query string) (inject.Walked, error) {
	ctx, cancel := soon(ctx, frameWait)
	defer cancel()
	return rd.walk(ctx, in, 0, query)
}

// search runs the query in the frames that the document shows, and gives those
// with matches as iframe nodes.
func (rd *outlining) search(ctx context.Context, w *world) []outline.Node {
	if len(rd.p.frameIDs()) == 0 {
		return nil
	}
	all, err := rd.walk(ctx, w, 0, "")
	if err != nil {
		return nil
	}
	return rd.searchIn(ctx, w, all)
}

func (rd *outlining) searchIn(ctx context.Context, w *world, shown inject.Walked) []outline.Node {
	var out []outline.Node
	slots := shown.Frames[:min(len(shown.Frames), max(mostFrames-rd.frames, 0))]
	rd.frames += len(slots)
	for i, in := range rd.enter(ctx, w, slots) {
		slot := slots[i]
		if in == nil {
			continue
		}
		got, err := rd.frameWalk(ctx, in, rd.a.Query)
		if err != nil {
			continue
		}
		rd.found += got.Matches
		kids := got.Nodes
		if whole, err := rd.frameWalk(ctx, in, ""); err == nil && len(whole.Frames) > 0 {
			kids = append(kids, rd.searchIn(ctx, in, whole)...)
		}
		if len(kids) == 0 {
			continue
		}
		node := outline.Node{Role: "iframe", Ref: slot.Ref}
		if n := nodeOf(shown.Nodes, slot.Ref); n != nil {
			node.Name, node.State = n.Name, n.State
		}
		node.Kids = kids
		out = append(out, node)
	}
	return out
}

func nodeOf(nodes []outline.Node, ref int) *outline.Node {
	for i := range nodes {
		if nodes[i].Ref == ref {
			return &nodes[i]
		}
		if n := nodeOf(nodes[i].Kids, ref); n != nil {
			return n
		}
	}
	return nil
}

func (p *Page) cleanURLs(nodes []outline.Node) {
	for i := range nodes {
		if nodes[i].URL != "" {
			nodes[i].URL = redact.URL(p.ShownAs(nodes[i].URL))
		}
		p.cleanURLs(nodes[i].Kids)
	}
}

// unmatched drops the lines that matched a query only by a value that is taken
// out of them, and counts them: a query confirms no value.
func unmatched(nodes []outline.Node, changed map[int]bool, query string) ([]outline.Node, int) {
	query = strings.ToLower(query)
	gone := 0
	var drop func(list []outline.Node) []outline.Node
	drop = func(list []outline.Node) []outline.Node {
		out := list[:0]
		for _, n := range list {
			n.Kids = drop(n.Kids)
			if changed[n.Ref] && len(n.Kids) == 0 && !strings.Contains(strings.ToLower(outline.Render([]outline.Node{n})), query) {
				gone++
				continue
			}
			out = append(out, n)
		}
		return out
	}
	return drop(nodes), gone
}
