package inject_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/backend/inject"
	"baton/backend/outline"
)

func (tb *tab) aim(ref int) inject.Aimed {
	tb.t.Helper()
	a, err := inject.Aim(tb.ctx, tb, inject.AimArgs{Ref: ref, TimeoutMS: 1500})
	if err != nil {
		tb.t.Fatal(err)
	}
	return a
}

// click aims, arms, presses and tells what the guard saw.
func (tb *tab) click(ref int) inject.Guarded {
	tb.t.Helper()
	a := tb.aim(ref)
	if a.Status != inject.StatusOK {
		tb.t.Fatalf("aim: %+v", a)
	}
	if err := inject.Arm(tb.ctx, tb, ref); err != nil {
		tb.t.Fatal(err)
	}
	tb.press(a.Point)
	g, err := inject.Disarm(tb.ctx, tb)
	if err != nil {
		tb.t.Fatal(err)
	}
	return g
}

func TestAimScrollsAndClicks(t *testing.T) {
	tb := open(t, `<title>x</title><div style="height:3000px"></div><button onclick="document.title='clicked '+event.isTrusted">Far</button><div style="height:3000px"></div>`)
	ref := tb.ref(`button "Far"`)
	g := tb.click(ref)
	if g.Result != "hit" || !g.Clicked {
		t.Errorf("guard saw %+v", g)
	}
	if got := tb.str("document.title"); got != "clicked true" {
		t.Errorf("title is %q", got)
	}
}

func TestAimGoesRoundStickyHeader(t *testing.T) {
	tb := open(t, `<style>#box{height:300px;overflow:auto}h6{position:sticky;top:0;margin:0;height:60px;background:#cfe;z-index:2}.r{height:40px}</style><div id=box></div><script>
	for(let g=0;g<3;g++){let h='<section><h6>Group '+g+'</h6>';for(let i=0;i<12;i++)h+='<div class=r>Row <button>Row '+(g*12+i)+'</button></div>';box.innerHTML+=h+'</section>'}
	box.onclick=e=>document.title=e.target.textContent;const b=[...box.querySelectorAll('button')][16];box.scrollTop=b.offsetTop-box.offsetTop-12</script>`)
	if g := tb.click(tb.ref(`button "Row 16"`)); g.Result != "hit" {
		t.Errorf("guard saw %+v", g)
	}
	if got := tb.str("document.title"); got != "Row 16" {
		t.Errorf("title is %q", got)
	}
}

func TestAimRefusesCoveredAndNamesCover(t *testing.T) {
	tb := open(t, `<h1>Lamp</h1><button id=buy onclick="document.title='bought'">Buy now</button><p style="height:2000px">…</p>
	<div id=shade style="position:fixed;inset:0;z-index:10"></div><div role=dialog aria-label="Cookie notice" style="position:fixed;bottom:0;left:0;right:0;background:#fff;z-index:11">We use cookies. <button>Accept all</button> <button>Only necessary</button></div>`)
	ref := tb.ref(`button "Buy now"`)
	t0 := time.Now()
	a, err := inject.Aim(tb.ctx, tb, inject.AimArgs{Ref: ref})
	if err != nil {
		t.Fatal(err)
	}
	if a.Status != inject.StatusCovered || time.Since(t0) > 15*time.Second {
		t.Errorf("%+v after %v", a, time.Since(t0))
	}
	contains(t, a.Cover, `<div#shade>`, `dialog "Cookie notice" with buttons "Accept all", "Only necessary"`)
}

func TestGuardStopsAPressThatWouldMiss(t *testing.T) {
	tb := open(t, `<button id=a style="position:absolute;left:10px;top:10px;width:100px;height:40px">One</button><script>for(const t of ['mousedown','click','pointerdown'])document.addEventListener(t,e=>document.title+=t+' ')</script>`)
	ref := tb.ref(`button "One"`)
	a := tb.aim(ref)
	if err := inject.Arm(tb.ctx, tb, ref); err != nil {
		t.Fatal(err)
	}
	tb.eval(`document.body.insertAdjacentHTML('beforeend','<div id=cover style="position:fixed;inset:0;z-index:9">Wait</div>')`, nil)
	tb.press(a.Point)
	g, err := inject.Disarm(tb.ctx, tb)
	if err != nil {
		t.Fatal(err)
	}
	if g.Result != "missed" || g.Clicked || !strings.Contains(g.Cover, "Wait") {
		t.Errorf("guard saw %+v", g)
	}
	if got := tb.str("document.title"); got != "" {
		t.Errorf("the page saw %q", got)
	}
	tb.press(a.Point)
	if got := tb.str("document.title"); got == "" {
		t.Error("presses stay stopped after Disarm")
	}
}

func TestAimStates(t *testing.T) {
	tb := open(t, `<button disabled>Off</button><button id=h>Hide</button><button id=g>Goes</button><label><input type=checkbox style="display:none"> Box</label>
	<button><span style="pointer-events:none">Icon</span></button><fieldset disabled><input aria-label=Inner></fieldset><button id=mv style="position:absolute;top:200px">Moves</button><script>let x=0;(function f(){mv.style.left=(x=(x+3)%400)+'px';requestAnimationFrame(f)})()</script>`)
	s := tb.snap(inject.WalkArgs{})
	if a := tb.aim(refIn(t, s, `button "Off"`)); a.Status != inject.StatusDisabled {
		t.Errorf("disabled: %+v", a)
	}
	if a := tb.aim(refIn(t, s, `textbox "Inner"`)); a.Status != inject.StatusDisabled {
		t.Errorf("disabled by fieldset: %+v", a)
	}
	tb.eval(`h.style.display='none';g.remove()`, nil)
	if a := tb.aim(refIn(t, s, `button "Hide"`)); a.Status != inject.StatusHidden {
		t.Errorf("hidden: %+v", a)
	}
	if a := tb.aim(refIn(t, s, `button "Goes"`)); a.Status != inject.StatusGone {
		t.Errorf("gone: %+v", a)
	}
	if a := tb.aim(refIn(t, s, `button "Moves"`)); a.Status != inject.StatusUnstable {
		t.Errorf("moving: %+v", a)
	}
	if a := tb.aim(refIn(t, s, `checkbox "Box"`)); a.Status != inject.StatusOK || !a.ViaLabel || a.Kind != "checkbox" {
		t.Errorf("by label: %+v", a)
	}
}

func TestFocusAndField(t *testing.T) {
	tb := open(t, `<input aria-label=A value=old><textarea aria-label=B>x</textarea><div contenteditable aria-label=C><p>one</p><p>two</p></div><input aria-label=D readonly value=r>
	<input type=password aria-label=E value=hunter2><button>F</button><input aria-label=G disabled><div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<input aria-label=H value=deep>'</script>`)
	s := tb.snap(inject.WalkArgs{})
	lacks(t, s, "hunter2")
	for _, c := range []struct{ line, status, kind, value string }{
		{`textbox "A"`, "ok", "text", "old"},
		{`textbox "B"`, "ok", "textarea", "x"},
		{`textbox "C"`, "ok", "contenteditable", "one\ntwo"},
		{`textbox "D"`, "readonly", "text", "r"},
		{`textbox "E"`, "ok", "password", ""},
		{`button "F"`, "not_editable", "other", ""},
		{`textbox "G"`, "disabled", "text", ""},
		{`textbox "H"`, "ok", "text", "deep"},
	} {
		ref := refIn(t, s, c.line)
		f, err := inject.Focus(tb.ctx, tb, inject.FocusArgs{Ref: ref, Mode: "replace"})
		if err != nil {
			t.Fatal(err)
		}
		if f.Status != c.status || f.Kind != c.kind {
			t.Errorf("%s: %+v", c.line, f)
		}
		v, err := inject.Field(tb.ctx, tb, ref)
		if err != nil {
			t.Fatal(err)
		}
		if v.Value != c.value || v.Secret != (c.kind == "password") {
			t.Errorf("%s: %+v", c.line, v)
		}
		if c.status != "ok" {
			continue
		}
		if on, err := inject.Focused(tb.ctx, tb, ref); err != nil || !on.On {
			t.Errorf("%s: focused %+v %v", c.line, on, err)
		}
		tb.must("Input.insertText", obj{"text": "new"}, nil)
		if ok, err := inject.Matches(tb.ctx, tb, ref, "new"); err != nil || !ok {
			t.Errorf("%s: the field does not hold what was typed: %v %v", c.line, v, err)
		}
	}
	tb.eval(`document.querySelector('[type=password]').type='text'`, nil)
	lacks(t, tb.snap(inject.WalkArgs{}), `value="new" secret`)
	if v, _ := inject.Field(tb.ctx, tb, refIn(t, s, `textbox "E"`)); !v.Secret || v.Value != "" || v.Length != 3 {
		t.Errorf("shown password: %+v", v)
	}
}

func TestSetTyped(t *testing.T) {
	tb := open(t, `<input type=date aria-label=Date><input type=time aria-label=Time><input type=datetime-local aria-label=Starts><input type=month aria-label=Month><input type=week aria-label=Week>
	<input type=range aria-label=Volume min=10 max=90 step=5 value=10><input type=color aria-label=Colour><input type=number aria-label=Price step=0.5><script>window.ev=[];document.addEventListener('change',e=>ev.push(e.target.value))</script>`)
	s := tb.snap(inject.WalkArgs{})
	set := func(line, v string) inject.Set {
		t.Helper()
		r, err := inject.SetTyped(tb.ctx, tb, inject.SetArgs{Ref: refIn(t, s, line), Value: v})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, c := range [][3]string{
		{`textbox "Date"`, "2027-02-28", "2027-02-28"},
		{`textbox "Time"`, "13:05", "13:05"},
		{`textbox "Starts"`, "2027-02-28 23:45", "2027-02-28T23:45"},
		{`textbox "Month"`, "2027-02", "2027-02"},
		{`textbox "Week"`, "2027-W08", "2027-W08"},
		{`slider "Volume"`, "65", "65"},
		{`textbox "Colour"`, "#36c", "#3366cc"},
		{`spinbutton "Price"`, "12.5", "12.5"},
	} {
		if r := set(c[0], c[1]); r.Status != "ok" || r.Value != c[2] || !r.Changed {
			t.Errorf("%s: %+v", c[0], r)
		}
	}
	for _, c := range [][3]string{
		{`textbox "Date"`, "28/02/2027", "YYYY-MM-DD"},
		{`textbox "Date"`, "2027-02-30", "no such date"},
		{`slider "Volume"`, "63", "60 and 65"},
		{`slider "Volume"`, "95", "from 10 to 90"},
		{`spinbutton "Price"`, "12.3", "12 and 12.5"},
		{`textbox "Week"`, "2027-54", "YYYY-Www"},
	} {
		if r := set(c[0], c[1]); r.Status != inject.StatusBadValue || !strings.Contains(r.Message, c[2]) {
			t.Errorf("%s %s: %+v", c[0], c[1], r)
		}
	}
	if got := tb.str("ev.length"); got != "8" {
		t.Errorf("%s change events", got)
	}
}

func TestSelect(t *testing.T) {
	tb := open(t, `<select aria-label=Land><option value=es>Spain<option value=fr>France<option value=pt disabled>Portugal</select><select multiple aria-label=Many><option>A<option>B<option>C</select><input role=combobox aria-label=Custom>
	<script>window.n=0;document.addEventListener('change',()=>n++)</script>`)
	s := tb.snap(inject.WalkArgs{})
	contains(t, s, `- combobox "Land" [e1] options: "Spain" selected, "France", "Portugal" disabled`, `- listbox "Many" [e2] multiple options: "A", "B", "C"`)
	do := func(ref int, v ...string) inject.Selected {
		t.Helper()
		r, err := inject.Select(tb.ctx, tb, inject.SelectArgs{Ref: ref, Values: v})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := do(1, "France"); r.Status != "ok" || !r.Changed || strings.Join(r.Chosen, ",") != "France" {
		t.Errorf("%+v", r)
	}
	if r := do(1, "fr"); r.Status != "ok" || r.Changed {
		t.Errorf("by value, again: %+v", r)
	}
	if r := do(2, "A", "C"); r.Status != "ok" || strings.Join(r.Chosen, ",") != "A,C" {
		t.Errorf("%+v", r)
	}
	if r := do(1, "Spian"); r.Status != inject.StatusNotFound || len(r.Options) == 0 || r.Options[0] != "Spain" {
		t.Errorf("%+v", r)
	}
	if r := do(3, "x"); r.Status != inject.StatusNotSelect {
		t.Errorf("%+v", r)
	}
	if got := tb.str("n"); got != "2" {
		t.Errorf("%s change events", got)
	}
}

func TestCheckedAndState(t *testing.T) {
	tb := open(t, `<input type=checkbox aria-label=A checked><div role=switch tabindex=0 aria-checked=true aria-label=B></div><button aria-pressed=false>C</button><button>D</button><input aria-label=E readonly>`)
	s := tb.snap(inject.WalkArgs{})
	for line, want := range map[string]string{`checkbox "A"`: "ok true", `switch "B"`: "ok true", `button "C"`: "ok false", `button "D"`: "not_checkable false"} {
		c, err := inject.Checked(tb.ctx, tb, refIn(t, s, line))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Status + " " + c.Checked; got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
	st, err := inject.State(tb.ctx, tb, refIn(t, s, `textbox "E"`))
	if err != nil || !st.Visible || !st.Enabled || st.Editable || st.Gone {
		t.Errorf("%+v %v", st, err)
	}
	if st, _ := inject.State(tb.ctx, tb, 999); !st.Gone {
		t.Errorf("%+v", st)
	}
}

func TestHasText(t *testing.T) {
	tb := open(t, `<p>Hello <b>big</b> world</p><p style="display:none">Hidden words</p><p style="text-transform:uppercase">shout</p><input placeholder="Type here" value="typed text"><input type=password value="secretword"><div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<p>In the shadow</p>';var never='script words'</script>`)
	for text, want := range map[string]bool{"hello BIG world": true, "Hidden words": false, "SHOUT": true, "type here": true, "typed": true, "secretword": false, "in the shadow": true, "script words": false} {
		got, err := inject.HasText(tb.ctx, tb, text)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func (tb *tab) changes(a inject.ChangesArgs) (inject.Changed, string) {
	tb.t.Helper()
	a.Next = tb.next
	c, err := inject.Changes(tb.ctx, tb, a)
	if err != nil {
		tb.t.Fatal(err)
	}
	tb.next = c.Next
	return c, outline.RenderChange(c.Change)
}

func TestChanges(t *testing.T) {
	tb := open(t, `<main><p id=cart role=status>Cart: 0 items</p><ul><li>Alpha <button id=d>Delete Alpha</button></li><li>Beta <button>Delete Beta</button></li></ul><button id=go disabled>Go</button><input aria-label=Name><label><input type=radio name=r checked>One</label><label><input type=radio name=r>Two</label></main><div id=m></div>
	<script>d.onclick=()=>setTimeout(()=>{m.innerHTML='<div role=dialog aria-modal=true aria-label="Delete Alpha?"><p>Sure?</p><button>Cancel</button><button>Confirm</button></div>'},30)</script>`)
	s := tb.snap(inject.WalkArgs{})
	step := func(name, js string, a inject.ChangesArgs, want ...string) {
		t.Helper()
		if err := inject.Watch(tb.ctx, tb); err != nil {
			t.Fatal(err)
		}
		tb.eval(js, nil)
		c, out := tb.changes(a)
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s: no %q in\n%s", name, w, out)
			}
		}
		if len(want) == 0 && !c.Empty {
			t.Errorf("%s: not empty:\n%s", name, out)
		}
		if c.Unwatched {
			t.Errorf("%s: unwatched", name)
		}
	}
	step("nothing", `0`, inject.ChangesArgs{})
	step("invisible", `document.body.dataset.x=1;d.style.color='red'`, inject.ChangesArgs{})
	step("status", `cart.textContent='Cart: 1 items'`, inject.ChangesArgs{}, `- status "Cart: 1 items" changed`)
	step("state", `go.disabled=false`, inject.ChangesArgs{}, `- button "Go" [e`, "changed")
	step("dialog", `d.click()`, inject.ChangesArgs{QuietMS: 60}, `- dialog "Delete Alpha?" modal new`, `  - text "Sure?"`, `- button "Confirm" [e`)
	step("gone", `m.innerHTML=''`, inject.ChangesArgs{}, `gone: dialog "Delete Alpha?"`)
	step("value", `document.querySelector('[aria-label=Name]').value='Ada'`, inject.ChangesArgs{}, `- textbox "Name" [e`, `value="Ada" changed`)
	step("radio", `document.querySelectorAll('[type=radio]')[1].checked=true`, inject.ChangesArgs{}, `- radio "Two" [e`, "checked changed", `- radio "One"`)
	step("hidden", `document.querySelectorAll('li')[1].style.display='none'`, inject.ChangesArgs{}, `gone: `, `button "Delete Beta"`)
	step("shown", `document.querySelectorAll('li')[1].style.display=''`, inject.ChangesArgs{}, `button "Delete Beta" [e`, "new")
	step("focus", `document.querySelector('[aria-label=Name]').focus()`, inject.ChangesArgs{}, `focus: textbox "Name"`)
	step("rebuilt", `document.querySelectorAll('li')[1].outerHTML+=''`, inject.ChangesArgs{}, `button "Delete Beta" [e`)
	ref := refIn(t, s, `button "Delete Alpha"`)
	if st, _ := inject.State(tb.ctx, tb, ref); st.Gone {
		t.Error("the old ref is gone")
	}
}

func TestFocusOnTheTargetIsNoNews(t *testing.T) {
	tb := open(t, `<button>One</button><input aria-label=Two>`)
	s := tb.snap(inject.WalkArgs{})
	one := refIn(t, s, `button "One"`)
	if err := inject.Watch(tb.ctx, tb); err != nil {
		t.Fatal(err)
	}
	tb.click(one)
	if c, out := tb.changes(inject.ChangesArgs{Near: []int{one}}); !c.Empty {
		t.Errorf("%s", out)
	}
}

func TestChangesTellWhatMoved(t *testing.T) {
	tb := open(t, `<ul id=a aria-label=Open><li>Alpha</li><li>Beta</li><li>Gamma</li><li>Delta</li></ul><ul id=b aria-label=Done><li>Old</li></ul>
	<table id=t><tbody><tr><td>Pear</td><td>3</td></tr><tr><td>Fig</td><td>1</td></tr><tr><td>Plum</td><td>2</td></tr></tbody></table>`)
	tb.snap(inject.WalkArgs{})
	for _, s := range []struct{ name, js, want string }{
		{"the same again", `a.append(...a.children)`, ""},
		{"one down", `a.insertBefore(a.children[0], a.children[3])`, "- list \"Open\"\n  - listitem \"Gamma\"\n  - listitem \"Alpha\" moved\n  - listitem \"Delta\"\n"},
		{"and back", `a.prepend(a.children[2])`, "- list \"Open\"\n  - listitem \"Alpha\" moved\n  - listitem \"Beta\"\n"},
		{"to another list", `b.append(a.children[1])`, "- list \"Done\"\n  - listitem \"Old\"\n  - listitem \"Beta\" moved\n"},
		{"sorted", `t.tBodies[0].append(...[...t.rows].sort((x, y) => x.cells[1].textContent - y.cells[1].textContent))`, "- row \"Plum | 2\"\n- row \"Pear | 3\" moved\n"},
		{"a new one is not moved", `a.append(Object.assign(document.createElement('li'), {textContent: 'Omega'}))`, "- list \"Open\"\n  - listitem \"Omega\" new\n"},
	} {
		if err := inject.Watch(tb.ctx, tb); err != nil {
			t.Fatal(err)
		}
		tb.eval(s.js, nil)
		if _, out := tb.changes(inject.ChangesArgs{}); out != s.want {
			t.Errorf("%s: got\n%swant\n%s", s.name, out, s.want)
		}
	}
}

func TestChangesGoOnWithKeep(t *testing.T) {
	tb := open(t, `<p id=p role=status>0</p>`)
	tb.snap(inject.WalkArgs{})
	if err := inject.Watch(tb.ctx, tb); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < 4; i++ {
		tb.eval(`p.textContent=+p.textContent+1`, nil)
		if c, out := tb.changes(inject.ChangesArgs{Keep: true}); c.Unwatched || !strings.Contains(out, fmt.Sprintf("- status \"%d\" changed", i)) || c.Empty {
			t.Errorf("%d: %+v\n%s", i, c, out)
		}
	}
}

func TestAimFindsWhatReceivesThePress(t *testing.T) {
	tb := open(t, `<body style="margin:0;font:16px monospace"><div onclick="document.title='1'"><a href="#i" style="pointer-events:none">Icon</a> and words</div>
	<p style="width:120px">Some words before <a href="#x" onclick="document.title='2'">a link that breaks over lines</a></p>
	<label><input type=checkbox style="opacity:0;position:absolute" onclick="document.title='3'"><span>Styled box</span></label>
	<div style="overflow:hidden;width:60px;height:30px"><button style="width:400px;height:30px" onclick="document.title='4'">Clipped</button></div>
	<div id=h></div><div style="position:relative;width:100px"><button style="width:100px" onclick="document.title='6'">Half covered</button><i style="position:absolute;left:40px;top:0;width:20px;height:40px;background:red"></i></div>
	<div style="height:60px;width:200px;overflow:auto"><div style="height:400px"></div><button onclick="document.title='7'">In a scroller</button></div>
	<script>h.attachShadow({mode:'open'}).innerHTML='<button onclick="document.title=5"><b>Deep</b></button>'</script>`)
	s := tb.snap(inject.WalkArgs{})
	for i, line := range []string{`link "Icon"`, `link "a link that breaks over lines"`, `checkbox "Styled box"`, `button "Clipped"`, `button "Deep"`, `button "Half covered"`, `button "In a scroller"`} {
		g := tb.click(refIn(t, s, line))
		if got := tb.str("document.title"); g.Result != "hit" || got != fmt.Sprint(i+1) {
			t.Errorf("%s: title %q, guard %+v", line, got, g)
		}
	}
}

func TestWhatTheResultSaysAnywayIsLeftOut(t *testing.T) {
	tb := open(t, `<input aria-label=Name oninput="b.disabled=false"><button id=b disabled>Go</button>`)
	ref := refIn(t, tb.snap(inject.WalkArgs{}), `textbox "Name"`)
	if err := inject.Watch(tb.ctx, tb); err != nil {
		t.Fatal(err)
	}
	if _, err := inject.Focus(tb.ctx, tb, inject.FocusArgs{Ref: ref, Mode: "replace"}); err != nil {
		t.Fatal(err)
	}
	tb.must("Input.insertText", obj{"text": "Ada"}, nil)
	_, out := tb.changes(inject.ChangesArgs{Near: []int{ref}, Told: []int{ref}})
	contains(t, out, `- button "Go" [e`)
	lacks(t, out, "Ada", "focus")
}
