package liveview

import (
	"context"
	"encoding/base64"
	"sync"
	"time"

	"github.com/chromedp/cdproto/input"

	"baton/backend/engine"
	"baton/backend/page"
)

const (
	sendWait = 5 * time.Second        // bounds the sending of one input
	copyWait = 250 * time.Millisecond // a busy page holds a copy's key back no longer
	copyKept = 2 * time.Second        // after its key, a copy can be asked for
)

// hand sends a viewer's input in order. Moves and turns of the wheel that wait
// behind others are folded into one, so that a flood of them never delays a
// click or a key.
type hand struct {
	v *Viewer

	mu      sync.Mutex
	queue   []job
	running bool
	left    bool
	touched bool // something may be held down

	fingers map[int]float64 // that touch now: the page's number by the viewer's; used by the sender alone

	copy   *page.Copy // of the last copy or cut key; used by the sender alone
	copied time.Time
}

type job struct {
	in   Input
	then func(context.Context) // runs in the input's place
}

// Input takes one input. It never waits.
func (v *Viewer) Input(in Input) {
	if in.In == "mouse" && in.Type == "move" && finite(in.X, in.Y) {
		v.look(in.X, in.Y)
	}
	v.hand.add(job{in: in})
}

func (d *hand) add(j job) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.left {
		return
	}
	if n := len(d.queue); n > 0 && j.then == nil && d.queue[n-1].fold(j.in) {
		return
	}
	d.queue = append(d.queue, j)
	if !d.running {
		d.running = true
		d.v.hub.views.run(d.send)
	}
}

// fold takes a later input of the same kind into this one.
func (j *job) fold(in Input) bool {
	old := &j.in
	if j.then != nil || old.In != in.In || old.Type != in.Type || old.Mods != in.Mods || old.Buttons != in.Buttons || old.Button != in.Button || old.Finger != in.Finger || old.Pointer != in.Pointer {
		return false
	}
	switch {
	case in.In == "wheel":
		old.X, old.Y = in.X, in.Y
		old.DX += in.DX
		old.DY += in.DY
	case in.Type == "move":
		*old = in
	default:
		return false
	}
	return true
}

// send sends what is queued until nothing is left.
func (d *hand) send() {
	h := d.v.hub
	for {
		d.mu.Lock()
		if len(d.queue) == 0 || h.ctx.Err() != nil {
			d.running, d.queue = false, nil
			d.mu.Unlock()
			return
		}
		j := d.queue[0]
		d.queue = d.queue[1:]
		d.mu.Unlock()
		ctx, cancel := context.WithTimeout(h.ctx, sendWait)
		if j.then != nil {
			j.then(ctx)
		} else {
			d.one(ctx, j.in)
		}
		cancel()
	}
}

func (d *hand) one(ctx context.Context, in Input) {
	h := d.v.hub
	if in.In == "blur" {
		d.setTouched(false)
		d.lift(ctx)
		h.views.tabs.LetGo(h.tab)
		return
	}
	if in.In == "paste" {
		d.paste(ctx, in)
		return
	}
	events := in.events()
	if in.In == "touch" {
		events = d.touch(in)
	}
	if len(events) == 0 {
		return
	}
	if in.Type != "move" {
		d.setTouched(true)
		d.v.touch()
	}
	if in.copies() {
		d.watchCopy(ctx)
	}
	if err := h.views.tabs.Input(ctx, h.tab, events...); err != nil && ctx.Err() == nil {
		h.views.log.Debug("input was not sent", "tab", h.tab, "kind", in.In, "error", err)
	}
}

func (d *hand) setTouched(on bool) {
	d.mu.Lock()
	d.touched = on
	d.mu.Unlock()
}

// leave ends the hand and lets go of what it may hold.
func (d *hand) leave() {
	d.mu.Lock()
	d.left = true
	d.queue = nil
	touched := d.touched
	d.mu.Unlock()
	if touched {
		d.v.hub.views.tabs.LetGo(d.v.hub.tab)
	}
}

// watchCopy notes what the copy that the next key makes will take.
func (d *hand) watchCopy(ctx context.Context) {
	d.copy = nil
	p := d.v.hub.views.tabs.Live(d.v.hub.tab)
	if p == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, copyWait)
	defer cancel()
	if c, err := p.WatchCopy(ctx); err == nil {
		d.copy, d.copied = c, time.Now()
	}
}

// paste pastes what the person's clipboard holds.
func (d *hand) paste(ctx context.Context, in Input) {
	image, err := base64.StdEncoding.DecodeString(in.Image)
	c := engine.Clip{Text: in.Text, HTML: in.HTML, Image: image}
	if err != nil || c.Empty() || len(in.Text) > textMost || len(in.HTML) > textMost {
		return
	}
	h := d.v.hub
	if in.Type == "primary" {
		p := h.views.tabs.Live(h.tab)
		if p == nil {
			return
		}
		if ok, err := p.MiddlePastes(ctx); err != nil || !ok {
			return
		}
	}
	d.setTouched(true)
	d.v.touch()
	if err := h.views.tabs.Paste(ctx, h.tab, c, in.Mods); err != nil && ctx.Err() == nil {
		h.views.log.Warn("the clipboard was not pasted", "tab", h.tab, "error", err)
	}
}

// Copied gives what the copy or cut key before took; without one, the text that
// is selected, which cut then also removes.
func (v *Viewer) Copied(ctx context.Context, cut bool) (engine.Clip, error) {
	return inTurn(ctx, v, func(ctx context.Context) (engine.Clip, error) { return v.hand.take(ctx, cut) })
}

// Selected gives the text that is selected after what was done before.
func (v *Viewer) Selected(ctx context.Context) (string, error) {
	return inTurn(ctx, v, func(ctx context.Context) (string, error) {
		p := v.hub.views.tabs.Live(v.hub.tab)
		if p == nil {
			return "", nil
		}
		return p.Selection(ctx)
	})
}

// inTurn runs f in the place of an input.
func inTurn[T any](ctx context.Context, v *Viewer, f func(context.Context) (T, error)) (T, error) {
	type answer struct {
		got T
		err error
	}
	done := make(chan answer, 1)
	v.hand.add(job{then: func(ctx context.Context) {
		got, err := f(ctx)
		done <- answer{got, err}
	}})
	var none T
	select {
	case a := <-done:
		return a.got, a.err
	case <-ctx.Done():
		return none, context.Cause(ctx)
	case <-v.gone:
	case <-v.hub.ctx.Done():
	}
	return none, nil
}

func (d *hand) take(ctx context.Context, cut bool) (engine.Clip, error) {
	c, h := d.copy, d.v.hub
	d.copy = nil
	if c != nil && time.Since(d.copied) < copyKept {
		text, took, err := c.Text(ctx)
		if err != nil || !took {
			return engine.Clip{}, err
		}
		clip, err := h.views.tabs.Copied(ctx, h.tab, text)
		if err != nil {
			h.views.log.Warn("of a copy only the text was taken", "tab", h.tab, "error", err)
			clip = engine.Clip{Text: text}
		}
		return clip, nil
	}
	p := h.views.tabs.Live(h.tab)
	if p == nil {
		return engine.Clip{}, nil
	}
	text, err := p.Selection(ctx)
	if err != nil || text == "" || !cut {
		return engine.Clip{Text: text}, err
	}
	k := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Commands: []string{"cut"}}
	up := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp}
	return engine.Clip{Text: text}, h.views.tabs.Input(ctx, h.tab, k, up)
}
