package tab

import "baton/backend/page"

// Live gives the page that a tab has now, loading or loaded; nil when it sleeps
// or there is no such tab. State tells when it may have changed.
func (r *Registry) Live(id string) *page.Page {
	_, p, _ := r.page(id)
	return p
}
