package upload

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"baton/backend/fault"
)

// copyStep is how much of a file is copied between two looks at the deadline.
const copyStep = 64 << 20

// Held are files of this computer that a page of a tab gets: what they are
// cannot be changed by who may write where they were. One goroutine fills it.
type Held struct {
	s     *Store
	id    string
	b     *batch
	paths []string
}

// Hold begins a batch of files of this computer for a tab. They are kept until
// the tab closes, or Drop.
func (s *Store) Hold(tab string) (*Held, error) {
	id := rand.Text()
	b := &batch{tab: tab, dir: filepath.Join(s.folder, id), used: time.Now(), taken: true}
	if err := os.Mkdir(b.dir, 0o700); err != nil {
		return nil, fmt.Errorf("holding files: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches[id] = b
	return &Held{s: s, id: id, b: b}, nil
}

// Folder adds an empty folder; names that begin with its own go into it.
func (h *Held) Folder(name string) error {
	path := filepath.Join(h.b.dir, "folder", name)
	h.paths = append(h.paths, path)
	return os.MkdirAll(path, 0o700)
}

// Add holds an open file under the name that the page is to see: a base name
// or, in a folder that was added, a path with slashes. The file is linked where
// the file system can, which costs nothing, and else copied.
func (h *Held) Add(ctx context.Context, name string, f *os.File) error {
	var path string
	if strings.Contains(name, "/") {
		path = filepath.Join(h.b.dir, "folder", filepath.FromSlash(name))
	} else {
		path = filepath.Join(h.b.dir, fmt.Sprint(len(h.paths)), name)
		h.paths = append(h.paths, path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("holding a file: %w", err)
	}
	err := link(f, path)
	if err != nil {
		err = h.copy(ctx, path, f)
	}
	if err == nil && h.s.dropped(h.id) {
		err = errTabClosed()
	}
	return err
}

// dropped tells whether a batch's tab has closed: what is added then is nobody's.
func (s *Store) dropped(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.batches[id] == nil
}

func errTabClosed() error {
	return fault.New(fault.NoSuchTab, "the tab closed while its files were taken")
}

func (h *Held) copy(ctx context.Context, path string, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := h.s.reserve(h.id, h.b, info.Size()); err != nil {
		return err
	}
	to, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("holding a file: %w", err)
	}
	for rest := info.Size(); rest > 0 && err == nil; {
		if err = context.Cause(ctx); err != nil {
			break
		}
		var n int64
		if n, err = to.ReadFrom(io.LimitReader(f, min(rest, copyStep))); n == 0 {
			break // it became shorter
		}
		rest -= n
	}
	// The page sees when the file was changed last.
	if err = errors.Join(err, to.Close()); err != nil {
		return fmt.Errorf("holding a file: %w", err)
	}
	return os.Chtimes(path, time.Time{}, info.ModTime())
}

// reserve counts bytes that a batch takes.
func (s *Store) reserve(id string, b *batch, size int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.batches[id] != b {
		return errTabClosed()
	}
	if s.total+size > StoreMost {
		return fault.New(fault.FileNotAllowed, "the files are too large: at most %d GiB are copied for open tabs", StoreMost>>30).
			Then("close tabs that were given large files, or give smaller ones")
	}
	s.total += size
	b.size += size
	return nil
}

// Paths are what is given to the page: of the files and folders as they were
// added.
func (h *Held) Paths() []string { return h.paths }

// Drop removes the files at once, also those that came after the tab had closed.
func (h *Held) Drop() {
	h.s.Drop(h.id)
	_ = os.RemoveAll(h.b.dir)
}
