package handover

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"baton/backend/card"
	"baton/backend/engine"
	"baton/backend/fault"
	"baton/backend/store"
	"baton/backend/tab"
)

// world is a desk over a data folder; no page is ever loaded.
type world struct {
	*Desk
	tabs  *tab.Registry
	cards *card.Deck
	store *store.Store
}

func open(t *testing.T, dir string) world {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	st, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	tabs, err := tab.Load(t.Context(), tab.Config{Store: st, Log: log, Engine: func(string) (*engine.Engine, error) { return engine.New(engine.Config{Folder: dir, Log: log}), nil }})
	if err != nil {
		t.Fatal(err)
	}
	cards := &card.Deck{}
	d, err := Load(t.Context(), Config{Tabs: tabs, Cards: cards, Store: st, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	return world{d, tabs, cards, st}
}

// save ends a host's life: what the registry holds goes to the store.
func (w world) save(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.tabs.Serve(ctx); err != nil {
		t.Fatal(err)
	}
	if err := w.store.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestACardOutlivesTheHostUnderItsID(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir)
	i, err := w.tabs.Open(t.Context(), tab.New{Actor: tab.Actor{Agent: "ada"}, URL: "https://shop.example/"})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := w.Takeover(t.Context(), "ada", i.ID, "Pay", time.Minute); err != nil || !a.Nobody || !a.Stays {
		t.Fatalf("%+v %v", a, err)
	}
	before, _ := w.cards.State.Get()
	w.save(t)

	w = open(t, dir)
	after, _ := w.cards.State.Get()
	if len(after) != 1 || after[0].ID != before[0].ID || after[0].Reason != "Pay" || !after[0].Gone {
		t.Fatalf("the cards are %+v, they were %+v", after, before)
	}
	if _, err := w.Open(after[0].ID); !fault.Is(err, fault.TargetGone) {
		t.Errorf("a page that is not loaded was opened: %v", err)
	}
	if err := w.Decline(after[0].ID); err != nil {
		t.Fatal(err)
	}
	if a, err := w.Takeover(t.Context(), "ada", i.ID, "Pay", time.Minute); err != nil || a.Result != Declined {
		t.Errorf("the agent that asks again hears %+v %v", a, err)
	}
	w.save(t)

	w = open(t, dir)
	if list, _ := w.cards.State.Get(); len(list) != 0 {
		t.Errorf("a settled card came back: %+v", list)
	}
	w.save(t)
}

func TestAHoldEndsWithTheLastCardOfItsTab(t *testing.T) {
	w := open(t, t.TempDir())
	i, err := w.tabs.Open(t.Context(), tab.New{Actor: tab.Actor{Agent: "ada"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, reason := range []string{"one", "two"} {
		if _, err := w.Takeover(t.Context(), "ada", i.ID, reason, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	list, _ := w.cards.State.Get()
	if len(list) != 2 {
		t.Fatalf("the cards are %+v", list)
	}
	// As if both had been opened on a page that is there.
	if err := w.tabs.Take(i.ID, tab.ByCard); err != nil {
		t.Fatal(err)
	}
	for _, a := range w.asks {
		a.card.Held = true
	}
	held := func() bool {
		x, err := w.tabs.Get(i.ID, tab.Actor{})
		return err == nil && x.Hold != nil && x.Hold.How == tab.ByCard
	}
	if err := w.tabs.Take(i.ID, tab.ByTouch); err != nil || !held() {
		t.Fatalf("a touch weakened what a card holds: %v", err)
	}
	if err := w.Done(list[0].ID, ""); err != nil || !held() {
		t.Errorf("the hold ended with the first card: %v", err)
	}
	if err := w.Done(list[1].ID, ""); err != nil || held() {
		t.Errorf("the hold outlasts its cards: %v", err)
	}
	w.save(t)
}

func TestAHoldWithoutItsCardEndsAtTheNextStart(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir)
	i, err := w.tabs.Open(t.Context(), tab.New{Actor: tab.Actor{Agent: "ada"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.tabs.Take(i.ID, tab.ByCard); err != nil {
		t.Fatal(err)
	}
	w.save(t)
	w = open(t, dir)
	if x, err := w.tabs.Get(i.ID, tab.Actor{}); err != nil || x.Hold != nil {
		t.Errorf("the tab is %+v %v", x, err)
	}
	w.save(t)
}

func TestOtherAgentsTabsCannotBeAskedAbout(t *testing.T) {
	w := open(t, t.TempDir())
	i, err := w.tabs.Open(t.Context(), tab.New{Actor: tab.Actor{Agent: "ada"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Takeover(t.Context(), "bob", i.ID, "Pay", time.Second); !fault.Is(err, fault.NotYourTab) {
		t.Errorf("%v", err)
	}
	if _, err := w.Takeover(t.Context(), "ada", "t99", "Pay", time.Second); !fault.Is(err, fault.NoSuchTab) {
		t.Errorf("%v", err)
	}
	w.save(t)
}
