package page_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"baton/backend/input"
	"baton/backend/page"
)

// Chromium takes some keys for itself before a page sees them: for its tabs and
// windows, which are Baton's and no page's.
func TestNoKeyReachesChromiumsOwnTabs(t *testing.T) {
	beside := show(t, `beside`)
	p := show(t, `<input><script>seen=[]; addEventListener('keydown', e => { seen.push(e.key); e.preventDefault() })</script>`)
	// Only the tab in front of Chromium's window hands its keys to the window.
	if err := p.Session().Call(within(t, 5*time.Second), "Page.bringToFront", nil, nil); err != nil {
		t.Fatal(err)
	}
	click(t, p, ref(t, look(t, p), "textbox"))
	targets := func() (all []string) {
		got, err := cdproto.Call(t.Context(), p.Session(), target.GetTargets, target.GetTargetsParams{})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range got.TargetInfos {
			if i.Type == "page" {
				all = append(all, string(i.TargetID))
			}
		}
		slices.Sort(all)
		return all
	}
	before := targets()
	for _, keys := range []string{
		"Control+t", "Control+n", "Control+Shift+n", "Control+Shift+t", "Control+Tab", "Control+Shift+Tab", "Control+PageUp", "Control+PageDown", "Control+1",
		"Control+F4", "Control+w", "Control+Shift+w", "Alt+F4", "Control+Shift+q", "Control+o", "Control+p", "Control+s", "Control+h", "Control+j", "F1", "F11", "F12",
	} {
		chords, err := input.Parse(keys)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Press(within(t, 10*time.Second), chords, keys, nil, false); err != nil {
			t.Errorf("%s: %v", keys, err)
			continue
		}
		v, _, err := p.Evaluate(within(t, 5*time.Second), "JSON.stringify(seen.splice(0))", 0)
		if err != nil {
			t.Fatal(keys, err)
		}
		var s string
		var seen []string
		if json.Unmarshal(v, &s) != nil || json.Unmarshal([]byte(s), &seen) != nil {
			t.Fatalf("%s", v)
		}
		last := keys[strings.LastIndex(keys, "+")+1:]
		if len(seen) == 0 || !strings.EqualFold(seen[len(seen)-1], last) {
			t.Errorf("%s: the page saw %q", keys, seen)
		}
		if now := targets(); !slices.Equal(now, before) {
			t.Errorf("%s: targets were %q and are %q", keys, before, now)
			before = now
		}
	}
	if _, err := beside.Snapshot(within(t, 5*time.Second), page.SnapshotArgs{}); err != nil {
		t.Error(err)
	}
}
