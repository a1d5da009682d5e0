package store

import (
	"context"
	"fmt"
)

// Settings gives all saved settings by name.
func (s *Store) Settings(ctx context.Context) (map[string]string, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT name, value FROM setting`)
	if err != nil {
		return nil, fmt.Errorf("reading settings: %w", err)
	}
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var n, v string
		if err := rows.Scan(&n, &v); err != nil {
			return nil, fmt.Errorf("reading settings: %w", err)
		}
		out[n] = v
	}
	return out, rows.Err()
}

// SetSetting saves one setting.
func (s *Store) SetSetting(ctx context.Context, name, value string) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO setting (name, value) VALUES (?,?) ON CONFLICT (name) DO UPDATE SET value=excluded.value`, name, value)
	if err != nil {
		return fmt.Errorf("saving setting %s: %w", name, err)
	}
	return nil
}
