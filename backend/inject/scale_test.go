package inject_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/backend/inject"
	"baton/backend/outline"
)

// cards is a page of about n accessibility nodes.
func cards(n int) string {
	var b strings.Builder
	b.WriteString("<title>Scale</title><main><h1>Scale</h1><button>Target</button><div>")
	for i := range n / 10 {
		fmt.Fprintf(&b, `<div class="card"><h2>Item %d</h2><p>Some text about item %d <a href="/i/%d">Details %d</a></p><button>Buy %d</button></div>`, i, i, i, i, i)
	}
	b.WriteString("</div></main>")
	return b.String()
}

// walkTime is the shortest of several walks inside the page, in milliseconds.
func (tb *tab) walkTime(times int) float64 {
	tb.t.Helper()
	var e evaluated
	tb.must("Runtime.evaluate", obj{"contextId": tb.world, "returnByValue": true, "expression": fmt.Sprintf(
		`(()=>{let m=1e9;for(let i=0;i<%d;i++){const t=performance.now();__baton.walk({next:1});m=Math.min(m,performance.now()-t)}return m})()`, times)}, &e)
	var ms float64
	if err := e.into(&ms); err != nil {
		tb.t.Fatal(err)
	}
	return ms
}

func TestWalkIsFarCheaperThanTheAccessibilityTree(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	tb := open(t, cards(20_000))
	first := tb.walkTime(1)
	ms := tb.walkTime(5)
	tb.must("Accessibility.enable", nil, nil)
	t0 := time.Now()
	tb.must("Accessibility.getFullAXTree", nil, nil)
	tree := float64(time.Since(t0).Microseconds()) / 1000
	t.Logf("first walk %.0f ms, later %.0f ms, accessibility tree %.0f ms", first, ms, tree)
	if ms*5 > tree {
		t.Errorf("a walk takes %.0f ms, the accessibility tree %.0f ms", ms, tree)
	}
}

func TestWalkIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	small, large := open(t, cards(5_000)).walkTime(5), open(t, cards(40_000)).walkTime(3)
	t.Logf("5,000 nodes %.1f ms, 40,000 nodes %.1f ms", small, large)
	if large > small*40 {
		t.Errorf("8 times the nodes take %.1f times as long (64 would be quadratic)", large/small)
	}
}

func TestAHugeTableAnswersWithABoundedOutline(t *testing.T) {
	var b strings.Builder
	b.WriteString("<table><tr><th>Order</th><th>Customer</th><th>Total</th><th>Action</th></tr>")
	for i := range 12_000 {
		fmt.Fprintf(&b, `<tr><td><a href="/o/%d">Order %d</a></td><td>Customer %d of a name</td><td>%d.50</td><td><button>Refund %d</button></td></tr>`, i, i, i*7%999, i, i)
	}
	b.WriteString("</table><p>" + strings.Repeat("A lot of words that go on and on. ", 30_000) + "</p>")
	tb := open(t, b.String())
	t0 := time.Now()
	w, err := inject.Walk(tb.ctx, tb, inject.WalkArgs{Next: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("took %v for %d lines", time.Since(t0), w.Count)
	if n := len(outline.Render(w.Nodes)); n > inject.DefaultBudget+500 {
		t.Errorf("the outline has %d characters", n)
	}
	contains(t, outline.Render(w.Nodes), "more like this)", `button "Refund 0"`, `button "Refund 11999"`)
	tb.next = w.Next
	t0 = time.Now()
	contains(t, tb.snap(inject.WalkArgs{Query: "refund 7654"}), `- button "Refund 7654" [e`, `- link "Order 7654" [e`)
	t.Logf("query took %v", time.Since(t0))
}

func BenchmarkWalk(b *testing.B) {
	for _, n := range []int{1_000, 5_000, 20_000, 50_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			tb := open(b, cards(n))
			first, later := tb.walkTime(1), tb.walkTime(8)
			for b.Loop() {
			}
			b.ReportMetric(first, "ms-first")
			b.ReportMetric(later, "ms-later")
			b.ReportMetric(0, "ns/op")
		})
	}
}
