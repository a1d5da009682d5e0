package upload

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"baton/backend/fault"
)

// opened makes a file and gives it open.
func opened(t *testing.T, dir, name, text string) *os.File {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func reads(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %q (%v), want %q", path, got, err, want)
	}
}

func TestWhatIsHeldStaysWhateverItsPathMeans(t *testing.T) {
	s, folder := open(t)
	dir := t.TempDir()
	f := opened(t, dir, "a.txt", "mine")
	h, err := s.Hold("t1")
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Add(t.Context(), "a.txt", f); err != nil {
		t.Fatal(err)
	}
	opened(t, dir, "secret", "theirs")
	if err := os.Remove(filepath.Join(dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("secret", filepath.Join(dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	// A file without a name any more is copied: there is nothing to link.
	if err := h.Add(t.Context(), "again.txt", f); err != nil {
		t.Fatal(err)
	}
	if err := h.Folder("box"); err != nil {
		t.Fatal(err)
	}
	if err := h.Add(t.Context(), "box/in/a.txt", opened(t, dir, "b", "boxed")); err != nil {
		t.Fatal(err)
	}
	paths := h.Paths()
	if len(paths) != 3 || filepath.Base(paths[0]) != "a.txt" || filepath.Base(paths[1]) != "again.txt" || filepath.Base(paths[2]) != "box" {
		t.Fatalf("held as %q", paths)
	}
	reads(t, paths[0], "mine")
	reads(t, paths[1], "mine")
	reads(t, filepath.Join(paths[2], "in", "a.txt"), "boxed")

	s.Keep(func(tab string) bool { return tab == "t1" })
	if left(t, folder) != 1 {
		t.Fatal("the files went while their tab is open")
	}
	s.Keep(func(string) bool { return false })
	if left(t, folder) != 0 || s.total != 0 {
		t.Fatalf("%d batches stay, of %d bytes", left(t, folder), s.total)
	}
	reads(t, filepath.Join(dir, "b"), "boxed")
}

func TestACopyIsBoundedAndLooksTheSame(t *testing.T) {
	s, folder := open(t)
	f := opened(t, t.TempDir(), "a.txt", "mine")
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	h, err := s.Hold("t1")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(h.b.dir, "copy.txt")
	if err := h.copy(t.Context(), path, f); err != nil {
		t.Fatal(err)
	}
	reads(t, path, "mine")
	if got, err := os.Stat(path); err != nil || !got.ModTime().Equal(st.ModTime()) || s.total != st.Size() {
		t.Errorf("changed at %v (%v), and %d bytes are counted", got.ModTime(), err, s.total)
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.copy(late, filepath.Join(h.b.dir, "late.txt"), f); err == nil {
		t.Error("a copy goes on without time")
	}
	s.total = StoreMost
	if err := h.copy(t.Context(), filepath.Join(h.b.dir, "much.txt"), f); !fault.Is(err, fault.FileNotAllowed) {
		t.Errorf("too much gave %v", err)
	}
	h.Drop()
	if left(t, folder) != 0 {
		t.Error("it stays when it is dropped")
	}
}

func TestWhatIsAddedAfterItsTabClosedIsNotKept(t *testing.T) {
	s, folder := open(t)
	f := opened(t, t.TempDir(), "a.txt", "mine")
	h, err := s.Hold("t1")
	if err != nil {
		t.Fatal(err)
	}
	s.Drop(h.id) // as when the tab closes
	if err := h.Add(t.Context(), "a.txt", f); !fault.Is(err, fault.NoSuchTab) {
		t.Errorf("adding gave %v", err)
	}
	if err := h.copy(t.Context(), filepath.Join(folder, "copy.txt"), f); !fault.Is(err, fault.NoSuchTab) {
		t.Errorf("copying gave %v", err)
	}
	h.Drop()
	if n := left(t, folder); n != 0 || s.total != 0 {
		t.Errorf("%d things are left, and %d bytes are counted", n, s.total)
	}
}
