package app

import "context"

// Dialogs answers what pages ask the person.
type Dialogs struct{ s *Server }

// Answer answers a tab's dialog. Text is for a prompt that is accepted.
func (d Dialogs) Answer(ctx context.Context, a DialogArgs) error {
	var text *string
	if a.Accept {
		if info, err := d.s.cfg.Tabs.Get(a.Tab, person); err == nil && info.Dialog != nil && info.Dialog.Kind == "prompt" {
			text = &a.Text
		}
	}
	if a.Quiet {
		if err := d.s.cfg.Tabs.QuietDialogs(a.Tab); err != nil {
			return err
		}
	}
	return d.s.cfg.Tabs.Answer(ctx, a.Tab, a.Accept, text)
}
