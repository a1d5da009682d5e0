package inject_test

import (
	"testing"
	"time"

	"baton/backend/inject"
)

func TestAimBeginsWhatFollowsInOneTurn(t *testing.T) {
	tb := open(t, `<button onclick="out.textContent='Saved'">Save</button><p id=out role=status>Idle</p><select aria-label=Size><option>S<option>M</select>`)
	s := tb.snap(inject.WalkArgs{})
	save := refIn(t, s, `button "Save"`)
	a, err := inject.Aim(tb.ctx, tb, inject.AimArgs{Ref: save, Watch: true, Arm: true})
	if err != nil || !a.Armed || !a.Watched {
		t.Fatalf("%+v %v", a, err)
	}
	tb.press(a.Point)
	c, out := tb.changes(inject.ChangesArgs{Near: []int{save}, Guard: true})
	if c.Guard == nil || c.Guard.Result != "hit" || !c.Guard.Clicked {
		t.Errorf("the guard saw %+v", c.Guard)
	}
	contains(t, out, `- status "Saved" changed`)
	if g, err := inject.Disarm(tb.ctx, tb); err != nil || g.Result != "none" {
		t.Errorf("the guard stays: %+v %v", g, err)
	}
	// No press opens a native select, so none is waited for.
	a, err = inject.Aim(tb.ctx, tb, inject.AimArgs{Ref: refIn(t, s, `combobox "Size"`), Watch: true, Arm: true})
	if err != nil || a.Status != inject.StatusOK || a.Armed {
		t.Errorf("%+v %v", a, err)
	}
}

func TestAPressThatMissedIsToldWithoutAWait(t *testing.T) {
	tb := open(t, `<button onclick="document.title='pressed'">Save</button><button style="position:absolute;left:300px" onclick="document.title='other'">Other</button>`)
	s := tb.snap(inject.WalkArgs{})
	a, err := inject.Aim(tb.ctx, tb, inject.AimArgs{Ref: refIn(t, s, `button "Save"`), Watch: true, Arm: true})
	if err != nil || !a.Armed {
		t.Fatalf("%+v %v", a, err)
	}
	b, err := inject.Aim(tb.ctx, tb, inject.AimArgs{Ref: refIn(t, s, `button "Other"`)})
	if err != nil {
		t.Fatal(err)
	}
	tb.press(b.Point)
	c, _ := tb.changes(inject.ChangesArgs{QuietMS: 5000, FirstMS: 5000, MaxMS: 60_000, Guard: true})
	if c.Guard == nil || c.Guard.Result != "missed" || c.Guard.Cover != `button "Other"` || c.WaitedMS != 0 {
		t.Errorf("%+v", c)
	}
	if got := tb.str("document.title"); got == "other" || got == "pressed" {
		t.Errorf("the page got the press: %s", got)
	}
}

func TestChangesAreHeldBackUntilTheAnswer(t *testing.T) {
	tb := open(t, `<p id=p role=status>asked</p>`)
	tb.snap(inject.WalkArgs{})
	if err := inject.Watch(tb.ctx, tb); err != nil {
		t.Fatal(err)
	}
	type told struct {
		c   inject.Changed
		err error
	}
	got := make(chan told, 1)
	go func() {
		c, err := inject.Changes(tb.ctx, tb, inject.ChangesArgs{Next: tb.next, QuietMS: 10, FrameMS: 4, FirstMS: 6, MaxMS: 60_000, HoldMS: 60_000})
		got <- told{c, err}
	}()
	select {
	case x := <-got:
		t.Fatalf("it did not wait: %+v", x)
	case <-time.After(300 * time.Millisecond):
	}
	tb.eval(`p.textContent='answered'`, nil)
	if err := tb.Call(tb.ctx, inject.Hold, inject.HoldArgs{}, nil); err != nil {
		t.Fatal(err)
	}
	x := <-got
	if x.err != nil || len(x.c.Nodes) != 1 || x.c.Nodes[0].Name != "answered" || x.c.Busy {
		t.Errorf("%+v", x)
	}
}

func TestFocusTellsWhatTheFieldHoldsAndChangesWhatItHoldsThen(t *testing.T) {
	tb := open(t, `<input aria-label=Code value=abc oninput="this.value=this.value.toUpperCase()"><input type=password aria-label=Key value=hidden1><label><input type=checkbox>Yes</label>`)
	s := tb.snap(inject.WalkArgs{})
	code, key := refIn(t, s, `textbox "Code"`), refIn(t, s, `textbox "Key"`)
	f, err := inject.Focus(tb.ctx, tb, inject.FocusArgs{Ref: code, Mode: "replace", Watch: true})
	if err != nil || f.Before == nil || f.Before.Value != "abc" || f.Box.W < 10 {
		t.Fatalf("%+v %v", f, err)
	}
	tb.must("Input.insertText", obj{"text": "xyz"}, nil)
	c, _ := tb.changes(inject.ChangesArgs{Field: &inject.FieldAsk{Ref: code, Text: "XYZ"}, Checked: refIn(t, s, `checkbox "Yes"`)})
	if c.Field == nil || c.Field.Value != "XYZ" || !c.Matches || c.Checked == nil || c.Checked.Checked != "false" {
		t.Errorf("%+v", c)
	}
	// A secret field's value is told by neither.
	f, err = inject.Focus(tb.ctx, tb, inject.FocusArgs{Ref: key, Mode: "append", Watch: true})
	if err != nil || f.Before == nil || f.Before.Value != "" || f.Before.Length != 7 {
		t.Errorf("%+v %v", f.Before, err)
	}
	c, _ = tb.changes(inject.ChangesArgs{Field: &inject.FieldAsk{Ref: key, Text: "hidden1"}})
	if c.Field == nil || c.Field.Value != "" || !c.Matches {
		t.Errorf("%+v", c.Field)
	}
}
