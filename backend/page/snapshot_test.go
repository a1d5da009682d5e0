package page_test

import (
	"strings"
	"testing"
	"time"

	"baton/backend/page"
)

func TestSnapshotShowsFramesOfOtherSitesInPlace(t *testing.T) {
	base := site(t, map[string]string{
		"/":      `<title>Outer</title><h1>Shop</h1><iframe title="Card form" src="http://localhost:{port}/inner"></iframe><p>after</p>`,
		"/inner": `<label>Card number <input></label><iframe title="Deeper" srcdoc="<button>Pay</button>"></iframe>`,
	})
	p := goTo(t, base+"/")
	s := look(t, p)
	want := []string{`heading "Shop"`, `iframe "Card form"`, `textbox "Card number"`, `iframe "Deeper"`, `button "Pay"`, "after"}
	at := 0
	for _, part := range want {
		i := strings.Index(s[at:], part)
		if i < 0 {
			t.Fatalf("%s is not in its place in\n%s", part, s)
		}
		at += i
	}
}

func TestSnapshotKeepsRefs(t *testing.T) {
	p := show(t, `<button>One</button><button>Two</button>`)
	two := ref(t, look(t, p), `"Two"`)
	js(t, p, `document.body.prepend(Object.assign(document.createElement('button'), {textContent: 'Zero'})), 1`)
	if again := ref(t, look(t, p), `"Two"`); again != two {
		t.Errorf("the ref of Two became %v, was %v", again, two)
	}
}

func TestSnapshotGivesRefsToElementsWithOnlyAListener(t *testing.T) {
	p := show(t, `<ul><li>Hall</li><li id=x>Council</li></ul><script>x.addEventListener('click', () => {})</script>`)
	ref(t, look(t, p), "Council")
}

func TestSnapshotReadsClosedShadowRoots(t *testing.T) {
	p := show(t, `<x-box></x-box><script>customElements.define('x-box', class extends HTMLElement {
	 constructor(){ super(); this.attachShadow({mode:'closed'}).innerHTML = '<button>Inside</button>' } })</script>`)
	ref(t, look(t, p), `button "Inside"`)
}

func TestSnapshotQueryFindsTextInFrames(t *testing.T) {
	base := site(t, map[string]string{
		"/":      `<title>Outer</title><h1>Shop</h1><iframe title="Card form" src="http://localhost:{port}/inner"></iframe>`,
		"/inner": `<button>Pay now</button><button>Other</button>`,
	})
	p := goTo(t, base+"/")
	s, err := p.Snapshot(within(t, 5*time.Second), page.SnapshotArgs{Query: "pay now"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.Text, `button "Pay now"`) || strings.Contains(s.Text, "Other") || s.Matches != 1 {
		t.Errorf("%d matches:\n%s", s.Matches, s.Text)
	}
}

func TestSnapshotOfATargetShowsItsSubtree(t *testing.T) {
	p := show(t, `<nav><a href=/a>A</a></nav><form aria-label=Delivery><input aria-label=Name></form>`)
	form := ref(t, look(t, p)+"[e0]", `"Name"`)
	_ = form
	s, err := p.Snapshot(within(t, 5*time.Second), page.SnapshotArgs{Target: &page.Target{Ref: form.Ref}})
	if err != nil || !strings.Contains(s.Text, "Name") || strings.Contains(s.Text, `link "A"`) {
		t.Errorf("%v:\n%s", err, s.Text)
	}
}

func TestSnapshotLeavesOutAFrameThatHangs(t *testing.T) {
	base := site(t, map[string]string{
		"/":      `<title>Outer</title><h1>Shop</h1><iframe title="Busy" src="http://hangs.localhost:{port}/inner"></iframe>`,
		"/inner": `<button>Pay</button><script>setTimeout(() => { for (;;); }, 300)</script>`,
	})
	p := goTo(t, base+"/")
	time.Sleep(500 * time.Millisecond)
	start := time.Now()
	s := look(t, p)
	if !strings.Contains(s, "Shop") || time.Since(start) > 20*time.Second {
		t.Errorf("after %v:\n%s", time.Since(start), s)
	}
}

func TestLookingAgainAndAgainLosesNoRenderer(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>A</title><label>Who <input id=w role=combobox></label><button>Go</button><script>w.onfocus = w.onclick = () => 0</script>`})
	p := goTo(t, base+"/")
	for range 12 {
		look(t, p)
		if _, err := p.Navigate(within(t, 5*time.Second), base+"/"); err != nil {
			t.Fatal(err)
		}
	}
}
