package app

import (
	"encoding/json"
	"testing"
	"time"
)

func TestAnAddressForAnotherProgramIsOfferedToWhoeverLooks(t *testing.T) {
	h, c, id := watchFields(t)
	other := h.connect() // looks at nothing: it is not asked
	h.js(id, "setTimeout(() => location.href = 'mailto:ada@example.org'), 1", new(any))
	c.event(EventNotice, 20*time.Second, func(data json.RawMessage) bool {
		var n Notice
		return json.Unmarshal(data, &n) == nil && n.Program == "mailto:ada@example.org" && n.Tab == id
	})
	if l := other.heard(EventNotice); len(l) != 0 {
		t.Errorf("an interface that shows something else is told %v", l)
	}
}
