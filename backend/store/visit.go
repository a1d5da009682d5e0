package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Visit is an address that the person visited, with its visits of one day.
type Visit struct {
	ID      int64
	Profile string
	URL     string
	Title   string
	Day     int       // of the person's calendar: days since 1970-01-01
	Last    time.Time // the day's last visit, to the millisecond
	Count   int       // visits on the day
}

// visitsKept bounds the history; the oldest rows go first.
const visitsKept = 20_000

// AddVisit counts a visit.
func (s *Store) AddVisit(ctx context.Context, v Visit) error {
	err := s.tx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO visit (profile, url, title, day, last) VALUES (?,?,?,?,?)
			ON CONFLICT (profile, url, day) DO UPDATE SET count=count+1, last=excluded.last, title=CASE WHEN excluded.title='' THEN title ELSE excluded.title END`,
			v.Profile, v.URL, v.Title, v.Day, v.Last.UnixMilli()); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM visit WHERE id IN (SELECT id FROM visit ORDER BY last DESC, id DESC LIMIT -1 OFFSET ?)`, visitsKept)
		return err
	})
	if err != nil {
		return fmt.Errorf("saving a visit: %w", err)
	}
	return nil
}

// TitleVisit gives the newest row of an address its title.
func (s *Store) TitleVisit(ctx context.Context, profile, url, title string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE visit SET title=? WHERE id=(SELECT id FROM visit WHERE profile=? AND url=? ORDER BY day DESC LIMIT 1)`, title, profile, url)
	return err
}

// VisitQuery says which visits are meant. Zero values leave a part open.
type VisitQuery struct {
	Words  []string // all must be in title or address
	Before int64    // unix milliseconds: older ones alone
	Limit  int
}

// Visits gives visits, the newest first.
func (s *Store) Visits(ctx context.Context, q VisitQuery) ([]Visit, error) {
	where, args := matching(q.Words)
	if q.Before > 0 {
		where, args = where+` AND last < ?`, append(args, q.Before)
	}
	return s.visits(ctx, `SELECT id, profile, url, title, day, last, count FROM visit WHERE `+where+` ORDER BY last DESC, id DESC LIMIT ?`, append(args, q.Limit)...)
}

// Places gives addresses once each, with the sum of their visits of each day
// weighed by its age: those visited often and lately come first.
func (s *Store) Places(ctx context.Context, words []string, today, limit int) ([]Visit, error) {
	where, args := matching(words)
	args = append([]any{today, today, today}, args...)
	return s.visits(ctx, `SELECT max(id), profile, url, title, max(day), max(last), CAST(sum(min(count, 10) *
			CASE WHEN day >= ? - 3 THEN 100 WHEN day >= ? - 14 THEN 70 WHEN day >= ? - 60 THEN 30 ELSE 10 END) AS INTEGER) AS weight
		FROM visit WHERE `+where+` GROUP BY profile, url ORDER BY weight DESC, max(last) DESC LIMIT ?`, append(args, limit)...)
}

// Recents gives the addresses visited last, once each, the newest first.
func (s *Store) Recents(ctx context.Context, limit int) ([]Visit, error) {
	return s.visits(ctx, `SELECT max(id), profile, url, title, max(day), max(last), CAST(sum(count) AS INTEGER) FROM visit GROUP BY profile, url ORDER BY max(last) DESC LIMIT ?`, limit)
}

func (s *Store) visits(ctx context.Context, query string, args ...any) ([]Visit, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("reading the history: %w", err)
	}
	defer rows.Close()
	var out []Visit
	for rows.Next() {
		var v Visit
		var last int64
		if err := rows.Scan(&v.ID, &v.Profile, &v.URL, &v.Title, &v.Day, &last, &v.Count); err != nil {
			return nil, fmt.Errorf("reading the history: %w", err)
		}
		v.Last = time.UnixMilli(last)
		out = append(out, v)
	}
	return out, rows.Err()
}

// matching gives the condition that all words are in a title or an address.
func matching(words []string) (where string, args []any) {
	where = `1`
	for _, w := range words {
		like := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(w) + "%"
		where, args = where+` AND (title LIKE ? ESCAPE '\' OR url LIKE ? ESCAPE '\')`, append(args, like, like)
	}
	return where, args
}

// DropVisits forgets rows by id.
func (s *Store) DropVisits(ctx context.Context, ids []int64) error {
	return s.tx(ctx, func(tx *sql.Tx) error {
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, `DELETE FROM visit WHERE id=?`, id); err != nil {
				return err
			}
		}
		return dropIcons(ctx, tx)
	})
}

// ClearVisits forgets the visits since a time; the zero time means all.
func (s *Store) ClearVisits(ctx context.Context, since time.Time) error {
	from := int64(0)
	if !since.IsZero() {
		from = since.UnixMilli()
	}
	return s.tx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM visit WHERE last >= ?`, from); err != nil {
			return err
		}
		return dropIcons(ctx, tx)
	})
}

// dropIcons forgets the icons of sites without a visit.
func dropIcons(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM icon WHERE NOT EXISTS (SELECT 1 FROM visit WHERE visit.profile=icon.profile AND instr(visit.url, '://' || icon.host || '/') > 0)`)
	return err
}

// SaveIcon keeps a site's icon, a data: address.
func (s *Store) SaveIcon(ctx context.Context, profile, host, data string) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO icon (profile, host, data) VALUES (?,?,?) ON CONFLICT (profile, host) DO UPDATE SET data=excluded.data`, profile, host, data)
	return err
}

// Icon gives a site's icon, "" when none is kept.
func (s *Store) Icon(ctx context.Context, profile, host string) (string, error) {
	var data string
	err := s.db.QueryRowContext(ctx, `SELECT data FROM icon WHERE profile=? AND host=?`, profile, host).Scan(&data)
	if err == sql.ErrNoRows {
		return "", nil
	}
	return data, err
}
