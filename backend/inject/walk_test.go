package inject_test

import (
	"fmt"
	"strings"
	"testing"

	"baton/backend/inject"
	"baton/backend/outline"
)

func TestListenersGetRefsInTheFirstSnapshot(t *testing.T) {
	tb := open(t, `<style>.card{cursor:pointer}</style><ul id=ul><li>City Hall</li><li>Council</li></ul><div class=card id=card><h3>Project Blue</h3><span>0 pages</span></div><a id=dl>Export list</a>
	<button id=x aria-label="Close panel"><svg width=16 height=16></svg></button><details><summary>Shipping options</summary><label><input type=radio> Express</label></details><button disabled>Save order</button>
	<div id=grid><button>Inner</button> and text</div><div onclick="1">Attribute</div><div id=shade style="position:fixed;inset:0;pointer-events:none"></div>
	<script>for(const e of [ul.children[1],card,dl,grid,shade])e.addEventListener('click',()=>1)</script>`)
	if n := tb.mark(); n != 6 {
		t.Errorf("%d marked", n)
	}
	s := tb.snap(inject.WalkArgs{})
	contains(t, s, `- listitem "City Hall"`+"\n", `- listitem "Council" [e1]`, `- generic "Project Blue 0 pages" [e2]`, `- generic "Export list" [e3]`, `- button "Close panel" [e4]`,
		`- button "Shipping options" [e5] collapsed`, `- button "Save order" [e6] disabled`, `- button "Inner" [e7]`, `- generic "Attribute" [e8]`)
	lacks(t, s, "Express", "[e9]")
}

func TestPicturesThatHaveNotComeGetRefs(t *testing.T) {
	tb := open(t, `<style>.like{content:url(like.png);height:14px;cursor:pointer}.dot{height:14px;cursor:pointer}</style><span class=like></span><div style="display:flex"><i class=dot></i></div>`)
	s := tb.snap(inject.WalkArgs{})
	contains(t, s, `- generic [e1] hint="like"`)
	lacks(t, s, "dot")
}

func TestRefsStay(t *testing.T) {
	tb := open(t, `<div id=l><button>Alpha</button><button id=b>Beta</button></div>`)
	beta := refIn(t, tb.snap(inject.WalkArgs{}), `button "Beta"`)
	tb.eval(`l.prepend(Object.assign(document.createElement('button'),{textContent:'Zero'}))`, nil)
	s := tb.snap(inject.WalkArgs{})
	if got := refIn(t, s, `button "Beta"`); got != beta {
		t.Errorf("Beta was e%d, is e%d", beta, got)
	}
	if got := refIn(t, s, `button "Zero"`); got <= beta {
		t.Errorf("Zero is e%d", got)
	}
	tb.eval(`b.remove()`, nil)
	if d, err := inject.Describe(tb.ctx, tb, beta); err != nil || !d.Gone {
		t.Errorf("%+v %v", d, err)
	}
}

func TestModalComesAlone(t *testing.T) {
	tb := open(t, `<h1>Behind</h1><button onclick="d.showModal()">Open</button><dialog id=d aria-label=Sure><button>Yes</button></dialog><div role=dialog aria-label=Plain>Not modal <button>No</button></div>`)
	contains(t, tb.snap(inject.WalkArgs{}), "Behind", `dialog "Plain"`)
	tb.eval(`d.showModal()`, nil)
	w, err := inject.Walk(tb.ctx, tb, inject.WalkArgs{Next: tb.next})
	if err != nil {
		t.Fatal(err)
	}
	s := outline.Render(w.Nodes)
	contains(t, s, `- dialog "Sure" modal`, `  - button "Yes" [e`)
	lacks(t, s, "Behind", "Plain")
	if !w.Modal {
		t.Error("Modal is not set")
	}
}

func TestQueryKeepsAncestorsAndContents(t *testing.T) {
	tb := open(t, `<main>`+strings.Repeat(`<p>Filler text</p><button>Other</button>`, 40)+`<form aria-label="Delivery"><fieldset><legend>Address</legend><input aria-label=Street><input aria-label=Town></fieldset></form><select aria-label=Land>`+options(200)+`</select></main>`)
	s := tb.snap(inject.WalkArgs{Query: "ADDRESS"})
	if want := "- main\n  - form \"Delivery\"\n    - group \"Address\"\n      - textbox \"Street\" [e1]\n      - textbox \"Town\" [e2]\n"; s != want {
		t.Errorf("got\n%s", s)
	}
	contains(t, tb.snap(inject.WalkArgs{Query: "Land 177"}), `"Land 177"`)
	contains(t, tb.snap(inject.WalkArgs{Query: "combobox"}), `- combobox "Land" [e`, `(+190 more)`)
	if s := tb.snap(inject.WalkArgs{Query: "nothing like it"}); s != "" {
		t.Errorf("got\n%s", s)
	}
}

func options(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<option>Land %d", i)
	}
	return b.String()
}

func TestRootExpandsOneSubtree(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, `<li><a href="/%d">Entry number %d</a> <button>Delete %d</button></li>`, i, i, i)
	}
	tb := open(t, `<h1>Top</h1><ul aria-label=Entries>`+b.String()+`</ul><nav aria-label=Other><a href=/x>X</a></nav>`)
	s := tb.snap(inject.WalkArgs{})
	contains(t, s, "more like this)", `link "Entry number 0"`, `link "Entry number 299"`, `navigation "Other"`)
	contains(t, tb.snap(inject.WalkArgs{URLs: true}), `/url="http://`)
	item := refIn(t, s, `link "Entry number 299"`)
	if s := tb.snap(inject.WalkArgs{Root: item}); s != fmt.Sprintf("- link \"Entry number 299\" [e%d]\n", item) {
		t.Errorf("got\n%s", s)
	}
	w, err := inject.Walk(tb.ctx, tb, inject.WalkArgs{Next: tb.next, Root: 9999})
	if err != nil || !w.Gone {
		t.Errorf("%+v %v", w, err)
	}
}

func TestBudgetHoldsOnEveryPage(t *testing.T) {
	pages := map[string]string{
		"cards":   cards(3000),
		"flat":    strings.Repeat(`<button>Press me</button><p>Some "quoted" text `+"\u202e"+` with controls 😀</p>`, 400),
		"deep":    strings.Repeat(`<section aria-label="Level"><p>Text at this level</p>`, 120),
		"mixed":   "<nav>" + strings.Repeat(`<a href="#">Link</a>`, 90) + "</nav><main>" + strings.Repeat(`<h2>Part</h2><ul><li>One</li><li><button>Two</button></li></ul><table><tr><td>1</td><td>2</td></tr></table>`, 60) + "</main>",
		"long":    "<p>" + strings.Repeat("word ", 20000) + "</p><button>" + strings.Repeat("name ", 500) + "</button><textarea aria-label=T>" + strings.Repeat("value ", 500) + "</textarea>",
		"options": "<select aria-label=Many>" + options(3000) + "</select>",
		"nothing": "",
	}
	for name, html := range pages {
		t.Run(name, func(t *testing.T) {
			tb := open(t, html)
			for _, budget := range []int{60, 200, 500, 1000, 3000, 10000, 32000} {
				s := tb.snap(inject.WalkArgs{Budget: budget})
				if name != "nothing" && budget >= 200 && s == "" {
					t.Errorf("nothing at %d", budget)
				}
				if strings.ContainsRune(s, '\u202e') {
					t.Error("a bidi control came through")
				}
			}
		})
	}
}

func TestLoneSurrogatesAreVisible(t *testing.T) {
	tb := open(t, `<button id=b></button><input id=i aria-label=V><script>b.textContent='Photo \uD83D cut';i.value='\uDE00 end'</script>`)
	contains(t, tb.snap(inject.WalkArgs{}), `- button "Photo \ud83d cut" [e1]`, `value="\ude00 end"`)
}

func TestFrameSlots(t *testing.T) {
	tb := open(t, `<iframe title=Same srcdoc="<p>x</p>"></iframe><iframe title=Other src="http://localhost:9/"></iframe><iframe title=Tiny width=1 height=1 style="border:0"></iframe>`)
	w, err := inject.Walk(tb.ctx, tb, inject.WalkArgs{Next: 5})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Frames) != 2 || w.Frames[0].Ref != 5 || w.Frames[1].Ref != 6 || w.Next != 7 {
		t.Errorf("%+v", w)
	}
	s := outline.Render(outline.Join(w.Nodes, map[int][]outline.Node{5: {{Role: "text", Name: "x"}}}))
	if want := "- iframe \"Same\" [e5]\n  - text \"x\"\n- iframe \"Other\" [e6] cross-site\n"; s != want {
		t.Errorf("got\n%s", s)
	}
}

func TestRowsKeepTheirActionsWhereTheyFit(t *testing.T) {
	rows := func(name string) string {
		var b strings.Builder
		for i := range 60 {
			fmt.Fprintf(&b, `<article><h2>Post %d</h2><p>%s</p><button>%s</button></article>`, i, strings.Repeat("some words ", 15), strings.ReplaceAll(name, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	s := open(t, `<main>`+rows("Like post #")+`</main>`).snap(inject.WalkArgs{})
	contains(t, s, `- button "Like post 0" [e`, `- button "Like post 45" [e`, `heading "Post 59"`, " more)")
	lacks(t, s, `heading "Post 45"`)
	s = open(t, `<main>`+rows("Like")+`</main>`).snap(inject.WalkArgs{})
	contains(t, s, "more like this)")
}
