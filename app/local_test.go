package app

import (
	"os"
	"path/filepath"
	"testing"

	"baton/backend/fault"
)

func TestAddressBarTakesFilesThatCanBeShown(t *testing.T) {
	const search = "https://search.example/?q=%s"
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	for _, name := range []string{"a b.html", "x.PDF", "n.txt", "noending"} {
		if err := os.WriteFile(filepath.Join(home, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for typed, want := range map[string]string{
		home + "/a b.html": "file://" + home + "/a%20b.html",
		"  " + home + "/../x/../" + filepath.Base(home) + "/x.PDF ": "file://" + home + "/x.PDF",
		"~/x.PDF":                             "file://" + home + "/x.PDF",
		"file://" + home + "/a%20b.html#part": "file://" + home + "/a%20b.html#part",
		"FILE:" + home + "/x.PDF":             "file://" + home + "/x.PDF",
		"file://localhost" + home + "/x.PDF":  "file://" + home + "/x.PDF",
	} {
		if got, err := resolve(typed, search); err != nil || got != want {
			t.Errorf("%q gives %q (%v), want %q", typed, got, err, want)
		}
	}
	for typed, code := range map[string]fault.Code{
		home:                   fault.Unsupported,
		home + "/n.txt":        fault.Unsupported,
		"~/noending":           fault.Unsupported,
		home + "/none.html":    fault.FileNotAllowed,
		"file:///etc/passwd":   fault.Unsupported,
		"file://server/a.html": fault.SchemeNotAllowed,
		"file:x.html":          fault.SchemeNotAllowed,
	} {
		if got, err := resolve(typed, search); !fault.Is(err, code) {
			t.Errorf("%q gives %q, %v", typed, got, err)
		}
	}
}

// A file that the person names loads with what it needs and has its own address
// in the strip.
func TestThePersonsFilesLoad(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a.html": "<title>Plain</title><script src=x.js></script>", "x.js": "document.title += ' and scripted'",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var opened TabResult
	c.must("tabs.open", OpenArgs{URL: dir + "/a.html", Background: true}, &opened)
	c.tabs(patience, func(l []Tab) bool {
		return len(l) == 1 && l[0].ID == opened.Tab && l[0].Title == "Plain and scripted" && l[0].URL == "file://"+dir+"/a.html" && l[0].State == "ready"
	})
	if err := c.call("tabs.navigate", NavigateArgs{Tab: opened.Tab, URL: dir + "/x.js"}, nil); err == nil {
		t.Error("a script is opened as a page")
	}
}
