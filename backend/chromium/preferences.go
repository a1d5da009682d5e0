package chromium

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// preferences are Chromium's own (chrome/common/pref_names.h), by path. What a
// person or an agent writes into forms is kept by nobody but the site: Chromium
// would note it in its profile, and offer it in popups that no picture shows
// and that take keys from the page. Nor does it keep a history: Baton's is the
// only one, so that what is forgotten there is forgotten.
var preferences = map[string]any{
	"autofill.profile_enabled":                false,
	"autofill.credit_card_enabled":            false,
	"credentials_enable_service":              false,
	"credentials_enable_autosignin":           false,
	"profile.password_manager_enabled":        false,
	"profile.password_manager_leak_detection": false,
	"translate.enabled":                       false,
	"search.suggest_enabled":                  false,
	"alternate_error_pages.enabled":           false,
	"hardware.screen_capture_enabled":         false, // its question, which screen, is seen by nobody
	"history.saving_disabled":                 true,
	"payments.can_make_payment_enabled":       false,
}

// keepNoSessions has Chromium write no sessions: their files hold what was sent
// with forms, and Baton restores its tabs itself. Where a file is in the place
// of their folder, it writes none.
func keepNoSessions(profile string) error {
	name := filepath.Join(profile, "Default", "Sessions")
	switch i, err := os.Lstat(name); {
	case err == nil && i.Mode().IsRegular():
		return nil
	case err == nil:
		if err := os.RemoveAll(name); err != nil {
			return fmt.Errorf("the sessions of Chromium: %w", err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("the sessions of Chromium: %w", err)
	}
	if err := os.WriteFile(name, nil, 0o400); err != nil {
		return fmt.Errorf("the sessions of Chromium: %w", err)
	}
	return nil
}

// prefer writes the preferences into a profile that no Chromium uses, and
// leaves what else is there. A file that cannot be read is Chromium's to mend:
// it starts anew then.
func prefer(profile string) error {
	name := filepath.Join(profile, "Default", "Preferences")
	all := map[string]any{}
	old, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("the preferences of Chromium: %w", err)
	default:
		d := json.NewDecoder(bytes.NewReader(old))
		d.UseNumber()
		if d.Decode(&all) != nil || all == nil { // JSON's null leaves no map
			all = map[string]any{}
		}
	}
	changed := false
	for path, value := range preferences {
		at := all
		parts := strings.Split(path, ".")
		for _, part := range parts[:len(parts)-1] {
			next, ok := at[part].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[part] = next
			}
			at = next
		}
		last := parts[len(parts)-1]
		if at[last] != value {
			at[last], changed = value, true
		}
	}
	if !changed {
		return nil
	}
	b, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("the preferences of Chromium: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("the preferences of Chromium: %w", err)
	}
	fresh := name + ".new"
	if err := os.WriteFile(fresh, b, 0o600); err != nil {
		return fmt.Errorf("the preferences of Chromium: %w", err)
	}
	if err := os.Rename(fresh, name); err != nil {
		return fmt.Errorf("the preferences of Chromium: %w", err)
	}
	return nil
}
