package chromium

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestPreferencesAreAddedToWhatChromiumHas(t *testing.T) {
	profile := t.TempDir()
	name := filepath.Join(profile, "Default", "Preferences")
	read := func() map[string]any {
		t.Helper()
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var all map[string]any
		if err := json.Unmarshal(b, &all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	for _, before := range []string{
		"", // no file
		`{"autofill":{"profile_enabled":true,"last_version":154},"browser":{"big":13440546028097729123}}`,
		`{"autofill":7}`,
		`not json`,
		`null`,
		`[1]`,
		`{"autofill":[1],"profile":null}`,
		string(make([]byte, 4096)), // what a power cut leaves
	} {
		if before != "" {
			if err := os.WriteFile(name, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := prefer(profile); err != nil {
			t.Fatalf("%s: %v", before, err)
		}
		all := read()
		if on := all["autofill"].(map[string]any)["profile_enabled"]; on != false {
			t.Errorf("%s: forms are noted: %v", before, on)
		}
		if on := all["credentials_enable_service"]; on != false {
			t.Errorf("%s: passwords are offered: %v", before, on)
		}
	}
	if err := os.WriteFile(name, []byte(`{"autofill":{"last_version":154},"browser":{"big":13440546028097729123}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := prefer(profile); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Autofill struct {
			LastVersion int `json:"last_version"`
		} `json:"autofill"`
		Browser struct{ Big json.Number } `json:"browser"`
	}
	if err := json.Unmarshal(b, &kept); err != nil || kept.Autofill.LastVersion != 154 || kept.Browser.Big != "13440546028097729123" {
		t.Errorf("%s, %v", b, err)
	}
}

// Whatever is in the place of the folder of sessions, Chromium finds a file
// there, and what a link leads to stays as it is.
func TestAFileStandsWhereChromiumWouldKeepSessions(t *testing.T) {
	elsewhere := t.TempDir()
	for what, put := range map[string]func(name string) error{
		"nothing":        func(string) error { return nil },
		"a folder":       func(name string) error { return os.MkdirAll(filepath.Join(name, "x"), 0o700) },
		"a link":         func(name string) error { return os.Symlink(elsewhere, name) },
		"a link to none": func(name string) error { return os.Symlink(filepath.Join(elsewhere, "none"), name) },
	} {
		profile := t.TempDir()
		name := filepath.Join(profile, "Default", "Sessions")
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := put(name); err != nil {
			t.Fatal(what, err)
		}
		for range 2 { // each start of Chromium does it
			if err := keepNoSessions(profile); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		if i, err := os.Lstat(name); err != nil || !i.Mode().IsRegular() {
			t.Errorf("%s: %v, %v", what, i, err)
		}
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("what the links lead to has %v, %v", left, err)
	}
}
