package app

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"baton/backend/access"
	"baton/backend/card"
	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/tab"
)

// cards waits for a list of cards that fits and gives it.
func (c *client) cards(fits func([]Card) bool) (list []Card) {
	c.t.Helper()
	c.event(EventCards, 20*time.Second, func(raw json.RawMessage) bool {
		list = nil
		return json.Unmarshal(raw, &list) == nil && fits(list)
	})
	return list
}

func TestACardShowsInEveryInterfaceAndIsAnsweredInOne(t *testing.T) {
	h := newHost(t)
	one, two := h.connect(), h.connect()
	id := one.open(h.pages + "/still.html")
	one.must("agents.access", AgentAccess{Name: "helper", Access: "ask"}, nil)
	two.event(EventAccess, 20*time.Second, func(raw json.RawMessage) bool {
		var list []AgentAccess
		return json.Unmarshal(raw, &list) == nil && len(list) == 1 && list[0].Name == "helper" && list[0].Access == "ask"
	})
	if got := h.access.Of("helper"); got.Mode != access.Ask {
		t.Fatalf("the rule is %+v", got)
	}
	op := tab.Op{
		Actor: tab.Actor{Agent: "helper"}, Tab: id, What: "clicking",
		Ask: func(context.Context, *page.Page) (card.Action, error) {
			return card.Action{Verb: "click", Targets: []card.Target{{Role: "button", Name: "Go"}}}, nil
		},
	}
	last := ""
	for _, approve := range []bool{true, false} {
		ended := make(chan error, 1)
		go func() {
			_, err := h.tabs.Leave(t.Context(), op)
			ended <- err
		}()
		list := one.cards(func(l []Card) bool { return len(l) == 1 && l[0].ID != last })
		last = list[0].ID
		two.cards(func(l []Card) bool { return len(l) == 1 && l[0].ID == list[0].ID })
		if c := list[0]; c.Agent != "helper" || c.Tab != id || c.Action.Verb != "click" || c.Action.Targets[0].Name != "Go" {
			t.Errorf("the card is %+v", c)
		}
		two.must("cards.answer", CardArgs{Card: list[0].ID, Approve: approve}, nil)
		one.cards(func(l []Card) bool { return len(l) == 0 })
		two.cards(func(l []Card) bool { return len(l) == 0 })
		if err := one.call("cards.answer", CardArgs{Card: list[0].ID, Approve: true}, nil); err == nil {
			t.Error("a card was answered twice")
		}
		select {
		case err := <-ended:
			if approve && err != nil || !approve && !fault.Is(err, fault.ApprovalDeclined) {
				t.Errorf("approve %v: %v", approve, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the action did not go on")
		}
	}
	if err := one.call("agents.access", AgentAccess{Name: "helper", Access: "sometimes"}, nil); err == nil {
		t.Error("an unknown access was taken")
	}
}
