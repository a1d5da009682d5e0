package page_test

import (
	"strings"
	"testing"
	"time"

	"baton/backend/fault"
	"baton/backend/input"
	"baton/backend/page"
)

func typeInto(t *testing.T, p *page.Page, a page.TypeArgs) page.Typed {
	t.Helper()
	got, err := p.Type(within(t, 5*time.Second), a)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestTypeReplacesOrAppends(t *testing.T) {
	p := show(t, `<input aria-label=Name value=old>`)
	n := ref(t, look(t, p), `"Name"`)
	if got := typeInto(t, p, page.TypeArgs{Target: &n, Text: "Ana"}); got.Value != "Ana" {
		t.Errorf("%+v", got)
	}
	if got := typeInto(t, p, page.TypeArgs{Target: &n, Text: " Ruiz", Append: true}); got.Value != "Ana Ruiz" {
		t.Errorf("%+v", got)
	}
	if got := typeInto(t, p, page.TypeArgs{Target: &n, Text: ""}); got.Value != "" {
		t.Errorf("%+v", got)
	}
}

func TestTypeReachesAFieldInAFrameOfAnotherSite(t *testing.T) {
	base := site(t, map[string]string{
		"/":   `<title>A</title><input aria-label=Outer><iframe title=Card src="http://localhost:{port}/in"></iframe>`,
		"/in": `<label>Number <input id=n></label><button onclick="this.textContent='Got '+n.value">Pay</button>`,
	})
	p := goTo(t, base+"/")
	s := look(t, p)
	n := ref(t, s, `"Number"`)
	if got := typeInto(t, p, page.TypeArgs{Target: &n, Text: "4242 4242", Slowly: true}); got.Value != "4242 4242" {
		t.Errorf("%+v", got)
	}
	outer := ref(t, s, `"Outer"`)
	if got := typeInto(t, p, page.TypeArgs{Target: &outer, Text: "back"}); got.Value != "back" {
		t.Errorf("%+v", got)
	}
	if got := typeInto(t, p, page.TypeArgs{Target: &n, Text: "5555"}); got.Value != "5555" {
		t.Errorf("%+v", got)
	}
	if got := typeInto(t, p, page.TypeArgs{Text: "6", Append: true}); got.Value != "55556" {
		t.Errorf("where the focus is: %+v", got)
	}
}

func TestTypeSlowlyKeepsEveryCharacter(t *testing.T) {
	const text = "Aé שלום 👨‍👩‍👧 漢字 😀 !?"
	p := show(t, `<input aria-label=Name>`)
	n := ref(t, look(t, p), `"Name"`)
	if got := typeInto(t, p, page.TypeArgs{Target: &n, Text: text, Slowly: true}); got.Value != text {
		t.Errorf("%q", got.Value)
	}
}

func TestTypeIntoAnEditorWithItsOwnModel(t *testing.T) {
	p := show(t, `<div id=ed contenteditable=true role=textbox aria-label=Body></div><script>
	 let model = 'old draft'; function render(){ ed.textContent = model }
	 ed.addEventListener('beforeinput', e => { e.preventDefault(); const all = getSelection().toString() === model;
	  if (e.inputType.startsWith('insert')) model = (all ? '' : model) + (e.data ?? '\n'); else model = all ? '' : model.slice(0, -1); render() }); render()</script>`)
	b := ref(t, look(t, p), `"Body"`)
	typeInto(t, p, page.TypeArgs{Target: &b, Text: "Hello world"})
	if got := js(t, p, "model"); got != `"Hello world"` {
		t.Errorf("%s", got)
	}
}

func TestTypeNeverSubmitsWithALineBreak(t *testing.T) {
	p := show(t, `<form onsubmit="document.title='sent';return false"><textarea aria-label=Note></textarea><input aria-label=One></form>
	 <div contenteditable role=textbox aria-label=Rich onkeydown="if(event.key==='Enter'&&!event.shiftKey)document.title='sent'"></div>`)
	s := look(t, p)
	for name, want := range map[string]string{"Note": "a\nb", "One": "a b", "Rich": "a\nb"} {
		target := ref(t, s, `"`+name+`"`)
		if got := typeInto(t, p, page.TypeArgs{Target: &target, Text: "a\nb"}); got.Value != want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := js(t, p, "document.title"); got != `"Test"` {
		t.Errorf("the page became %s", got)
	}
}

func TestTypeSubmitsWhenAsked(t *testing.T) {
	p := show(t, `<form onsubmit="document.title='sent '+q.value;return false"><input id=q aria-label=Search></form>`)
	q := ref(t, look(t, p), `"Search"`)
	if got := typeInto(t, p, page.TypeArgs{Target: &q, Text: "tea", Submit: true}); got.Title != "sent tea" {
		t.Errorf("%+v", got)
	}
}

func TestTypeSetsTypedInputsAndNamesTheirForm(t *testing.T) {
	p := show(t, `<input type=date aria-label=Date onchange="document.title=this.value"><input type=range aria-label=Volume min=10 max=90 step=5><input type=number aria-label=Price step=.5>`)
	s := look(t, p)
	date, volume, price := ref(t, s, `"Date"`), ref(t, s, `"Volume"`), ref(t, s, `"Price"`)
	if got := typeInto(t, p, page.TypeArgs{Target: &date, Text: "2027-02-28"}); got.Value != "2027-02-28" || got.Title != "2027-02-28" {
		t.Errorf("%+v", got)
	}
	if got := typeInto(t, p, page.TypeArgs{Target: &price, Text: "12.5"}); got.Value != "12.5" {
		t.Errorf("%+v", got)
	}
	_, err := p.Type(within(t, 5*time.Second), page.TypeArgs{Target: &date, Text: "28/02/2027"})
	refused(t, err, fault.BadArguments, "YYYY-MM-DD")
	_, err = p.Type(within(t, 5*time.Second), page.TypeArgs{Target: &volume, Text: "63"})
	refused(t, err, fault.BadArguments, "60", "65")
	_, err = p.Type(within(t, 5*time.Second), page.TypeArgs{Target: &price, Text: "much"})
	refused(t, err, fault.BadArguments, "number")
}

func TestTypeSaysWhenTheTextDidNotStick(t *testing.T) {
	p := show(t, `<input aria-label=Stubborn oninput="this.value=''"><input aria-label=Phone oninput="this.value=this.value.replace(/(\d{3})(\d+)/,'($1) $2')">`)
	s := look(t, p)
	stubborn, phone := ref(t, s, `"Stubborn"`), ref(t, s, `"Phone"`)
	_, err := p.Type(within(t, 5*time.Second), page.TypeArgs{Target: &stubborn, Text: "x"})
	refused(t, err, fault.Uncertain, "did not stick")
	if got := typeInto(t, p, page.TypeArgs{Target: &phone, Text: "5550100"}); got.Value != "(555) 0100" || len(got.Notes) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestTypeRefusesWhatTakesNoText(t *testing.T) {
	p := show(t, `<button>B</button><select aria-label=S><option>1</select><input readonly aria-label=R value=x><input disabled aria-label=D>`)
	s := look(t, p)
	for name, code := range map[string]fault.Code{"B": fault.TargetNotEditable, "S": fault.UseSelect, "R": fault.TargetNotEditable, "D": fault.TargetDisabled} {
		target := ref(t, s, `"`+name+`"`)
		_, err := p.Type(within(t, 2*time.Second), page.TypeArgs{Target: &target, Text: "x"})
		refused(t, err, code)
	}
}

func TestTypeNeverShowsASecret(t *testing.T) {
	p := show(t, `<input type=password aria-label=Pass>`)
	pass := ref(t, look(t, p), `"Pass"`)
	got := typeInto(t, p, page.TypeArgs{Target: &pass, Text: "hunter2"})
	if !got.Secret || got.Value != "" || strings.Contains(got.Changed, "hunter2") {
		t.Errorf("%+v", got)
	}
	if v := js(t, p, "document.querySelector('input').value"); v != `"hunter2"` {
		t.Errorf("%s", v)
	}
}

func TestPressWorksWhereTheFocusIs(t *testing.T) {
	p := show(t, `<input aria-label=A autofocus><input aria-label=B><script>onkeydown = e => document.title += ' ' + (e.ctrlKey ? 'C-' : '') + e.key</script>`)
	s := look(t, p)
	keys := func(words string, target *page.Target) page.Pressed {
		c, err := input.Parse(words)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Press(within(t, 5*time.Second), c, words, target, false)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	a := ref(t, s, `"A"`)
	keys("x y", &a)
	if got := keys("Tab", nil); got.Focused != `textbox "B"` {
		t.Errorf("%+v", got)
	}
	if got := keys("Control+k", nil); !strings.HasSuffix(got.Title, "C-k") {
		t.Errorf("%+v", got)
	}
	if v := js(t, p, "document.querySelector('input').value"); v != `"xy"` {
		t.Errorf("%s", v)
	}
}

func TestFillChecksAllFieldsBeforeTheFirst(t *testing.T) {
	p := show(t, `<input aria-label=A><textarea aria-label=B></textarea><input type=password aria-label=P>`)
	s := look(t, p)
	a, b, pw := ref(t, s, `"A"`), ref(t, s, `"B"`), ref(t, s, `"P"`)
	_, err := p.Fill(within(t, 5*time.Second), []page.FillField{{Target: a, Text: "x"}, {Target: pw, Text: "y"}})
	refused(t, err, fault.SecretField, "field 1")
	if v := js(t, p, "document.querySelector('input').value"); v != `""` {
		t.Errorf("%s", v)
	}
	got, err := p.Fill(within(t, 5*time.Second), []page.FillField{{Target: a, Text: "one"}, {Target: b, Text: "two\nlines"}})
	if err != nil || len(got.Confirmed) != 2 || got.Failed != nil || got.Uncertain != nil {
		t.Errorf("%+v %v", got, err)
	}
}

func TestFillSaysWhichFieldsAreUncertain(t *testing.T) {
	p := show(t, `<input aria-label=A><input aria-label=B oninput="this.value='other'">`)
	s := look(t, p)
	got, err := p.Fill(within(t, 5*time.Second), []page.FillField{{Target: ref(t, s, `"A"`), Text: "one"}, {Target: ref(t, s, `"B"`), Text: "two"}})
	if err != nil || len(got.Confirmed) != 1 || len(got.Uncertain) != 1 || got.Uncertain[0] != 1 {
		t.Errorf("%+v %v", got, err)
	}
}

func TestPressTellsWhatTheFieldHoldsNow(t *testing.T) {
	p := show(t, `<input aria-label=A>`)
	a := ref(t, look(t, p), `"A"`)
	c, _ := input.Parse("x")
	got, err := p.Press(within(t, 5*time.Second), c, "x", &a, false)
	if err != nil || len(got.Now) != 1 || got.Now[0] != `value="x"` {
		t.Errorf("%+v %v", got, err)
	}
}
