package tab

import (
	"context"
	"strings"
	"time"

	"baton/backend/engine"
	"baton/backend/page"
)

// Chromium's own clipboard holds something only while the person copies or
// pastes: it is emptied after each, so that neither a page nor an agent's paste
// finds what the person had there.

const (
	clipTries = 10 // that a copy may take to arrive there …
	clipPause = 20 * time.Millisecond
)

// Copied gives what the person's copy in a tab took, whose text is known: in
// every form that Chromium's clipboard has of it. It empties that clipboard.
func (r *Registry) Copied(ctx context.Context, id, text string) (engine.Clip, error) {
	e, err := r.engineOf(id)
	if err != nil {
		return engine.Clip{}, err
	}
	for n := range clipTries {
		c, err := e.Clip(ctx)
		if err != nil {
			return engine.Clip{Text: text}, err
		}
		if !c.Empty() && plain(c.Text) == plain(text) || n == clipTries-1 && text == "" {
			return c, e.SetClip(ctx, engine.Clip{})
		}
		select {
		case <-time.After(clipPause):
		case <-ctx.Done():
			return engine.Clip{Text: text}, context.Cause(ctx)
		}
	}
	return engine.Clip{Text: text}, e.SetClip(ctx, engine.Clip{})
}

// plain leaves blanks out: a selection and its copy break lines differently.
func plain(s string) string { return strings.Join(strings.Fields(s), "") }

// Paste pastes for the person what their own clipboard holds. keys are the
// modifiers of the shortcut, 0 when there was none.
func (r *Registry) Paste(ctx context.Context, id string, c engine.Clip, keys int) error {
	e, err := r.engineOf(id)
	if err != nil {
		return err
	}
	return r.Hand(ctx, id, func(ctx context.Context, p *page.Page) error {
		if err := e.SetClip(ctx, c); err != nil {
			r.cfg.Log.Warn("the clipboard could not be filled; its text is typed", "error", err)
			return p.PutText(ctx, c.Text)
		}
		defer func() {
			if err := e.SetClip(context.WithoutCancel(ctx), engine.Clip{}); err != nil {
				r.cfg.Log.Warn("the clipboard could not be emptied", "error", err)
			}
		}()
		return p.PasteNow(ctx, keys)
	})
}

func (r *Registry) engineOf(id string) (*engine.Engine, error) {
	r.mu.Lock()
	t, err := r.find(id)
	r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return r.cfg.Engine(t.profile)
}
