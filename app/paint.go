package app

import (
	"context"

	"baton/backend/fault"
)

// A window may draw its views' frames outside of its web view. Then they go to
// a second connection, which it names the first one on; input and everything
// else stay with the first.

// Paint gives the caller the frames of another connection's views.
func (View) Paint(ctx context.Context, a PaintArgs) error {
	c := caller(ctx)
	c.s.mu.Lock()
	var other *conn
	for o := range c.s.conns {
		if o != c && o.id == a.Client && o.shell == "window" {
			other = o
		}
	}
	if other == nil || c.shell != "window" || c.paints != nil {
		c.s.mu.Unlock()
		return fault.New(fault.BadArguments, "there is no window's connection of that name to paint for")
	}
	c.paints = other
	c.s.mu.Unlock()
	other.views.setPainter(c)
	return nil
}

// paintsFor is whose frames this connection takes; itself as a rule.
func (c *conn) paintsFor() *conn {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.paints != nil {
		return c.paints
	}
	return c
}

// paintNothing gives the frames back that this connection took for another.
func (c *conn) paintNothing() {
	if other := c.paintsFor(); other != c {
		other.views.unsetPainter(c)
	}
}

// paintedBy is who gets the frames of these views.
func (v *views) paintedBy() *conn {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.painter != nil {
		return v.painter
	}
	return v.c
}

func (v *views) setPainter(c *conn) {
	v.mu.Lock()
	old := v.painter
	v.painter = c
	v.mu.Unlock()
	if old != nil {
		old.stop()
	}
	v.again()
}

func (v *views) unsetPainter(c *conn) {
	v.mu.Lock()
	mine := v.painter == c
	if mine {
		v.painter = nil
	}
	v.mu.Unlock()
	if mine {
		v.again()
	}
}

// again sends what every view shows once more.
func (v *views) again() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, l := range v.open {
		l.flying = nil
		l.setAhead(v.painter)
		l.viewer.Again()
	}
}

// setAhead lets two frames be under way to a painter, which is on this computer.
func (l *liveView) setAhead(painter *conn) {
	if painter != nil {
		l.viewer.SetAhead(2)
	} else {
		l.viewer.SetAhead(1)
	}
}
