package agenttools

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/preview"
	"baton/backend/redact"
)

// place is where a tab is to go: an address or a local file. Call end when it is
// not gone to any more.
type place struct {
	address string
	file    *preview.Grant
	shown   bool // a tab has the grant, and closes it
}

// name says where, for the person.
func (w *place) name() string {
	if w.file != nil {
		return filepath.Base(w.file.Entry())
	}
	return redact.URL(w.address)
}

// end closes a grant that no tab took.
func (w *place) end() {
	if w.file != nil && !w.shown {
		w.file.Close()
	}
}

// place reads where a call wants to go. A file is pinned now, so that what
// cannot be shown is refused before any tab opens for it.
func (t *Thread) place(ctx context.Context, url, path string, assets []string) (*place, error) {
	address, file, err := t.means(ctx, url, path, assets)
	if err != nil || file == nil {
		return &place{address: address}, err
	}
	g, err := t.deps.Tabs.GrantLocal(ctx, *file)
	return &place{file: g}, err
}

// means tells an address from a local file.
func (t *Thread) means(ctx context.Context, url, path string, assets []string) (address string, file *preview.Request, err error) {
	if url != "" && path != "" {
		return "", nil, fault.New(fault.BadArguments, "both url and path are given").Then("give url for a web page, path for a local file")
	}
	if name, _, ok := preview.Path(strings.TrimSpace(url)); ok {
		// A file inside the folders has one meaning; file: addresses as such are
		// closed to agents.
		r, err := t.local(ctx, name, assets)
		if fault.Is(err, fault.FileNotAllowed) {
			_, err = t.address(url)
		}
		return "", r, err
	}
	if path != "" {
		if name, _, ok := preview.Path(path); ok {
			path = name
		}
		r, err := t.local(ctx, path, assets)
		return "", r, err
	}
	if len(assets) > 0 {
		return "", nil, fault.New(fault.BadArguments, "assets belong to a local file").Then("give path as well")
	}
	address, err = t.address(url)
	return address, nil, err
}

// local gives what is shown of a local file: the file and its declared assets.
// Which the agent may have is decided in [permitted] and [Thread.letHave] and
// nowhere else.
func (t *Thread) local(ctx context.Context, path string, assets []string) (*preview.Request, error) {
	if t.deps.rule(t.agent).Bounded {
		return nil, fault.New(fault.AccessOff, "the person keeps this agent from local files").Then("use web addresses")
	}
	roots := t.folders(ctx)
	entry, err := permitted(path, roots, "")
	if err != nil {
		return nil, err
	}
	files := []found{entry}
	for _, a := range assets {
		if name, _, ok := preview.Path(a); ok {
			a = name
		}
		f, err := permitted(a, roots, filepath.Dir(entry.path))
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	here, _ := t.tab("") // none is open yet, perhaps
	paths, err := t.letHave(ctx, here, "open the file", roots, files)
	if err != nil {
		return nil, err
	}
	r := &preview.Request{Entry: paths[0], Assets: paths[1:]}
	for _, root := range roots {
		if len(root) > len(r.Root) && !slices.ContainsFunc(paths, func(p string) bool { return !inside(p, []string{root}) }) {
			r.Root = root
		}
	}
	if r.Root == "" { // nothing but these files is served, whatever the folder
		r.Root = filepath.Dir(paths[0])
		for slices.ContainsFunc(paths, func(p string) bool { return !inside(p, []string{r.Root}) }) {
			r.Root = filepath.Dir(r.Root)
		}
	}
	return r, nil
}

// toldAssets bounds how many undeclared files one result names.
const toldAssets = 12

// goTo loads a place and gives what its result has to say of it.
func (t *Thread) goTo(ctx context.Context, id string, p *page.Page, w *place) (page.Loaded, []string, error) {
	if w.file == nil {
		l, err := p.Navigate(ctx, w.address)
		return l, nil, err
	}
	if w.shown { // by a page that ended at once
		g, err := w.file.Again()
		if err != nil {
			return page.Loaded{}, nil, err
		}
		w.file = g
	}
	w.shown = true
	l, err := t.deps.Tabs.OpenLocal(ctx, id, p, w.file)
	if err != nil {
		return l, nil, err
	}
	need := w.file.Undeclared()
	if len(need) == 0 {
		return l, nil, nil
	}
	more := ""
	if n := len(need) - toldAssets; n > 0 {
		need, more = need[:toldAssets], fmt.Sprintf(" and %d more", n)
	}
	return l, []string{"the page names files that were not in assets and are blocked: " + strings.Join(need, ", ") + more + "; open it again with those that it needs"}, nil
}
