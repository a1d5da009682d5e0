package main

import (
	"encoding/json"
	"strings"
	"testing"

	"baton/backend/agenttools"
)

// What every session of an agent pays for is bounded (A3). The catalogue keeps
// room for tools that are still to come.
func TestWhatEverySessionCosts(t *testing.T) {
	type listed struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"inputSchema"`
	}
	var all []listed
	for _, x := range agenttools.Tools() {
		all = append(all, listed{x.Name, x.Description, x.Schema})
	}
	catalogue, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	g := agenttools.Gateway()
	gateway, err := json.Marshal(listed{g.Name, g.Description, g.Schema})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, text string
		below      float64
	}{
		{"the guidance", agenttools.Guidance, 600},
		{"the reminder", agenttools.Reminder, 120},
		{"the gateway", string(gateway), 90},
		{"the catalogue", string(catalogue), 2400},
	} {
		n := tokens(c.text)
		t.Logf("%s: %.0f tokens", c.what, n)
		if n == 0 || n >= c.below {
			t.Errorf("%s has %.0f tokens; it is to stay below %.0f", c.what, n, c.below)
		}
	}
}

func TestTheGuidanceHoldsWhatAgentsMustKnow(t *testing.T) {
	for _, words := range []string{
		"List tabs after a sign-in step", "viewport steady", "After navigation or a covered target take fresh refs", "ever ask for a password",
		"Close tabs you no longer need", "one clean retry",
	} {
		for name, text := range map[string]string{"guidance": agenttools.Guidance, "reminder": agenttools.Reminder} {
			if !strings.Contains(text, words) {
				t.Errorf("the %s does not say %q", name, words)
			}
		}
	}
}
