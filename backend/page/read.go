package page

import (
	"context"
	"fmt"
	"strings"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/redact"
)

// ReadArgs ask for a page's main text.
type ReadArgs struct {
	Target *Target // one part of the page
	Query  string  // the passages around matches
	Max    int     // characters; 0 means 8,000
	Offset int
}

// Text is the main text as Markdown.
type Text struct {
	Text    string
	Total   int    // length of the whole
	End     int    // where to go on; Total when nothing is left
	Rest    []Mark // what stands in the part left out behind End
	Matches int
	Title   string
	URL     string
	Pages   int // of a PDF; 0 for other documents
	Read    int // of them, pages whose text is in Total
}

// Read gives the main text of the page, or of a part, as Markdown.
func (p *Page) Read(ctx context.Context, a ReadArgs) (Text, error) {
	ctx, cancel, err := p.reading(ctx)
	if err != nil {
		return Text{}, err
	}
	defer cancel()
	t, err := p.readText(ctx, a)
	return t, p.explain(ctx, err)
}

func (p *Page) readText(ctx context.Context, a ReadArgs) (Text, error) {
	if a.Max < 0 || a.Offset < 0 {
		return Text{}, fault.New(fault.BadArguments, "offset and max_chars are not below 0")
	}
	var (
		w    *world
		root int
		err  error
	)
	if p.IsPDF() {
		if w, err = p.mainWorld(ctx); err != nil {
			return Text{}, err
		}
		return p.pdfText(ctx, w, a)
	}
	if a.Target != nil {
		r, err := p.resolve(ctx, *a.Target)
		if err != nil {
			return Text{}, err
		}
		if r.ref == 0 {
			return Text{}, fault.New(fault.BadArguments, "a point names no part of the page").Then("give a ref")
		}
		w, root = r.world, r.ref
		if id, err := p.frameOf(ctx, w, root); err == nil { // an iframe: its document
			if in, err := p.world(ctx, id); err == nil {
				w, root = in, 0
			}
		}
	} else {
		if w, err = p.mainWorld(ctx); err != nil {
			return Text{}, err
		}
		p.settle(ctx, w)
		if w, err = p.mainWorld(ctx); err != nil {
			return Text{}, err
		}
	}
	if p.unseenFrames(w) {
		// A text names its frames by refs, which an outline gives out.
		if _, err := (&outlining{p: p, a: SnapshotArgs{MaxChars: inject.DefaultBudget}}).walk(ctx, w, 0, ""); err != nil {
			return Text{}, err
		}
	}
	got, err := inject.Read(ctx, w, inject.ReadArgs{Ref: root, Query: a.Query, Offset: a.Offset, Max: min(a.Max, inject.MaxBudget)})
	if err != nil {
		return Text{}, err
	}
	if got.Gone {
		return Text{}, goneFault(root)
	}
	st, _ := p.State.Get()
	text := p.passages(got.Text, a.Query)
	if text == "" {
		got.Matches = 0
	}
	t := Text{Text: redact.Text(text), Total: got.Total, End: got.End, Matches: got.Matches, Title: p.clean(got.Title), URL: redact.URL(st.URL)}
	if got.End < got.Total && a.Query == "" {
		if rest, err := inject.Read(ctx, w, inject.ReadArgs{Ref: root, Offset: got.End, Max: mostRest}); err == nil {
			t.Rest = landmarks(redact.Text(p.clean(rest.Text)), got.End)
		}
	}
	if got.End >= got.Total && a.Offset == 0 {
		p.readFrames(ctx, w, got.Frames, a, &t, 0)
	}
	return t, nil
}

// unseenFrames says that a document holds frames that no outline has shown.
func (p *Page) unseenFrames(w *world) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.frames {
		if f.parent != nil && f.parent.id == w.frame && f.owner == 0 {
			return true
		}
	}
	return false
}

// readFrames adds the text of the frames that a text holds.
func (p *Page) readFrames(ctx context.Context, w *world, frames []int, a ReadArgs, t *Text, depth int) {
	most := a.Max
	if most == 0 {
		most = 8000
	}
	for _, ref := range frames {
		left := most - len(t.Text)
		if left < 200 || depth > 3 {
			return
		}
		c, cancel := soon(ctx, frameWait)
		id, err := p.frameOf(c, w, ref)
		var in *world
		if err == nil {
			in, err = p.world(c, id)
		}
		var got inject.Text
		if err == nil {
			got, err = inject.Read(c, in, inject.ReadArgs{Query: a.Query, Max: left})
		}
		cancel()
		text := strings.TrimSpace(p.passages(got.Text, a.Query))
		if err != nil || text == "" {
			continue
		}
		t.Matches += got.Matches
		text = fmt.Sprintf("[frame e%d]\n\n%s", ref, redact.Text(text))
		if got.End < got.Total {
			text += fmt.Sprintf("\n\n(+%d characters in this frame: browser_read with target e%d)", got.Total-got.End, ref)
		}
		t.Text = strings.Replace(t.Text, fmt.Sprintf("[frame e%d]", ref), text, 1)
		p.readFrames(ctx, in, got.Frames, a, t, depth+1)
	}
}
