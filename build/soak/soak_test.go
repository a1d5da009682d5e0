package main

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestAShortSoakLosesNothingAndLeavesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes 500 calls")
	}
	program := filepath.Join(t.TempDir(), "baton")
	if out, err := exec.Command("go", "build", "-o", program, "baton").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r, err := soak(t.Context(), config{calls: 500, tabs: 6, seed: 1, program: program, pause: 200 * time.Millisecond, warming: 4, say: t.Logf})
	t.Logf("\n%s", r)
	if err != nil {
		t.Error(err)
	}
}
