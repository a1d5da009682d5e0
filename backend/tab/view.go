package tab

import "baton/backend/page"

// Live gives the page that a tab has now, loading or loaded; nil when it sleeps
// or there is no such tab. State tells when it may have changed.
func (r *Registry) Live(id string) *page.Page {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := r.find(id)
	if err != nil {
		return nil
	}
	return t.page
}
