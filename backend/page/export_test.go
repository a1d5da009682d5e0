package page

import "context"

// Loopback is the rule for this computer's own sites.
var Loopback = isLoopback

// Strict tells whether a host insists on good certificates.
func Strict(ctx context.Context, p *Page, host string) (bool, error) { return p.strict(ctx, host) }

// Pressing and CloseNew let a test stand between a press and its arrival.
func (p *Page) Pressing() (arrived func(context.Context) bool) { return p.pressing() }

// CloseNew is what an agent's first press does.
func (p *Page) CloseNew(ctx context.Context) { p.closeNew(ctx) }
