package page

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/redact"
)

// MaxWait bounds one wait.
const MaxWait = 25 * time.Second

// pollEvery is how often a condition of the page is looked at.
const pollEvery = 100 * time.Millisecond

// WaitArgs name what to wait for: exactly one of Text, TextGone, Target with
// State, URL, Load, Quiet, Function and Time.
type WaitArgs struct {
	Text     string
	TextGone string
	Target   *Target
	State    string // visible, hidden, enabled, disabled, checked, unchecked, editable or gone
	URL      string // part of the address, or a pattern with *
	Load     string // domcontentloaded or load
	Quiet    time.Duration
	Function string
	Time     time.Duration
}

// Waited says what was met.
type Waited struct {
	Said  string
	After time.Duration
	Title string
	URL   string
}

// Wait waits until the condition holds, at most until ctx ends: then Timeout
// says what the page shows instead.
func (p *Page) Wait(ctx context.Context, a WaitArgs) (Waited, error) {
	ctx, cancel, err := p.reading(ctx)
	if err != nil {
		return Waited{}, err
	}
	defer cancel()
	start := time.Now()
	said, holds, err := p.condition(a)
	if err != nil {
		return Waited{}, err
	}
	// The page has not said yet whether it holds.
	unanswered := a.Target != nil || a.Text != "" || a.TextGone != ""
	for {
		ok, err := holds(ctx)
		unanswered = unanswered && (errors.Is(err, context.DeadlineExceeded) || fault.Is(err, fault.PageBusy) || fault.Is(err, fault.Timeout))
		st, _ := p.State.Get()
		switch {
		case err == nil && ok:
			return Waited{Said: said, After: time.Since(start), Title: st.Title, URL: redact.URL(st.URL)}, nil
		case err != nil && !vanished(err):
			if f := p.explain(ctx, err); f != nil && !fault.Is(f, fault.PageBusy) && !errors.Is(f, context.DeadlineExceeded) && !fault.Is(f, fault.Timeout) {
				return Waited{}, f
			}
		}
		select {
		case <-time.After(pollEvery):
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return Waited{}, p.waitOver(ctx, said, st, unanswered)
		}
	}
}

// waitOver explains a wait whose time ran out.
func (p *Page) waitOver(ctx context.Context, said string, st State, unanswered bool) error {
	var f *fault.Fault
	if errors.As(context.Cause(ctx), &f) {
		return f
	}
	if d, _ := p.Dialogs.Get(); d != nil {
		return d.fault()
	}
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return context.Cause(ctx)
	}
	state := "loaded"
	if st.Loading {
		state = "still loading"
	}
	if !p.Alive(context.Background(), 300*time.Millisecond) {
		return fault.New(fault.PageBusy, "waiting until %s ended: the page's main thread does not answer", said)
	}
	if unanswered {
		return fault.New(fault.PageBusy, "the page did not say in time whether %s", said)
	}
	return fault.New(fault.Timeout, "it did not come about that %s; the page %q is %s", said, st.Title, state)
}

// condition gives the words for what is waited for, and a func that looks.
func (p *Page) condition(a WaitArgs) (string, func(context.Context) (bool, error), error) {
	switch {
	case a.Text != "":
		return fmt.Sprintf("the page shows %q", a.Text), func(ctx context.Context) (bool, error) { return p.anyFrame(ctx, a.Text) }, nil
	case a.TextGone != "":
		return fmt.Sprintf("the page no longer shows %q", a.TextGone), func(ctx context.Context) (bool, error) {
			has, err := p.anyFrame(ctx, a.TextGone)
			return err == nil && !has, err
		}, nil
	case a.Target != nil:
		return p.stateCondition(*a.Target, a.State)
	case a.URL != "":
		return fmt.Sprintf("the address fits %q", a.URL), func(context.Context) (bool, error) {
			st, _ := p.State.Get()
			return fits(a.URL, st.URL), nil
		}, nil
	case a.Load != "":
		want := map[string]float64{"domcontentloaded": 0.7, "load": 1}[a.Load]
		if want == 0 {
			return "", nil, fault.New(fault.BadArguments, "there is no load state %q", a.Load).Then("use domcontentloaded or load")
		}
		return "the page is loaded", func(ctx context.Context) (bool, error) {
			st, _ := p.State.Get()
			if st.Loading && st.Progress < want {
				return false, nil
			}
			w, err := p.mainWorld(ctx)
			if err != nil {
				return false, err
			}
			facts, err := inject.Info(ctx, w)
			return err == nil && (facts.ReadyState == "complete" || facts.ReadyState == "interactive" && a.Load == "domcontentloaded"), err
		}, nil
	case a.Quiet > 0:
		return fmt.Sprintf("the page is quiet for %d ms", a.Quiet.Milliseconds()), func(ctx context.Context) (bool, error) {
			w, err := p.mainWorld(ctx)
			if err != nil {
				return false, err
			}
			return inject.Quiet(ctx, w, inject.QuietArgs{QuietMS: int(a.Quiet.Milliseconds()), MaxMS: timeLeft(ctx, MaxWait)})
		}, nil
	case a.Function != "":
		return "the function gives a true value", func(ctx context.Context) (bool, error) {
			expr := a.Function
			if looksLikeFunction.MatchString(expr) {
				expr = "(" + strings.TrimRight(strings.TrimSpace(expr), "; \t\n") + ")()"
			}
			v, undefined, err := p.EvaluateFor(ctx, expr, nil)
			if errors.Is(err, ErrThrew) {
				err = Threw(err)
			}
			return err == nil && !undefined && truthy(string(v)), err
		}, nil
	case a.Time > 0:
		end := time.Now().Add(a.Time)
		return fmt.Sprintf("%d ms have passed", a.Time.Milliseconds()), func(ctx context.Context) (bool, error) {
			select {
			case <-time.After(time.Until(end)):
				return true, nil
			case <-ctx.Done():
				return false, ctx.Err()
			}
		}, nil
	}
	return "", nil, fault.New(fault.BadArguments, "nothing to wait for is named").
		Then("give one of text, text_gone, target with state, url, load, quiet, function, ms")
}

func truthy(json string) bool {
	switch json {
	case "null", "false", "0", `""`, `"NaN"`, `"-0"`, "":
		return false
	}
	return true
}

// anyFrame says whether any document of the page shows the text.
func (p *Page) anyFrame(ctx context.Context, text string) (bool, error) {
	w, err := p.mainWorld(ctx)
	if err != nil {
		return false, err
	}
	has, err := p.hasText(ctx, w, text)
	if has || err != nil {
		return has, err
	}
	for _, id := range p.frameIDs() {
		c, cancel := soon(ctx, frameWait)
		if in, err := p.world(c, id); err == nil {
			has, err = p.hasText(c, in, text)
			if err != nil {
				has = false
			}
		}
		cancel()
		if has {
			return true, nil
		}
	}
	return false, nil
}

func (p *Page) stateCondition(t Target, state string) (string, func(context.Context) (bool, error), error) {
	if state == "" {
		state = "visible"
	}
	test, ok := map[string]func(inject.States) bool{
		"visible":   func(s inject.States) bool { return s.Visible },
		"hidden":    func(s inject.States) bool { return s.Gone || !s.Visible },
		"enabled":   func(s inject.States) bool { return !s.Gone && s.Enabled },
		"disabled":  func(s inject.States) bool { return !s.Gone && !s.Enabled },
		"checked":   func(s inject.States) bool { return s.Checked },
		"unchecked": func(s inject.States) bool { return !s.Gone && !s.Checked },
		"editable":  func(s inject.States) bool { return s.Editable },
		"gone":      func(s inject.States) bool { return s.Gone },
	}[state]
	if !ok {
		return "", nil, fault.New(fault.BadArguments, "there is no state %q", state).Then("use visible, hidden, enabled, disabled, checked, unchecked, editable or gone")
	}
	absent := state == "gone" || state == "hidden"
	return fmt.Sprintf("%s is %s", t, state), func(ctx context.Context) (bool, error) {
		r, err := p.resolve(ctx, t)
		switch {
		case fault.Is(err, fault.TargetGone) || fault.Is(err, fault.TargetNotFound):
			return absent, nil
		case err != nil:
			return false, err
		case r.ref == 0:
			return false, fault.New(fault.BadArguments, "a point has no state").Then("give a ref")
		}
		s, err := inject.State(ctx, r.world, r.ref)
		if vanished(err) {
			return absent, nil
		}
		return err == nil && test(s), err
	}, nil
}

// fits says whether an address holds a part, or fits a pattern with *.
func fits(pattern, url string) bool {
	if !strings.Contains(pattern, "*") {
		return strings.Contains(url, pattern)
	}
	parts := strings.Split(pattern, "*")
	rest := url
	for i, part := range parts {
		if part == "" {
			continue
		}
		at := strings.Index(rest, part)
		switch {
		case at < 0, i == 0 && at > 0:
			return false
		case i == len(parts)-1:
			return strings.HasSuffix(rest, part)
		}
		rest = rest[at+len(part):]
	}
	return true
}
