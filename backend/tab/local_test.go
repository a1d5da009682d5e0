package tab

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/backend/page"
	"baton/backend/preview"
)

// A tab with a local file keeps the file's own address. Asleep it has no
// preview; the same files come back with its next use. After a restart the
// person's tab loads anew, and an agent's says that it has to be opened again.
func TestLocalFilesSleepAndComeBack(t *testing.T) {
	w := newWorld(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "a.html")
	if err := os.WriteFile(file, []byte("<!doctype html><title>A file</title><p>words"), 0o600); err != nil {
		t.Fatal(err)
	}
	address := preview.Address(file)
	mine, theirs := w.add(me, address), w.add(ada, "")
	var secrets []string
	secret := func(a Actor, id string) (out string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := w.Do(ctx, Op{Actor: a, Tab: id}, func(_ context.Context, p *page.Page) error {
			if g := p.Local(); g != nil {
				_, out = g.Header()
				secrets = append(secrets, out)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return out
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := w.Do(ctx, Op{Actor: ada, Tab: theirs.ID}, func(ctx context.Context, p *page.Page) error {
		g, err := w.GrantLocal(ctx, preview.Request{Root: dir, Entry: file})
		if err == nil {
			_, err = w.OpenLocal(ctx, theirs.ID, p, g)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for a, id := range map[Actor]string{me: mine.ID, ada: theirs.ID} {
		first := secret(a, id)
		if first == "" {
			t.Fatalf("%s shows no file", id)
		}
		w.mu.Lock()
		n, _ := number(id)
		x := w.tabs[n]
		w.mu.Unlock()
		w.sleep(x)
		if i, _ := w.Get(id, me); i.State != Asleep || i.URL != address {
			t.Fatalf("asleep: %+v", i)
		}
		if v, err := w.do(a, id, "document.title"); err != nil || v != `"A file"` {
			t.Errorf("awake: %s %v", v, err)
		}
		if again := secret(a, id); again == "" || again == first {
			t.Error("waking gives no capability of its own")
		}
	}
	w.stop()
	for _, f := range []string{"baton.db", "baton.db-wal"} {
		b, err := os.ReadFile(w.folder + "/" + f)
		if err != nil && f == "baton.db" {
			t.Fatal(err)
		}
		for _, s := range append(secrets, ".localhost:") {
			if bytes.Contains(b, []byte(s)) {
				t.Errorf("%s holds a preview's address or capability", f)
			}
		}
	}
	w.open()
	if v, err := w.do(me, mine.ID, "document.title"); err != nil || v != `"A file"` {
		t.Errorf("the person's tab after a restart: %s %v", v, err)
	}
	if v, err := w.do(ada, theirs.ID, "document.body.innerText"); err != nil || v != `""` {
		t.Errorf("the agent's tab after a restart: %s %v", v, err)
	}
	if n := w.Notice(theirs.ID); !strings.Contains(n, "open it again with path") {
		t.Errorf("the agent is told %q", n)
	}
	if i, _ := w.Get(theirs.ID, me); i.URL != address || i.Failure == "" {
		t.Errorf("the person sees %+v", i)
	}
	if err := w.Navigate(t.Context(), theirs.ID, address); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the person opens it in the agent's tab", func() bool { i, _ := w.Get(theirs.ID, me); return i.Title == "A file" && i.Failure == "" })
}
