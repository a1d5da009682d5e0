package agenttools

import (
	"baton/backend/access"
	"baton/backend/fault"
)

// beyondBounds are the tools that a bounded agent does not have (A10b).
var beyondBounds = map[string]bool{
	"browser_evaluate": true, "browser_script": true, "browser_record": true, "browser_upload": true,
	"browser_annotations": true, "browser_console": true,
}

// Lists tells whether the agent's list of tools holds one: what the person has
// turned off is not offered.
func (t *Thread) Lists(tool string) bool {
	rule := t.deps.rule(t.agent)
	return rule.Mode != access.Off && !(rule.Bounded && beyondBounds[tool])
}

// allowed refuses a tool that the agent may not use, whatever its client knows.
func (t *Thread) allowed(tool string) error {
	rule := t.deps.rule(t.agent)
	switch {
	case rule.Mode == access.Off:
		return fault.New(fault.AccessOff, "the person has turned this agent's access to the browser off")
	case rule.Bounded && beyondBounds[tool]:
		return fault.New(fault.AccessOff, "the person keeps this agent from %s", tool).Then("use the other tools")
	}
	return nil
}

func (d *Deps) rule(agent string) access.Rule {
	if d.Access == nil {
		return access.Rule{Mode: access.Full}
	}
	return d.Access(agent)
}
