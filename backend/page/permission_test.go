package page_test

import (
	"strings"
	"testing"
	"time"

	"baton/backend/engine"
)

// The page asks for where it is and tells what came of it.
const asker = `<button onclick="navigator.geolocation.getCurrentPosition(()=>out='given',e=>out='refused '+e.code)">Where</button><script>out=''</script>`

func TestAPermissionIsRefusedAtOnceAndThatIsTold(t *testing.T) {
	p := show(t, asker)
	ctx := within(t, 60*time.Second)
	if a := state(p).Asked; a != "" {
		t.Fatalf("before it asked: %q", a)
	}
	press(t, p, ctx, "Where")
	eventually(t, "the page is refused", func() bool { return js(t, p, "out") == `"refused 1"` })
	eventually(t, "the refusal is told", func() bool { return state(p).Asked == "geolocation" })
	if got := js(t, p, "String(navigator.geolocation.getCurrentPosition)+Object.keys(globalThis).filter(k=>/baton/i.test(k))"); !strings.Contains(got, "[native code]") || strings.Contains(got, "baton") {
		t.Errorf("the page's world was touched: %s", got)
	}

	// Allowed for this origin alone: the page gets as far as looking for a position.
	origin := p.Origin()
	if err := shared.Permit(ctx, engine.Permission{Origin: origin, Name: "geolocation", Setting: "allow"}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Reload(ctx, false); err != nil {
		t.Fatal(err)
	}
	const now = "navigator.permissions.query({name:'geolocation'}).then(s=>s.state)"
	if got := js(t, p, now); got != `"granted"` {
		t.Fatalf("allowed, it is %s", got)
	}
	if a := state(p).Asked; a != "" {
		t.Errorf("allowed, and still told as refused: %q", a)
	}
	other := goTo(t, strings.Replace(origin, "127.0.0.1", "localhost", 1))
	if got := js(t, other, now); got == `"granted"` {
		t.Errorf("another origin is allowed, too")
	}
	if err := shared.Permit(ctx, engine.Permission{Origin: origin, Name: "geolocation", Setting: "deny"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is taken back", func() bool { return js(t, p, now) == `"denied"` })
}

func TestASitesCookiesAreCountedAndCleared(t *testing.T) {
	p := show(t, `<script>document.cookie='a=1';document.cookie='b=2';localStorage.x='y'</script>`)
	ctx := within(t, 30*time.Second)
	if n, err := p.Cookies(ctx); err != nil || n != 2 {
		t.Fatalf("%d cookies, %v", n, err)
	}
	if err := p.ClearSite(ctx); err != nil {
		t.Fatal(err)
	}
	if n, err := p.Cookies(ctx); err != nil || n != 0 {
		t.Fatalf("cleared: %d cookies, %v", n, err)
	}
	// An open document hears of it from Chromium's storage a moment later.
	eventually(t, "what was stored is gone", func() bool { return js(t, p, "localStorage.length") == "0" })
}
