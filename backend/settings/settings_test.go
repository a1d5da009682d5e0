package settings

import (
	"testing"

	"baton/backend/store"
)

func load(t *testing.T, dir string) (*Settings, *store.Store) {
	t.Helper()
	st, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	s, err := Load(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	return s, st
}

func TestChangesApplyAtOnceAndSurvive(t *testing.T) {
	dir := t.TempDir()
	s, st := load(t, dir)
	changed, stop := s.State.Watch()
	defer stop()
	<-changed
	if _, err := s.Change(t.Context(), func(v *Values) { v.Theme, v.TouchHoldSeconds, v.SeenVersion = "dark", 60, "0.1.0" }); err != nil {
		t.Fatal(err)
	}
	<-changed
	if s.Get().Theme != "dark" {
		t.Error("not applied at once")
	}
	st.Close()
	again, _ := load(t, dir)
	if v := again.Get(); v.Theme != "dark" || v.TouchHoldSeconds != 60 || v.SeenVersion != "0.1.0" {
		t.Errorf("came back as %+v", v)
	}
}

func TestAValueThatDoesNotFitChangesNothing(t *testing.T) {
	s, _ := load(t, t.TempDir())
	before := s.Get()
	for name, f := range map[string]func(*Values){
		"theme":      func(v *Values) { v.Theme = "pink" },
		"search":     func(v *Values) { v.SearchURL = "https://a.example/" },
		"search 2":   func(v *Values) { v.SearchURL = "javascript:alert(%s)" },
		"home":       func(v *Values) { v.HomeURL = "file:///etc/passwd" },
		"access":     func(v *Values) { v.AgentAccess = "" },
		"touch hold": func(v *Values) { v.TouchHoldSeconds = 0 },
	} {
		if _, err := s.Change(t.Context(), func(v *Values) { v.ShowFirstRun = false; f(v) }); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if s.Get() != before {
		t.Errorf("changed to %+v", s.Get())
	}
}

func TestASavedValueThatNoLongerFitsGivesWayToItsDefault(t *testing.T) {
	dir := t.TempDir()
	_, st := load(t, dir)
	if err := st.SetSetting(t.Context(), "theme", "plaid"); err != nil {
		t.Fatal(err)
	}
	st.Close()
	if s, _ := load(t, dir); s.Get().Theme != "system" {
		t.Errorf("theme %q", s.Get().Theme)
	}
}
