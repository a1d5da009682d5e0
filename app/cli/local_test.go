package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An agent opens a file of the folder that its command line names, and nothing
// beside it; its words never reach the log or the database.
func TestAnAgentOpensALocalFile(t *testing.T) {
	d := newDesk(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"in/a.html": "<!doctype html><title>Bill</title><h1>Bill</h1><script src=a.js></script>", "in/a.js": "document.querySelector('h1').append(' of ' + location.origin)", "out.html": "out"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := d.agent("--files", dir+"/in")
	text := must(t, a, "browser_open", map[string]any{"path": "a.html", "assets": []string{"a.js"}})
	if !strings.Contains(text, "file://"+dir+"/in/a.html") {
		t.Errorf("the result is %q", text)
	}
	for text == "" || !strings.Contains(text, "Bill of http://") {
		text = must(t, a, "browser_wait", map[string]any{"text": "Bill of http://"})
		text += must(t, a, "browser_snapshot", nil)
	}
	if text, bad := call(t, a, "browser_open", map[string]any{"path": dir + "/out.html"}); !bad || !strings.HasPrefix(text, "file_not_allowed:") {
		t.Errorf("a file outside: %q", text)
	}
	// What is refused leaves no tab behind.
	if text, bad := call(t, a, "browser_open", map[string]any{"path": "a.js"}); !bad || !strings.HasPrefix(text, "unsupported:") {
		t.Errorf("a file that is not shown: %q", text)
	}
	if text := must(t, a, "browser_tabs", nil); !strings.HasPrefix(text, "1 tab\n") {
		t.Errorf("the tabs are %q", text)
	}
	if text, bad := call(t, a, "browser_open", map[string]any{"url": "file:///etc/passwd"}); !bad || !strings.HasPrefix(text, "scheme_not_allowed:") {
		t.Errorf("a file: address: %q", text)
	}
	if text := must(t, a, "browser_tabs", nil); !strings.Contains(text, "file://"+dir+"/in/a.html") || strings.Contains(text, ".localhost") {
		t.Errorf("the tabs are %q", text)
	}
	_ = a.Close()
	err = filepath.WalkDir(d.data, func(path string, e os.DirEntry, err error) error {
		name := e.Name()
		if err != nil || e.IsDir() || (!strings.HasPrefix(name, "baton.") && !strings.HasSuffix(name, ".log")) {
			return nil
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), ".localhost:") || strings.Contains(strings.ToLower(string(b)), "x-baton-preview") {
			t.Errorf("%s holds a preview's address", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
