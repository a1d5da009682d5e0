package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Download is a file that a page saved or began to save.
type Download struct {
	ID       int64
	Profile  string
	Name     string
	Path     string // where the finished file lies
	URL      string // where it came from, without credentials
	Whole    bool   // URL is as it was
	State    string
	Received int64
	Total    int64
	Began    time.Time // to the millisecond
}

// downloadsKept bounds the list; the oldest go first. Files stay.
const downloadsKept = 500

// AddDownload saves a new download and gives its id.
func (s *Store) AddDownload(ctx context.Context, d Download) (int64, error) {
	var id int64
	err := s.tx(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, `INSERT INTO download (profile, name, path, url, whole, state, received, total, began) VALUES (?,?,?,?,?,?,?,?,?)`,
			d.Profile, d.Name, d.Path, d.URL, d.Whole, d.State, d.Received, d.Total, d.Began.UnixMilli())
		if err != nil {
			return err
		}
		if id, err = r.LastInsertId(); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM download WHERE id <= ? - ?`, id, downloadsKept)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("saving a download: %w", err)
	}
	return id, nil
}

// SaveDownload brings a saved download up to date.
func (s *Store) SaveDownload(ctx context.Context, d Download) error {
	_, err := s.db.ExecContext(ctx, `UPDATE download SET name=?, path=?, state=?, received=?, total=? WHERE id=?`, d.Name, d.Path, d.State, d.Received, d.Total, d.ID)
	if err != nil {
		return fmt.Errorf("saving a download: %w", err)
	}
	return nil
}

// Downloads gives all saved downloads, the newest first.
func (s *Store) Downloads(ctx context.Context) ([]Download, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, profile, name, path, url, whole, state, received, total, began FROM download ORDER BY id DESC`)
	if err != nil {
		return nil, fmt.Errorf("reading downloads: %w", err)
	}
	defer rows.Close()
	var out []Download
	for rows.Next() {
		var d Download
		var began int64
		if err := rows.Scan(&d.ID, &d.Profile, &d.Name, &d.Path, &d.URL, &d.Whole, &d.State, &d.Received, &d.Total, &began); err != nil {
			return nil, fmt.Errorf("reading downloads: %w", err)
		}
		d.Began = time.UnixMilli(began)
		out = append(out, d)
	}
	return out, rows.Err()
}

// DropDownload takes a download off the list; its file stays.
func (s *Store) DropDownload(ctx context.Context, id int64) error {
	if _, err := s.db.ExecContext(ctx, `DELETE FROM download WHERE id=?`, id); err != nil {
		return fmt.Errorf("forgetting a download: %w", err)
	}
	return nil
}
