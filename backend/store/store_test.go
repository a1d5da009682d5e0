package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestTabsAreKeptAsTheyWere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ünï & code?#%")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	want := Tab{
		Owner: "agent:ada", Profile: "shared", URL: "https://a.example/", Title: "שלום 😀", Private: true, Hold: "button",
		History: []Entry{{"https://a.example/0", "0"}, {"https://a.example/", "שלום 😀"}}, Entry: 1,
	}
	id, err := s.AddTab(t.Context(), want)
	if err != nil {
		t.Fatal(err)
	}
	want.ID = id
	s.Close()
	got, err := open(t, dir).Tabs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Tab{want}, got); d != "" {
		t.Error(d)
	}
}

func TestIDsAreNeverUsedAgain(t *testing.T) {
	s := open(t, t.TempDir())
	a, err := s.AddTab(t.Context(), Tab{Owner: "person", Profile: "shared"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CloseTab(t.Context(), a, false); err != nil {
		t.Fatal(err)
	}
	b, err := s.AddTab(t.Context(), Tab{Owner: "person", Profile: "shared"})
	if err != nil || b <= a {
		t.Fatalf("after %d came %d (%v)", a, b, err)
	}
}

func TestADamagedHistoryCostsTheHistoryAlone(t *testing.T) {
	s := open(t, t.TempDir())
	if _, err := s.db.Exec(`INSERT INTO tab (position, owner, profile, url, history, entry) VALUES (0,'person','shared','https://a.example/','{broken',3)`); err != nil {
		t.Fatal(err)
	}
	got, err := s.Tabs(t.Context())
	if err != nil || len(got) != 1 || got[0].URL != "https://a.example/" || got[0].History != nil {
		t.Fatalf("got %+v, %v", got, err)
	}
}

func TestAFileOfANewerBatonIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	if _, err := s.db.Exec(`PRAGMA user_version = 9999`); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := Open(t.Context(), dir); !errors.Is(err, ErrNewer) {
		t.Fatalf("got %v", err)
	}
}

func TestClosedTabsAreKeptForReopening(t *testing.T) {
	s := open(t, t.TempDir())
	var last int64
	for range 40 {
		id, err := s.AddTab(t.Context(), Tab{Owner: "person", Profile: "shared", URL: "https://a.example/"})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CloseTab(t.Context(), id, true); err != nil {
			t.Fatal(err)
		}
		last = id
	}
	got, ok, err := s.ClosedTab(t.Context())
	if err != nil || !ok || got.ID != last {
		t.Fatalf("last closed: %+v, %v, %v", got, ok, err)
	}
	var n int
	if err := s.db.QueryRow(`SELECT count(*) FROM tab`).Scan(&n); err != nil || n != 25 {
		t.Errorf("%d closed tabs are kept (%v)", n, err)
	}
}

func TestPermissionsAreKeptByProfileAndSite(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	camera := Permission{Profile: "shared", Origin: "https://a.example", Name: "camera", Setting: "allow"}
	for _, p := range []Permission{camera, {"shared", "https://b.example", "camera", "deny"}, {"work", "https://a.example", "camera", "deny"}} {
		if err := s.SetPermission(ctx, p); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Permissions(ctx, "shared")
	if err != nil || len(list) != 2 || list[0] != camera {
		t.Fatalf("kept: %+v, %v", list, err)
	}
	camera.Setting = ""
	if err := s.SetPermission(ctx, camera); err != nil {
		t.Fatal(err)
	}
	if list, err = s.Permissions(ctx, "shared"); err != nil || len(list) != 1 {
		t.Fatalf("after the default: %+v, %v", list, err)
	}
}
