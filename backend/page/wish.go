package page

import (
	"sync"
	"time"
)

// wishes bounds how often the person is told what a page would like.
type wishes struct {
	mu       sync.Mutex
	document int64 // State.Revision
	told     int
	last     time.Time
}

const (
	wishesMost  = 5               // told of one document
	wishesApart = 5 * time.Second // between two, whatever document has them: a page may reload itself at will
)

// tell says whether a wish of the page's present document is to be told, and
// counts it.
func (w *wishes) tell(p *Page) bool {
	p.mu.Lock()
	document := p.state.Revision
	p.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.document != document {
		w.document, w.told = document, 0
	}
	if w.told >= wishesMost || time.Since(w.last) < wishesApart {
		return false
	}
	w.told++
	w.last = time.Now()
	return true
}
