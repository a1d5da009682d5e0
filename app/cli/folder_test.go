package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const folderPage = `<!doctype html><title>Album</title><script>
	async function take(i) { const all = await Promise.all([...i.files].map(async f => f.webkitRelativePath + '=' + await f.text())); said.textContent = 'Got ' + all.sort().join(' '); }
	function pick() { const i = document.createElement('input'); i.type = 'file'; i.webkitdirectory = true; i.onchange = () => take(i); i.click(); }
</script><label>Whole album <input type=file webkitdirectory onchange="take(this)"></label><button onclick="pick()">Pick</button>
<label>One picture <input type=file></label><p id=said>`

// An agent gives a page a folder, with its files' relative paths, although
// another tab is in front.
func TestAnAgentGivesAFolderToATabBehind(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(folderPage))
	}))
	t.Cleanup(s.Close)
	dir := t.TempDir()
	for name, text := range map[string]string{"album/a.txt": "one", "album/deep/b.txt": "two", "bad/c.txt": "three"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc", filepath.Join(dir, "bad", "out")); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	a := d.agent("--files", dir)
	for _, target := range []map[string]any{{"label": "Whole album"}, {"role": "button", "name": "Pick"}} {
		must(t, a, "browser_open", map[string]any{"url": s.URL})
		behind := current(t, must(t, a, "browser_tabs", nil))
		must(t, a, "browser_open", map[string]any{"url": "about:blank", "show": true})
		text := must(t, a, "browser_upload", map[string]any{"tab": behind, "target": target, "files": []string{"album"}})
		if !strings.Contains(strings.ToLower(text), "gave the folder album to") || !strings.Contains(text, "Files on the page: album/") || !strings.Contains(text, "album/deep/b.txt") {
			t.Errorf("%v: %q", target, text)
		}
		must(t, a, "browser_wait", map[string]any{"tab": behind, "text": "Got album/a.txt=one album/deep/b.txt=two"})
		for _, c := range []struct {
			target map[string]any
			files  []string
			want   string
		}{
			{target, []string{"album/a.txt"}, "bad_arguments: "},
			{target, []string{"bad"}, `file_not_allowed: "out" in the folder "bad" is no plain file`},
			{target, []string{"album", "bad"}, "file_not_allowed: "},
			{target, []string{"/etc"}, "file_not_allowed: "},
			{map[string]any{"label": "One picture"}, []string{"album"}, "bad_arguments: "},
		} {
			if text, bad := call(t, a, "browser_upload", map[string]any{"tab": behind, "target": c.target, "files": c.files}); !bad || !strings.HasPrefix(text, c.want) || !strings.Contains(text, "Next: ") {
				t.Errorf("%v to %v: %q", c.files, c.target, text)
			}
		}
	}
}

// current gives the current tab of a list.
func current(t *testing.T, list string) string {
	t.Helper()
	for line := range strings.Lines(list) {
		if strings.Contains(line, "· current") {
			id, _, _ := strings.Cut(line, " ")
			return id
		}
	}
	t.Fatalf("no tab is current: %s", list)
	return ""
}
