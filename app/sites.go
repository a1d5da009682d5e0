package app

import (
	"context"

	"baton/backend/fault"
	"baton/backend/page"
)

// Sites are what the person decides for a site.
type Sites struct{ s *Server }

// Pass tells whether the person may go past the problem with the certificate of
// what a tab failed to load.
func (v Sites) Pass(ctx context.Context, a TabArgs) (PassResult, error) {
	err := v.s.cfg.Tabs.MayOpenAnyway(ctx, a.Tab)
	if fault.Is(err, fault.Unsupported) {
		return PassResult{Why: sentence(fault.From(err).Message)}, nil
	}
	return PassResult{May: err == nil}, err
}

// Open goes past it, until Baton closes.
func (v Sites) Open(ctx context.Context, a TabArgs) error {
	return v.s.cfg.Tabs.OpenAnyway(ctx, a.Tab)
}

// Info tells of the site that a tab shows.
func (v Sites) Info(ctx context.Context, a TabArgs) (Site, error) {
	s, err := v.s.cfg.Tabs.Site(ctx, a.Tab)
	if err != nil {
		return Site{}, err
	}
	sec := s.Security
	w := Site{
		Origin: s.Origin, Security: sec.State, Protocol: sec.Protocol, Subject: sec.Subject, Issuer: sec.Issuer, From: sec.From, To: sec.To,
		Cookies: s.Cookies, Permissions: []Permission{},
	}
	if sec.Error != "" {
		w.Problem = sentence(page.FailureText(sec.Error, s.Origin))
	}
	for _, p := range s.Permissions {
		w.Permissions = append(w.Permissions, Permission(p))
	}
	return w, nil
}

// Permit sets what a site may do. Its page learns of it when it is loaded again.
func (v Sites) Permit(ctx context.Context, a PermitArgs) error {
	return v.s.cfg.Tabs.Permit(ctx, a.Tab, a.Origin, a.Name, a.Setting)
}

// Clear removes a site's cookies and stored data.
func (v Sites) Clear(ctx context.Context, a TabArgs) error { return v.s.cfg.Tabs.ClearSite(ctx, a.Tab) }
