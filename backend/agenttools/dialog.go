package agenttools

import (
	"context"
	"fmt"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/redact"
	"baton/backend/tab"
	"baton/backend/tool"
)

func dialogData(d *page.Dialog) map[string]any {
	m := map[string]any{"kind": d.Kind, "message": redact.Text(d.Message)}
	if d.Default != "" {
		m["default"] = redact.Text(d.Default)
	}
	return m
}

func dialogText(d *page.Dialog) string {
	s := fmt.Sprintf("%s %q", d.Kind, redact.Text(d.Message))
	if d.Default != "" {
		s += fmt.Sprintf(" (default %q)", redact.Text(d.Default))
	}
	return s + ". Answer it with browser_dialog."
}

type dialogArgs struct {
	Tab    string  `json:"tab,omitempty"`
	Accept bool    `json:"accept"`
	Text   *string `json:"text,omitempty"`
}

func (a dialogArgs) wish() wish {
	w := wish{verb: "dismiss the dialog"}
	if a.Accept {
		w.verb = "accept the dialog"
	}
	if a.Text != nil {
		w.text = *a.Text
	}
	return w
}

func browserDialog(ctx context.Context, t *Thread, a dialogArgs) (tool.Result, error) {
	id, err := t.tab(a.Tab)
	if err != nil {
		return tool.Result{}, err
	}
	var out tool.Result
	err = t.on(ctx, id, tab.Op{What: "answering a dialog", Dialog: true, Crash: true, Ask: a.wish().ask()}, 10*time.Second, func(ctx context.Context, p *page.Page) error {
		if p == nil {
			return fault.New(fault.NoDialog, "no dialog is open on this tab")
		}
		if d, _ := p.Dialogs.Get(); d != nil && d.For == "" {
			return fault.New(fault.DialogOpen, "this %s is for the person to answer", d.Kind).Then("wait for the person, or use another tab")
		}
		next, err := p.Answer(ctx, a.Accept, a.Text)
		if err != nil {
			return err
		}
		word := "Dismissed"
		if a.Accept {
			word = "Accepted"
		}
		data := map[string]any{"tab": id}
		if next != nil {
			data["dialog"] = dialogData(next)
			out = tool.Result{Text: word + ". Another dialog opened: " + dialogText(next), Data: data}
			return nil
		}
		st, _ := p.State.Get()
		data["url"], data["title"] = redact.URL(st.URL), st.Title
		state := "ready"
		if st.Loading {
			state = "loading"
		}
		data["status"] = state
		out = tool.Result{Text: fmt.Sprintf("%s. Page %s: %s", word, state, redact.URL(st.URL)), Data: data}
		return nil
	})
	return out, err
}
