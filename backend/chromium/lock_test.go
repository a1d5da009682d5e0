package chromium

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func locked(t *testing.T, owner string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Symlink(owner, filepath.Join(dir, "SingletonLock")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func launch(t *testing.T, profile string) (*Process, error) {
	t.Helper()
	path, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	p, err := Launch(ctx, Config{Path: path, Profile: profile, Root: os.Geteuid() == 0}, slog.New(slog.DiscardHandler))
	if err == nil {
		t.Cleanup(func() {
			if err := p.Stop(5 * time.Second); err != nil {
				t.Error(err)
			}
		})
	}
	return p, err
}

func TestAProfileThatADeadChromiumLockedOpens(t *testing.T) {
	here, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	dir := locked(t, fmt.Sprintf("%s-%d", here, 1<<22+7))
	if _, err := launch(t, dir); err != nil {
		t.Fatal(err)
	}
}

func TestAProfileOfAPidThatAnotherProgramHasNowOpens(t *testing.T) {
	here, _ := os.Hostname()
	other := exec.Command("sleep", "60")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
	note, err := Unlock(locked(t, fmt.Sprintf("%s-%d", here, other.Process.Pid)))
	if err != nil || !strings.Contains(note, "gone") {
		t.Fatalf("note %q, %v", note, err)
	}
}

func TestAProfileOfAnotherComputerOpensAndSaysSo(t *testing.T) {
	note, err := Unlock(locked(t, "elsewhere-4711"))
	if err != nil || !strings.Contains(note, "elsewhere") {
		t.Fatalf("note %q, %v", note, err)
	}
}

func TestAProfileInUseIsRefusedWithItsOwnerAndStaysLocked(t *testing.T) {
	dir := t.TempDir()
	p, err := launch(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = launch(t, dir)
	var held *LockedError
	if !errors.As(err, &held) || held.PID != p.PID() {
		t.Fatalf("a second Chromium: %v", err)
	}
	if _, err := os.Readlink(filepath.Join(dir, "SingletonLock")); err != nil {
		t.Errorf("the lock of a living Chromium was removed: %v", err)
	}
}

func TestFindPrefersWhatIsNamed(t *testing.T) {
	fake := filepath.Join(t.TempDir(), "mine")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv(EnvPath, "/nonexistent/chromium")
	if got, err := Find(fake); err != nil || got != fake {
		t.Errorf("named: %q, %v", got, err)
	}
	if _, err := Find(""); err == nil || !strings.Contains(err.Error(), "/nonexistent/chromium") {
		t.Errorf("a named one that is missing: %v", err)
	}
}

func TestLaunchSaysWhatChromiumSaid(t *testing.T) {
	fake := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\necho 'cannot open display: none' >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, err := Launch(ctx, Config{Path: fake, Profile: t.TempDir()}, slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), "cannot open display") {
		t.Fatalf("got %v", err)
	}
}
