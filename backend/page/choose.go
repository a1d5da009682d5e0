package page

import (
	"context"
	"fmt"
	"strings"

	pointer "github.com/chromedp/cdproto/input"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/redact"
)

// Chosen is what a select shows after the choice.
type Chosen struct {
	Outcome
	Labels  []string
	Changed bool
}

// Select chooses options of a native select by label, else by value. The
// target may be an option itself; then values may be empty. A list made of
// other elements is explained.
func (p *Page) Select(ctx context.Context, t Target, values []string) (Chosen, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return Chosen{}, err
	}
	defer cancel()
	r, err := p.resolve(ctx, t)
	if err != nil {
		return Chosen{}, p.explain(ctx, err)
	}
	c, err := p.pick(ctx, r, values)
	return c, p.explain(ctx, err)
}

func (p *Page) choose(ctx context.Context, r resolved, values []string) (Outcome, error) {
	c, err := p.pick(ctx, r, values)
	return c.Outcome, err
}

func (p *Page) pick(ctx context.Context, r resolved, values []string) (Chosen, error) {
	if r.ref == 0 {
		return Chosen{}, fault.New(fault.BadArguments, "a point names no select").Then("give the select's ref")
	}
	s, err := p.aim(ctx, r, inject.AimArgs{Hover: true, Loose: true, Watch: true})
	if err == nil {
		p.moved(ctx, s.at, "move", s.desc())
	}
	unseen := fault.Is(err, fault.TargetHidden)
	k, err := p.act(ctx, r.world)
	if err != nil {
		return Chosen{}, err
	}
	defer k.end()
	k.hasty = hasty(ctx)
	var got inject.Selected
	err = p.scripted(ctx, k, func(ctx context.Context) error {
		var err error
		got, err = inject.Select(ctx, r.world, inject.SelectArgs{Ref: r.ref, Values: values, Unseen: unseen})
		return err
	})
	if err != nil {
		return Chosen{}, err
	}
	if err := selectFault(r.ref, got, values); err != nil {
		return Chosen{}, err
	}
	c := Chosen{Changed: got.Changed}
	c.Outcome.Said = "chose " + quoteAll(got.Chosen) + " in " + got.Desc
	if !got.Changed {
		c.Outcome.Said = got.Desc + " shows " + quoteAll(got.Chosen) + " already"
	}
	k.ask = asked{world: r.world, field: &inject.FieldAsk{Ref: r.ref}}
	if err := k.finish(ctx, &c.Outcome, r); err != nil {
		return c, err
	}
	c.withoutValue()
	c.Labels = got.Chosen
	if c.Outcome.Snapshot != nil || c.Outcome.Dialog != nil {
		return c, nil
	}
	// What it shows now, after the page has had its say.
	now, _, ok := k.field(ctx)
	if !ok || now.Kind != "select" || now.Secret {
		return c, nil
	}
	c.Labels = nil
	for _, l := range strings.Split(now.Value, "\n") {
		if l != "" || now.Value != "" {
			c.Labels = append(c.Labels, l)
		}
	}
	if strings.Join(c.Labels, "\n") != strings.Join(got.Chosen, "\n") {
		c.Outcome.Notes = append(c.Outcome.Notes, "the page changed the choice: it shows "+quoteAll(c.Labels)+" now")
	}
	return c, nil
}

func selectFault(ref int, got inject.Selected, values []string) error {
	what := orRef(got.Desc, ref)
	switch got.Status {
	case inject.StatusOK:
		return nil
	case inject.StatusGone:
		return goneFault(ref)
	case inject.StatusHidden:
		return fault.New(fault.TargetHidden, "%s has no visible box", what)
	case inject.StatusDisabled:
		return fault.New(fault.TargetDisabled, "%s, or the option, is disabled", what)
	case inject.StatusNotSelect:
		return fault.New(fault.BadArguments, "%s is not a native select", what).
			Then("click it, then click the option in what opens; where it takes text, browser_type filters its list first")
	case inject.StatusAmbiguous:
		return fault.New(fault.TargetAmbiguous, "several options of %s fit %q", what, got.Missing).Then("give the option's whole label, or click the option's ref")
	}
	f := fault.New(fault.TargetNotFound, "%s has no option %q", what, got.Missing)
	if len(values) > 1 && !got.Multiple {
		f = fault.New(fault.BadArguments, "%s takes one option only", what).Then("give one value")
	}
	if len(got.Options) > 0 && !got.Secret {
		f.Message += "; there are " + quoteAll(got.Options)
		if more := got.Total - len(got.Options); more > 0 {
			f.Message += fmt.Sprintf(" (+%d more)", more)
		}
		f.Then("choose one of these labels")
	}
	return f
}

func quoteAll(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(out, ", ")
}

// scripted runs a page script that acts on the page, through the gate, and
// returns early when it opened a dialog or left the document.
func (p *Page) scripted(ctx context.Context, k *act, f func(context.Context) error) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	err := pass(ctx, func() error {
		k.began()
		go func() { done <- f(inner) }()
		return nil
	})
	if err != nil {
		return k.blame(ctx, err)
	}
	for {
		select {
		case err := <-done:
			if vanished(err) {
				k.drain()
				if k.leaving() {
					return nil
				}
			}
			return k.blame(ctx, err)
		case s := <-k.w.c:
			k.take(s)
			if k.halted() {
				return nil
			}
		}
	}
}

// Check is the state of a checkbox, radio button or switch after the action.
type Check struct {
	Outcome
	Checked string // true, false or mixed
}

// Check makes a checkable element checked or not: it clicks it, or its label,
// when its state is another, and reads the state back.
func (p *Page) Check(ctx context.Context, t Target, checked bool) (Check, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return Check{}, err
	}
	defer cancel()
	c, err := p.check(ctx, t, checked)
	return c, p.explain(ctx, err)
}

func (p *Page) check(ctx context.Context, t Target, checked bool) (Check, error) {
	r, err := p.resolve(ctx, t)
	if err != nil {
		return Check{}, err
	}
	if r.ref == 0 {
		return Check{}, fault.New(fault.BadArguments, "a point names no checkbox").Then("give the checkbox's ref")
	}
	want := fmt.Sprint(checked)
	was, err := inject.Checked(ctx, r.world, r.ref)
	if err != nil {
		return Check{}, err
	}
	switch {
	case was.Status == inject.StatusGone:
		return Check{}, goneFault(r.ref)
	case was.Status != inject.StatusOK:
		return Check{}, fault.New(fault.BadArguments, "%s can be neither checked nor unchecked", orRef(was.Desc, r.ref)).Then("click it with browser_click")
	case was.Checked == want:
		return Check{Checked: want, Outcome: p.still(was.Desc + " is " + checkedWord(want) + " already")}, nil
	case was.Disabled:
		return Check{}, fault.New(fault.TargetDisabled, "%s is disabled", was.Desc)
	case !checked && (was.Kind == "radio" || was.Kind == "menuitemradio"):
		return Check{}, fault.New(fault.BadArguments, "%s is a radio button, which only another one of its group unchecks", was.Desc).Then("check the other one")
	}
	s, err := p.aim(ctx, r, inject.AimArgs{Watch: true, Arm: true})
	if err != nil {
		return Check{}, err
	}
	k, err := p.act(ctx, r.world)
	if err != nil {
		return Check{}, err
	}
	defer k.end()
	k.defers, k.hasty = true, hasty(ctx)
	k.ask = asked{world: r.world, checked: r.ref}
	if err := p.press(ctx, k, s, pointer.MouseButtonLeft, 1, 0); err != nil {
		return Check{}, err
	}
	c := Check{}
	if err := k.finish(ctx, &c.Outcome, r); err != nil {
		return c, err
	}
	if c.Outcome.Snapshot != nil || c.Outcome.Dialog != nil {
		c.Outcome.Said = "clicked " + was.Desc + "; its state is not known"
		return c, nil
	}
	now := k.told.Checked
	if now != nil && now.Status == inject.StatusOK {
		c.Checked = now.Checked
		if now.Checked == want {
			c.Outcome.Now = nil // the first line says it
			c.Outcome.Said = was.Desc + " is " + checkedWord(want) + " now"
			return c, nil
		}
		return c, fault.New(fault.Uncertain, "%s was clicked and is still %s", was.Desc, checkedWord(now.Checked)).WithEffect("unknown")
	}
	c.Outcome.Said = "clicked " + was.Desc
	c.Outcome.Notes = append(c.Outcome.Notes, "it went away with the click, so its state is not known")
	return c, nil
}

func checkedWord(s string) string {
	switch s {
	case "true":
		return "checked"
	case "mixed":
		return "partly checked"
	}
	return "unchecked"
}

// still is the outcome of an action that had nothing to do.
func (p *Page) still(said string) Outcome {
	st, _ := p.State.Get()
	return Outcome{Said: said, Title: st.Title, URL: redact.URL(st.URL)}
}
