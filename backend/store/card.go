package store

import (
	"context"
	"fmt"
	"time"
)

// Card is a question to the person that outlives the host.
type Card struct {
	ID     int64
	Kind   string // takeover
	Agent  string
	Tab    int64
	Reason string
	Until  time.Time // to the second
}

// AddCard keeps an open card and gives its id, which is never used again.
func (s *Store) AddCard(ctx context.Context, c Card) (int64, error) {
	r, err := s.db.ExecContext(ctx, `INSERT INTO card (kind, agent, tab, reason, until) VALUES (?,?,?,?,?)`, c.Kind, c.Agent, c.Tab, c.Reason, c.Until.Unix())
	if err != nil {
		return 0, fmt.Errorf("saving a card: %w", err)
	}
	return r.LastInsertId()
}

// Cards gives the open cards, oldest first.
func (s *Store) Cards(ctx context.Context) ([]Card, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, kind, agent, tab, reason, until FROM card ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("reading cards: %w", err)
	}
	defer rows.Close()
	var out []Card
	for rows.Next() {
		var c Card
		var until int64
		if err := rows.Scan(&c.ID, &c.Kind, &c.Agent, &c.Tab, &c.Reason, &until); err != nil {
			return nil, fmt.Errorf("reading cards: %w", err)
		}
		c.Until = time.Unix(until, 0)
		out = append(out, c)
	}
	return out, rows.Err()
}

// DropCard forgets a card that is settled.
func (s *Store) DropCard(ctx context.Context, id int64) error {
	if _, err := s.db.ExecContext(ctx, `DELETE FROM card WHERE id=?`, id); err != nil {
		return fmt.Errorf("forgetting a card: %w", err)
	}
	return nil
}
