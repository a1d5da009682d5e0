package app

import (
	"context"
	"fmt"
	"strings"

	"baton/backend/fault"
)

// AddressArea says what the address bar offers beside what was visited.
type AddressArea struct{ s *Server }

// Read says what a text would do. What cannot be opened counts as an address.
func (a AddressArea) Read(_ context.Context, args TextArgs) (ReadResult, error) {
	const nothing = "https://search.invalid/?q=%s"
	u, err := resolve(args.Text, nothing)
	return ReadResult{Search: err == nil && strings.HasPrefix(u, strings.TrimSuffix(nothing, "%s"))}, nil
}

// Servers lists the ports of this computer where a web server answers.
func (a AddressArea) Servers(ctx context.Context, _ nothing) (ServersResult, error) {
	ports, err := a.s.servers.List(ctx)
	if err != nil {
		return ServersResult{}, fault.New(fault.Unsupported, "what listens on this computer is not known").Because(err)
	}
	return ServersResult{append([]int{}, ports...)}, nil
}

// ownPort tells Baton's own ports.
func (s *Server) ownPort(port int) bool { return s.Owns(fmt.Sprintf("http://localhost:%d/", port)) }
