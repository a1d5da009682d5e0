package inject_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"baton/backend/inject"
	"baton/backend/outline"
)

// compared are the roles that must agree with Chromium's accessibility tree, name for name.
var compared = strings.Fields("button link heading textbox searchbox combobox listbox checkbox radio switch slider spinbutton tab tablist tabpanel menu menuitem menuitemcheckbox option " +
	"progressbar meter navigation banner contentinfo complementary region main article dialog")

// spoken gives Chromium's names for roles in ARIA's words.
var spoken = map[string]string{
	"DisclosureTriangle": "button", "DisclosureTriangleGrouped": "button", "ToggleButton": "button", "PopUpButton": "combobox",
	"TextFieldWithComboBox": "combobox", "textField": "textbox", "searchBox": "searchbox", "ColorWell": "textbox", "MenuListPopup": "",
}

type axNode struct {
	Ignored bool `json:"ignored"`
	Role    struct {
		Value string `json:"value"`
	} `json:"role"`
	Name struct {
		Value json.RawMessage `json:"value"`
	} `json:"name"`
}

func (tb *tab) oracle() []string {
	tb.t.Helper()
	tb.must("Accessibility.enable", nil, nil)
	var tree struct {
		Nodes []axNode `json:"nodes"`
	}
	tb.must("Accessibility.getFullAXTree", nil, &tree)
	var out []string
	for _, n := range tree.Nodes {
		if n.Ignored {
			continue
		}
		role := n.Role.Value
		if r, ok := spoken[role]; ok {
			role = r
		}
		if !slices.Contains(compared, role) {
			continue
		}
		var name string
		_ = json.Unmarshal(n.Name.Value, &name)
		out = append(out, role+" "+strings.Join(strings.Fields(name), " "))
	}
	slices.Sort(out)
	return out
}

func flatten(nodes []outline.Node, out []string) []string {
	for _, n := range nodes {
		if slices.Contains(compared, n.Role) {
			out = append(out, n.Role+" "+n.Name)
		}
		for _, o := range n.Options {
			out = append(out, "option "+o.Label)
		}
		out = flatten(n.Kids, out)
	}
	return out
}

// What the outline leaves out on purpose.
var deliberate = map[string][]string{
	// Headings that repeat the name of the region or link they stand in.
	"names.html": {"heading Buttons", "heading Fields", "heading Card title"},
}

func TestRolesAndNamesAgreeWithChromium(t *testing.T) {
	for _, page := range []string{"names.html", "shadow.html", "table.html"} {
		t.Run(page, func(t *testing.T) {
			tb := fixture(t, page)
			tb.mark()
			if page == "shadow.html" {
				tb.closedRoots()
			}
			w, err := inject.Walk(tb.ctx, tb, inject.WalkArgs{Next: 1, Budget: inject.MaxBudget})
			if err != nil {
				t.Fatal(err)
			}
			got := flatten(w.Nodes, nil)
			slices.Sort(got)
			want := tb.oracle()
			for _, s := range deliberate[page] {
				if i := slices.Index(want, s); i >= 0 {
					want = slices.Delete(want, i, i+1)
				}
			}
			for _, s := range missing(want, got) {
				t.Errorf("Chromium has, the outline lacks: %s", s)
			}
			for _, s := range missing(got, want) {
				t.Errorf("the outline has, Chromium lacks: %s", s)
			}
			if t.Failed() {
				t.Log(outline.Render(w.Nodes))
			}
		})
	}
}

// missing lists what a has more often than b.
func missing(a, b []string) []string {
	have := map[string]int{}
	for _, s := range b {
		have[s]++
	}
	var out []string
	for _, s := range a {
		if have[s]--; have[s] < 0 {
			out = append(out, s)
		}
	}
	return out
}

// closedRoots hands closed shadow roots to the world, as package page does.
func (tb *tab) closedRoots() {
	tb.t.Helper()
	type domNode struct {
		Backend  int64     `json:"backendNodeId"`
		Type     string    `json:"shadowRootType"`
		Shadow   []domNode `json:"shadowRoots"`
		Children []domNode `json:"children"`
	}
	var doc struct {
		Root domNode `json:"root"`
	}
	tb.must("DOM.getDocument", obj{"depth": -1, "pierce": true}, &doc)
	var ids []string
	var visit func(n domNode)
	visit = func(n domNode) {
		if n.Type == "closed" {
			var r struct {
				Object struct {
					ID string `json:"objectId"`
				} `json:"object"`
			}
			tb.must("DOM.resolveNode", obj{"backendNodeId": n.Backend, "executionContextId": tb.world}, &r)
			ids = append(ids, r.Object.ID)
		}
		for _, k := range append(n.Shadow, n.Children...) {
			visit(k)
		}
	}
	visit(doc.Root)
	if n, err := inject.Mark(tb.ctx, tb, ids); err != nil || n != 1 {
		tb.t.Fatalf("%d closed roots, %v", n, err)
	}
}
