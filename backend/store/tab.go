package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"
)

// Entry is one entry of a tab's history.
type Entry struct {
	URL   string `json:"url"`
	Title string `json:"title"`
}

// Tab is a saved tab.
type Tab struct {
	ID       int64
	Position int
	Owner    string // "person", or "agent:" and its name
	Profile  string
	URL      string
	Title    string
	Private  bool
	Pinned   bool
	Hold     string // "", touch, button
	History  []Entry
	Entry    int // index of the present entry
}

// AddTab saves a new tab and gives its id, which is never used again.
func (s *Store) AddTab(ctx context.Context, t Tab) (int64, error) {
	h, err := json.Marshal(orEmpty(t.History))
	if err != nil {
		return 0, err
	}
	r, err := s.db.ExecContext(ctx, `INSERT INTO tab (position, owner, profile, url, title, private, pinned, hold, history, entry) VALUES (?,?,?,?,?,?,?,?,?,?)`,
		t.Position, t.Owner, t.Profile, t.URL, t.Title, t.Private, t.Pinned, t.Hold, string(h), t.Entry)
	if err != nil {
		return 0, fmt.Errorf("saving a tab: %w", err)
	}
	return r.LastInsertId()
}

// NewTabID gives an id for a tab that is not saved; it is never used again either.
func (s *Store) NewTabID(ctx context.Context) (int64, error) {
	var id int64
	err := s.tx(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, `INSERT INTO tab (position, owner, profile, url, title) VALUES (0, '', '', '', '')`)
		if err != nil {
			return err
		}
		if id, err = r.LastInsertId(); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM tab WHERE id=?`, id)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("numbering a tab: %w", err)
	}
	return id, nil
}

// SaveTabs brings saved tabs up to date, all or none.
func (s *Store) SaveTabs(ctx context.Context, tabs []Tab) error {
	err := s.tx(ctx, func(tx *sql.Tx) error {
		for _, t := range tabs {
			h, err := json.Marshal(orEmpty(t.History))
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `UPDATE tab SET position=?, owner=?, profile=?, url=?, title=?, private=?, pinned=?, hold=?, history=?, entry=? WHERE id=?`,
				t.Position, t.Owner, t.Profile, t.URL, t.Title, t.Private, t.Pinned, t.Hold, string(h), t.Entry, t.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("saving tabs: %w", err)
	}
	return nil
}

// Tabs gives the open tabs in strip order. A row whose history is damaged
// keeps the tab and loses the history.
func (s *Store) Tabs(ctx context.Context) ([]Tab, error) {
	return s.tabs(ctx, `closed = 0 ORDER BY position, id`)
}

// ClosedTab gives the tab that was closed last and can be reopened, or false.
func (s *Store) ClosedTab(ctx context.Context) (Tab, bool, error) {
	list, err := s.tabs(ctx, `closed > 0 ORDER BY closed DESC, id DESC LIMIT 1`)
	if err != nil || len(list) == 0 {
		return Tab{}, false, err
	}
	return list[0], true, nil
}

func (s *Store) tabs(ctx context.Context, where string) ([]Tab, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, position, owner, profile, url, title, private, pinned, hold, history, entry FROM tab WHERE `+where)
	if err != nil {
		return nil, fmt.Errorf("reading tabs: %w", err)
	}
	defer rows.Close()
	var out []Tab
	for rows.Next() {
		var t Tab
		var h []byte
		if err := rows.Scan(&t.ID, &t.Position, &t.Owner, &t.Profile, &t.URL, &t.Title, &t.Private, &t.Pinned, &t.Hold, &h, &t.Entry); err != nil {
			return nil, fmt.Errorf("reading tabs: %w", err)
		}
		if json.Unmarshal(h, &t.History) != nil || t.Entry < 0 || t.Entry >= len(t.History) {
			t.History, t.Entry = nil, 0
		}
		out = append(out, t)
	}
	return out, rows.Err()
}

// CloseTab removes a tab; keep leaves it for reopening (the newest 25).
func (s *Store) CloseTab(ctx context.Context, id int64, keep bool) error {
	return s.tx(ctx, func(tx *sql.Tx) error {
		if !keep {
			_, err := tx.ExecContext(ctx, `DELETE FROM tab WHERE id=?`, id)
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE tab SET closed=? WHERE id=?`, time.Now().UnixNano(), id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM tab WHERE closed > 0 AND id NOT IN (SELECT id FROM tab WHERE closed > 0 ORDER BY closed DESC LIMIT 25)`)
		return err
	})
}

// DropClosed forgets a closed tab, once it was reopened under a new id.
func (s *Store) DropClosed(ctx context.Context, id int64) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM tab WHERE id=? AND closed > 0`, id)
	return err
}

func orEmpty(e []Entry) []Entry {
	if e == nil {
		return []Entry{}
	}
	return e
}
