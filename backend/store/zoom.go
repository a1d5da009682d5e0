package store

import (
	"context"
	"fmt"
)

// Zoom is the person's zoom of a site.
type Zoom struct {
	Profile string
	Host    string
	Factor  float64
}

// Zooms gives all of them.
func (s *Store) Zooms(ctx context.Context) ([]Zoom, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT profile, host, factor FROM zoom`)
	if err != nil {
		return nil, fmt.Errorf("reading zooms: %w", err)
	}
	defer rows.Close()
	var out []Zoom
	for rows.Next() {
		var z Zoom
		if err := rows.Scan(&z.Profile, &z.Host, &z.Factor); err != nil {
			return nil, fmt.Errorf("reading zooms: %w", err)
		}
		out = append(out, z)
	}
	return out, rows.Err()
}

// SaveZoom keeps a site's zoom; 1 forgets it.
func (s *Store) SaveZoom(ctx context.Context, z Zoom) error {
	if z.Factor == 1 {
		_, err := s.db.ExecContext(ctx, `DELETE FROM zoom WHERE profile=? AND host=?`, z.Profile, z.Host)
		return err
	}
	_, err := s.db.ExecContext(ctx, `INSERT INTO zoom (profile, host, factor) VALUES (?,?,?) ON CONFLICT (profile, host) DO UPDATE SET factor=excluded.factor`, z.Profile, z.Host, z.Factor)
	if err != nil {
		return fmt.Errorf("saving a zoom: %w", err)
	}
	return nil
}
