package upload

import (
	"os"
	"path/filepath"
	"testing"

	"baton/backend/fault"
)

func open(t *testing.T) (*Store, string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "uploads")
	s, err := New(folder)
	if err != nil {
		t.Fatal(err)
	}
	return s, folder
}

func left(t *testing.T, folder string) int {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func TestFilesComeInPartsAndGoWithTheirTab(t *testing.T) {
	s, folder := open(t)
	id, err := s.Begin("t1", []File{{"a.txt", 5}, {"a.txt", 0}})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"he", "llo"} {
		if err := s.Part(id, 0, []byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	paths, err := s.Take("t1", id)
	if err != nil || len(paths) != 2 || filepath.Base(paths[0]) != "a.txt" || paths[0] == paths[1] {
		t.Fatalf("taken: %q, %v", paths, err)
	}
	if b, _ := os.ReadFile(paths[0]); string(b) != "hello" {
		t.Fatalf("the file holds %q", b)
	}
	if st, _ := os.Stat(paths[0]); st.Mode().Perm() != 0o600 {
		t.Fatalf("its mode is %v", st.Mode())
	}
	s.Keep(func(tab string) bool { return tab == "t1" })
	if left(t, folder) != 1 {
		t.Fatal("the files went while their tab is open")
	}
	s.Keep(func(string) bool { return false })
	if left(t, folder) != 0 || s.total != 0 {
		t.Fatal("the files stay without their tab")
	}
}

func TestAFolderKeepsItsShape(t *testing.T) {
	s, _ := open(t)
	id, err := s.Begin("t1", []File{{"box/in/x.txt", 2}, {"box/y.txt", 0}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Part(id, 0, []byte("ex")); err != nil {
		t.Fatal(err)
	}
	paths, err := s.Take("t1", id)
	if err != nil || len(paths) != 1 || filepath.Base(paths[0]) != "box" {
		t.Fatalf("taken: %q, %v", paths, err)
	}
	if b, _ := os.ReadFile(filepath.Join(paths[0], "in", "x.txt")); string(b) != "ex" {
		t.Fatalf("the file holds %q", b)
	}
}

func TestWhatIsWrongIsRefused(t *testing.T) {
	s, folder := open(t)
	for _, files := range [][]File{
		nil,
		{{"", 1}},
		{{"../x", 1}},
		{{"/etc/passwd", 1}},
		{{"a/../../x", 1}},
		{{"a\x00b", 1}},
		{{`a\b`, 1}},
		{{"big", BatchMost + 1}},
		{{"a", BatchMost}, {"b", 1}},
		{{"neg", -1}},
		{{"d/x", 1}, {"d/x", 1}},
		make([]File, FilesMost+1),
	} {
		if _, err := s.Begin("t1", files); err == nil {
			t.Errorf("%.60v was taken", files)
		}
	}
	if left(t, folder) != 0 || s.total != 0 {
		t.Fatal("something stays of what was refused")
	}
	id, err := s.Begin("t1", []File{{"a", 3}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Part(id, 1, []byte("x")); !fault.Is(err, fault.BadArguments) {
		t.Errorf("a part of no file gave %v", err)
	}
	if err := s.Part(id, 0, []byte("four")); !fault.Is(err, fault.BadArguments) {
		t.Errorf("too much gave %v", err)
	}
	if _, err := s.Take("t1", id); !fault.Is(err, fault.BadArguments) {
		t.Errorf("half a file was taken: %v", err)
	}
	if err := s.Part(id, 0, []byte("abc")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Take("t2", id); !fault.Is(err, fault.BadArguments) {
		t.Errorf("another tab took it: %v", err)
	}
	s.Drop(id)
	if err := s.Part(id, 0, nil); !fault.Is(err, fault.BadArguments) {
		t.Errorf("a dropped batch gave %v", err)
	}
}

func TestWhatAHostLeftGoesAtTheNextStart(t *testing.T) {
	s, folder := open(t)
	if _, err := s.Begin("t1", []File{{"a", 1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := New(folder); err != nil {
		t.Fatal(err)
	}
	if left(t, folder) != 0 {
		t.Fatal("old files stay")
	}
}
