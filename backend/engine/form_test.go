package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/backend/inject"
	"baton/backend/page"
)

// A form that was sent leaves what was typed with the site alone. Addresses are
// in Baton's own history alone, and in the cache.
func TestChromiumKeepsNeitherWhatIsTypedIntoFormsNorAHistory(t *testing.T) {
	const typed = "Lundvale"
	s := site(t, `<form method=post action=/sent><label>City <input name=city></label><button>Send</button></form>`)
	e := start(t, Config{})
	ctx := within(t, 60*time.Second)
	p, err := e.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Session().Call(ctx, "Page.bringToFront", nil, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := p.Navigate(ctx, s.URL+"/form"); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Type(ctx, page.TypeArgs{Target: &page.Target{Locator: inject.Locator{Label: "City"}}, Text: typed, Submit: true}); err != nil {
			t.Fatal(err)
		}
	}
	if v, _, err := p.Evaluate(ctx, "location.pathname", 0); err != nil || string(v) != `"/sent"` {
		t.Fatalf("the form was not sent: at %s, %v", v, err)
	}
	time.Sleep(time.Second) // Chromium takes note once the next page is there
	if err := e.Stop(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	read := 0
	err = filepath.WalkDir(e.cfg.Folder, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(name)
		read++
		if bytes.Contains(b, []byte(typed)) {
			t.Errorf("%s holds what was typed", name)
		}
		if strings.HasPrefix(d.Name(), "History") && bytes.Contains(b, []byte(s.URL)) {
			t.Errorf("%s holds where one was", name)
		}
		return err
	})
	if err != nil || read < 10 {
		t.Fatalf("%d files were read: %v", read, err)
	}
}
