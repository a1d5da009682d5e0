// Command bench measures Baton beside other browsers for agents, as an MCP
// client sees them, and beside what a bare Chromium allows. All are measured in
// one run, in turns within each repetition, so that what else the computer does
// hits them alike: compare ratios, not milliseconds of different runs.
//
// The others come from npm into .cache/bench when they are missing. Pages come
// from the program itself; they tell it what they received, and a task counts
// as done only if that is right.
//
// Usage: go run ./build/bench [flags]
//
//	-reps N       repetitions (5)
//	-only LIST    tools,start,memory,load,size,click,evaluate,form,tasks
//	-peers LIST   baton,playwright,devtools,agent-browser
//	-quick        one repetition of the shorter measures
//	-write        put the tables into docs/benchmarks.md too
//	-baton FILE   the program to measure (build/bin/baton)
//	-v            say what is done
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"baton/backend/chromium"
	"baton/build/probe"
)

// run is one run of the benchmark.
type run struct {
	reps    int
	quick   bool
	verbose bool
	only    []string
	program string // Baton's
	browser string // Chromium's
	scratch string // a folder for what the peers write
	peers   []*peer
	site    *probe.Site
	got     samples
	notes   []string
	count   int // of started servers
}

type suite struct {
	name string
	do   func(*run, context.Context) error
}

// suites are the measures, in the order in which they run.
var suites = []suite{
	{"tools", (*run).tools},
	{"start", (*run).start},
	{"memory", (*run).memory},
	{"load", (*run).load},
	{"size", (*run).size},
	{"click", (*run).click},
	{"evaluate", (*run).evaluate},
	{"form", (*run).form},
	{"tasks", (*run).tasks},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measure(ctx); err != nil {
		log.Fatal(err)
	}
}

func measure(ctx context.Context) error {
	r := &run{got: samples{}}
	var only, names string
	var write bool
	flag.IntVar(&r.reps, "reps", 5, "repetitions")
	flag.StringVar(&only, "only", "", "suites, comma separated")
	flag.StringVar(&names, "peers", "", "peers, comma separated")
	flag.BoolVar(&r.quick, "quick", false, "one repetition of the shorter measures")
	flag.BoolVar(&write, "write", false, "write docs/benchmarks.md")
	flag.StringVar(&r.program, "baton", "build/bin/baton", "the program to measure")
	flag.BoolVar(&r.verbose, "v", false, "say what is done")
	flag.Parse()
	if r.quick {
		r.reps = 1
	}
	if only != "" {
		r.only = strings.Split(only, ",")
		for _, o := range r.only {
			if !slices.ContainsFunc(suites, func(s suite) bool { return s.name == o }) {
				return fmt.Errorf("there is no suite %q", o)
			}
		}
	}
	var err error
	if r.browser, err = chromium.Find(os.Getenv(chromium.EnvPath)); err != nil {
		return err
	}
	if r.scratch, err = os.MkdirTemp("", "baton-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.scratch)
	if r.peers, err = r.choose(ctx, names); err != nil {
		return err
	}
	if r.site, err = probe.NewSite(); err != nil {
		return err
	}
	defer r.site.Close()
	begun, before := time.Now(), loadAverage()
	for _, s := range suites {
		if len(r.only) > 0 && !slices.Contains(r.only, s.name) {
			continue
		}
		r.say("%s", s.name)
		if err := s.do(r, ctx); err != nil {
			r.note("%s: %v", s.name, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	text := r.report(begun, before)
	fmt.Print(text)
	if write {
		return publish("docs/benchmarks.md", text)
	}
	return nil
}

func (r *run) say(format string, args ...any) {
	if r.verbose {
		log.Printf(time.Now().Format("15:04:05 ")+format, args...)
	}
}

// note keeps something that the tables do not show, once.
func (r *run) note(format string, args ...any) {
	n := fmt.Sprintf(format, args...)
	r.say("%s", n)
	if !slices.Contains(r.notes, n) {
		r.notes = append(r.notes, n)
	}
}

// turns calls fn for each peer, another one first in each repetition. A peer
// that fails is noted and measured on.
func (r *run) turns(ctx context.Context, rep int, what string, fn func(context.Context, *peer) error) {
	for i := range r.peers {
		p := r.peers[(i+rep)%len(r.peers)]
		if ctx.Err() != nil {
			return
		}
		one, cancel := context.WithTimeout(ctx, 3*time.Minute)
		if err := fn(one, p); err != nil {
			r.note("%s, %s: %.200v", p.title, what, err)
		}
		cancel()
	}
}
