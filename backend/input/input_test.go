package input

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseReadsChords(t *testing.T) {
	for _, c := range []struct {
		in   string
		mods Modifiers
		key  string
		code string
	}{
		{"Enter", 0, "Enter", "Enter"},
		{"Control+K", Control, "k", "KeyK"},
		{"Shift+Tab", Shift, "Tab", "Tab"},
		{"Mod+Enter", Mod(), "Enter", "Enter"},
		{"ctrl+shift+p", Control | Shift, "P", "KeyP"},
		{"Control++", Control, "+", "Equal"},
		{"+", Shift, "+", "Equal"},
		{"A", Shift, "A", "KeyA"},
		{"Shift+a", Shift, "A", "KeyA"},
		{"a", 0, "a", "KeyA"},
		{"?", Shift, "?", "Slash"},
		{"esc", 0, "Escape", "Escape"},
		{"cmd+a", Meta, "a", "KeyA"},
		{"F12", 0, "F12", "F12"},
		{" ", 0, " ", "Space"},
		{"Space", 0, " ", "Space"},
		{"Control-a", Control, "a", "KeyA"},
		{"KeyA", 0, "a", "KeyA"},
		{"é", 0, "é", ""},
		{"-", 0, "-", "Minus"},
		{"Alt+ArrowLeft", Alt, "ArrowLeft", "ArrowLeft"},
		{"Control", 0, "Control", "ControlLeft"},
		{"page_down", 0, "PageDown", "PageDown"},
	} {
		got, err := Parse(c.in)
		if err != nil || len(got) != 1 {
			t.Errorf("%q: %v %v", c.in, got, err)
			continue
		}
		if got[0].Mods != c.mods || got[0].Key.Key != c.key || got[0].Key.Code != c.code {
			t.Errorf("%q: got %+v", c.in, got[0])
		}
	}
}

func TestParseReadsSeveralChords(t *testing.T) {
	got, err := Parse("ArrowDown  ArrowDown Enter")
	if err != nil || len(got) != 3 || got[2].Key.Key != "Enter" {
		t.Fatalf("%v %v", got, err)
	}
}

func TestParseNamesWhatItDoesNotKnow(t *testing.T) {
	for in, part := range map[string]string{"": "no key", "Foo": `"Foo"`, "Foo+a": "modifier", "Control+": "no key"} {
		_, err := Parse(in)
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestChordWithControlTypesNothing(t *testing.T) {
	c, _ := Parse("Control+a")
	if c[0].Types() {
		t.Error("Control+a is said to type")
	}
	c, _ = Parse("Shift+a")
	if !c[0].Types() {
		t.Error("Shift+a is said not to type")
	}
}

func TestClustersKeepCharactersWhole(t *testing.T) {
	for in, want := range map[string][]string{
		"ab": {"a", "b"}, "👨‍👩‍👧x": {"👨‍👩‍👧", "x"}, "e\u0301f": {"e\u0301", "f"}, "🇩🇪🇫🇷": {"🇩🇪", "🇫🇷"}, "👍🏽!": {"👍🏽", "!"},
		"שלום": {"ש", "ל", "ו", "ם"}, "1️⃣2": {"1️⃣", "2"}, "a\r\nb": {"a", "\r", "\n", "b"}, "": nil,
	} {
		if got := Clusters(in); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func TestStrokesPressKeysWhereThereAreSome(t *testing.T) {
	got := Strokes("A1\né")
	if len(got) != 4 || got[0].Key.Code != "KeyA" || !got[0].Key.Shifted || got[1].Key.Code != "Digit1" || got[2].Key.Key != "Enter" || got[3].Text != "é" {
		t.Fatalf("%+v", got)
	}
}

func TestPathEndsAtItsEnd(t *testing.T) {
	p := Path(Point{0, 0}, Point{300, 40}, 0)
	if len(p) < 4 || p[len(p)-1] != (Point{300, 40}) {
		t.Fatalf("%v", p)
	}
	for i := 1; i < len(p); i++ {
		if p[i].X < p[i-1].X {
			t.Fatalf("the path turns back: %v", p)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"Control+K", "++", "+", "a-b", "Shift+-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { _, _ = Parse(s) })
}
