package page_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/backend/fault"
	"baton/backend/page"
)

func click(t *testing.T, p *page.Page, target page.Target) page.Outcome {
	t.Helper()
	o, err := p.Click(within(t, 5*time.Second), page.ClickArgs{Target: target})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func refused(t *testing.T, err error, code fault.Code, parts ...string) {
	t.Helper()
	if !fault.Is(err, code) {
		t.Fatalf("got %v, want %s", err, code)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not name %q", err, part)
		}
	}
}

func TestClickSaysWhatChanged(t *testing.T) {
	p := show(t, `<button onclick="out.textContent='Saved '+event.isTrusted">Save</button><p id=out role=status></p>`)
	s := look(t, p)
	start := time.Now()
	o := click(t, p, ref(t, s, `"Save"`))
	t.Logf("the click took %v", time.Since(start))
	if o.Said != `clicked button "Save"` || !strings.Contains(o.Changed, "Saved true") {
		t.Errorf("%+v", o)
	}
}

func TestClickWaitsForWhatItsRequestChanges(t *testing.T) {
	base := site(t, map[string]string{
		"/":  `<title>A</title><button onclick="fetch('/x?wait=40ms').then(r=>r.text()).then(s=>out.textContent=s+Math.random())">Load</button><p id=out></p>`,
		"/x": "the answer",
	})
	p := goTo(t, base+"/")
	load := ref(t, look(t, p), `"Load"`)
	var o page.Outcome
	for range 8 { // an overloaded computer may take longer than a click waits for
		if o = click(t, p, load); strings.Contains(o.Changed, "the answer") {
			return
		}
	}
	t.Errorf("%+v", o)
}

func TestClickThatLeadsToAnotherPageShowsIt(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>A</title><a href="/b?wait=200ms">Next</a>`, "/b": `<title>B</title><h1>Second</h1>`})
	p := goTo(t, base+"/")
	o := click(t, p, ref(t, look(t, p), `"Next"`))
	if o.Snapshot == nil || o.Snapshot.Title != "B" || !strings.Contains(o.Snapshot.Text, "Second") {
		t.Errorf("%+v", o)
	}
}

func TestAnAddressOfTheSameDocumentIsNoOtherPage(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>A</title><button onclick="history.replaceState(0,'','#2'); out.textContent='was replaced'">Replace</button>
		<button onclick="history.pushState(0,'','/x'); out.textContent='was pushed'">Push</button><button onclick="location.hash='q'; out.textContent='was set'">Set</button><a href="#frag" onclick="out.textContent='was followed'">Follow</a><p id=out></p>`})
	p := goTo(t, base+"/")
	s := look(t, p)
	for name, want := range map[string]string{"Replace": "was replaced", "Push": "was pushed", "Set": "was set", "Follow": "was followed"} {
		o := click(t, p, ref(t, s, `"`+name+`"`))
		if !strings.Contains(o.Changed, want) || o.Snapshot != nil || len(o.Notes) > 0 {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestClickReachesAButtonInAScaledFrameOfAnotherSite(t *testing.T) {
	base := site(t, map[string]string{
		"/": `<title>A</title><div style="height:1400px"></div><div style="transform:scale(.8);transform-origin:0 0;margin-left:137px;border:9px solid;padding:13px">
		 <iframe title=Card width=420 height=180 src="http://localhost:{port}/in"></iframe></div><div style="height:600px"></div>`,
		"/in": `<div style="height:260px">terms</div><button onclick="this.textContent='Paid '+event.isTrusted">Pay</button>`,
	})
	p := goTo(t, base+"/")
	o := click(t, p, ref(t, look(t, p), `"Pay"`))
	if len(o.Now) != 1 || o.Now[0] != `button "Paid true"` {
		t.Errorf("%+v", o)
	}
}

func TestClickReachesAButtonInNestedFramesOfOneSite(t *testing.T) {
	base := site(t, map[string]string{
		"/":      `<title>A</title><div style="height:900px"></div><iframe title=One style="margin-left:90px;border:5px solid" width=500 height=300 src="/one"></iframe>`,
		"/one":   `<div style="height:400px"></div><iframe title=Two style="padding:11px;transform:rotate(10deg)" width=300 height=200 src="http://localhost:{port}/two"></iframe>`,
		"/two":   `<div style="height:300px"></div><iframe title=Three width=200 height=100 src="/three"></iframe>`,
		"/three": `<button onclick="this.textContent='Deep '+event.isTrusted">Press</button>`,
	})
	p := goTo(t, base+"/")
	o := click(t, p, ref(t, look(t, p), `"Press"`))
	if len(o.Now) != 1 || o.Now[0] != `button "Deep true"` {
		t.Errorf("%+v", o)
	}
}

func TestClickGoesRoundAStickyHeader(t *testing.T) {
	p := show(t, `<style>h2{position:sticky;top:0;height:80px;margin:0;background:#cfe}</style><h2>Head</h2><div id=l></div><script>
	 for (let i = 0; i < 60; i++) l.innerHTML += '<p>Row '+i+' <button onclick="document.title=this.textContent">Archive '+i+'</button></p>'; scrollTo(0, 800)</script>`)
	o := click(t, p, ref(t, look(t, p), `"Archive 22"`))
	if o.Title != "Archive 22" {
		t.Errorf("%+v", o)
	}
}

func TestClickOnACoveredElementNamesTheCoverAndPressesNothing(t *testing.T) {
	p := show(t, `<button onclick="document.title='bought'">Buy</button><div style="position:fixed;inset:0;background:#0001" onclick="document.title='shade'"></div>
	 <div role=dialog aria-label="Cookie notice" style="position:fixed;bottom:0;left:0;right:0;background:#fff"><button>Only necessary</button></div>`)
	start := time.Now()
	_, err := p.Click(within(t, 5*time.Second), page.ClickArgs{Target: ref(t, look(t, p), `"Buy"`)})
	refused(t, err, fault.TargetCovered, "Buy")
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("it took %v", took)
	}
	if got := js(t, p, "document.title"); got != `"Test"` {
		t.Errorf("the page became %s", got)
	}
}

func TestClickIsStoppedWhereTheMoveDisablesTheTarget(t *testing.T) {
	p := show(t, `<button id=b onpointerdown="document.title='pressed'" onmousemove="b.disabled=true">Go</button>`)
	_, err := p.Click(within(t, 20*time.Second), page.ClickArgs{Target: ref(t, look(t, p), `"Go"`)})
	refused(t, err, fault.TargetDisabled, "Go", "disabled")
	if got := js(t, p, "document.title"); got != `"Test"` {
		t.Errorf("the page became %s", got)
	}
}

func TestClickIsStoppedInADocumentThatWasWrittenAnew(t *testing.T) {
	p := show(t, `<p>Old</p>`)
	js(t, p, `(() => { document.open(); document.write("<title>Test</title><button onclick=\"document.title='pressed'\">Go</button><div id=o style='display:none;position:fixed;inset:0' onclick=\"document.title='shade'\">Delete</div>"); document.close();
	 addEventListener("mousemove", () => o.style.display = "block"); })()`)
	_, err := p.Click(within(t, 20*time.Second), page.ClickArgs{Target: ref(t, look(t, p), `"Go"`)})
	refused(t, err, fault.TargetCovered, "Go", "Delete")
	if got := js(t, p, "document.title"); got != `"Test"` {
		t.Errorf("the page became %s", got)
	}
}

func TestSelectSaysThatThePageTookTheChoiceBack(t *testing.T) {
	p := show(t, `<select aria-label=Size onchange="this.value='S'"><option>S<option>M</select>`)
	c, err := p.Select(within(t, 20*time.Second), ref(t, look(t, p), `"Size"`), []string{"M"})
	if err != nil || c.Said != `chose "M" in combobox "Size"` || !strings.Contains(strings.Join(c.Notes, " "), `it shows "S" now`) || strings.Join(c.Labels, ",") != "S" {
		t.Errorf("%v %+v", err, c)
	}
}

func TestClickIsStoppedWhenTheMoveBringsSomethingOverTheTarget(t *testing.T) {
	p := show(t, `<button id=b onclick="document.title='pressed'" onmousemove="o.style.display='block'">Go</button>
	 <div id=o style="display:none;position:fixed;inset:0" aria-label="Overlay" onmousedown="document.title='overlay'" onclick="document.title='overlay'">Over</div>`)
	_, err := p.Click(within(t, 5*time.Second), page.ClickArgs{Target: ref(t, look(t, p), `"Go"`)})
	refused(t, err, fault.TargetCovered)
	if got := js(t, p, "document.title"); got != `"Test"` {
		t.Errorf("the page became %s", got)
	}
}

func TestClickOnARemovedElementIsRefused(t *testing.T) {
	p := show(t, `<button id=b>Beta</button><button>Other</button>`)
	b := ref(t, look(t, p), `"Beta"`)
	js(t, p, "b.remove()")
	_, err := p.Click(within(t, 5*time.Second), page.ClickArgs{Target: b})
	refused(t, err, fault.TargetGone)
}

func TestClickOnADisabledButtonIsRefused(t *testing.T) {
	p := show(t, `<button disabled>Save</button>`)
	_, err := p.Click(within(t, 800*time.Millisecond), page.ClickArgs{Target: ref(t, look(t, p), `"Save"`)})
	refused(t, err, fault.TargetDisabled, "Save")
}

func TestClickOnANativeSelectNamesItsOptions(t *testing.T) {
	p := show(t, `<select aria-label=Fruit><option>Apple<option>Pear</select>`)
	_, err := p.Click(within(t, 5*time.Second), page.ClickArgs{Target: ref(t, look(t, p), `"Fruit"`)})
	refused(t, err, fault.UseSelect, "Apple", "Pear")
}

func TestClickThatOpensADialogTellsIt(t *testing.T) {
	p := show(t, `<button onclick="confirm('Sure?') && (document.title='yes')">Ask</button>`)
	b := ref(t, look(t, p), `"Ask"`)
	ctx := page.WithDialogs(within(t, 5*time.Second), "tester")
	o, err := p.Click(ctx, page.ClickArgs{Target: b})
	if err != nil || o.Dialog == nil || o.Dialog.Message != "Sure?" || o.Dialog.For != "tester" {
		t.Fatalf("%+v %v", o, err)
	}
	_, err = p.Snapshot(within(t, time.Second), page.SnapshotArgs{})
	refused(t, err, fault.DialogOpen, "Sure?")
	if _, err := p.Answer(within(t, time.Second), true, nil); err != nil {
		t.Fatal(err)
	}
	if got := js(t, p, "document.title"); got != `"yes"` {
		t.Errorf("the page became %s", got)
	}
}

func TestDoubleAndRightClicksArrive(t *testing.T) {
	p := show(t, `<button ondblclick="document.title='double'" oncontextmenu="document.title='menu'">B</button>`)
	b := ref(t, look(t, p), `"B"`)
	if o, err := p.Click(within(t, 5*time.Second), page.ClickArgs{Target: b, Count: 2}); err != nil || o.Title != "double" {
		t.Errorf("%+v %v", o, err)
	}
	if o, err := p.Click(within(t, 5*time.Second), page.ClickArgs{Target: b, Button: "right"}); err != nil || o.Title != "menu" {
		t.Errorf("%+v %v", o, err)
	}
	if o, err := p.Click(within(t, 5*time.Second), page.ClickArgs{Target: b, Count: 2}); err != nil || o.Title != "double" {
		t.Errorf("after the menu: %+v %v", o, err)
	}
}

func TestClickOnAHungPageEndsByItsDeadline(t *testing.T) {
	p := show(t, `<button onclick="for(;;);">Hang</button>`)
	b := ref(t, look(t, p), `"Hang"`)
	start := time.Now()
	_, err := p.Click(within(t, 2*time.Second), page.ClickArgs{Target: b})
	refused(t, err, fault.PageBusy, "input was sent")
	if fault.From(err).Effect != "unknown" || time.Since(start) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	_, err = p.Click(within(t, time.Second), page.ClickArgs{Target: b})
	refused(t, err, fault.PageBusy)
	if fault.From(err).Effect == "unknown" {
		t.Errorf("nothing was sent, yet the effect is unknown: %v", err)
	}
}

func TestClickThatOpensAWindowCountsIt(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>A</title><button onclick="window.open('/b')">Open</button><a target=_blank href=/b>Link</a>`, "/b": `<title>B</title>`})
	p := goTo(t, base+"/")
	s := look(t, p)
	if o := click(t, p, ref(t, s, `"Open"`)); o.Windows != 1 {
		t.Errorf("%+v", o)
	}
	if o := click(t, p, ref(t, s, `"Link"`)); o.Windows != 1 {
		t.Errorf("%+v", o)
	}
}

func TestTargetsByRoleAndTextAndAmbiguity(t *testing.T) {
	p := show(t, `<button>Save</button><button>Save all</button><a href="#x">Other</a>`)
	one := page.Target{}
	one.Locator.Role, one.Locator.Name, one.Locator.Exact = "button", "Save", true
	if o := click(t, p, one); o.Said != `clicked button "Save"` {
		t.Errorf("%+v", o)
	}
	many := page.Target{}
	many.Locator.Role, many.Locator.Name = "button", "save"
	_, err := p.Click(within(t, 5*time.Second), page.ClickArgs{Target: many})
	refused(t, err, fault.TargetAmbiguous, "2 elements", "Save all")
	none := page.Target{}
	none.Locator.Role, none.Locator.Name = "button", "Sale"
	_, err = p.Click(within(t, 5*time.Second), page.ClickArgs{Target: none})
	refused(t, err, fault.TargetNotFound)
}

func TestCheckClicksOnceAndReadsBack(t *testing.T) {
	p := show(t, `<label><input type=checkbox style="opacity:0;position:absolute"> Agree</label><div role=switch aria-checked=false tabindex=0 aria-label=Push onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked')!=='true')">x</div>`)
	s := look(t, p)
	for _, name := range []string{"Agree", "Push"} {
		target := ref(t, s, name)
		for range 2 {
			c, err := p.Check(within(t, 5*time.Second), target, true)
			if err != nil || c.Checked != "true" {
				t.Errorf("%s: %+v %v", name, c, err)
			}
		}
	}
}

func TestSelectChoosesByLabelAndReportsWhatThereIs(t *testing.T) {
	p := show(t, `<select aria-label=Fruit onchange="document.title=this.value"><option value=1>Apple<option value=2>Pear</select><input role=combobox aria-label=Custom>`)
	s := look(t, p)
	c, err := p.Select(within(t, 5*time.Second), ref(t, s, `"Fruit"`), []string{"Pear"})
	if err != nil || len(c.Labels) != 1 || c.Labels[0] != "Pear" || c.Title != "2" {
		t.Errorf("%+v %v", c, err)
	}
	_, err = p.Select(within(t, 5*time.Second), ref(t, s, `"Fruit"`), []string{"Plum"})
	refused(t, err, fault.TargetNotFound, "Plum", "Apple")
	_, err = p.Select(within(t, 5*time.Second), ref(t, s, `"Custom"`), []string{"Plum"})
	refused(t, err, fault.BadArguments, "not a native select")
}

func TestClickFollowsAListThatDrawsAnewWhenScrolled(t *testing.T) {
	p := show(t, `<div id=l role=listbox aria-label=Numbers style="height:200px;overflow:auto;position:relative"></div><script>
	 function draw(){ const s = Math.floor(l.scrollTop/25); l.innerHTML = '<div style="height:2500px"></div>';
	  for (let i = s; i < s + 9; i++) { const o = document.createElement('div'); o.setAttribute('role','option'); o.style.cssText = 'position:absolute;height:25px;left:0;right:0;top:'+i*25+'px'; o.textContent = 'Row '+i; o.onclick = () => document.title = 'chose '+i; l.append(o) } }
	 l.onscroll = draw; draw()</script>`)
	if o := click(t, p, ref(t, look(t, p), `"Row 8"`)); o.Title != "chose 8" {
		t.Errorf("%+v", o)
	}
}

func TestClickFollowsAButtonThatIsDrawnAnewUnderThePointer(t *testing.T) {
	p := show(t, `<div id=d></div><script>
	 function draw(){ d.innerHTML = '<button>June 9</button>'; const b = d.firstChild; b.onclick = () => document.title = 'chosen'; b.onmouseenter = () => { if (!d.hot) { d.hot = 1; draw() } } }
	 draw()</script>`)
	if o := click(t, p, ref(t, look(t, p), `"June 9"`)); o.Title != "chosen" {
		t.Errorf("%+v", o)
	}
}

// Elements that only have a listener get their refs with the action that brings
// them, at once or once the site has answered.
func TestWhatChangedGivesRefsToElementsWithOnlyAListener(t *testing.T) {
	base := site(t, map[string]string{"/names": "x", "/": `<title>Halls</title><div id=old>Lobby</div><ul id=list></ul>
		<button onclick="add('Council')">Now</button><button onclick="fetch('/names?wait=60ms').then(() => add('Archive'))">Ask</button>
		<script>function add(name) {
			for (const [text, hears] of [[name, true], [name + ' plan', false]]) {
				const li = document.createElement('li')
				li.textContent = text
				if (hears) li.addEventListener('click', () => { document.title = 'pressed ' + name })
				list.append(li)
			}
		}</script>`})
	p := goTo(t, base+"/")
	s := look(t, p)
	for button, name := range map[string]string{"Now": "Council", "Ask": "Archive"} {
		o, err := p.Click(within(t, 20*time.Second), page.ClickArgs{Target: ref(t, s, button)})
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(o.Changed) {
			if strings.Contains(line, name+" plan") && strings.Contains(line, "[e") {
				t.Errorf("what hears nothing has a ref: %s", line)
			}
		}
		if _, err := p.Click(within(t, 20*time.Second), page.ClickArgs{Target: ref(t, o.Changed, name)}); err != nil {
			t.Fatal(err)
		}
		if title := js(t, p, "document.title"); title != strconv.Quote("pressed "+name) {
			t.Errorf("after pressing %s the title is %s", name, title)
		}
	}
}
