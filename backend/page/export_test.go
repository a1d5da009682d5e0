package page

import "context"

// Loopback is the rule for this computer's own sites.
var Loopback = isLoopback

// Strict tells whether a host insists on good certificates.
func Strict(ctx context.Context, p *Page, host string) (bool, error) { return p.strict(ctx, host) }
