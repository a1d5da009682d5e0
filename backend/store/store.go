// Package store keeps Baton's data in one SQLite file: numbered migrations,
// one Go file a table, one writer.
//
// [Open] brings the file up to date and gives a [Store]; every method has its
// deadline in ctx. The file is in WAL mode: what a method acknowledged survives
// the death of the process.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the driver
)

//go:embed migrations/*.sql
var migrations embed.FS

// ErrNewer says that a newer Baton wrote the file.
var ErrNewer = errors.New("the data folder was written by a newer Baton: update Baton, or use another --data-dir")

// Store is the open file.
type Store struct{ db *sql.DB }

// Open opens baton.db in a folder, made when missing, and migrates it.
func Open(ctx context.Context, folder string) (*Store, error) {
	q := url.Values{"_journal_mode": {"WAL"}, "_busy_timeout": {"5000"}, "_foreign_keys": {"on"}, "_synchronous": {"NORMAL"}, "_txlock": {"immediate"}}
	db, err := sql.Open("sqlite3", "file:"+(&url.URL{Path: filepath.Join(folder, "baton.db")}).EscapedPath()+"?"+q.Encode())
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	db.SetMaxOpenConns(1)
	s := &Store{db: db}
	if err := s.migrate(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return s, nil
}

// Close closes the file.
func (s *Store) Close() error { return s.db.Close() }

func (s *Store) migrate(ctx context.Context) error {
	var have int
	if err := s.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return fmt.Errorf("the database baton.db cannot be read (move it away to start anew): %w", err)
	}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	sort.Strings(files)
	if have > len(files) {
		return ErrNewer
	}
	for i, f := range files {
		number, _, _ := strings.Cut(filepath.Base(f), "_")
		if n, err := strconv.Atoi(number); err != nil || n != i+1 {
			return fmt.Errorf("store: migration %s should have number %d", f, i+1)
		}
		if i < have {
			continue
		}
		text, err := migrations.ReadFile(f)
		if err != nil {
			return err
		}
		err = s.tx(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, string(text)); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", i+1))
			return err
		})
		if err != nil {
			return fmt.Errorf("store: migration %s: %w", f, err)
		}
	}
	return nil
}

func (s *Store) tx(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
