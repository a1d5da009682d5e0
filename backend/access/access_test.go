package access

import (
	"fmt"
	"testing"

	"baton/backend/store"
)

func rules(t *testing.T, dir string, all *Mode) *Rules {
	t.Helper()
	st, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	r, err := Load(t.Context(), st, func() Mode { return *all })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAnAgentsRuleIsItsOwnElseTheSetting(t *testing.T) {
	all, dir := Full, t.TempDir()
	r := rules(t, dir, &all)
	if got := r.Of("claude"); got != (Rule{Mode: Full}) || got.Asks() {
		t.Errorf("an unknown agent has %+v", got)
	}
	if err := r.Choose(t.Context(), "claude", Ask, false); err != nil {
		t.Fatal(err)
	}
	if err := r.Choose(t.Context(), "kiosk", "", true); err != nil {
		t.Fatal(err)
	}
	if got := r.Of("claude"); got.Mode != Ask || !got.Asks() {
		t.Errorf("claude has %+v", got)
	}
	if got := r.Of("kiosk"); got != (Rule{Full, true}) || !got.Asks() {
		t.Errorf("a bounded agent with full access has %+v", got)
	}
	all = Off
	for _, name := range []string{"claude", "kiosk", "other"} {
		if got := r.Of(name); got.Mode != Off {
			t.Errorf("with access off for all, %s has %+v", name, got)
		}
	}
	all = Full
	again := rules(t, dir, &all)
	if got := again.Of("claude"); got.Mode != Ask {
		t.Errorf("after a restart claude has %+v", got)
	}
}

func TestAChoiceThatIsNoneChangesNothing(t *testing.T) {
	all := Full
	r := rules(t, t.TempDir(), &all)
	if err := r.Choose(t.Context(), "claude", "sometimes", false); err == nil {
		t.Error("an unknown mode was kept")
	}
	if got := r.Of("claude"); got.Mode != Full {
		t.Errorf("claude has %+v", got)
	}
}

func TestOldAgentsAreForgottenAndChoicesAreNot(t *testing.T) {
	all := Full
	r := rules(t, t.TempDir(), &all)
	if err := r.Choose(t.Context(), "chosen", Ask, false); err != nil {
		t.Fatal(err)
	}
	for i := range mostAgents + 5 {
		if err := r.Saw(t.Context(), fmt.Sprintf("agent-%03d", i)); err != nil {
			t.Fatal(err)
		}
	}
	list, _ := r.State.Get()
	if len(list) != mostAgents {
		t.Errorf("%d agents are remembered", len(list))
	}
	if got := r.Of("chosen"); got.Mode != Ask {
		t.Errorf("the person's choice was lost: %+v", got)
	}
}
