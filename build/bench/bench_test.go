package main

import (
	"fmt"
	"testing"
)

func TestElementsAreFoundInEachPeersOutline(t *testing.T) {
	r := &run{program: "baton"}
	for _, c := range []struct {
		p             *peer
		outline, want string
	}{
		{r.baton(), "- button \"Save all\" [e3]\n  - button \"Save\" [e4] disabled\n", "e4"},
		{r.playwright(), "### Snapshot\n```yaml\n- button \"Save all\" [ref=e3]\n- button \"Save\" [active] [ref=e4] [cursor=pointer]\n```", "e4"},
		{r.devtools(), "uid=1_3 button \"Save all\"\nuid=1_4 button \"Save\" disabled\n", "1_4"},
		{r.agentBrowser(), "- button \"Save all\" [ref=e3]\n- button \"Save\" [disabled, ref=e4]\n", "e4"},
	} {
		if o := c.p.outline(c.outline); o == "" {
			t.Errorf("%s: %q is no outline", c.p.name, c.outline)
		} else if got := c.p.find(o, "button", "Save"); got != c.want {
			t.Errorf("%s: found %q, want %q", c.p.name, got, c.want)
		}
		if o := c.p.outline("Clicked."); o != "" {
			t.Errorf("%s: takes %q for an outline", c.p.name, o)
		}
	}
}

func TestGoalsAreJudged(t *testing.T) {
	r := &run{got: samples{}, peers: []*peer{{name: "baton"}, {name: "a"}, {name: "b"}}}
	r.got["x"] = map[string][]float64{"baton": {6, 4, 5}, "a": {10}, "b": {20}, limit: {4}}
	for _, c := range []struct {
		goal *goal
		met  string
	}{
		{most(5), "met"},
		{most(4.9), "**missed**"},
		{best(0.5), "met"},
		{best(0.4), "**missed**"},
		{floor(1.25), "met"},
		{floor(1.2), "**missed**"},
		{nil, "–"},
	} {
		toBest, toLimit, want, met := r.verdict(row{measure: "x", goal: c.goal})
		if toBest != "0.50" || toLimit != "1.25" || met != c.met {
			t.Errorf("%v: %s %s %s %s, want %s", c.goal, toBest, toLimit, want, met, c.met)
		}
	}
}

func Example_thousands() {
	fmt.Println(thousands(1234567.89, 1), thousands(999, 0), thousands(0.35, -1), thousands(12000, -1))
	// Output: 1,234,567.9 999 0.35 12,000
}
