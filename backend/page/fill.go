package page

import (
	"context"
	"errors"
	"fmt"
	"sync"

	pointer "github.com/chromedp/cdproto/input"

	"baton/backend/fault"
	"baton/backend/inject"
)

const (
	// MostFields and MostText bound one fill.
	MostFields = 16
	MostText   = 16 << 10
)

// FillField is one field to fill.
type FillField struct {
	Target Target
	Text   string
}

// Failure says which field was not filled and why.
type Failure struct {
	Index  int
	Reason string
}

// Filled tells of each field how it went: its index is in exactly one list.
type Filled struct {
	Outcome
	Confirmed []int
	Failed    *Failure // the first one that was refused; later ones were not touched
	Uncertain []int    // typed, and not what the field holds
}

// Fill types into text fields, all of which are checked before the first key.
// It never submits, and refuses secret fields.
func (p *Page) Fill(ctx context.Context, fields []FillField) (Filled, error) {
	ctx, cancel, err := p.begin(ctx)
	if err != nil {
		return Filled{}, err
	}
	defer cancel()
	f, err := p.fill(ctx, fields)
	return f, p.explain(ctx, err)
}

// filling is one field under way.
type filling struct {
	r     resolved
	state inject.FocusState
	text  string
}

func (p *Page) fill(ctx context.Context, fields []FillField) (Filled, error) {
	if len(fields) == 0 || len(fields) > MostFields {
		return Filled{}, fault.New(fault.BadArguments, "%d fields are given", len(fields)).Then("give 1 to %d fields", MostFields)
	}
	total := 0
	for _, f := range fields {
		total += len(f.Text)
	}
	if total > MostText {
		return Filled{}, fault.New(fault.BadArguments, "the texts are %d bytes in all", total).Then("fill at most %d bytes a call", MostText)
	}
	list := make([]filling, len(fields))
	worlds := make([]*world, 0, len(fields))
	errs := make([]error, len(fields))
	var checks sync.WaitGroup
	for i, f := range fields {
		checks.Go(func() { list[i], errs[i] = p.fillable(ctx, f) })
	}
	checks.Wait()
	for i, one := range list {
		if err := errs[i]; err != nil {
			var ft *fault.Fault
			if errors.As(err, &ft) {
				c := *ft
				c.Message = fmt.Sprintf("field %d: %s; nothing was filled", i, ft.Message)
				c.Effect = "no"
				return Filled{}, &c
			}
			return Filled{}, err
		}
		worlds = append(worlds, one.r.world)
	}
	k, err := p.act(ctx, worlds...)
	if err != nil {
		return Filled{}, err
	}
	defer k.end()
	k.hasty = hasty(ctx)
	k.disown() // dialogs that filling opens are the person's
	var out Filled
	done := make([]bool, len(list))
	for i := range list {
		if why := p.fillOne(ctx, k, &list[i]); why != nil {
			f := fault.From(p.explain(ctx, why))
			if f.Code == fault.InterruptedByPerson || f.Code == fault.PageCrashed || f.Code == fault.NoSuchTab || i == 0 && f.Code != fault.TargetGone {
				return out, f
			}
			out.Failed = &Failure{Index: i, Reason: string(f.Code)}
			break
		}
		done[i] = true
		if k.halted() || k.leaving() {
			break
		}
	}
	near := make([]resolved, 0, len(list))
	for _, f := range list {
		near = append(near, f.r)
	}
	if err := k.finish(ctx, &out.Outcome, near...); err != nil {
		out.Notes = append(out.Notes, "the input is done, and the page could not be read afterwards")
	}
	out.Now = nil
	held := p.holding(ctx, list, out.Snapshot == nil && out.Dialog == nil)
	for i := range list {
		switch {
		case !done[i]:
		case held[i]:
			out.Confirmed = append(out.Confirmed, i)
		default:
			out.Uncertain = append(out.Uncertain, i)
		}
	}
	out.Said = fmt.Sprintf("filled %d of %d fields", len(out.Confirmed), len(fields))
	return out, nil
}

// holding tells which fields hold their text, or one like it.
func (p *Page) holding(ctx context.Context, list []filling, readable bool) []bool {
	out := make([]bool, len(list))
	if !readable {
		return out
	}
	var wg sync.WaitGroup
	for i, f := range list {
		wg.Go(func() {
			if out[i], _ = inject.Matches(ctx, f.r.world, f.r.ref, f.text); out[i] {
				return
			}
			v, err := inject.Field(ctx, f.r.world, f.r.ref)
			out[i] = err == nil && v.Status == inject.StatusOK && alike(v.Value, f.text)
		})
	}
	wg.Wait()
	return out
}

// fillable checks one field without touching it.
func (p *Page) fillable(ctx context.Context, f FillField) (filling, error) {
	r, err := p.field(ctx, &f.Target)
	if err != nil {
		return filling{}, err
	}
	s, err := inject.Focus(ctx, r.world, inject.FocusArgs{Ref: r.ref, Mode: "check"})
	if err != nil {
		return filling{}, err
	}
	if err := focusFault(r.ref, s); err != nil {
		return filling{}, err
	}
	if s.Secret {
		return filling{}, secretFault(s.Desc)
	}
	switch s.Kind {
	case "text", "search", "tel", "url", "email", "textarea":
	default:
		return filling{}, fault.New(fault.BadArguments, "%s is not a plain text field (%s)", s.Desc, s.Kind).Then("use browser_type for it")
	}
	text, _ := fitText(f.Text, s)
	return filling{r: r, state: s, text: text}, nil
}

// fillOne replaces one field's text, unless it has changed since it was checked.
func (p *Page) fillOne(ctx context.Context, k *act, f *filling) error {
	s, err := inject.Focus(ctx, f.r.world, inject.FocusArgs{Ref: f.r.ref, Mode: "replace"})
	if err != nil {
		return err
	}
	if err := focusFault(f.r.ref, s); err != nil {
		return err
	}
	if s.Secret {
		return secretFault(s.Desc)
	}
	if s.Stamp != f.state.Stamp {
		return fault.New(fault.TargetGone, "%s changed meanwhile", s.Desc)
	}
	p.label(ctx, f.r, s)
	switch {
	case f.text != "":
		return k.send(ctx, pointer.InsertTextParams{Text: f.text})
	case !s.Empty:
		return k.send(ctx, tap("Delete", 0)...)
	}
	return nil
}
