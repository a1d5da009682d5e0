package page_test

import (
	"strings"
	"testing"
	"time"
)

func TestAPageCannotKeepThePointer(t *testing.T) {
	p := show(t, `<button onclick="document.documentElement.requestPointerLock().then(()=>said.textContent='it was locked')">Lock</button>
		<button onclick="n=(window.n||0)+1;out.textContent='pressed '+n">Go</button><p id=said></p><p id=out></p>`)
	if err := p.Session().Call(within(t, 5*time.Second), "Page.bringToFront", nil, nil); err != nil {
		t.Fatal(err)
	}
	s := look(t, p)
	if o := click(t, p, ref(t, s, `"Lock"`)); !strings.Contains(o.Changed, "it was locked") {
		t.Fatalf("%+v", o)
	}
	for _, want := range []string{"pressed 1", "pressed 2"} {
		if o := click(t, p, ref(t, s, `"Go"`)); !strings.Contains(o.Changed, want) {
			t.Errorf("%+v", o)
		}
	}
}
