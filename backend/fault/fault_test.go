package fault

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestEveryCodeHasAMeaningAndANextStep(t *testing.T) {
	seen := map[Code]bool{}
	for _, r := range Table {
		if r.Meaning == "" || r.Next == "" {
			t.Errorf("%s lacks a meaning or a next step", r.Code)
		}
		if seen[r.Code] {
			t.Errorf("%s stands twice", r.Code)
		}
		seen[r.Code] = true
		if string(r.Code) != strings.ToLower(string(r.Code)) || strings.ContainsAny(string(r.Code), " -") {
			t.Errorf("%q is no code", r.Code)
		}
	}
}

func TestRawErrorsNeverShow(t *testing.T) {
	raw := errors.New("pq: password SENTINEL rejected")
	for _, err := range []error{raw, fmt.Errorf("x: %w", raw)} {
		f := From(err)
		if strings.Contains(f.Error()+f.Message+f.Next, "SENTINEL") {
			t.Errorf("shown: %v", f)
		}
		if !errors.Is(f, raw) {
			t.Error("the cause is lost to the log")
		}
	}
	if From(nil) != nil {
		t.Error("no error became one")
	}
}

func TestFromKeepsTheFaultInAChain(t *testing.T) {
	f := New(TargetGone, "the element %s is gone", "e1").WithEffect("no")
	if got := From(fmt.Errorf("click: %w", f)); got != f {
		t.Errorf("got %v", got)
	}
	if !Is(fmt.Errorf("click: %w", f), TargetGone) || Is(f, Timeout) {
		t.Error("Is is wrong")
	}
	if From(context.DeadlineExceeded).Code != Timeout || From(context.Canceled).Code != Cancelled {
		t.Error("a context's end has the wrong code")
	}
}
