package inject_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/backend/inject"
)

func (tb *tab) locate(l inject.Locator) inject.Located {
	tb.t.Helper()
	r, err := inject.Locate(tb.ctx, tb, inject.LocateArgs{Locator: l, Next: tb.next, Boundary: true})
	if err != nil {
		tb.t.Fatal(err)
	}
	tb.next = max(tb.next, r.Next)
	return r
}

func TestLocate(t *testing.T) {
	tb := open(t, `<section aria-label=Tea><button>Order now</button></section><section aria-label=Coffee><button>Order now</button></section><button>Save "draft"</button>
	<label for=q>Search term</label><input id=q placeholder="Type [here]" data-testid=box><p>Some <b>bold</b> text</p><button style="display:none">Save hidden</button><div id=h></div>
	<form><label>Pass <input type=password value=hunter2></label></form><script>h.attachShadow({mode:'open'}).innerHTML='<button class=deep>In shadow</button>'</script>`)
	one := func(l inject.Locator, desc string) {
		t.Helper()
		r := tb.locate(l)
		if r.Count != 1 || r.Ref == 0 || len(r.Found) != 1 || !strings.HasPrefix(r.Found[0].Desc, desc) {
			t.Errorf("%+v: %+v", l, r)
		}
	}
	nth := 1
	one(inject.Locator{Role: "button", Name: `save "dra`}, `button "Save \"draft\""`[:12])
	one(inject.Locator{Role: "button", Name: "In shadow", Exact: true}, `button "In shadow"`)
	one(inject.Locator{Label: "search"}, `textbox "Search term"`)
	one(inject.Locator{Placeholder: "type [here]"}, `textbox "Search term"`)
	one(inject.Locator{TestID: "box"}, `textbox "Search term"`)
	one(inject.Locator{CSS: "button.deep"}, `button "In shadow"`)
	one(inject.Locator{Text: "bold", Exact: true}, `element "bold"`)
	if r := tb.locate(inject.Locator{Role: "button", Name: "Order now"}); r.Count != 2 || r.Ref != 0 || len(r.Found) != 2 || !strings.Contains(r.Found[1].Desc, `in region "Coffee"`) {
		t.Errorf("%+v", r)
	}
	if r := tb.locate(inject.Locator{Role: "button", Name: "Order now", Nth: &nth}); r.Ref == 0 {
		t.Errorf("%+v", r)
	}
	if r := tb.locate(inject.Locator{Role: "button", Name: "Ordre now"}); r.Count != 0 || len(r.Near) == 0 || !strings.Contains(r.Near[0].Desc, "Order now") {
		t.Errorf("%+v", r)
	}
	for _, css := range []string{"[value^=h]", "[|value^=h]", "[*|value^=h]", "input:checked", "a >> xpath=//b", "xpath=//input", "/**/b", `["x"]`, "b[", "input:valid"} {
		if r := tb.locate(inject.Locator{CSS: css}); r.Error == "" || r.Count != 0 {
			t.Errorf("%s: %+v", css, r)
		}
	}
	for _, l := range []inject.Locator{{Text: "hunter2"}, {Role: "textbox", Name: "hunter2"}, {Label: "hunter2"}} {
		if r := tb.locate(l); r.Count != 0 {
			t.Errorf("%+v: %+v", l, r)
		}
	}
}

func TestScroller(t *testing.T) {
	tb := open(t, `<body style="margin:0"><div style="height:3000px">tall<div id=list role=listbox aria-label=L style="height:200px;width:200px;overflow:auto"><div role=option style="height:900px">O</div></div></div>`)
	s := tb.snap(inject.WalkArgs{})
	look := func(a inject.ScrollArgs) inject.Scrolled {
		t.Helper()
		r, err := inject.Scroller(tb.ctx, tb, a)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := look(inject.ScrollArgs{}); !r.Page || r.MaxY < 2000 || r.None {
		t.Errorf("%+v", r)
	}
	list := refIn(t, s, `listbox "L"`)
	r := look(inject.ScrollArgs{Ref: list, DY: 100})
	if r.Page || r.MaxY != 700 || !strings.HasPrefix(r.Desc, `listbox "L"`) {
		t.Errorf("%+v", r)
	}
	tb.must("Input.dispatchMouseEvent", obj{"type": "mouseWheel", "x": r.Point.X, "y": r.Point.Y, "deltaX": 0, "deltaY": 120}, nil)
	for range 40 {
		if got, err := inject.ScrollState(tb.ctx, tb, r.Key); err != nil {
			t.Fatal(err)
		} else if got.Y > 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if got, _ := inject.ScrollState(tb.ctx, tb, r.Key); got.Y < 100 || tb.str("scrollY") != "0" {
		t.Errorf("the list stands at %v, the page at %s", got.Y, tb.str("scrollY"))
	}
	if r := look(inject.ScrollArgs{Ref: list, To: "bottom"}); r.Y != 700 {
		t.Errorf("%+v", r)
	}
	if r := look(inject.ScrollArgs{To: "bottom"}); r.Y != r.MaxY {
		t.Errorf("%+v", r)
	}
}

func TestRead(t *testing.T) {
	tb := open(t, `<title>T</title><nav><a href=/x>Nav</a></nav><main><h1>Title</h1><p>By <a href="/author">Ada</a>, <strong>bold</strong> and <em>soft</em>.</p><ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>
	<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>a|b</td></tr></table><pre>x = 1
y</pre><blockquote>Said</blockquote><p style="display:none">Hidden</p><h2>More</h2><p>The final budget is 731 million crowns.</p><input type=password value=hunter2></main>`)
	r, err := inject.Read(tb.ctx, tb, inject.ReadArgs{})
	if err != nil {
		t.Fatal(err)
	}
	want := "# Title\n\nBy [Ada](/author), **bold** and *soft*.\n\n- one\n  - inner\n- two\n\n| A | B |\n| --- | --- |\n| 1 | a\\|b |\n\n```\nx = 1\ny\n```\n\n> Said\n\n## More\n\nThe final budget is 731 million crowns."
	if r.Text != want || r.Total != len(want) || r.End != r.Total {
		t.Errorf("%d %d\n%s\nwant\n%s", r.Total, r.End, r.Text, want)
	}
	q, err := inject.Read(tb.ctx, tb, inject.ReadArgs{Query: "731 MILLION"})
	if err != nil || q.Matches != 1 || q.Text != "## More\n\nThe final budget is 731 million crowns." {
		t.Errorf("%+v %v", q, err)
	}
	var all string
	for at := 0; ; {
		p, err := inject.Read(tb.ctx, tb, inject.ReadArgs{Offset: at, Max: 60})
		if err != nil || len(p.Text) > 60 {
			t.Fatalf("%+v %v", p, err)
		}
		all += p.Text
		if at = p.End; at >= p.Total {
			break
		}
	}
	if squash(all) != squash(want) {
		t.Errorf("in parts:\n%s", all)
	}
}

func squash(s string) string { return strings.Join(strings.Fields(s), "") }

func TestSettleWaitsForSkeleton(t *testing.T) {
	tb := open(t, `<main aria-busy=true><div class=skeleton style="height:20px"></div></main><script>setTimeout(()=>document.querySelector('main').outerHTML='<main><button>Ready</button></main>',400)</script>`)
	r, err := inject.Settle(tb.ctx, tb, inject.SettleArgs{})
	if err != nil || r.Why != "loading marker" || r.Busy {
		t.Errorf("%+v %v", r, err)
	}
	contains(t, tb.snap(inject.WalkArgs{}), `button "Ready"`)
	if r, _ := inject.Settle(tb.ctx, tb, inject.SettleArgs{}); r.Why != "before" || r.WaitedMS != 0 {
		t.Errorf("%+v", r)
	}
}

func TestSettleWaitsForYoungDocument(t *testing.T) {
	tb := open(t, `<div id=app></div><script>setTimeout(()=>app.innerHTML='<button>Ready</button>',300)</script>`)
	if r, err := inject.Settle(tb.ctx, tb, inject.SettleArgs{}); err != nil || r.Why != "young document" {
		t.Errorf("%+v %v", r, err)
	}
	contains(t, tb.snap(inject.WalkArgs{}), `button "Ready"`)
}

func TestSecretsStayInside(t *testing.T) {
	tb := open(t, `<title>t</title><label>Password <input id=p type=password value="hunter2-SENTINEL"></label><label>Code <input id=c autocomplete="one-time-code" value="913-SENTINEL"></label><label>Card <input autocomplete="section-a cc-number" value="4242-SENTINEL"></label>
	<button aria-labelledby="p c">Go</button><p id=echo></p><div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<label>Deep <input type=password value="deep-SENTINEL"></label>'</script>`)
	all := func() string {
		t.Helper()
		r, err := inject.Read(tb.ctx, tb, inject.ReadArgs{})
		if err != nil {
			t.Fatal(err)
		}
		d := ""
		for ref := 1; ref < tb.next; ref++ {
			x, _ := inject.Describe(tb.ctx, tb, ref)
			f, _ := inject.Field(tb.ctx, tb, ref)
			d += fmt.Sprintf("%+v %+v\n", x, f)
		}
		return tb.snap(inject.WalkArgs{}) + r.Text + d
	}
	s := all()
	lacks(t, s, "SENTINEL")
	contains(t, s, `- textbox "Password" [e1] secret`, `textbox "Deep" [e5] secret`)
	boxes, err := inject.SecretBoxes(tb.ctx, tb)
	if err != nil || len(boxes) != 4 {
		t.Errorf("%v %v", boxes, err)
	}
	if err := inject.Watch(tb.ctx, tb); err != nil {
		t.Fatal(err)
	}
	tb.eval(`p.type='text';c.removeAttribute('autocomplete');echo.textContent='You typed '+p.value;document.title=p.value`, nil)
	_, out := tb.changes(inject.ChangesArgs{})
	lacks(t, out, "SENTINEL")
	lacks(t, all(), "SENTINEL")
	f, err := inject.Info(tb.ctx, tb)
	if err != nil || !f.Secrets || !f.SecretsFilled || strings.Contains(f.Title, "SENTINEL") {
		t.Errorf("%+v %v", f, err)
	}
}

func TestASecretThatLeftItsFieldStaysInside(t *testing.T) {
	tb := open(t, `<title>t</title><input id=p type=password aria-label=Pass value="hunter2-SENTINEL"><p id=echo></p><a id=a href="#">Link</a><select id=s aria-label=Pick><option>one</select>`)
	tb.snap(inject.WalkArgs{})
	tb.eval(`const v=p.value;p.value='';echo.textContent=v;document.title=v;a.href='/?q='+v;s.options[0].text=v`, nil)
	lacks(t, tb.snap(inject.WalkArgs{URLs: true}), "SENTINEL")
	if r, err := inject.Scrub(tb.ctx, tb, []string{"say hunter2-SENTINEL"}); err != nil || len(r) != 1 || strings.Contains(r[0], "SENTINEL") {
		t.Errorf("%q %v", r, err)
	}
	for _, text := range []string{"hunter2-SENTINEL", "hunter2-S"} {
		if has, err := inject.HasText(tb.ctx, tb, text); err != nil || has {
			t.Errorf("a wait tells of %q: %v", text, err)
		}
	}
	// What is entered counts before the page hears of it, and only as a whole.
	tb.eval(`p.addEventListener('input', () => { echo.textContent = 'now ' + p.value; if (p.value === 'lettuce') p.value = '' });
	for (const v of ['lett','lettu','lettuce']) { p.value = v; p.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true})) } document.title = 'a letter'`, nil)
	out := tb.snap(inject.WalkArgs{})
	lacks(t, out, "lettuce")
	if f, err := inject.Info(tb.ctx, tb); err != nil || f.Title != "a letter" {
		t.Errorf("%+v %v", f, err)
	}
}

func TestOwnSecretsAreNoSecretsOfOthers(t *testing.T) {
	tb := open(t, `<title>t</title><input id=p type=password aria-label=Card><input id=q type=password aria-label=Pin>`)
	tb.snap(inject.WalkArgs{})
	if err := inject.OwnSecret(tb.ctx, tb, inject.OwnSecretArgs{Ref: 1, Text: "4111111111111111"}); err != nil {
		t.Fatal(err)
	}
	for set, filled := range map[string]bool{"p.value='4111 1111 1111 1111'": false, "p.value='4111111111111111';q.value='4821'": true, "q.value='';p.value='hunter2'": true} {
		tb.eval(`p.value=q.value='';`+set, nil)
		if f, err := inject.Info(tb.ctx, tb); err != nil || f.SecretsFilled != filled {
			t.Errorf("%s: filled by others %v, want %v (%v)", set, f.SecretsFilled, filled, err)
		}
	}
}

func TestSecretsAreFoundBeforeAnyWalk(t *testing.T) {
	tb := open(t, `<div id=a></div><script>const r=a.attachShadow({mode:'open'});r.innerHTML='<div></div>';r.firstChild.attachShadow({mode:'open'}).innerHTML='<input type=password value=x>'</script>`)
	if f, err := inject.Info(tb.ctx, tb); err != nil || !f.SecretsFilled {
		t.Errorf("%+v %v", f, err)
	}
	if b, err := inject.SecretBoxes(tb.ctx, tb); err != nil || len(b) != 1 {
		t.Errorf("%+v %v", b, err)
	}
}

func TestHit(t *testing.T) {
	tb := open(t, `<body style="margin:0"><label style="position:absolute;left:0;top:0;width:100px;height:30px"><input type=checkbox> Box</label><div style="position:absolute;left:200px;top:0;width:50px;height:50px">Plain</div>`)
	ref := tb.ref(`checkbox "Box"`)
	for x, want := range map[float64]bool{90: true, 220: false} {
		h, err := inject.Hit(tb.ctx, tb, inject.HitArgs{Ref: ref, X: x, Y: 15})
		if err != nil || h.Hit != want || !want && h.Cover != `element "Plain"` {
			t.Errorf("%v: %+v %v", x, h, err)
		}
	}
}

func TestSecretsAreMaskedBeforeTextIsCut(t *testing.T) {
	secret := "correct-horse-battery-staple"
	tb := open(t, `<input type=password aria-label=P value="`+secret+`"><main id=m></main><script>const w='word '.repeat(200);for(let i=0;i<60;i++)m.innerHTML+='<p>'+w.slice(0,30+i*3)+'`+secret+` '+w+'</p><button>'+w.slice(0,20+i*3)+'`+secret+` '+w+'</button>'</script>`)
	for _, budget := range []int{500, 2000, 10000, 32000} {
		lacks(t, tb.snap(inject.WalkArgs{Budget: budget}), "correct", "horse")
	}
}
