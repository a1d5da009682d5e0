package tab

import "slices"

// The strip's order, and what the person says of a tab there.

// rank orders the strip's two parts: pinned tabs, then the others.
func rank(t *Tab) int {
	if t.pinned {
		return 0
	}
	return 1
}

// put gives a tab a place in the strip, on its own side of the last pinned tab.
// Call with mu held.
func (r *Registry) put(t *Tab, index int) {
	r.order = slices.DeleteFunc(r.order, func(x *Tab) bool { return x == t })
	pins := 0
	for _, x := range r.order {
		if x.pinned {
			pins++
		}
	}
	low, high := pins, len(r.order)
	if t.pinned {
		low, high = 0, pins
	}
	r.order = slices.Insert(r.order, min(max(index, low), high), t)
}

// Pin puts a tab after the last pinned one and keeps it there, or lets it go
// back to the others.
func (r *Registry) Pin(id string, on bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := r.find(id)
	if err != nil {
		return err
	}
	if t.pinned != on {
		t.pinned = on
		at := len(r.order)
		if !on {
			at = 0 // before the others
		}
		r.put(t, at)
	}
	r.changed()
	return nil
}

// Mute keeps a tab's media elements silent until it is told otherwise, in every
// page that the tab holds meanwhile.
func (r *Registry) Mute(id string, on bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, err := r.find(id)
	if err != nil {
		return err
	}
	t.muted = on
	if t.page != nil {
		t.page.Mute(on)
	}
	r.changed()
	return nil
}
