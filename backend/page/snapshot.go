package page

import (
	"context"
	"fmt"
	"slices"
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

// slotIn is a frame's place in a document.
type slotIn struct {
	w    *world
	slot inject.FrameSlot
}

func slotsIn(w *world, slots []inject.FrameSlot) []slotIn {
	out := make([]slotIn, len(slots))
	for i, s := range slots {
		out[i] = slotIn{w, s}
	}
	return out
}

// descend reads the frames that a document shows, then all those inside them,
// and so on: those of one depth side by side.
func (rd *outlining) descend(ctx context.Context, w *world, slots []inject.FrameSlot) {
	var read []int // refs of frames, outer ones first
	for level := slotsIn(w, slots); len(level) > 0; {
		if left := mostFrames - rd.frames; len(level) > left {
			rd.notes = append(rd.notes, fmt.Sprintf("only the first %d frames are shown", mostFrames))
			level = level[:max(left, 0)]
		}
		rd.frames += len(level)
		worlds := rd.enter(ctx, level)
		all, errs := rd.frameWalks(ctx, worlds, "")
		var inner []slotIn
		for i, in := range worlds {
			ref, got, err := level[i].slot.Ref, all[i], errs[i]
			switch {
			case in == nil:
			case vanished(err):
			case err != nil:
				rd.notes = append(rd.notes, fmt.Sprintf("the frame e%d did not answer and is left out", ref))
			default:
				rd.inner[ref] = got.Nodes
				read = append(read, ref)
				inner = append(inner, slotsIn(in, got.Frames)...)
			}
		}
		level = inner
	}
	for _, ref := range slices.Backward(read) {
		rd.inner[ref] = outline.Join(rd.inner[ref], rd.inner)
	}
}

// enter gives the worlds of frames, nil for those that have none, and tells
// them of what they cannot see, all at once.
func (rd *outlining) enter(ctx context.Context, slots []slotIn) []*world {
	out := make([]*world, len(slots))
	var wg sync.WaitGroup
	for i, s := range slots {
		wg.Go(func() {
			in, err := rd.frame(ctx, s.w, s.slot.Ref)
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

// frameWalks reads frames side by side; nil ones are left out. One numbering
// serves them all, in their order: each says first how many refs it needs.
func (rd *outlining) frameWalks(ctx context.Context, worlds []*world, query string) ([]inject.Walked, []error) {
	got, errs := make([]inject.Walked, len(worlds)), make([]error, len(worlds))
	each := func(f func(ctx context.Context, i int) error) {
		var wg sync.WaitGroup
		for i, in := range worlds {
			if in == nil || errs[i] != nil {
				continue
			}
			wg.Go(func() {
				ctx, cancel := soon(ctx, frameWait)
				defer cancel()
				errs[i] = f(ctx, i)
			})
		}
		wg.Wait()
	}
	if len(worlds) == 1 {
		each(func(ctx context.Context, i int) (err error) {
			got[i], err = rd.walk(ctx, worlds[i], 0, query)
			return err
		})
		return got, errs
	}
	if err := rd.p.together(ctx, func(next int) {
		each(func(ctx context.Context, i int) (err error) {
			got[i], err = inject.Walk(ctx, worlds[i], inject.WalkArgs{Next: next, Later: true, Budget: rd.a.MaxChars, Query: query, URLs: rd.a.URLs})
			return err
		})
		from := make([]int, len(worlds))
		for i, to := 0, next; i < len(worlds); i++ {
			if n := got[i].Next - next; worlds[i] != nil && errs[i] == nil && n > 0 {
				rd.p.own(worlds[i], to, to+n)
				got[i].Shift(next, to-next)
				from[i], to = to, to+n
			}
		}
		each(func(ctx context.Context, i int) error {
			if from[i] == 0 {
				return nil
			}
			return inject.Number(ctx, worlds[i], from[i])
		})
	}); err != nil {
		for i := range errs {
			errs[i] = err
		}
	}
	if rd.a.URLs {
		for i := range got {
			rd.p.cleanURLs(got[i].Nodes)
		}
	}
	return got, errs
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
	worlds := rd.enter(ctx, slotsIn(w, slots))
	all, errs := rd.frameWalks(ctx, worlds, rd.a.Query)
	for i, in := range worlds {
		slot, got := slots[i], all[i]
		if in == nil || errs[i] != nil {
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
