package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sort"
	"strings"
)

// A tally counts tests that have no tests inside them.
type tally struct {
	passed  int
	failed  []string // "package Test"
	skipped []string
}

func (t *tally) print(w io.Writer) {
	list(w, "Skipped:", t.skipped)
	list(w, "Failed:", t.failed)
	fmt.Fprintf(w, "\n%d passed, %d failed", t.passed, len(t.failed))
	if n := len(t.skipped); n > 0 {
		fmt.Fprintf(w, ", %d skipped", n)
	}
	fmt.Fprintln(w)
}

func list(w io.Writer, title string, names []string) {
	if len(names) == 0 {
		return
	}
	sort.Strings(names)
	fmt.Fprintln(w, "\n"+title)
	for _, n := range names {
		fmt.Fprintln(w, "  "+n)
	}
}

// An event is one line of go test -json; see go doc cmd/test2json.
type event struct {
	Action     string
	Package    string
	ImportPath string // of build output
	Test       string
	Output     string
}

// goTest runs go test and prints what it prints without -json: a line a
// package, and everything that a failed test said.
func goTest(ctx context.Context, env, args []string, sum *tally) error {
	cmd := command(ctx, env, "go", append([]string{"test", "-json"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r := report{out: os.Stdout, sum: sum, packages: map[string]*result{}}
	lines := json.NewDecoder(out)
	for {
		var e event
		err := lines.Decode(&e)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			_, _ = io.Copy(os.Stdout, out)
			_ = cmd.Wait()
			return fmt.Errorf("reading go test's output: %w", err)
		}
		r.add(e)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("go test: %w", err)
	}
	if err != nil && len(sum.failed) == 0 {
		sum.failed = append(sum.failed, "go test ("+err.Error()+")")
	}
	return nil
}

type report struct {
	out      io.Writer
	sum      *tally
	packages map[string]*result
}

// A result is what is known of one package's tests so far.
type result struct {
	output  map[string]*strings.Builder // by test; the package's own is ""
	order   []string
	parents map[string]bool // tests that have tests inside
	failed  map[string]bool
}

func (r *report) add(e event) {
	if e.Package == "" { // build-output and build-fail
		fmt.Fprint(r.out, e.Output)
		return
	}
	p := r.packages[e.Package]
	if p == nil {
		p = &result{output: map[string]*strings.Builder{}, parents: map[string]bool{}, failed: map[string]bool{}}
		r.packages[e.Package] = p
	}
	switch e.Action {
	case "output":
		if e.Output != "PASS\n" { // go test says so only with -v, which -json implies
			p.write(e.Test, e.Output)
		}
	case "run":
		if parent, _, ok := cutLast(e.Test, "/"); ok {
			p.parents[parent] = true
		}
	case "pass", "skip", "fail":
		r.end(p, e)
	}
}

func (r *report) end(p *result, e event) {
	name := e.Package + " " + e.Test
	switch {
	case e.Test == "":
		if e.Action == "fail" {
			for _, t := range p.order {
				if t != "" {
					fmt.Fprint(r.out, p.output[t])
				}
			}
			if len(p.failed) == 0 {
				r.sum.failed = append(r.sum.failed, e.Package)
			}
		}
		if own := p.output[""]; own != nil && e.Action != "skip" { // skip: it has no tests
			fmt.Fprint(r.out, own)
		}
		delete(r.packages, e.Package)
	case e.Action == "fail":
		// A test that failed only because one inside it did is no second failure.
		inside := false
		for t := range p.failed {
			inside = inside || strings.HasPrefix(t, e.Test+"/")
		}
		p.failed[e.Test] = true
		if !inside {
			r.sum.failed = append(r.sum.failed, name)
		}
	case p.parents[e.Test]:
		p.drop(e.Test)
	case e.Action == "skip":
		r.sum.skipped = append(r.sum.skipped, name+": "+reason(p.output[e.Test]))
		p.drop(e.Test)
	default:
		r.sum.passed++
		p.drop(e.Test)
	}
}

func (p *result) write(test, text string) {
	b := p.output[test]
	if b == nil {
		b = new(strings.Builder)
		p.output[test] = b
		p.order = append(p.order, test)
	}
	b.WriteString(text)
}

// drop forgets what a test printed: only failures are shown.
func (p *result) drop(test string) {
	if b := p.output[test]; b != nil {
		b.Reset()
	}
}

// reason is the last thing that a skipped test said.
func reason(b *strings.Builder) string {
	if b == nil {
		return ""
	}
	last := ""
	for line := range strings.Lines(b.String()) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "===") {
			last = line
		}
	}
	return last
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
