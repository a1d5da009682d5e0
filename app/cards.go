package app

import (
	"context"
	"strings"

	"baton/backend/card"
)

// Cards are the questions that wait for the person.
type Cards struct{ s *Server }

// Answer answers a card, once.
func (c Cards) Answer(_ context.Context, a CardArgs) error {
	if strings.HasPrefix(a.Card, "c") {
		if a.Approve {
			return c.s.cfg.Handover.Done(a.Card, "")
		}
		return c.s.cfg.Handover.Decline(a.Card)
	}
	return c.s.cfg.Cards.Answer(a.Card, a.Approve)
}

// Open holds the tab that a takeover is about and gives it, to be shown.
func (c Cards) Open(_ context.Context, a CardArgs) (TabResult, error) {
	id, err := c.s.cfg.Handover.Open(a.Card)
	return TabResult{id}, err
}

// Done says that the person has done what was asked.
func (c Cards) Done(_ context.Context, a DoneArgs) error {
	return c.s.cfg.Handover.Done(a.Card, a.Note)
}

func wireCards(list []card.Card) []Card {
	out := make([]Card, len(list))
	for i, c := range list {
		out[i] = Card{ID: c.ID, Kind: string(c.Kind), Agent: c.Agent, Tab: c.Tab, Until: c.Until.UnixMilli(), Action: wireAction(c.Action), Reason: c.Reason, Gone: c.Gone, Held: c.Held}
	}
	return out
}

func wireAction(a card.Action) CardAction {
	w := CardAction{Verb: a.Verb, Targets: make([]CardTarget, len(a.Targets)), Text: a.Text, Hidden: a.TextHidden, Files: a.Files, URL: a.URL, Title: a.Title}
	for i, t := range a.Targets {
		w.Targets[i] = CardTarget{
			Role: t.Role, Name: t.Name, Tag: t.Tag, Type: t.Type, Autocomplete: t.Autocomplete, FormHost: t.FormHost, Host: t.Frame,
			Secret: t.Secret, Unseen: t.Unseen, Left: t.Left, Top: t.Top, Width: t.Width, Height: t.Height,
		}
	}
	return w
}
