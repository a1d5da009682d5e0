package page

import (
	"context"
	"fmt"
	"strings"

	pointer "github.com/chromedp/cdproto/input"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/input"
)

// TypeArgs say what to type and where.
type TypeArgs struct {
	Target *Target // nil is what has focus
	Text   string
	Append bool // go on behind what is there; else replace it
	Submit bool // press Enter afterwards
	Slowly bool // key by key
	Secret bool // the person allows secret fields of this site to be typed into
}

// Typed is what a field holds after typing.
type Typed struct {
	Outcome
	Value  string // as the page shows it; empty when Secret
	Secret bool
	Read   bool // Value was read back
}

// Type enters text into a field by real input and reads it back. Date, time,
// colour and range inputs are checked and set. It never presses Enter unless
// asked to.
func (p *Page) Type(ctx context.Context, a TypeArgs) (Typed, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return Typed{}, err
	}
	defer cancel()
	t, err := p.typeText(ctx, a)
	return t, p.explain(ctx, err)
}

func (p *Page) typeText(ctx context.Context, a TypeArgs) (Typed, error) {
	r, err := p.field(ctx, a.Target)
	if err != nil {
		return Typed{}, err
	}
	mode := "replace"
	if a.Append {
		mode = "append"
	}
	r.world.noted = true // by focus
	k, err := p.act(ctx, r.world)
	if err != nil {
		return Typed{}, err
	}
	defer k.end()
	k.hasty = hasty(ctx) && !a.Submit
	f, err := p.focus(ctx, k, r, mode)
	if err != nil {
		return Typed{}, err
	}
	if err := p.mayType(r, f, a.Secret); err != nil {
		return Typed{}, err
	}
	out := Typed{Secret: f.Secret}
	p.label(ctx, r, f)
	switch f.Kind {
	case "date", "time", "datetime-local", "month", "week", "color", "range":
		return p.set(ctx, k, r, f, a)
	case "number":
		if err := isNumber(a.Text, f.Desc); err != nil {
			return Typed{}, err
		}
	}
	before := inject.FieldValue{}
	if f.Before != nil {
		before = *f.Before
	}
	text, note := fitText(a.Text, f)
	if note != "" {
		out.Notes = append(out.Notes, note)
	}
	if f.Secret {
		if err := inject.OwnSecret(ctx, r.world, inject.OwnSecretArgs{Ref: r.ref, Text: text, Append: a.Append}); err != nil {
			return Typed{}, err
		}
	}
	if err := k.send(ctx, enter(text, f, a)...); err != nil {
		return out, p.landed(ctx, r, before, err)
	}
	out.Said = "typed into " + f.Desc
	want := text
	if a.Append && !f.Secret {
		want = before.Value + text
	}
	if a.Submit && !k.halted() && !k.leaving() {
		if err := p.submit(ctx, k, r, f.Desc); err != nil {
			return out, err
		}
		out.Said = "typed into " + f.Desc + " and pressed Enter"
	}
	k.ask = asked{world: r.world, field: &inject.FieldAsk{Ref: r.ref, Text: want}}
	if err := k.finish(ctx, &out.Outcome, r); err != nil {
		return out, err
	}
	out.withoutValue()
	if out.Outcome.Snapshot != nil || out.Outcome.Dialog != nil {
		return out, nil
	}
	now, same, ok := k.field(ctx)
	return readBack(f, before, now, same, ok, out, want, a)
}

// field resolves the target of typing, or what has focus.
func (p *Page) field(ctx context.Context, t *Target) (resolved, error) {
	if t == nil {
		return p.focusedField(ctx)
	}
	r, err := p.resolve(ctx, *t)
	if err != nil {
		return r, err
	}
	if r.ref == 0 {
		return r, fault.New(fault.BadArguments, "a point names no field").Then("click the point, then call browser_type without target")
	}
	return r, nil
}

// focusedField finds the element that has focus, through frames.
func (p *Page) focusedField(ctx context.Context) (resolved, error) {
	w, err := p.mainWorld(ctx)
	if err != nil {
		return resolved{}, err
	}
	for range 8 {
		at, err := inject.Focused(ctx, w, 0)
		if err != nil {
			return resolved{}, err
		}
		if at.Desc == "" {
			return resolved{}, fault.New(fault.TargetNotEditable, "nothing on the page has focus").Then("give a target")
		}
		ref := at.Ref
		if ref == 0 {
			got, err := p.locateIn(ctx, w, inject.Locator{CSS: ":focus"})
			if err != nil {
				return resolved{}, err
			}
			if ref = got.Ref; ref == 0 {
				return resolved{}, fault.New(fault.TargetNotEditable, "the focus is on %s, which cannot be named", at.Desc).Then("give a target")
			}
		}
		if !at.IsFrame {
			return resolved{world: w, ref: ref}, nil
		}
		id, err := p.frameOf(ctx, w, ref)
		if err != nil {
			return resolved{}, err
		}
		if w, err = p.world(ctx, id); err != nil {
			return resolved{}, err
		}
	}
	return resolved{}, fault.New(fault.TargetNotEditable, "the focus lies too many frames deep").Then("give a target")
}

// focus brings the focus to a field. A frame of another process gets the
// page's focus by a click, as from a person.
func (p *Page) focus(ctx context.Context, k *act, r resolved, mode string) (inject.FocusState, error) {
	var f inject.FocusState
	err := p.scripted(ctx, k, func(ctx context.Context) error {
		var err error
		f, err = inject.Focus(ctx, r.world, inject.FocusArgs{Ref: r.ref, Mode: mode, Watch: true})
		return err
	})
	if err != nil {
		return f, err
	}
	return f, focusFault(r.ref, f)
}

func focusFault(ref int, f inject.FocusState) error {
	what := orRef(f.Desc, ref)
	switch f.Status {
	case inject.StatusOK:
	case inject.StatusGone:
		return goneFault(ref)
	case inject.StatusHidden:
		return fault.New(fault.TargetHidden, "%s has no visible box", what)
	case inject.StatusDisabled:
		return fault.New(fault.TargetDisabled, "%s is disabled", what)
	case inject.StatusReadonly:
		return fault.New(fault.TargetNotEditable, "%s is read-only", what)
	case inject.StatusNotFocused:
		return fault.New(fault.TargetNotEditable, "%s did not take the focus", what).Then("click it first, then look again")
	default:
		return fault.New(fault.TargetNotEditable, "%s takes no text", what)
	}
	switch f.Kind {
	case "select":
		return fault.New(fault.UseSelect, "%s is a native select", what)
	case "checkbox", "radio":
		return fault.New(fault.TargetNotEditable, "%s takes no text", what).Then("use browser_check")
	case "file":
		return fault.New(fault.TargetNotEditable, "%s takes files", what).Then("use browser_upload")
	}
	return nil
}

// mayType refuses secret fields, but on this computer's own sites and where
// the person allows it.
func (p *Page) mayType(r resolved, f inject.FocusState, allowed bool) error {
	if !f.Secret || allowed || p.loopback(r.world.frame) {
		return nil
	}
	return secretFault(f.Desc)
}

func secretFault(what string) error {
	return fault.New(fault.SecretField, "%s is a field for a secret", what).WithEffect("no").
		Then("let the person enter it: request_takeover")
}

// label shows the live view where the agent types.
func (p *Page) label(ctx context.Context, r resolved, f inject.FocusState) {
	b := f.Box
	if r.world.frame != p.root {
		var err error
		if b, err = p.boxOf(ctx, r.world.frame, b); err != nil {
			return
		}
	}
	p.moved(ctx, input.Point{X: b.X + min(b.W/2, 40), Y: b.Y + b.H/2}, "type", f.Desc)
}

// fitText makes a text one that the field can take, and says what that changed.
func fitText(text string, f inject.FocusState) (string, string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if f.Multiline || !strings.Contains(text, "\n") {
		return text, ""
	}
	trimmed := strings.TrimRight(text, "\n")
	if !strings.Contains(trimmed, "\n") {
		return trimmed, ""
	}
	return strings.ReplaceAll(trimmed, "\n", " "), "the field takes one line, so line breaks became spaces"
}

// enter gives the input that puts text into the focused field.
func enter(text string, f inject.FocusState, a TypeArgs) []any {
	var out []any
	if !a.Append && (f.Kind == "contenteditable" || f.Kind == "textarea") {
		out = append(out, tap("a", input.Mod())...) // editors with a model of their own follow keys
	}
	if a.Append && (f.Kind == "email" || f.Kind == "number") {
		out = append(out, tap("End", 0)...) // these know no caret for scripts
	}
	if text == "" {
		if !a.Append && !f.Empty {
			out = append(out, tap("Delete", 0)...)
		}
		return out
	}
	if a.Slowly {
		return append(out, strokes(text, f)...)
	}
	if f.Kind != "contenteditable" {
		return append(out, pointer.InsertTextParams{Text: text})
	}
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			out = append(out, tap("Enter", input.Shift)...)
		}
		if line != "" {
			out = append(out, pointer.InsertTextParams{Text: line})
		}
	}
	return out
}

// strokes types key by key; a line break never submits.
func strokes(text string, f inject.FocusState) []any {
	var out []any
	for _, s := range input.Strokes(text) {
		switch {
		case s.Text != "":
			out = append(out, pointer.InsertTextParams{Text: s.Text})
		case s.Key.Key == "Enter":
			mods := input.Modifiers(0)
			if f.Kind == "contenteditable" {
				mods = input.Shift
			}
			out = append(out, tap("Enter", mods)...)
		default:
			c := input.Chord{Key: s.Key}
			if s.Key.Shifted {
				c.Mods = input.Shift
			}
			out = append(out, chordEvents(c)...)
		}
	}
	return out
}

// landed says of an error in mid-typing whether text had landed.
func (p *Page) landed(ctx context.Context, r resolved, before inject.FieldValue, err error) error {
	f := fault.From(p.explain(ctx, err))
	if f.Code == fault.PageBusy || f.Code == fault.PageCrashed || f.Effect == "no" {
		return f
	}
	c, cancel := soon(context.WithoutCancel(ctx), reserve)
	defer cancel()
	now, e := inject.Field(c, r.world, r.ref)
	if e != nil || now.Status != inject.StatusOK {
		return f
	}
	out := *f
	out.Effect = "yes"
	if now.Stamp == before.Stamp {
		out.Effect = "no"
	}
	return &out
}

// submit presses Enter, provided that the field still has the focus.
func (p *Page) submit(ctx context.Context, k *act, r resolved, what string) error {
	at, err := inject.Focused(ctx, r.world, r.ref)
	if err != nil {
		return k.blame(ctx, err)
	}
	if !at.On {
		return lostFocus(what, at, "the text has landed and Enter was not pressed")
	}
	return k.send(ctx, tap("Enter", 0)...)
}

func lostFocus(what string, at inject.FocusedState, state string) error {
	now := "nothing"
	if at.Desc != "" {
		now = at.Desc
	}
	return fault.New(fault.Uncertain, "%s lost the focus to %s; %s", what, now, state).WithEffect("yes")
}

// set gives a typed input its value.
func (p *Page) set(ctx context.Context, k *act, r resolved, f inject.FocusState, a TypeArgs) (Typed, error) {
	var got inject.Set
	err := p.scripted(ctx, k, func(ctx context.Context) error {
		var err error
		got, err = inject.SetTyped(ctx, r.world, inject.SetArgs{Ref: r.ref, Value: a.Text})
		return err
	})
	if err != nil {
		return Typed{}, err
	}
	switch got.Status {
	case inject.StatusOK:
	case inject.StatusBadValue:
		return Typed{}, fault.New(fault.BadArguments, "%q does not fit %s: %s", a.Text, f.Desc, got.Message).Then("give a value of that form").WithEffect("no")
	default:
		return Typed{}, focusFault(r.ref, inject.FocusState{Status: got.Status, Desc: f.Desc})
	}
	out := Typed{Value: got.Value, Read: true, Secret: f.Secret}
	out.Said = "set " + f.Desc
	if a.Submit {
		if err := p.submit(ctx, k, r, f.Desc); err != nil {
			return out, err
		}
		out.Said += " and pressed Enter"
	}
	k.ask = asked{world: r.world, field: &inject.FieldAsk{Ref: r.ref}}
	if err := k.finish(ctx, &out.Outcome, r); err != nil {
		return out, err
	}
	out.withoutValue()
	if out.Outcome.Snapshot != nil || out.Outcome.Dialog != nil || a.Submit {
		return out, nil
	}
	if now, _, ok := k.field(ctx); ok && !now.Secret {
		if now.Value != got.Value {
			out.Notes = append(out.Notes, "the page changed the value")
		}
		out.Value = now.Value
	}
	return out, nil
}

func isNumber(s, what string) error {
	s = strings.TrimSpace(s)
	var f float64
	if s == "" {
		return nil
	}
	if n, err := fmt.Sscanf(s, "%g", &f); err != nil || n != 1 || strings.ContainsAny(s, " ,") {
		return fault.New(fault.BadArguments, "%q does not fit %s: it takes a number, such as 12.5", s, what).Then("give a number with a point and without separators").WithEffect("no")
	}
	return nil
}
