package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"baton/app"
	"baton/backend/chromium"
	"baton/backend/tab"
)

// A tab says why it stays empty when Chromium cannot be started, and loads once
// that is mended.
func TestATabSaysThatChromiumCannotBeStarted(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(t.TempDir(), "chromium")
	serve := exec.Command(program, "serve", "--data-dir", d.data, "--chromium", path)
	serve.Stderr = t.Output()
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = serve.Process.Signal(syscall.SIGINT); _ = serve.Wait() })
	l := d.look()
	var opened app.TabResult
	l.must("tabs.open", app.OpenArgs{URL: newHall(t)}, &opened)
	l.must("view.watch", app.WatchArgs{View: 1, Tab: opened.Tab, Width: wide, Height: high, Scale: 1}, nil)
	failed := l.tab("the reason", func(x app.Tab) bool { return x.Failed == tab.NoEngine && x.State == "failed" })
	if !strings.Contains(failed.Error, path) {
		t.Errorf("the reason is %q, which does not name %s", failed.Error, path)
	}

	found, err := chromium.Find("")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\nexec '"+found+"' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	l.must("tabs.reload", app.ReloadArgs{Tab: opened.Tab}, nil)
	l.tab("the page", func(x app.Tab) bool { return x.State == "ready" && x.Failed == "" && x.Title == "Hall" })
}
