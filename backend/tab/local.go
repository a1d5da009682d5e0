package tab

import (
	"context"
	"path/filepath"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/preview"
)

// A local file has its file: address in the strip, in results and when saved;
// the page itself loads it from the preview server. The person's tabs get what
// they name granted anew; an agent's tab gets what it had, and nothing after a
// restart: its folders are its connection's.

// load shows an address in a tab's page.
func (r *Registry) load(ctx context.Context, t *Tab, p *page.Page, address string, fresh bool) (page.Loaded, error) {
	name, fragment, ok := preview.Path(address)
	if !ok {
		return p.Navigate(ctx, address)
	}
	g, err := r.grant(ctx, t, name, fresh)
	if err != nil {
		p.Unshown(address)
		return page.Loaded{}, err
	}
	return r.show(ctx, t, p, g, fragment)
}

// show loads a granted file and remembers the grant for when the tab wakes.
func (r *Registry) show(ctx context.Context, t *Tab, p *page.Page, g *preview.Grant, fragment string) (page.Loaded, error) {
	r.mu.Lock()
	t.local = g
	r.mu.Unlock()
	return p.ShowLocal(ctx, g, fragment)
}

// grant gives what a tab may see of a file: for fresh, as the person asks for it
// now, else as the tab last had it.
func (r *Registry) grant(ctx context.Context, t *Tab, name string, fresh bool) (*preview.Grant, error) {
	r.mu.Lock()
	had, owner := t.local, t.owner
	r.mu.Unlock()
	switch {
	case r.cfg.Preview == nil:
		return nil, fault.New(fault.Unsupported, "local files are not shown here")
	case !fresh && had != nil && had.Entry() == name:
		return had.Again()
	case !fresh && owner != Person:
		return nil, fault.New(fault.FileNotAllowed, "the preview of %s ended when Baton stopped", filepath.Base(name)).Then("open the file again with path")
	}
	// Links are followed once, here: what is pinned is the file itself.
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return nil, fault.New(fault.FileNotAllowed, "there is no file %s", name).Then("give a path that exists").Because(err)
	}
	return r.cfg.Preview.Open(ctx, preview.Request{Root: filepath.Dir(real), Entry: real, Find: true})
}

// GrantLocal pins a file that an agent was given, before any tab is to show it.
// The grant is closed by the tab that [Registry.OpenLocal] shows it in, else by
// the caller.
func (r *Registry) GrantLocal(ctx context.Context, what preview.Request) (*preview.Grant, error) {
	if r.cfg.Preview == nil {
		return nil, fault.New(fault.Unsupported, "local files are not shown here")
	}
	return r.cfg.Preview.Open(ctx, what)
}

// OpenLocal shows an agent a file that was granted, inside Do.
func (r *Registry) OpenLocal(ctx context.Context, id string, p *page.Page, g *preview.Grant) (page.Loaded, error) {
	r.mu.Lock()
	t, err := r.find(id)
	r.mu.Unlock()
	if err != nil {
		g.Close()
		return page.Loaded{}, err
	}
	return r.show(ctx, t, p, g, "")
}
