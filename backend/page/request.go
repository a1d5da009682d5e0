package page

import (
	"time"

	"github.com/chromedp/cdproto/network"
)

// bodyWait is how long an answer's body may take after its head: a body that
// the page does not read never ends for the protocol.
const bodyWait = 12 * time.Millisecond

// request is one under way that can change the page; guarded by Page.mu.
type request struct {
	seq  int64
	head time.Time // when its answer began; zero before
}

// requests notes a request that can change the page as begun or ended; what an
// action set off is awaited by it. A redirect begins no new one.
func (p *Page) requests(id network.RequestID, begun bool) {
	p.mu.Lock()
	_, known := p.under[id]
	switch {
	case begun && !known:
		p.begun++
		p.under[id] = &request{seq: p.begun}
	case !begun:
		delete(p.under, id)
	}
	p.mu.Unlock()
	switch {
	case begun && !known:
		p.signal(signal{kind: "asked"})
	case !begun && known:
		p.signal(signal{kind: "answered"})
	}
}

// respondedTo notes that a request's answer has begun.
func (p *Page) respondedTo(id network.RequestID) {
	p.mu.Lock()
	r := p.under[id]
	if r != nil {
		r.head = time.Now()
	}
	p.mu.Unlock()
	if r != nil {
		p.signal(signal{kind: "answered"})
	}
}

// Requests gives how many requests that can change the page are under way, and
// how many were begun since the page was made.
func (p *Page) Requests() (open int, begun int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.under), p.begun
}

// unanswered says how long the requests begun after a number are worth waiting
// for: 0 when all were answered, the limit while one was not.
func (p *Page) unanswered(after int64, limit time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	var wait time.Duration
	for _, r := range p.under {
		switch {
		case r.seq <= after:
		case r.head.IsZero():
			return limit
		default:
			wait = max(wait, time.Until(r.head.Add(bodyWait)))
		}
	}
	return min(wait, limit)
}
