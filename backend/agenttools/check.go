package agenttools

import (
	"context"

	"baton/backend/challenge"
	"baton/backend/page"
)

// look reads a page once its cookie banner is refused and a bot check that
// passes by itself has passed.
func (t *Thread) look(ctx context.Context, p *page.Page, a page.SnapshotArgs) (page.Snapshot, *challenge.Challenge, error) {
	if a.Target == nil {
		go p.Settle(ctx) // the page is given its time while its banner is looked for
	}
	t.deps.Consent.Ready(ctx, p)
	s, err := p.Snapshot(ctx, a)
	if err != nil {
		return s, nil, err
	}
	c, again := t.deps.Checks.Look(ctx, p, s.Check)
	if again {
		s, err = p.Snapshot(ctx, a)
	}
	return s, c, err
}

// again does the same for a page that was read already, and reads it anew when
// it shows something else now.
func (t *Thread) again(ctx context.Context, p *page.Page, s *page.Snapshot) *challenge.Challenge {
	refused := t.deps.Consent.Ready(ctx, p)
	c, moved := t.deps.Checks.Look(ctx, p, s.Check)
	if refused || moved {
		if now, err := p.Snapshot(ctx, page.SnapshotArgs{}); err == nil {
			*s = now
		}
	}
	return c
}

// check adds a bot check to a result and gives its line, or "".
func check(c *challenge.Challenge, data map[string]any) string {
	if c == nil {
		return ""
	}
	m := map[string]any{"status": string(c.Status), "waited_ms": c.Waited.Milliseconds()}
	if c.Vendor != "" {
		m["vendor"] = c.Vendor
	}
	if c.Next != "" {
		m["next"] = c.Next
	}
	if c.Point != nil {
		m["point"] = map[string]any{"x": c.Point.X, "y": c.Point.Y}
	}
	data["challenge"] = m
	return c.String()
}
