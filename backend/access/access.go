// Package access says what each agent may do: the rule of an agent is the
// person's choice for it, else the setting for all. [Rules.Of] is what every
// check asks; [Rules.State] is what a person's interface shows.
package access

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"baton/backend/bus"
	"baton/backend/store"
)

// Mode is how far an agent may go.
type Mode string

// The modes. The empty Mode of a known agent follows the setting for all.
const (
	Full Mode = "full" // acts by itself
	Ask  Mode = "ask"  // looks and navigates by itself, asks before it acts
	Off  Mode = "off"  // does nothing
)

// Rule is what is in force for an agent.
type Rule struct {
	Mode Mode
	// Bounded takes away evaluate, scripts, page-function waits, recordings, local
	// files, annotations and developer tools, and makes every action ask.
	Bounded bool
}

// Asks tells whether the agent's actions wait for the person's leave.
func (r Rule) Asks() bool { return r.Mode == Ask || r.Bounded }

// Agent is an agent that has connected at some time.
type Agent struct {
	Name    string
	Mode    Mode // "" follows the setting
	Bounded bool
	Seen    time.Time
}

// mostAgents bounds how many agents are remembered; those seen longest ago and
// without a choice of the person's go first.
const mostAgents = 200

// Rules are the rules of all agents. Make them with Load.
type Rules struct {
	State bus.State[[]Agent] // by name

	store *store.Store
	all   func() Mode // the setting for all agents

	mu     sync.Mutex
	agents map[string]Agent
}

// Load reads what the person chose. all gives the setting for all agents.
func Load(ctx context.Context, st *store.Store, all func() Mode) (*Rules, error) {
	saved, err := st.Agents(ctx)
	if err != nil {
		return nil, err
	}
	r := &Rules{store: st, all: all, agents: map[string]Agent{}}
	for _, a := range saved {
		r.agents[a.Name] = Agent{Name: a.Name, Mode: Mode(a.Access), Bounded: a.Bounded, Seen: a.Seen}
	}
	r.publish()
	return r, nil
}

// Of gives the rule in force for an agent. Off for all agents is off for each.
func (r *Rules) Of(agent string) Rule {
	all := r.all()
	r.mu.Lock()
	a := r.agents[agent]
	r.mu.Unlock()
	mode := all
	if all != Off && a.Mode != "" {
		mode = a.Mode
	}
	return Rule{Mode: mode, Bounded: a.Bounded}
}

// Choose keeps the person's choice for an agent: mode "" follows the setting.
func (r *Rules) Choose(ctx context.Context, agent string, mode Mode, bounded bool) error {
	if !slices.Contains([]Mode{"", Full, Ask, Off}, mode) {
		return fmt.Errorf("%q is none of full, ask, off", mode)
	}
	return r.change(ctx, agent, func(a *Agent) { a.Mode, a.Bounded = mode, bounded })
}

// Saw notes that an agent has connected.
func (r *Rules) Saw(ctx context.Context, agent string) error {
	return r.change(ctx, agent, func(a *Agent) { a.Seen = time.Now() })
}

func (r *Rules) change(ctx context.Context, agent string, f func(*Agent)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.agents[agent]
	a.Name = agent
	f(&a)
	if err := r.store.SaveAgent(ctx, store.Agent{Name: a.Name, Access: string(a.Mode), Bounded: a.Bounded, Seen: a.Seen}); err != nil {
		return err
	}
	r.agents[agent] = a
	for len(r.agents) > mostAgents {
		old, ok := r.oldest()
		if !ok {
			break
		}
		if err := r.store.ForgetAgent(ctx, old); err != nil {
			return err
		}
		delete(r.agents, old)
	}
	r.publish()
	return nil
}

// oldest gives the agent seen longest ago that the person chose nothing for.
func (r *Rules) oldest() (string, bool) {
	var old Agent
	for _, a := range r.agents {
		if a.Mode == "" && !a.Bounded && (old.Name == "" || a.Seen.Before(old.Seen)) {
			old = a
		}
	}
	return old.Name, old.Name != ""
}

func (r *Rules) publish() {
	out := make([]Agent, 0, len(r.agents))
	for _, a := range r.agents {
		out = append(out, a)
	}
	slices.SortFunc(out, func(x, y Agent) int { return strings.Compare(x.Name, y.Name) })
	r.State.Set(out)
}
