package app

import (
	"context"

	"baton/backend/access"
	"baton/backend/fault"
)

// AgentsArea is what the person lets each agent do.
type AgentsArea struct{ s *Server }

// Access keeps the person's choice for one agent; it applies at once.
func (a AgentsArea) Access(ctx context.Context, v AgentAccess) error {
	if v.Name == "" {
		return fault.New(fault.BadArguments, "the agent has no name")
	}
	if err := a.s.cfg.Access.Choose(ctx, v.Name, access.Mode(v.Access), v.Bounded); err != nil {
		return fault.New(fault.BadArguments, "%v", err).Because(err)
	}
	return nil
}

func wireAccess(list []access.Agent) []AgentAccess {
	out := make([]AgentAccess, len(list))
	for i, a := range list {
		out[i] = AgentAccess{Name: a.Name, Access: string(a.Mode), Bounded: a.Bounded, Seen: a.Seen.Unix()}
	}
	return out
}
