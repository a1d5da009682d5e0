package script

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"baton/backend/fault"
)

// job is a step on its way.
type job struct {
	n    int // which step of the script, from 1
	id   int // the child's name for it
	step Step
}

// lanes do the steps of a script in order: one after another on a tab, tabs
// beside each other. New tabs open side by side. Waits and sleeps hold nobody
// up: a wait lets the tab go again and again, so that what a script does while
// it waits takes place.
type lanes struct {
	ctx context.Context
	do  doing
	wg  sync.WaitGroup

	mu    sync.Mutex
	last  map[string]*turn // the last action on a tab; "" is the current one
	opens []*turn
}

// doing does a step and answers it. over says how it ended, before the answer
// goes out: what a script asks for once it has the answer is behind no failure.
type doing func(ctx context.Context, j job, over func(failed bool)) *fault.Fault

// turn ends when its step has; then failed is fixed.
type turn struct {
	done   chan struct{}
	failed bool
	what   string
}

func newLanes(ctx context.Context, do doing) *lanes {
	return &lanes{ctx: ctx, do: do, last: map[string]*turn{}}
}

// reading are the steps that change nothing: they are done after a failure.
var reading = map[string]bool{"snapshot": true, "read": true, "wait": true, "sleep": true, "evaluate": true, "dialog": true, "open": true}

func (l *lanes) add(j job) {
	var a struct {
		Tab string `json:"tab"`
	}
	_ = json.Unmarshal(j.step.Args, &a)
	t := &turn{done: make(chan struct{}), what: j.step.Name}
	l.mu.Lock()
	var before []*turn
	if last := l.last[a.Tab]; last != nil && j.step.Name != "sleep" {
		before = append(before, last)
	}
	switch j.step.Name {
	case "sleep":
	case "open":
		l.opens = append(l.opens, t)
	default:
		before = append(before, l.opens...)
		if j.step.Name != "wait" {
			l.last[a.Tab] = t
			if a.Tab == "" {
				l.opens = nil // they come before t, and so before all that follow it
			}
		}
	}
	before = unfinished(before)
	l.mu.Unlock()
	l.wg.Go(func() {
		var once sync.Once
		over := func(failed bool) {
			once.Do(func() {
				t.failed = t.failed || failed
				close(t.done)
			})
		}
		defer over(true)
		for _, b := range before {
			select {
			case <-b.done:
				if b.failed && !reading[t.what] {
					t.failed = true
				}
			case <-l.ctx.Done():
			}
		}
		switch {
		case t.failed:
			l.do(with(l.ctx, fault.New(fault.Cancelled, "it was not done, because a step before it had failed").Then("await each step, or catch its error")), j, over)
		default:
			over(l.do(l.ctx, j, over) != nil)
		}
	})
}

func unfinished(list []*turn) []*turn {
	var out []*turn
	for _, t := range list {
		select {
		case <-t.done:
		default:
			out = append(out, t)
		}
	}
	return out
}

type skipKey struct{}

// with marks a step that is refused before it is done.
func with(ctx context.Context, f *fault.Fault) context.Context {
	return context.WithValue(ctx, skipKey{}, f)
}

func skipped(ctx context.Context) *fault.Fault {
	f, _ := ctx.Value(skipKey{}).(*fault.Fault)
	return f
}

// slice is how long a wait keeps its tab before others have a turn.
const slice = 500 * time.Millisecond

// mostSleep bounds one sleep.
const mostSleep = 25 * time.Second

// rest does a sleep.
func rest(ctx context.Context, raw json.RawMessage) error {
	var a struct {
		MS float64 `json:"ms"`
	}
	if json.Unmarshal(raw, &a) != nil || a.MS < 0 || a.MS > float64(mostSleep.Milliseconds()) {
		return fault.New(fault.BadArguments, "a sleep lasts from 0 to %d ms", mostSleep.Milliseconds())
	}
	t := time.NewTimer(time.Duration(a.MS * float64(time.Millisecond)))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// usualWait is a wait's time unless it says another.
const usualWait = 10 * time.Second

// waiting does a wait in slices until it is met or its time is over.
func waiting(ctx context.Context, raw json.RawMessage, do func(ctx context.Context, s Step) (json.RawMessage, error)) (json.RawMessage, error) {
	var a map[string]any
	if json.Unmarshal(raw, &a) != nil {
		return do(ctx, Step{Name: "wait", Args: raw})
	}
	keep, limit := slice, usualWait
	if q, ok := a["quiet"].(float64); ok {
		keep += time.Duration(q) * time.Millisecond
		limit = max(limit, 2*keep)
	}
	if ms, ok := a["timeout_ms"].(float64); ok {
		if ms < 1 || ms > float64(mostSleep.Milliseconds()) || ms <= float64(keep.Milliseconds()) {
			return do(ctx, Step{Name: "wait", Args: raw}) // to be done, or refused, as it is
		}
		limit = time.Duration(ms) * time.Millisecond
	}
	if _, ok := a["ms"]; ok {
		return do(ctx, Step{Name: "wait", Args: raw})
	}
	start := time.Now()
	for {
		left := limit - time.Since(start)
		a["timeout_ms"] = max(1, min(keep, left).Milliseconds())
		args, err := json.Marshal(a)
		if err != nil {
			return nil, err
		}
		v, err := do(ctx, Step{Name: "wait", Args: args})
		switch {
		case err == nil:
			return told(v, time.Since(start)), nil
		case left <= keep || ctx.Err() != nil || !fault.Is(err, fault.Timeout) && !fault.Is(err, fault.PageBusy):
			return nil, err
		}
	}
}

// told gives a wait's answer with the whole time that it took.
func told(v json.RawMessage, d time.Duration) json.RawMessage {
	var m map[string]any
	if json.Unmarshal(v, &m) != nil || m["after_ms"] == nil {
		return v
	}
	m["after_ms"] = d.Milliseconds()
	if out, err := json.Marshal(m); err == nil {
		return out
	}
	return v
}
