package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// uiTest runs the user interface's tests with vitest and counts them from its
// JSON report, which has the shape of Jest's.
func uiTest(ctx context.Context, env []string, sum *tally) error {
	if _, err := os.Stat("frontend/package.json"); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	dir, err := os.MkdirTemp("", "baton-vitest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "report.json")

	fmt.Println("\nfrontend:")
	cmd := command(ctx, append(env, "NO_COLOR=1"), filepath.Join("node_modules", ".bin", "vitest"),
		"run", "--reporter=default", "--reporter=json", "--outputFile.json="+file)
	cmd.Dir = "frontend"
	cmd.Stdout = os.Stdout
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("vitest: %w", err)
	}

	before := len(sum.failed)
	if text, readErr := os.ReadFile(file); readErr == nil {
		if readErr = sum.addUI(text); readErr != nil {
			return fmt.Errorf("vitest's report: %w", readErr)
		}
	}
	if err != nil && len(sum.failed) == before {
		sum.failed = append(sum.failed, "frontend ("+err.Error()+")")
	}
	return nil
}

func (t *tally) addUI(text []byte) error {
	var report struct {
		TestResults []struct {
			Name             string
			Status           string
			AssertionResults []struct{ FullName, Status string }
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return err
	}
	for _, file := range report.TestResults {
		name := filepath.Base(file.Name)
		failed := false
		for _, a := range file.AssertionResults {
			switch a.Status {
			case "passed":
				t.passed++
			case "failed":
				failed = true
				t.failed = append(t.failed, "frontend "+name+" "+a.FullName)
			default:
				t.skipped = append(t.skipped, "frontend "+name+" "+a.FullName)
			}
		}
		if file.Status == "failed" && !failed { // it could not be loaded
			t.failed = append(t.failed, "frontend "+name)
		}
	}
	return nil
}
