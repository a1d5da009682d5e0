package engine

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestFileNamesAreCleaned(t *testing.T) {
	for in, want := range map[string]string{
		"report.pdf": "report.pdf", "../../etc/passwd": "passwd", `C:\x\y.doc`: "y.doc", ".bashrc": "bashrc", "a\x00b\nc.txt": "abc.txt",
		"": "download", "..": "download", "/": "download", "con.txt": "_con.txt", "a<b>|c?.txt": "a_b__c_.txt", "exe.\u202etxt.exe": "exe.txt.exe",
		"name. ": "name", "ünïcode 文.txt": "ünïcode 文.txt", "x" + strings.Repeat("é", 300) + ".tar.gz": "x" + strings.Repeat("é", 86) + ".tar.gz",
	} {
		if got := FileName(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func FuzzFileName(f *testing.F) {
	for _, s := range []string{"a.txt", "../x", ".", "\xff", "COM1.tar.gz", strings.Repeat("y", 400), "a\u2028b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := FileName(s)
		if got == "" || len(got) > 250 || !utf8.ValidString(got) || got != filepath.Base(got) || !filepath.IsLocal(got) || strings.ContainsAny(got, `/\:`) || strings.HasPrefix(got, ".") || strings.IndexFunc(got, unicode.IsControl) >= 0 {
			t.Errorf("%q became %q", s, got)
		}
	})
}

func TestFilesOfOneNameStandBesideEachOther(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 20 {
		from := filepath.Join(dir, "in"+string(rune('a'+i)))
		if err := os.WriteFile(from, []byte{byte(i)}, 0o600); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if _, err := place(from, dir, "same.txt"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	seen := map[byte]bool{}
	list, _ := filepath.Glob(filepath.Join(dir, "same*.txt"))
	for _, path := range list {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		seen[b[0]] = true
	}
	if len(list) != 20 || len(seen) != 20 {
		t.Errorf("%d files with %d contents: %v", len(list), len(seen), list)
	}
}
