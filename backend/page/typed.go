package page

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"baton/backend/fault"
	"baton/backend/inject"
	"baton/backend/outline"
)

// field gives the field that the action asked for, as it was once the page had
// settled, and whether it holds just the text. ok is false when it has gone.
func (a *act) field(ctx context.Context) (now inject.FieldValue, same, ok bool) {
	w, ask := a.ask.world, a.ask.field
	if a.answered && a.told.Field != nil {
		return *a.told.Field, a.told.Matches, a.told.Field.Status == inject.StatusOK
	}
	now, err := inject.Field(ctx, w, ask.Ref)
	if err != nil || now.Status != inject.StatusOK {
		return now, false, false
	}
	same, err = inject.Matches(ctx, w, ask.Ref, ask.Text)
	return now, same, err == nil
}

// readBack says honestly what became of the text, from the field as it was once
// the page had settled.
func readBack(f inject.FocusState, before, now inject.FieldValue, same, ok bool, out Typed, want string, a TypeArgs) (Typed, error) {
	if !ok {
		if !a.Submit {
			out.Notes = append(out.Notes, "the field went away with the text; look before going on")
		}
		return out, nil
	}
	out.Secret = out.Secret || now.Secret
	if !out.Secret {
		out.Value, out.Read = now.Value, true
	}
	switch {
	case same:
	case a.Submit && now.Stamp != before.Stamp || a.Submit && now.Value == "":
		// Enter may well empty or change a field.
	case !out.Secret && now.Value == "" && before.Value == "" && shows(out.Changed, want):
		out.Notes = append(out.Notes, "the page took the text out of the field and shows it")
		out.Read = false
	case out.Secret && now.Length > 0:
		out.Notes = append(out.Notes, fmt.Sprintf("the field holds %d characters, not the text as typed", now.Length))
	case out.Secret || now.Stamp == before.Stamp && want != before.Value:
		return out, notTaken(f.Desc, now)
	case alike(now.Value, want):
		out.Notes = append(out.Notes, "the page wrote it in its own form")
	case f.MaxLength > 0 && now.Length >= f.MaxLength:
		out.Notes = append(out.Notes, fmt.Sprintf("the field takes %d characters at most, so the text was cut", f.MaxLength))
	default:
		out.Notes = append(out.Notes, "the field holds something else than the text; look before going on")
	}
	return out, nil
}

// shows says that an outline of changes holds a text: editors that draw what
// they hold themselves empty their field at once.
func shows(changed, text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		quoted := outline.Quote(line)
		if r := []rune(line); len(r) > 3 {
			quoted = strings.Trim(outline.Quote(string(r[:min(len(r), 40)])), `"`)
		}
		return strings.Contains(changed, quoted)
	}
	return false
}

func notTaken(what string, now inject.FieldValue) error {
	shows := "is empty"
	if now.Secret {
		shows = fmt.Sprintf("holds %d characters", now.Length)
	} else if now.Value != "" {
		shows = fmt.Sprintf("shows %q", now.Value)
	}
	return fault.New(fault.Uncertain, "the text was typed into %s and did not stick: it %s", what, shows).
		WithEffect("unknown").Then("look with browser_snapshot; try browser_type with slowly, or press keys")
}

// alike says that two texts have the same letters and digits in order: a mask
// or a formatter wrote it in its own way.
func alike(a, b string) bool {
	strip := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	x, y := strip(a), strip(b)
	return x == y && x != "" || strings.TrimSpace(a) == strings.TrimSpace(b)
}
