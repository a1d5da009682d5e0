package store

import (
	"context"
	"fmt"
	"time"
)

// Agent is an agent that has connected, and what the person lets it do.
type Agent struct {
	Name    string
	Access  string // "" follows the setting; full, ask, off
	Bounded bool
	Seen    time.Time // its last connection, to the second
}

// Agents gives all known agents by name.
func (s *Store) Agents(ctx context.Context) ([]Agent, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT name, access, bounded, seen FROM agent ORDER BY name`)
	if err != nil {
		return nil, fmt.Errorf("reading agents: %w", err)
	}
	defer rows.Close()
	var out []Agent
	for rows.Next() {
		var a Agent
		var seen int64
		if err := rows.Scan(&a.Name, &a.Access, &a.Bounded, &seen); err != nil {
			return nil, fmt.Errorf("reading agents: %w", err)
		}
		a.Seen = time.Unix(seen, 0)
		out = append(out, a)
	}
	return out, rows.Err()
}

// SaveAgent keeps an agent as it is now.
func (s *Store) SaveAgent(ctx context.Context, a Agent) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO agent (name, access, bounded, seen) VALUES (?,?,?,?)
		ON CONFLICT (name) DO UPDATE SET access=excluded.access, bounded=excluded.bounded, seen=excluded.seen`,
		a.Name, a.Access, a.Bounded, a.Seen.Unix())
	if err != nil {
		return fmt.Errorf("saving the agent %s: %w", a.Name, err)
	}
	return nil
}

// ForgetAgent drops what is kept of an agent.
func (s *Store) ForgetAgent(ctx context.Context, name string) error {
	if _, err := s.db.ExecContext(ctx, `DELETE FROM agent WHERE name=?`, name); err != nil {
		return fmt.Errorf("forgetting the agent %s: %w", name, err)
	}
	return nil
}
