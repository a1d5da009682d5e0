// Package upload keeps files for pages, until the tab that they are for closes:
// those that a person's interface sends from another computer, and those of this
// one that an agent gives.
//
// [Store.Begin] opens a batch, [Store.Part] appends to its files in order, and
// [Store.Take] gives the paths once all is there. [Store.Hold] pins open files. Names are the person's; where
// the files lie is Baton's. What a host left behind goes when the next one starts.
package upload

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"baton/backend/fault"
)

// Bounds of what is kept.
const (
	FilesMost = 2000           // of a batch
	BatchMost = int64(2) << 30 // bytes of one
	StoreMost = int64(8) << 30 // bytes of all
	PartMost  = 1 << 20        // bytes of one part
	// idleMost is how long an unfinished batch waits for its next part.
	idleMost = 2 * time.Minute
)

// File is one file of a batch. Name is a base name or, in a folder, a path with
// slashes that begins with the folder's name.
type File struct {
	Name string
	Size int64 // bytes
}

// Store is a private folder of batches.
type Store struct {
	folder string

	mu      sync.Mutex
	batches map[string]*batch
	total   int64
}

type batch struct {
	mu    sync.Mutex // one part at a time
	dir   string
	tab   string
	size  int64
	whole []string // paths to give to a page
	files []*entry
	used  time.Time // guarded by Store.mu
	taken bool      // guarded by Store.mu
}

type entry struct {
	path      string
	size, got int64
}

// New empties a folder, made when missing, and keeps batches there.
func New(folder string) (*Store, error) {
	if err := os.RemoveAll(folder); err != nil {
		return nil, fmt.Errorf("clearing old uploads: %w", err)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for uploads: %w", err)
	}
	return &Store{folder: folder, batches: map[string]*batch{}}, nil
}

// Close removes everything.
func (s *Store) Close() error { return os.RemoveAll(s.folder) }

// Begin opens a batch for a tab and makes its files, empty ones.
func (s *Store) Begin(tab string, files []File) (id string, err error) {
	b := &batch{tab: tab, used: time.Now()}
	if len(files) == 0 || len(files) > FilesMost {
		return "", fault.New(fault.BadArguments, "%d files are given; from 1 to %d go at a time", len(files), FilesMost)
	}
	for _, f := range files {
		if f.Size < 0 || b.size+f.Size > BatchMost {
			return "", fault.New(fault.BadArguments, "the files are too large: at most %d MiB go at a time", BatchMost>>20)
		}
		b.size += f.Size
	}
	id = rand.Text()
	b.dir = filepath.Join(s.folder, id)
	s.mu.Lock()
	s.expire()
	if s.total+b.size > StoreMost {
		s.mu.Unlock()
		return "", fault.New(fault.BadArguments, "too many files wait in open tabs; close some of the tabs")
	}
	s.total += b.size
	s.batches[id] = b
	s.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, f := range files {
		if err := b.add(i, f); err != nil {
			s.remove(id)
			return "", err
		}
	}
	return id, nil
}

// add makes one file. A file of its own lies in a folder of its own, so that
// two of one name do not meet.
func (b *batch) add(i int, f File) error {
	name := filepath.FromSlash(f.Name)
	if !filepath.IsLocal(name) || strings.ContainsFunc(f.Name, func(r rune) bool { return r < ' ' }) || strings.Contains(f.Name, `\`) {
		return fault.New(fault.BadArguments, "%q is no name of a file", f.Name)
	}
	e := &entry{path: filepath.Join(b.dir, fmt.Sprint(i), name), size: f.Size}
	give := e.path
	if top, _, folder := strings.Cut(f.Name, "/"); folder {
		e.path = filepath.Join(b.dir, "folder", name)
		give = filepath.Join(b.dir, "folder", top)
	}
	if err := os.MkdirAll(filepath.Dir(e.path), 0o700); err != nil {
		return fmt.Errorf("keeping a file: %w", err)
	}
	w, err := os.OpenFile(e.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fault.New(fault.BadArguments, "%q is given twice", f.Name)
		}
		return fmt.Errorf("keeping a file: %w", err)
	}
	b.files = append(b.files, e)
	if len(b.whole) == 0 || b.whole[len(b.whole)-1] != give {
		b.whole = append(b.whole, give)
	}
	return w.Close()
}

// Part appends to a file of a batch. Parts of one file come in order.
func (s *Store) Part(id string, index int, data []byte) error {
	b, err := s.batch(id)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if index < 0 || index >= len(b.files) {
		return fault.New(fault.BadArguments, "the batch has no file %d", index)
	}
	e := b.files[index]
	if len(data) > PartMost || e.got+int64(len(data)) > e.size {
		return fault.New(fault.BadArguments, "more of the file came than was announced")
	}
	w, err := os.OpenFile(e.path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = w.Write(data)
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		s.remove(id)
		return fault.New(fault.Internal, "the file could not be kept in Baton's data folder").Because(err)
	}
	e.got += int64(len(data))
	return nil
}

// Take gives the paths of a batch that has come whole: of its files, or of the
// folder that they are in. They stay until the tab closes.
func (s *Store) Take(tab, id string) ([]string, error) {
	b, err := s.batch(id)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.files {
		if e.got != e.size {
			return nil, fault.New(fault.BadArguments, "%q has not come whole", filepath.Base(e.path))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.tab != tab {
		return nil, fault.New(fault.BadArguments, "the files were sent for another tab")
	}
	b.taken = true
	return b.whole, nil
}

// Drop removes a batch that is not wanted any more.
func (s *Store) Drop(id string) {
	if b, err := s.batch(id); err == nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		s.remove(id)
	}
}

// Follow removes the files of tabs that have closed, as tabs change, until ctx
// ends.
func (s *Store) Follow(ctx context.Context, changed <-chan struct{}, open func(tab string) bool) error {
	for {
		select {
		case <-changed:
			s.Keep(open)
		case <-ctx.Done():
			return nil
		}
	}
}

// Keep removes what was kept for tabs that are not open any more.
func (s *Store) Keep(open func(tab string) bool) {
	s.mu.Lock()
	var gone []string
	for id, b := range s.batches {
		if !open(b.tab) {
			gone = append(gone, id)
		}
	}
	s.mu.Unlock()
	for _, id := range gone {
		s.Drop(id)
	}
}

func (s *Store) batch(id string) (*batch, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.batches[id]
	if b == nil {
		return nil, fault.New(fault.BadArguments, "these files are not kept any more; choose them again")
	}
	b.used = time.Now()
	return b, nil
}

// expire removes batches whose sender has gone. Call with mu held.
func (s *Store) expire() {
	for id, b := range s.batches {
		if !b.taken && time.Since(b.used) > idleMost {
			s.total -= b.size
			delete(s.batches, id)
			_ = os.RemoveAll(b.dir)
		}
	}
}

// remove forgets a batch and its files. Call with the batch's mu held.
func (s *Store) remove(id string) {
	s.mu.Lock()
	b := s.batches[id]
	if b != nil {
		s.total -= b.size
		delete(s.batches, id)
	}
	s.mu.Unlock()
	if b != nil {
		_ = os.RemoveAll(b.dir)
	}
}
