package agenttools

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"baton/backend/access"
	"baton/backend/fault"
)

// swap has a path mean now one thing, now another, by renames, until the test
// ends. It gives how often it did.
func swap(t *testing.T, path string, things ...func(at string) error) *atomic.Int64 {
	t.Helper()
	stop, ended := make(chan struct{}), make(chan struct{})
	n := &atomic.Int64{}
	next := path + ".next"
	turn := func(i int) bool {
		// A folder is not replaced by a rename: it goes first.
		err := things[i%len(things)](next)
		if st, e := os.Lstat(path); e == nil && st.IsDir() {
			_ = os.RemoveAll(path)
		} else if st, e := os.Lstat(next); e == nil && st.IsDir() {
			_ = os.Remove(path)
		}
		if err == nil {
			err = os.Rename(next, path)
		}
		if err != nil {
			t.Error(err)
			return false
		}
		n.Add(1)
		return true
	}
	if !turn(0) {
		t.FailNow()
	}
	go func() {
		defer close(ended)
		for i := 1; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			if !turn(i) {
				return
			}
			time.Sleep(time.Duration(i%7) * 200 * time.Microsecond)
		}
	}()
	t.Cleanup(func() { close(stop); <-ended })
	return n
}

func TestAFileThatIsSwappedIsNeverAnother(t *testing.T) {
	own := func(at string) error { return os.WriteFile(at, []byte("mine"), 0o600) }
	box := func(at string) error {
		if err := os.Mkdir(at, 0o700); err != nil {
			return err
		}
		return own(filepath.Join(at, "a.txt"))
	}
	link := func(to string) func(string) error {
		return func(at string) error { return os.Symlink(to, at) }
	}
	for _, c := range []struct {
		what, field, swapped, given string
		thing                       func(string) error
		far                         bool // outside the agent's folders; the person lets it have the file
	}{
		{what: "a file", swapped: "a.txt", given: "a.txt", thing: own},
		{what: "a folder above it", swapped: "box", given: "box/a.txt", thing: box},
		{what: "a folder that is given", field: " webkitdirectory", swapped: "box", given: "box", thing: box},
		{what: "a file in a folder that is given", field: " webkitdirectory", swapped: "box/a.txt", given: "box", thing: own},
		{what: "a file that the person lets it have", swapped: "a.txt", given: "a.txt", thing: own, far: true},
		{what: "a folder above one that the person lets it have", swapped: "box", given: "box/a.txt", thing: box, far: true},
	} {
		t.Run(c.what, func(t *testing.T) {
			secret := far(t, map[string]string{"a.txt": "theirs"})
			dir := far(t, nil)
			g := guard(t, access.Rule{Mode: access.Full})
			if c.far {
				g.deps.Cards = &shared.cards
				defer shared.cards.Attend()()
			} else {
				g.Files = func(context.Context) []string { return []string{dir} }
			}
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, c.swapped)), 0o700); err != nil {
				t.Fatal(err)
			}
			to := secret
			if filepath.Ext(c.swapped) != "" {
				to = filepath.Join(secret, "a.txt")
			}
			swaps := swap(t, filepath.Join(dir, c.swapped), c.thing, link(to))
			_, s := g.open(map[string]string{"/": `<title>A</title><label>Docs <input type=file` + c.field + `></label>`})
			path := filepath.Join(dir, c.given)
			args := fmt.Sprintf(`{"target":%q,"files":[%s]}`, g.ref(s, "Docs"), quote(path))
			given := 0
			for try := 0; try < 60 || (given == 0 && try < 1000); try++ {
				var err error
				if c.far {
					g.begin(t.Context(), "browser_upload", args)
					// The card names what the path meant: they let it have this file alone.
					asked := g.shown()
					if err := shared.cards.Answer(asked.ID, slices.Equal(asked.Action.Files, []string{path})); err != nil {
						t.Fatal(err)
					}
					err = g.ended().err
				} else {
					_, err = g.call("browser_upload", args)
				}
				if err != nil {
					if !fault.Is(err, fault.FileNotAllowed) && !fault.Is(err, fault.ApprovalDeclined) {
						t.Fatalf("try %d: %v", try, err)
					}
					continue
				}
				got := g.must("browser_evaluate", `{"expression":"Promise.all([...document.querySelector('input').files].map(async f => (f.webkitRelativePath || f.name) + ':' + await f.text()))"}`).Text
				if strings.Contains(got, "theirs") {
					t.Fatalf("try %d: the page has %s", try, got)
				}
				if strings.Contains(got, "a.txt:mine") {
					given++
				}
			}
			if given == 0 || swaps.Load() < 20 {
				t.Errorf("%d times given while %d times swapped: this showed nothing", given, swaps.Load())
			}
			t.Logf("given %d times of 60, swapped %d times", given, swaps.Load())
		})
	}
}
