package outline

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// nodes draws outlines with refs that are all different.
func nodes(t *rapid.T) ([]Node, map[int]bool) {
	refs := map[int]bool{}
	roles := rapid.SampledFrom([]string{"button", "text", "list", "listitem", "textbox", "main", "iframe", "row", "heading"})
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z ]{0,60}`), rapid.SampledFrom([]string{"", "\u202e", "\xff\xfe", string(rune(0x10dc00)), "😀", "a\nb"}))
	budget := 200
	var list func(depth int) []Node
	list = func(depth int) []Node {
		n := rapid.IntRange(0, 9).Draw(t, "count")
		var out []Node
		for range n {
			if budget--; budget < 0 {
				break
			}
			if rapid.IntRange(0, 12).Draw(t, "gap") == 0 {
				out = append(out, Node{Gap: rapid.IntRange(1, 5000).Draw(t, "left out"), Like: rapid.Bool().Draw(t, "like")})
				continue
			}
			k := Node{Role: roles.Draw(t, "role"), Name: text.Draw(t, "name")}
			if rapid.Bool().Draw(t, "acts") {
				k.Ref = len(refs) + 1
				refs[k.Ref] = true
			}
			if rapid.Bool().Draw(t, "holds") {
				v := text.Draw(t, "value")
				k.Value = &v
			}
			if rapid.IntRange(0, 5).Draw(t, "extras") == 0 {
				k.State = []string{"checked", "level=2"}
				k.Text = []Extra{{"description", text.Draw(t, "description")}}
				k.Options = []Option{{Label: text.Draw(t, "option"), Selected: true}, {Label: "b", Disabled: true}}
				k.OptionsMore = rapid.IntRange(0, 300).Draw(t, "more")
				k.Hidden = rapid.IntRange(0, 300).Draw(t, "hidden")
				k.Chars = rapid.IntRange(0, 300).Draw(t, "chars")
			}
			if depth < 6 && rapid.IntRange(0, 2).Draw(t, "deeper") == 0 {
				k.Kids = list(depth + 1)
			}
			out = append(out, k)
		}
		return out
	}
	return list(0), refs
}

func TestFitNeverExceedsBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, _ := nodes(t)
		budget := rapid.IntRange(0, 4000).Draw(t, "budget")
		fitted := Fit(n, budget)
		s := Render(fitted)
		if got := Length(s); got > budget && got > 0 {
			t.Fatalf("%d of %d units:\n%s", got, budget, s)
		}
		if len(fitted) > 0 && Lines(fitted) != Lines(n) && Size(n) <= budget {
			t.Fatalf("lines went from %d to %d", Lines(n), Lines(fitted))
		}
		if len(n) > 0 && len(fitted) > 0 && fitted[0].Role != "" && fitted[0].Ref != n[0].Ref {
			t.Fatal("the first node is not kept")
		}
	})
}

func TestSizeIsWhatRenderWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, _ := nodes(t)
		if s := Render(n); Size(n) != Length(s) {
			t.Fatalf("Size %d, Render %d", Size(n), Length(s))
		}
	})
}

func TestRenderIsValidAndKeepsEveryRefOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, refs := nodes(t)
		s := Render(n)
		if !utf8.ValidString(s) {
			t.Fatalf("not valid UTF-8: %q", s)
		}
		for ref := range refs {
			if got := strings.Count(s, fmt.Sprintf(" [e%d]", ref)); got != 1 {
				t.Fatalf("e%d stands %d times in\n%s", ref, got, s)
			}
		}
		if got, want := strings.Count(s, "\n"), count(n); got != want {
			t.Fatalf("%d lines for %d nodes", got, want)
		}
	})
}

func count(n []Node) int {
	c := len(n)
	for i := range n {
		c += count(n[i].Kids)
	}
	return c
}

func TestFitKeepsShownRefsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, refs := nodes(t)
		s := Render(Fit(n, rapid.IntRange(0, 3000).Draw(t, "budget")))
		for ref := range refs {
			if got := strings.Count(s, fmt.Sprintf(" [e%d]", ref)); got > 1 {
				t.Fatalf("e%d stands %d times", ref, got)
			}
		}
	})
}
