package tab

import (
	"context"
	"slices"
	"strings"
	"time"

	"baton/backend/engine"
	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/store"
)

// Site is what is known of the site that a tab shows.
type Site struct {
	Origin      string // "" where the page has none
	Security    page.Security
	Cookies     int
	Permissions []Permission
}

// Permission is what a site may do.
type Permission struct {
	Name    string
	Setting string // allow, deny; "" is the default, which is to refuse
	Asked   bool   // the page was refused it
}

// siteWait bounds what is asked of Chromium for a site.
const siteWait = 5 * time.Second

// Site tells of the site that a tab shows.
func (r *Registry) Site(ctx context.Context, id string) (Site, error) {
	t, p, err := r.page(id)
	if err != nil || p == nil {
		return Site{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, siteWait)
	defer cancel()
	st, _ := p.State.Get()
	out := Site{Origin: p.Origin(), Security: st.Security}
	if out.Origin == "" {
		return out, nil
	}
	kept, err := r.cfg.Store.Permissions(ctx, t.profile)
	if err != nil {
		return out, err
	}
	asked := strings.Split(st.Asked, ",")
	for _, name := range page.Permissions {
		x := Permission{Name: name, Asked: slices.Contains(asked, name)}
		for _, k := range kept {
			if k.Origin == out.Origin && k.Name == name {
				x.Setting = k.Setting
			}
		}
		out.Permissions = append(out.Permissions, x)
	}
	out.Cookies, err = p.Cookies(ctx)
	return out, err
}

// Permit sets what the site that a tab shows may do, now and after a restart.
// origin says which site the person was shown: another one gets nothing.
func (r *Registry) Permit(ctx context.Context, id, origin, name, setting string) error {
	t, p, err := r.page(id)
	if err != nil {
		return err
	}
	switch {
	case !slices.Contains(page.Permissions, name) || !slices.Contains([]string{"", "allow", "deny"}, setting):
		return fault.New(fault.BadArguments, "there is no permission %q %q", name, setting)
	case p == nil || origin == "" || p.Origin() != origin:
		return fault.New(fault.BadArguments, "the tab shows another site now")
	}
	if err := r.cfg.Store.SetPermission(ctx, store.Permission{Profile: t.profile, Origin: origin, Name: name, Setting: setting}); err != nil {
		return err
	}
	e, err := r.cfg.Engine(t.profile)
	if err != nil {
		return err
	}
	return e.Permit(ctx, engine.Permission{Origin: origin, Name: name, Setting: setting})
}

// ClearSite removes the cookies and stored data of the site that a tab shows.
func (r *Registry) ClearSite(ctx context.Context, id string) error {
	_, p, err := r.page(id)
	if err != nil || p == nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, siteWait)
	defer cancel()
	return p.ClearSite(ctx)
}
