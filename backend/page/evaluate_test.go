package page_test

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// Scripts that run side by side keep their own objects.
func TestScriptsSideBySideGiveTheirOwnValues(t *testing.T) {
	p := show(t, `<p>words</p>`)
	var all sync.WaitGroup
	for i := range 400 {
		all.Go(func() {
			v, _, err := p.Evaluate(within(t, 20*time.Second), fmt.Sprintf("new Promise(r => setTimeout(() => r({n: %d}), %d))", i, i%3), 0)
			if want := fmt.Sprintf(`{"n":%d}`, i); err != nil || string(v) != want {
				t.Errorf("%s %v, want %s", v, err, want)
			}
		})
	}
	all.Wait()
}
