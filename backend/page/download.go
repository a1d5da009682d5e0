package page

import (
	"context"
	"fmt"
	"time"
)

// States of a download.
const (
	DownloadGoing  = "going on"
	DownloadDone   = "finished"
	DownloadFailed = "failed" // broken off, by the site or by the person
)

// Download is a file that a page began to save. Package engine tells of it.
type Download struct {
	ID       string
	Name     string // as it is or will be called, cleaned
	URL      string // where it comes from, without known values
	Path     string // where it lies, once it is finished; else its folder
	State    string
	Received int64 // bytes so far
	Total    int64 // bytes in all; 0 when not known
}

// downloadsKept bounds what a page remembers of its downloads.
const downloadsKept = 100

// download is one that this page began; guarded by Page.mu.
type download struct {
	Download
	told   string // its state when that was last told to an agent
	number int    // counts the page's downloads, from 1
}

// Downloading takes news of a download that this page began.
func (p *Page) Downloading(d Download) {
	p.mu.Lock()
	began := true
	for _, x := range p.downloads {
		if x.ID == d.ID {
			x.Download, began = d, false
		}
	}
	if began {
		number := 1
		if n := len(p.downloads); n > 0 {
			number = p.downloads[n-1].number + 1
		}
		p.downloads = append(p.downloads, &download{Download: d, number: number})
		if n := len(p.downloads); n > downloadsKept {
			p.downloads = p.downloads[n-downloadsKept:]
		}
	}
	p.mu.Unlock()
	switch {
	case began:
		p.signal(signal{kind: "download", download: d.ID})
	case d.State != DownloadGoing:
		p.signal(signal{kind: "downloaded"})
	}
}

// Downloads gives the downloads that no result has told of yet as they stand
// now, and counts them as told.
func (p *Page) Downloads() []Download {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []Download
	for _, x := range p.downloads {
		if x.told != x.State {
			x.told = x.State
			out = append(out, x.Download)
		}
	}
	return out
}

// Saved waits until no download of the page is going on, at most d.
func (p *Page) Saved(ctx context.Context, d time.Duration) {
	ctx, cancel := soon(ctx, d)
	defer cancel()
	p.mu.Lock()
	ids := make([]string, 0, len(p.downloads))
	for _, x := range p.downloads {
		if x.told == "" {
			ids = append(ids, x.ID)
		}
	}
	p.mu.Unlock()
	if len(ids) == 0 {
		return
	}
	w := p.wait()
	defer p.unwait(w)
	p.saved(ctx, w, ids, 0)
}

// Begun gives a func that tells whether the page has begun a download since.
func (p *Page) Begun() func() bool {
	count := func() (n int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, d := range p.downloads {
			n = max(n, d.number)
		}
		return n
	}
	before := count()
	return func() bool { return count() > before }
}

// Holds tells whether a frame is one of the page's.
func (p *Page) Holds(frame string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.frames {
		if string(id) == frame {
			return true
		}
	}
	return false
}

// going tells whether one of the downloads is not finished.
func (p *Page) going(ids []string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, x := range p.downloads {
		for _, id := range ids {
			if x.ID == id && x.State == DownloadGoing {
				return true
			}
		}
	}
	return false
}

const (
	// askedWait is how long a download that the page asked for may take to begin.
	askedWait = 1500 * time.Millisecond
	// turnedWait is the same for a navigation that came to nothing and a press
	// without any visible effect: scripts make files and save them unseen.
	turnedWait = 150 * time.Millisecond
	// downloadReserve is what is kept of a call's time for telling of a download.
	downloadReserve = 300 * time.Millisecond
)

// mayBegin tells whether a press there could begin a download. Fields and boxes
// only take the press.
func (s spot) mayBegin() bool {
	switch s.aim.Kind {
	case "field", "typed", "checkbox", "radio", "select", "option", "file":
		return false
	}
	return true
}

// saved waits for the downloads that the action began.
func (a *act) saved(ctx context.Context, o *Outcome) {
	patience := time.Duration(0)
	switch {
	case a.seen["download asked"]:
		patience = askedWait
	case a.seen["committed"]:
		a.stayed = false
	case a.program != "":
		o.Notes = append(o.Notes, fmt.Sprintf("the page asked another program to open a %s address; Baton opens none", a.program))
	case a.stayed, a.pressed && a.target.mayBegin() && o.Changed == "" && len(o.Now) == 0 && a.windows == 0 && a.chooser == nil:
		patience = turnedWait
	}
	if len(a.saves) > 0 || patience > 0 {
		a.saves = a.p.saved(ctx, a.w, a.saves, patience)
	}
	if a.stayed && len(a.saves) == 0 {
		o.Notes = append(o.Notes, "the page began to load another address and stayed: the answer had no page")
	}
}

// saved waits for downloads that were asked for to begin, and for those that
// began to end, as long as the call's time allows.
func (p *Page) saved(ctx context.Context, w *waiter, begun []string, patience time.Duration) []string {
	end := time.Now().Add(30 * time.Second)
	if t, ok := ctx.Deadline(); ok {
		end = t.Add(-min(downloadReserve, time.Until(t)/4))
	}
	start := time.Now().Add(patience)
	for {
		until := end
		if len(begun) == 0 {
			until = start
			if start.After(end) {
				until = end
			}
		} else if !p.going(begun) {
			return begun
		}
		left := time.Until(until)
		if left <= 0 {
			return begun
		}
		t := time.NewTimer(left)
		select {
		case s := <-w.c:
			if s.kind == "download" {
				begun = append(begun, s.download)
			}
		case <-t.C:
		case <-ctx.Done():
		}
		t.Stop()
		if ctx.Err() != nil {
			return begun
		}
	}
}
