package tab

import (
	"testing"

	"baton/backend/store"
)

func TestPinsComeBackAfterARestart(t *testing.T) {
	w := newWorld(t)
	first, second := w.add(me, ""), w.add(me, "")
	if err := w.Pin(second.ID, true); err != nil {
		t.Fatal(err)
	}
	w.stop() // saves once more
	w.open()
	list := w.List(me)
	if len(list) != 2 || list[0].ID != second.ID || !list[0].Pinned || list[1].ID != first.ID || list[1].Pinned {
		t.Fatalf("came back as %+v", list)
	}
}

func TestReopenPassesOverTabsWhoseProfileIsGone(t *testing.T) {
	w := newWorld(t)
	want := w.add(me, "https://example.test/")
	if err := w.Close(t.Context(), want.ID, me); err != nil {
		t.Fatal(err)
	}
	id, err := w.cfg.Store.AddTab(t.Context(), store.Tab{Owner: Person, Profile: "gone", URL: "https://gone.test/"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cfg.Store.CloseTab(t.Context(), id, true); err != nil {
		t.Fatal(err)
	}
	back, err := w.Reopen(t.Context())
	if err != nil || back.URL != want.URL {
		t.Fatalf("reopened %+v, %v", back, err)
	}
}
