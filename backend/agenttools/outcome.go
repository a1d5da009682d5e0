package agenttools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"baton/backend/challenge"
	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/redact"
	"baton/backend/tab"
	"baton/backend/tool"
)

const (
	// actWait is an action's time unless the call says another.
	actWait = 5 * time.Second
	// mostWait is the longest time that an action may ask for.
	mostWait = 30 * time.Second
	// popupWait is how long a window that the page asked for may take to come.
	popupWait = 600 * time.Millisecond
)

// step is an action on a tab.
type step struct {
	tab     string
	what    string // a few words for the person
	timeout int    // milliseconds, as the agent gave it
	wait    time.Duration
	free    bool // it needs nobody's leave: it only changes what is in view
	wish    wish // what the person is asked where it is not free
}

func (s step) op() tab.Op { return tab.Op{What: s.what, Free: s.free, Ask: s.wish.ask()} }

// act runs an action on a page and tells its outcome: what it did, what
// changed, which dialog and tabs it opened. more adds facts of the tool's own
// to the result and lines below the first.
func (t *Thread) act(ctx context.Context, s step, fn func(ctx context.Context, p *page.Page) (page.Outcome, error), more func(data map[string]any) []string) (tool.Result, error) {
	if s.wait == 0 {
		s.wait = actWait
	}
	d, err := within(s.timeout, s.wait, mostWait)
	if err != nil {
		return tool.Result{}, err
	}
	id, err := t.tab(s.tab)
	if err != nil {
		return tool.Result{}, err
	}
	popups, stop := t.deps.Tabs.Popups.Subscribe(16)
	defer stop()
	was, err := t.deps.Tabs.Get(id, t.actor())
	if err != nil {
		return tool.Result{}, err
	}
	var o page.Outcome
	var before, title string
	var bots *challenge.Challenge
	var shown *page.Page
	err = t.on(ctx, id, s.op(), d, func(ctx context.Context, p *page.Page) error {
		shown = p
		st, _ := p.State.Get()
		before, title = redact.URL(st.URL), st.Title
		var err error
		o, err = fn(ctx, p)
		if err == nil && o.Snapshot != nil {
			// The document that the action led to may be covered, or a check.
			bots = t.again(ctx, p, o.Snapshot)
		}
		return err
	})
	if fault.Is(err, fault.NoSuchTab) && fault.From(err).Effect == "" {
		if _, gone := t.deps.Tabs.Get(id, t.actor()); gone != nil {
			return t.closedItself(was, o), nil
		}
	}
	if err != nil {
		return tool.Result{}, err
	}
	data := map[string]any{"tab": id, "url": o.URL, "title": o.Title, "status": "ready"}
	lines := []string{o.Said}
	if len(o.Now) > 0 {
		lines[0] += "; it is now " + strings.Join(o.Now, ", ")
		data["now"] = o.Now
	}
	if more != nil {
		lines = append(lines, more(data)...)
	}
	if o.Dialog != nil {
		data["dialog"], data["status"] = dialogData(o.Dialog), "dialog"
		who := "; a dialog opened: " + dialogText(o.Dialog)
		if o.Dialog.For == "" {
			who = fmt.Sprintf("; a dialog opened, which the person answers: %s %q", o.Dialog.Kind, redact.Text(o.Dialog.Message))
		}
		lines[0] += who
	}
	notices := append([]string(nil), o.Notes...)
	if n := t.deps.Tabs.Notice(id); n != "" {
		notices = append(notices, n)
	}
	if o.Chooser {
		notices = append(notices, "the page asks for files: give them with browser_upload")
	}
	opened := t.opened(ctx, id, popups, o.Windows)
	if o.Windows > 0 && shown != nil {
		shown.Saved(ctx, time.Second) // a window that only was for a file
	}
	saved := downloads(shown, data)
	if len(saved) > 0 {
		opened = t.lasting(ctx, opened)
	}
	for _, x := range opened {
		notices = append(notices, fmt.Sprintf("a new tab opened: %s (%s); name it to use it", x.ID, x.URL))
	}
	if len(opened) > 0 {
		rows := make([]map[string]any, len(opened))
		for i, x := range opened {
			rows[i] = map[string]any{"id": x.ID, "url": x.URL, "opener": id}
		}
		data["opened"] = rows
	}
	lines = append(lines, saved...)
	if len(notices) > 0 {
		data["notices"] = notices
		for _, n := range notices {
			lines = append(lines, "Note: "+n)
		}
	}
	switch {
	case o.Snapshot != nil:
		full := t.outline(id, *o.Snapshot)
		data["snapshot"] = full
		if line := check(bots, data); line != "" {
			lines = append(lines, line)
		}
		lines = append(lines, "The page is another one now:", full)
	case o.Dialog != nil:
	default:
		if o.URL != before {
			lines = append(lines, "The address is now "+o.URL)
		}
		if o.Changed != "" {
			data["changed"] = o.Changed
			lines = append(lines, "Changed:", strings.TrimRight(o.Changed, "\n"))
		} else if len(lines) == 1 && len(o.Now) == 0 && o.URL == before {
			if o.Title != title && o.Title != "" {
				lines = append(lines, fmt.Sprintf("Nothing on the page has changed; its title is now %q.", o.Title))
			} else {
				lines = append(lines, "Nothing that shows has changed.")
			}
		}
	}
	lines[0] = capital(lines[0])
	return tool.Result{Text: clip(strings.Join(lines, "\n")), Data: data}, nil
}

// closedItself tells of an action whose tab closed with it.
func (t *Thread) closedItself(was tab.Info, o page.Outcome) tool.Result {
	if was.Opener != "" {
		if x, err := t.deps.Tabs.Get(was.Opener, t.actor()); err == nil && !x.Foreign {
			t.use(x.ID)
		}
	}
	now, _ := t.tab("")
	said := o.Said
	if said == "" {
		said = "the action was done"
	}
	text := fmt.Sprintf("%s; tab %s closed itself", capital(said), was.ID)
	if now != "" {
		text += "; the current tab is " + now
	}
	return tool.Result{Text: text, Data: map[string]any{"tab": was.ID, "status": "closed", "current": now}}
}

// opened waits a moment for the windows that the page asked for.
func (t *Thread) opened(ctx context.Context, id string, popups <-chan tab.Popup, windows int) []tab.Info {
	var out []tab.Info
	wait := time.NewTimer(0)
	if windows > 0 {
		wait.Reset(popupWait)
	}
	defer wait.Stop()
	for {
		select {
		case p := <-popups:
			if p.From != id {
				continue
			}
			if i, err := t.deps.Tabs.Get(p.Tab, t.actor()); err == nil {
				out = append(out, i)
			}
			if len(out) < windows {
				continue
			}
		case <-wait.C:
		case <-ctx.Done():
		}
		return t.named(ctx, out)
	}
}

// lasting leaves out the windows that were only opened for a file, which close
// by themselves.
func (t *Thread) lasting(ctx context.Context, list []tab.Info) []tab.Info {
	end := time.Now().Add(300 * time.Millisecond)
	return slices.DeleteFunc(list, func(i tab.Info) bool {
		for i.URL == "" || i.URL == "about:blank" {
			if _, err := t.deps.Tabs.Get(i.ID, t.actor()); err != nil {
				return true
			}
			if time.Now().After(end) || ctx.Err() != nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		return false
	})
}

// named waits until new tabs know their address, a moment at most.
func (t *Thread) named(ctx context.Context, list []tab.Info) []tab.Info {
	end := time.Now().Add(popupWait)
	for n := range list {
		for {
			i, err := t.deps.Tabs.Get(list[n].ID, t.actor())
			if err != nil {
				break
			}
			list[n] = i
			if i.URL != "" && i.URL != "about:blank" || time.Now().After(end) || ctx.Err() != nil {
				break
			}
			time.Sleep(15 * time.Millisecond)
		}
		list[n].URL = redact.URL(list[n].URL)
	}
	return list
}

// mostText bounds a result's text in characters (A8).
const mostText = 32_000

// clip holds a result to its size, cut at the end of a line, and says how much
// was left out.
func clip(s string) string {
	if len(s) <= mostText {
		return s
	}
	cut := s[:mostText]
	if i := strings.LastIndexByte(cut, '\n'); i > 0 {
		cut = cut[:i]
	}
	return fmt.Sprintf("%s\n(+%d lines)", strings.ToValidUTF8(cut, ""), strings.Count(s[len(cut):], "\n"))
}

func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
