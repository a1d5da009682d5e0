package app

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"baton/backend/fault"
	keys "baton/backend/input"
	"baton/backend/liveview"
	"baton/backend/settings"
)

// View shows live pages.
type View struct{}

// viewsMost bounds the views of one client.
const viewsMost = 16

// Watch shows a tab in a view, or gives the view another size.
func (View) Watch(ctx context.Context, a WatchArgs) error { return caller(ctx).views.watch(a) }

// Leave ends a view.
func (View) Leave(ctx context.Context, a ViewArgs) error {
	caller(ctx).views.drop(a.View)
	return nil
}

// views are a client's live views.
type views struct {
	c *conn

	mu      sync.Mutex
	open    map[int]*liveView
	seq     uint32 // of the last frame sent in any view
	over    bool
	touched time.Time
	behind  map[string]time.Time // tabs where the person asked last for a link to open behind
	painter *conn                // gets the frames; nil is this client itself
}

// liveView is one canvas of the client.
type liveView struct {
	viewer *liveview.Viewer
	flying []uint32 // of the frames under way
}

func (v *views) init(c *conn) {
	v.c, v.open = c, map[int]*liveView{}
	v.behind = map[string]time.Time{}
}

// behindWait is how long after its click a link may take to open its tab.
const behindWait = 3 * time.Second

// staysBehind tells whether a click on a link opens it in a tab behind: with the
// middle button or the key for commands, unless Shift is down too.
func staysBehind(in Input) bool {
	const shift = 8
	return in.Mods&shift == 0 && (in.Button == "middle" || in.Button == "left" && in.Mods&int(keys.Mod()) != 0)
}

// wantsBehind tells whether what a tab opens now is to stay behind.
func (v *views) wantsBehind(tab string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return time.Since(v.behind[tab]) < behindWait
}

func (v *views) watch(a WatchArgs) error {
	if a.View < 0 || a.View > 1<<30 {
		return fault.New(fault.BadArguments, "view %d is out of range", a.View)
	}
	if info, err := v.c.s.cfg.Tabs.Get(a.Tab, person); err == nil && info.Inspects != "" && v.c.role < Owner {
		return fault.New(fault.NoSuchTab, "there is no tab %q", a.Tab)
	}
	size := liveview.Size{Width: a.Width, Height: a.Height, Scale: a.Scale, Follow: a.Follow}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.over {
		return fault.New(fault.Cancelled, "the connection has ended")
	}
	old := v.open[a.View]
	if old != nil && old.viewer.Tab() == a.Tab {
		select {
		case <-old.viewer.Gone():
		default:
			old.viewer.Resize(size)
			return nil
		}
	}
	if old == nil && len(v.open) >= viewsMost {
		return fault.New(fault.Unsupported, "more than %d views are open", viewsMost)
	}
	if v.c.shell == "window" && !a.Follow {
		v.c.s.sees(a.Scale)
	}
	next, err := v.c.s.cfg.Views.Watch(a.Tab, size, func(u liveview.Under) {
		v.c.out.post(EventCursor, strconv.Itoa(a.View), Cursor{View: a.View, Cursor: u.Cursor, Link: u.Link, Title: u.Title})
	})
	if err != nil {
		return err
	}
	if old != nil {
		old.viewer.Leave()
	}
	l := &liveView{viewer: next}
	l.setAhead(v.painter)
	v.open[a.View] = l
	v.c.work.Go(func() { v.pump(a.View, l) })
	v.c.out.post(EventView, strconv.Itoa(a.View), ViewState{View: a.View, Tab: a.Tab})
	return nil
}

// pump sends a view's frames, one under way at a time.
func (v *views) pump(number int, l *liveView) {
	tab, _ := strconv.ParseUint(strings.TrimPrefix(l.viewer.Tab(), "t"), 10, 32)
	for {
		select {
		case <-l.viewer.Ready():
		case <-l.viewer.Gone():
			return
		case <-v.c.ctx.Done():
			return
		}
		p := l.viewer.Next()
		if p == nil {
			continue
		}
		v.mu.Lock()
		v.seq++
		l.flying = append(l.flying, v.seq)
		seq := v.seq
		v.mu.Unlock()
		h := FrameHeader{
			Format: p.Format, View: uint32(number), Seq: seq, Tab: uint32(tab),
			Width: float32(p.Width), Height: float32(p.Height), PixelW: uint32(p.PixelW), PixelH: uint32(p.PixelH),
		}
		if p.Zoom > 0 && p.Zoom != 1 {
			h.Zoom = uint8(math.Ceil(p.Zoom * 50))
		}
		if p.Still {
			h.Kind = 1
		}
		head := h.Encode()
		to := v.paintedBy()
		if err := to.send(websocket.MessageBinary, head[:], p.Data); err != nil {
			to.stop()
			if to == v.c {
				return
			}
			v.unsetPainter(to)
		}
	}
}

func (v *views) ack(view int, seq uint32) {
	v.mu.Lock()
	l := v.open[view]
	n := 0
	if l != nil {
		n = slices.Index(l.flying, seq) + 1 // those before it count too
		l.flying = l.flying[n:]
	}
	v.mu.Unlock()
	if n > 0 {
		l.viewer.Ack(n)
	}
}

func (v *views) input(in Input) {
	v.mu.Lock()
	l := v.open[in.View]
	if in.Type != "move" && in.In != "blur" {
		v.touched = time.Now()
	}
	if l != nil && in.In == "mouse" && in.Type == "up" {
		delete(v.behind, l.viewer.Tab())
		if staysBehind(in) {
			v.behind[l.viewer.Tab()] = time.Now()
		}
	}
	v.mu.Unlock()
	if l != nil {
		l.viewer.Input(liveview.Input(in))
	}
}

func (v *views) drop(view int) {
	v.mu.Lock()
	l := v.open[view]
	delete(v.open, view)
	v.mu.Unlock()
	if l != nil {
		l.viewer.Leave()
	}
}

// leave ends all views, for good.
func (v *views) leave() {
	v.mu.Lock()
	all := v.open
	v.open, v.over = map[int]*liveView{}, true
	v.mu.Unlock()
	for _, l := range all {
		l.viewer.Leave()
	}
}

// of gives the viewer that shows a tab here, or nil.
func (v *views) of(tab string) *liveview.Viewer {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, l := range v.open {
		if l.viewer.Tab() == tab {
			return l.viewer
		}
	}
	return nil
}

// showing gives the numbers of the views that show a tab; any tab when it is "".
func (v *views) showing(tab string) []int {
	v.mu.Lock()
	defer v.mu.Unlock()
	var out []int
	for n, l := range v.open {
		if tab == "" || l.viewer.Tab() == tab {
			out = append(out, n)
		}
	}
	return out
}

// idle is how long ago the person last touched a page here.
func (v *views) idle() time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	return time.Since(v.touched)
}

// sees remembers the pixel ratio of the person's display: the next Chromium to
// start draws moving pictures at it.
func (s *Server) sees(scale float64) {
	hundredths := int(math.Round(min(max(scale, 1), 4) * 100))
	if math.IsNaN(scale) || s.cfg.Settings.Get().DisplayScale == hundredths {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if _, err := s.cfg.Settings.Change(ctx, func(v *settings.Values) { v.DisplayScale = hundredths }); err != nil {
		s.cfg.Log.Warn("the display's pixel ratio could not be kept", "error", err)
	}
}
