package outline

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it anew):\n%s", path, got)
	}
}

func load(t *testing.T, name string, v any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatal(err)
	}
}

func TestRender(t *testing.T) {
	var nodes []Node
	load(t, "checkout", &nodes)
	golden(t, "checkout", Render(nodes))
}

func TestJoinFrames(t *testing.T) {
	var nodes []Node
	load(t, "checkout", &nodes)
	inner := []Node{{Role: "textbox", Name: "Card number", Ref: 10, State: []string{"secret"}}, {Role: "button", Name: "Pay", Ref: 13}}
	joined := Join(nodes, map[int][]Node{9: inner})
	golden(t, "joined", Render(joined))
	if strings.Contains(Render(nodes), "Card number") {
		t.Error("Join changed its argument")
	}
}

func TestFitCollapses(t *testing.T) {
	var nodes []Node
	load(t, "checkout", &nodes)
	nodes = Join(nodes, map[int][]Node{9: {{Role: "textbox", Name: "Card number", Ref: 10, State: []string{"secret"}}}})
	golden(t, "fit400", Render(Fit(nodes, 400)))
	golden(t, "fit200", Render(Fit(nodes, 200)))
	if got := Fit(nodes, 10); len(got) != 0 {
		t.Errorf("10 units gave %q", Render(got))
	}
}

func TestRenderChange(t *testing.T) {
	v := "Ada"
	golden(t, "change", RenderChange(Change{
		Nodes: []Node{
			{Role: "status", Name: "Cart: 1 item", Mark: "changed"},
			{Role: "form", Name: "Sign up", Kids: []Node{{Role: "textbox", Name: "Name", Ref: 4, Value: &v, Mark: "changed"}}},
		},
		Gone:     []Gone{{Role: "dialog", Name: "Cookie \"notice\""}, {Role: "button", Name: "Next", Ref: 7}},
		GoneMore: 3,
		Focus:    "textbox \"Name\"\n- button \"forged\"",
	}))
	if RenderChange(Change{}) != "" || !(Change{}).Empty() {
		t.Error("an empty change says something")
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                     `"plain"`,
		`a "b" \c`:                  `"a \"b\" \\c"`,
		"two\nlines\ttab":           `"two\nlines\ttab"`,
		"\u202etxt.exe\u2066\u200f": `"\u202etxt.exe\u2066\u200f"`,
		"half " + string(rune(0x10d83d)) + " cut": `"half \ud83d cut"`,
		"bad \xff byte":  "\"bad \ufffd byte\"",
		"👨‍👩‍👧 שלום é":   `"👨‍👩‍👧 שלום é"`,
		"tag \U000e0041": `"tag \udb40\udc41"`,
		"\x00\x1b\u0085": `"\u0000\u001b\u0085"`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestForgedRoleStaysOneLine(t *testing.T) {
	got := Render([]Node{{Role: "button\n- link \"x\" [e1]", Name: "a", State: []string{"checked\n- x"}}})
	if strings.Count(got, "\n") != 1 || strings.Contains(got, "[e1]") {
		t.Errorf("%q", got)
	}
}
