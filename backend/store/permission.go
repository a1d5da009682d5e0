package store

import (
	"context"
	"fmt"
)

// Permission is what the person lets a site do.
type Permission struct {
	Profile string
	Origin  string // scheme, host and port
	Name    string // geolocation, notifications, clipboard-read, camera, microphone
	Setting string // allow, deny; "" is the default and kept nowhere
}

// Permissions gives all that the person has set in a profile.
func (s *Store) Permissions(ctx context.Context, profile string) ([]Permission, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT profile, origin, name, setting FROM permission WHERE profile=? ORDER BY origin, name`, profile)
	if err != nil {
		return nil, fmt.Errorf("reading permissions: %w", err)
	}
	defer rows.Close()
	var out []Permission
	for rows.Next() {
		var p Permission
		if err := rows.Scan(&p.Profile, &p.Origin, &p.Name, &p.Setting); err != nil {
			return nil, fmt.Errorf("reading permissions: %w", err)
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

// SetPermission keeps a permission; the default is forgotten.
func (s *Store) SetPermission(ctx context.Context, p Permission) error {
	var err error
	if p.Setting == "" {
		_, err = s.db.ExecContext(ctx, `DELETE FROM permission WHERE profile=? AND origin=? AND name=?`, p.Profile, p.Origin, p.Name)
	} else {
		_, err = s.db.ExecContext(ctx, `INSERT INTO permission (profile, origin, name, setting) VALUES (?,?,?,?)
			ON CONFLICT (profile, origin, name) DO UPDATE SET setting=excluded.setting`, p.Profile, p.Origin, p.Name, p.Setting)
	}
	if err != nil {
		return fmt.Errorf("saving a permission: %w", err)
	}
	return nil
}
