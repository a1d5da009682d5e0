package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func feed(events ...event) (string, tally) {
	var out strings.Builder
	var sum tally
	r := report{out: &out, sum: &sum, packages: map[string]*result{}}
	for _, e := range events {
		if e.Package == "" && e.ImportPath == "" {
			e.Package = "p"
		}
		r.add(e)
	}
	return out.String(), sum
}

func TestPassingTestsPrintOnlyTheirPackage(t *testing.T) {
	out, sum := feed(
		event{Action: "run", Test: "A"},
		event{Action: "output", Test: "A", Output: "chatter\n"},
		event{Action: "pass", Test: "A"},
		event{Action: "output", Output: "PASS\n"},
		event{Action: "output", Output: "ok  \tp\t0.1s\n"},
		event{Action: "pass"},
	)
	if want := "ok  \tp\t0.1s\n"; out != want {
		t.Errorf("printed %q, want %q", out, want)
	}
	if sum.passed != 1 || len(sum.failed) != 0 {
		t.Errorf("counted %+v", sum)
	}
}

func TestOnlyInnermostTestsCount(t *testing.T) {
	out, sum := feed(
		event{Action: "run", Test: "A"},
		event{Action: "run", Test: "A/good"},
		event{Action: "run", Test: "A/bad"},
		event{Action: "output", Test: "A/bad", Output: "why\n"},
		event{Action: "fail", Test: "A/bad"},
		event{Action: "pass", Test: "A/good"},
		event{Action: "fail", Test: "A"},
		event{Action: "run", Test: "B"},
		event{Action: "output", Test: "B", Output: "    b_test.go:1: no camera\n"},
		event{Action: "output", Test: "B", Output: "--- SKIP: B (0.00s)\n"},
		event{Action: "skip", Test: "B"},
		event{Action: "output", Output: "FAIL\n"},
		event{Action: "fail"},
	)
	want := tally{passed: 1, failed: []string{"p A/bad"}, skipped: []string{"p B: b_test.go:1: no camera"}}
	if d := cmp.Diff(want, sum, cmp.AllowUnexported(tally{})); d != "" {
		t.Error(d)
	}
	if out != "why\nFAIL\n" {
		t.Errorf("printed %q", out)
	}
}

func TestAPackageThatFailsWithoutATestCounts(t *testing.T) {
	out, sum := feed(
		event{ImportPath: "p", Action: "build-output", Output: "p.go:1: syntax error\n"},
		event{ImportPath: "p", Action: "build-fail"},
		event{Action: "output", Output: "FAIL\tp [build failed]\n"},
		event{Action: "fail"},
	)
	if d := cmp.Diff([]string{"p"}, sum.failed); d != "" {
		t.Error(d)
	}
	if out != "p.go:1: syntax error\nFAIL\tp [build failed]\n" {
		t.Errorf("printed %q", out)
	}
}

func TestInterfaceReportIsCounted(t *testing.T) {
	var sum tally
	err := sum.addUI([]byte(`{"testResults":[
		{"name":"/x/a.test.ts","status":"failed","assertionResults":[
			{"fullName":"adds","status":"passed"},{"fullName":"takes","status":"failed"},{"fullName":"later","status":"todo"}]},
		{"name":"/x/b.test.ts","status":"failed","assertionResults":[]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := tally{
		passed:  1,
		failed:  []string{"frontend a.test.ts takes", "frontend b.test.ts"},
		skipped: []string{"frontend a.test.ts later"},
	}
	if d := cmp.Diff(want, sum, cmp.AllowUnexported(tally{})); d != "" {
		t.Error(d)
	}
}

func TestTheCountIsTheLastLine(t *testing.T) {
	var out strings.Builder
	sum := tally{passed: 2, failed: []string{"p A"}}
	sum.print(&out)
	if want := "\nFailed:\n  p A\n\n2 passed, 1 failed\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}
