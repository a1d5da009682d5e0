package page

import (
	"context"

	"baton/backend/inject"
)

// Where values of secret fields are known, whatever looks for a text must be
// blind to them: it finds what it would find if they were not shown (K6).

// wanted are the texts of a locator.
func wanted(l *inject.Locator) []*string {
	return []*string{&l.Name, &l.Text, &l.Label, &l.Placeholder, &l.TestID, &l.CSS}
}

// locateBlind runs a locator that matches no known value.
func (p *Page) locateBlind(ctx context.Context, w *world, l inject.Locator) (inject.Located, error) {
	text := ""
	for _, s := range wanted(&l) {
		*s = p.known.Text(*s, "") // a value that is not shown is not found
		if s != &l.CSS && *s != "" {
			text = *s
		}
	}
	got, err := p.locate(ctx, w, inject.LocateArgs{Locator: l, Words: true})
	if err != nil {
		return got, err
	}
	for _, s := range got.Kept {
		if p.clean(s) != s {
			got = inject.Located{Next: got.Next, Error: "the page keeps a secret where this selector looks; use role, text, label or a ref"}
			return got, nil
		}
	}
	var skip []int
	for i, s := range got.Words {
		if c := p.clean(s); c != s && text != "" && !fold(c, text) {
			skip = append(skip, i)
		}
	}
	if len(skip) == 0 {
		return got, nil
	}
	return p.locate(ctx, w, inject.LocateArgs{Locator: l, Words: true, Skip: skip})
}

// hasText tells whether a document shows a text that is no known value.
func (p *Page) hasText(ctx context.Context, w *world, text string) (bool, error) {
	if !p.known.Some() {
		has, err := inject.HasText(ctx, w, text)
		if !has || err != nil || !p.known.Some() {
			return has, err
		}
	}
	if p.known.Text(text, "") != text {
		return false, nil
	}
	around, err := inject.TextAround(ctx, w, text)
	for _, s := range around {
		if fold(p.clean(s), text) {
			return true, nil
		}
	}
	return false, err
}
