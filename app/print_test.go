package app

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

func TestAPageThatAsksToBePrintedOffersAPDF(t *testing.T) {
	h, c, id := watchFields(t)
	other := h.connect() // looks at nothing: it is not asked
	h.js(id, "setTimeout(print), 1", new(any))
	asks := func(data json.RawMessage) bool {
		var n Notice
		return json.Unmarshal(data, &n) == nil && n.Print && n.Tab == id
	}
	c.event(EventNotice, 5*time.Second, asks)
	if l := other.heard(EventNotice); len(l) != 0 {
		t.Errorf("an interface that shows something else is told %v", l)
	}
	var r SavedResult
	c.must("page.print", TabArgs{Tab: id}, &r)
	b, err := os.ReadFile(h.folder + "/" + r.Name)
	if err != nil || !strings.HasPrefix(string(b), "%PDF") {
		t.Errorf("%s holds %d bytes, %v", r.Name, len(b), err)
	}
}
