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
