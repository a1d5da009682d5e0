package tab

import (
	"context"
	"net/url"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/store"
)

// The person's zoom belongs to a site: it is kept, and every tab of theirs that
// shows the site has it. In an agent's tab it is the tab's own, as one that the
// agent asked for is.

// Bounds of a zoom.
const (
	ZoomLeast = 0.25
	ZoomMost  = 5.0
)

// zoomWait bounds the giving of a zoom to one page.
const zoomWait = 5 * time.Second

// SetZoom shows a tab's site larger or smaller; 1 is as it is.
func (r *Registry) SetZoom(ctx context.Context, id string, factor float64) error {
	if !(factor >= ZoomLeast && factor <= ZoomMost) {
		return fault.New(fault.BadArguments, "a zoom of %g is out of range", factor)
	}
	t, p, err := r.page(id)
	if err != nil {
		return err
	}
	if p == nil {
		return fault.New(fault.NoSuchTab, "tab %s is asleep", id)
	}
	r.mu.Lock()
	host, profile, mine := zoomHost(t.url), t.profile, t.owner == Person
	var others []*page.Page
	if mine && host != "" {
		r.zooms[[2]string{profile, host}] = factor
		for _, x := range r.order {
			if x != t && x.page != nil && x.owner == Person && x.profile == profile && zoomHost(x.url) == host {
				others = append(others, x.page)
			}
		}
	}
	r.mu.Unlock()
	err = zoom(ctx, p, factor)
	for _, x := range others {
		if e := zoom(ctx, x, factor); e != nil {
			r.cfg.Log.Debug("a tab did not take the zoom of its site", "error", e)
		}
	}
	r.changed()
	if err != nil || !mine || host == "" {
		return err
	}
	if err := r.cfg.Store.SaveZoom(ctx, store.Zoom{Profile: profile, Host: host, Factor: factor}); err != nil {
		r.cfg.Log.Error("a zoom could not be saved", "error", err)
	}
	return nil
}

// zoomed gives a new document of the person's the zoom of its site. The page
// keeps what it has while it stays on the site.
func (r *Registry) zoomed(t *Tab, p *page.Page) {
	r.mu.Lock()
	host, was := zoomHost(t.url), t.zoomOf
	t.zoomOf = host
	factor, known := r.zooms[[2]string{t.profile, host}]
	mine := t.owner == Person
	r.mu.Unlock()
	if !mine || host == was {
		return
	}
	if !known {
		factor = 1
	}
	if p.InForce().Zoom == factor {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), zoomWait)
	defer cancel()
	if err := zoom(ctx, p, factor); err != nil {
		r.cfg.Log.Debug("a page did not take the zoom of its site", "tab", t.num, "error", err)
	}
}

func zoom(ctx context.Context, p *page.Page, factor float64) error {
	_, err := p.SetEnvironment(ctx, page.Environment{Zoom: factor})
	return err
}

// zoomHost names the site that a zoom is kept for, "" where none is.
func zoomHost(address string) string {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return u.Host
}

// loadZooms reads what is kept.
func (r *Registry) loadZooms(ctx context.Context) error {
	list, err := r.cfg.Store.Zooms(ctx)
	r.zooms = map[[2]string]float64{}
	for _, z := range list {
		r.zooms[[2]string{z.Profile, z.Host}] = z.Factor
	}
	return err
}
