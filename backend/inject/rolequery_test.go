package inject_test

import (
	"fmt"
	"strings"
	"testing"

	"baton/backend/inject"
)

// TestRolesAndNamesAreThoseOfTheWholeQuery compares what a target finds with
// what Playwright finds when it goes through every element.
func TestRolesAndNamesAreThoseOfTheWholeQuery(t *testing.T) {
	tb := open(t, `<style>.star::before{content:"Star "}.end::after{content:" now"}.pic{content:"x" / "Drawn"}.up{text-transform:uppercase}</style>
	<button>Save</button><button class=star>ship</button><button class=end>Save it</button><button aria-label="Save all">X</button><button title=Store></button><button>  Sa&shy;ve\u200b </button>
	<button class=up>lower case</button><button><b>Bold</b> words</button><button>Sa<i hidden>xx</i>ve</button><label for=lb>Labelled</label><button id=lb>Other</button>
	<span role=button>Spanned</span><a role=button href=#>Linked button</a><input type=submit value=Save><input type=button value=Send><div role=switch aria-label=Dark></div><summary>Sum</summary>
	<button style="display:none">Save</button><button aria-hidden=true>Save</button><button aria-labelledby=lb2>Z</button><p id=lb2>Named elsewhere</p>
	<a href=#1>Read more</a><a>No link</a><a href=#2><img alt="Read more"></a><h1>Save</h1><h2 class=star>Stars</h2><table><tr><th>Head</th><td>Save</td><td>Two</td></tr></table><select aria-label=Pick><option>One<option label=Uno>1</select>
	<ul><li>Milk</ul><svg role=img aria-label=Chart></svg><section aria-label=Part></section><textarea aria-label=Note></textarea><input placeholder=Note><div id=host></div><my-part></my-part><span class=pic role=button>Shown</span>
	<script>host.attachShadow({mode:'open'}).innerHTML='<button>Save</button><div id=in></div>';host.shadowRoot.querySelector('#in').attachShadow({mode:'open'}).innerHTML='<button>Deep save</button>';document.querySelector('my-part').attachShadow({mode:'open'}).innerHTML='<a href="#3">Save</a>'</script>`)
	if _, err := inject.Locate(tb.ctx, tb, inject.LocateArgs{Locator: inject.Locator{CSS: "body"}, Next: 1}); err != nil { // loads the engine
		t.Fatal(err)
	}
	whole := func(role, name string, exact bool) int {
		t.Helper()
		selector := "internal:role=" + role
		if name != "" {
			selector += fmt.Sprintf("[name=%q%s]", name, map[bool]string{true: "s", false: "i"}[exact])
		}
		var e evaluated
		tb.must("Runtime.evaluate", obj{"contextId": tb.world, "returnByValue": true, "expression": fmt.Sprintf(
			`(p=>{const l=p.querySelectorAll(p.parseSelector(%q),document);const v=l.filter(x=>x.checkVisibility({visibilityProperty:true}));return (v.length?v:l).length})(__batonPlaywright)`, selector)}, &e)
		var n int
		if err := e.into(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	some := 0
	for _, role := range strings.Fields("button link heading cell columnheader row option listitem list textbox switch img region combobox generic constructor paragraph") {
		for _, name := range []string{"", "Save", "save", "Star", "Star ship", "ship now", "Save it now", "now", "Save all", "Store", "lower CASE", "Bold words", "Saxxve", "Labelled", "Other", "Named elsewhere", "Spanned", "Linked", "Read more", "Deep", "Drawn", "Shown", "Head", "Two", "One", "Uno", "Milk", "Chart", "Part", "Note", "Send", "Dark", "Stars", "nothing"} {
			for _, exact := range []bool{false, true} {
				got, err := inject.Locate(tb.ctx, tb, inject.LocateArgs{Locator: inject.Locator{Role: role, Name: name, Exact: exact}, Next: 1})
				if err != nil {
					t.Fatal(err)
				}
				want := whole(role, name, exact)
				if got.Count != want {
					t.Errorf("%s %q exact=%v: %d, the whole query finds %d", role, name, exact, got.Count, want)
				}
				if want > 0 {
					some++
				}
			}
		}
	}
	if some < 60 {
		t.Errorf("only %d of the queries find anything", some)
	}
}
