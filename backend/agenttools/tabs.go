package agenttools

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
	"baton/backend/redact"
	"baton/backend/tab"
	"baton/backend/tool"
)

// loadWait is how long opening and navigating take at most.
const loadWait = 20 * time.Second

type noArgs struct{}

func browserTabs(_ context.Context, t *Thread, _ noArgs) (tool.Result, error) {
	current, _ := t.tab("")
	list := t.deps.Tabs.List(t.actor())
	rows := make([]map[string]any, 0, len(list))
	var b strings.Builder
	fmt.Fprintf(&b, "%d tabs", len(list))
	if len(list) == 1 {
		b.Reset()
		b.WriteString("1 tab")
	}
	for _, i := range list {
		row := map[string]any{"id": i.ID, "owner": i.Owner, "state": i.State}
		fmt.Fprintf(&b, "\n%s", i.ID)
		switch {
		case i.Foreign:
			fmt.Fprintf(&b, " · %s's · %s", i.Owner, i.State)
		default:
			if i.Hold != nil {
				row["held"] = "person"
				if i.Hold.How == tab.ByCard {
					row["held"] = "card"
				}
				b.WriteString(" · in use by the person")
			} else {
				row["title"], row["url"] = i.Title, redact.URL(i.URL)
				fmt.Fprintf(&b, " · %s · %s", title(i.Title), redact.URL(i.URL))
			}
			row["profile"], row["current"] = i.Profile, i.ID == current
			fmt.Fprintf(&b, " · %s", i.State)
			if !i.Mine {
				fmt.Fprintf(&b, " · %s's", i.Owner)
			}
			if i.Opener != "" {
				row["opener"] = i.Opener
				fmt.Fprintf(&b, " · opened by %s", i.Opener)
			}
			if i.ID == current {
				b.WriteString(" · current")
			}
		}
		rows = append(rows, row)
	}
	return tool.Result{Text: b.String(), Data: map[string]any{"tabs": rows, "current": current}}, nil
}

func title(s string) string {
	if s == "" {
		return "(no title)"
	}
	return s
}

type openArgs struct {
	URL     string   `json:"url,omitempty"`
	Path    string   `json:"path,omitempty" jsonschema:"local HTML or PDF file"`
	Assets  []string `json:"assets,omitempty" jsonschema:"files that it loads"`
	Show    bool     `json:"show,omitempty" jsonschema:"bring it to the person's view"`
	Profile string   `json:"profile,omitempty"`
}

func browserOpen(ctx context.Context, t *Thread, a openArgs) (tool.Result, error) {
	w, err := t.place(ctx, a.URL, a.Path, a.Assets)
	if err != nil {
		return tool.Result{}, err
	}
	defer w.end()
	info, err := t.deps.Tabs.Open(ctx, tab.New{Actor: t.actor(), Profile: a.Profile})
	if err != nil {
		return tool.Result{}, err
	}
	t.use(info.ID)
	if a.Show {
		t.deps.Tabs.Reveal(info.ID)
	}
	return t.load(ctx, info.ID, "opening "+w.name(), true, func(ctx context.Context, p *page.Page) (page.Loaded, []string, error) {
		if w.address == "about:blank" {
			return page.Loaded{Complete: true}, nil, nil
		}
		return t.goTo(ctx, info.ID, p, w)
	})
}

type navigateArgs struct {
	Tab     string   `json:"tab,omitempty"`
	URL     string   `json:"url,omitempty"`
	Path    string   `json:"path,omitempty"`
	Assets  []string `json:"assets,omitempty"`
	Action  string   `json:"action,omitempty" enum:"back|forward|reload|hard_reload|stop"`
	Timeout int      `json:"timeout_ms,omitempty"`
}

func browserNavigate(ctx context.Context, t *Thread, a navigateArgs) (tool.Result, error) {
	if (a.URL == "" && a.Path == "") == (a.Action == "") {
		return tool.Result{}, fault.New(fault.BadArguments, "give either url or action, or path for a local file")
	}
	if _, err := within(a.Timeout, loadWait, 30*time.Second); err != nil {
		return tool.Result{}, err
	}
	id, err := t.tab(a.Tab)
	if fault.Is(err, fault.NoSuchTab) && a.Tab == "" && a.Action == "" {
		return browserOpen(ctx, t, openArgs{URL: a.URL, Path: a.Path, Assets: a.Assets})
	}
	if err != nil {
		return tool.Result{}, err
	}
	var to *place
	what := strings.ReplaceAll(a.Action, "_", " ")
	if a.Action == "" {
		if to, err = t.place(ctx, a.URL, a.Path, a.Assets); err != nil {
			return tool.Result{}, err
		}
		defer to.end()
		what = "opening " + to.name()
	}
	return t.load(ctx, id, what, false, func(ctx context.Context, p *page.Page) (l page.Loaded, notes []string, err error) {
		l.Complete = true
		switch a.Action {
		case "":
			return t.goTo(ctx, id, p, to)
		case "back":
			err = t.deps.Tabs.MoveIn(ctx, id, p, -1)
		case "forward":
			err = t.deps.Tabs.MoveIn(ctx, id, p, 1)
		case "reload", "hard_reload":
			l, err = p.Reload(ctx, a.Action == "hard_reload")
		case "stop":
			err = p.Stop(ctx)
		default:
			err = fault.New(fault.BadArguments, "there is no action %q", a.Action).Then("use back, forward, reload, hard_reload or stop")
		}
		return l, nil, err
	})
}

// load runs a navigation and reads the page that it led to.
func (t *Thread) load(ctx context.Context, id, what string, opened bool, go_ func(context.Context, *page.Page) (page.Loaded, []string, error)) (tool.Result, error) {
	var out tool.Result
	err := t.on(ctx, id, tab.Op{What: what, Free: true}, loadWait, func(ctx context.Context, p *page.Page) error {
		l, notes, err := go_(ctx, p)
		if err != nil {
			return err
		}
		verb := "Loaded"
		if opened {
			verb = "Opened " + id + ":"
		}
		data := map[string]any{"tab": id}
		if l.Dialog != nil {
			st, _ := p.State.Get()
			data["url"], data["dialog"] = redact.URL(st.URL), dialogData(l.Dialog)
			text := fmt.Sprintf("%s %s, and a dialog opened: %s", verb, redact.URL(st.URL), dialogText(l.Dialog))
			if l.Dialog.Kind == "beforeunload" {
				text = fmt.Sprintf("Not loaded yet: the page at %s asks before it is left: %s", redact.URL(st.URL), dialogText(l.Dialog))
			}
			out = tool.Result{Text: text, Data: data}
			return nil
		}
		if l.Download {
			data["download"] = true
			lines := append([]string{"The address is a download; the page stayed."}, downloads(p, data)...)
			out = tool.Result{Text: strings.Join(lines, "\n"), Data: data}
			return nil
		}
		out, err = t.picture(ctx, id, p, verb, data, !l.Complete, notes)
		return err
	})
	if err != nil && opened && !fault.Is(err, fault.EngineUnavailable) {
		f := fault.From(err)
		f.Message = fmt.Sprintf("tab %s is open, but %s", id, f.Message)
		return tool.Result{}, f
	}
	return out, err
}

// picture adds the page's snapshot to a result.
func (t *Thread) picture(ctx context.Context, id string, p *page.Page, verb string, data map[string]any, loading bool, notes []string) (tool.Result, error) {
	s, bots, err := t.look(ctx, p, page.SnapshotArgs{})
	if d, _ := p.Dialogs.Get(); d != nil && err != nil {
		st, _ := p.State.Get()
		data["url"], data["dialog"] = redact.URL(st.URL), dialogData(d)
		return tool.Result{Text: fmt.Sprintf("%s %s, and a dialog opened: %s", verb, redact.URL(st.URL), dialogText(d)), Data: data}, nil
	}
	if err != nil {
		if f := fault.From(err); f.Code == fault.InterruptedByPerson || f.Code == fault.InUseByPerson {
			return tool.Result{}, err
		}
		st, _ := p.State.Get()
		data["url"], data["snapshot_error"] = redact.URL(st.URL), fault.From(err).Message
		return tool.Result{Text: fmt.Sprintf("%s %s. Its snapshot failed: %s", verb, redact.URL(st.URL), fault.From(err).Message), Data: data}, nil
	}
	head := fmt.Sprintf("%s %s", verb, redact.URL(s.URL))
	if loading {
		head += " (still loading)"
	}
	if line := check(bots, data); line != "" {
		head += "\n" + line
	}
	text := head + t.notices(id, data, notes) + "\n" + t.outline(id, s)
	data["url"], data["title"], data["snapshot"] = redact.URL(s.URL), s.Title, t.outline(id, s)
	return tool.Result{Text: text, Data: data}, nil
}

// outline gives a snapshot as agents read it, with its header line.
func (t *Thread) outline(id string, s page.Snapshot) string {
	return fmt.Sprintf("tab %s · %s · %s\n%s", id, title(s.Title), redact.URL(s.URL), s.Text)
}

// notices gives what the next result has to say, as lines.
func (t *Thread) notices(id string, data map[string]any, notes []string) string {
	if n := t.deps.Tabs.Notice(id); n != "" {
		notes = append(notes, n)
	}
	if len(notes) == 0 {
		return ""
	}
	data["notices"] = notes
	return "\nNotice: " + strings.Join(notes, "\nNotice: ")
}

// address reads an address as agents write it. Only http, https and
// about:blank are opened, without user info, and never Baton's own.
func (t *Thread) address(raw string) (string, error) {
	s := strings.TrimSpace(raw)
	if t.deps.rule(t.agent).Bounded && (s == "" || s == "about:blank") {
		return "", fault.New(fault.SchemeNotAllowed, "this agent opens web addresses only").Then("give an http or https address")
	}
	if s == "" || s == "about:blank" {
		return "about:blank", nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || (u.Opaque != "" && strings.Trim(u.Opaque, "0123456789") == "") || (u.Scheme != "http" && u.Scheme != "https" && strings.Contains(u.Scheme, ".")) {
		if u, err = url.Parse("https://" + s); err != nil || u.Host == "" {
			return "", fault.New(fault.BadArguments, "%q is no address", raw)
		}
		if h := u.Hostname(); h == "localhost" || h == "127.0.0.1" || h == "::1" {
			u.Scheme = "http"
		}
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		f := fault.New(fault.SchemeNotAllowed, "agents do not open %s: addresses", u.Scheme)
		if u.Scheme == "file" {
			f.Then("give path for an HTML or PDF file inside the folders that you were given")
		}
		return "", f
	}
	if u.Host == "" {
		return "", fault.New(fault.BadArguments, "%q names no site", raw)
	}
	if u.User != nil {
		return "", fault.New(fault.BadArguments, "the address carries a user name or password").Then("leave them out; ask the person to sign in with request_takeover")
	}
	if t.deps.Owns != nil && t.deps.Owns(u.String()) {
		return "", fault.New(fault.SchemeNotAllowed, "this address is Baton's own and is closed to agents").Then("open another address")
	}
	return u.String(), nil
}

type closeArgs struct {
	Tab string `json:"tab"`
}

func browserClose(ctx context.Context, t *Thread, a closeArgs) (tool.Result, error) {
	id, err := t.tab(a.Tab)
	if err != nil {
		return tool.Result{}, err
	}
	info, err := t.deps.Tabs.Get(id, t.actor())
	if err != nil {
		return tool.Result{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := t.deps.Tabs.Close(ctx, id, t.actor()); err != nil {
		return tool.Result{}, err
	}
	if info.Opener != "" {
		if o, err := t.deps.Tabs.Get(info.Opener, t.actor()); err == nil && !o.Foreign {
			t.use(o.ID)
		}
	}
	now, _ := t.tab("")
	text := "Closed " + id
	if now != "" {
		text += "; current tab is " + now
	}
	return tool.Result{Text: text, Data: map[string]any{"tab": id, "current": now}}, nil
}
