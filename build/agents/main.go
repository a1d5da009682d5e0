// Command agents lets real agent programs do a task through Baton, with a
// scripted model in place of a real one: go run ./build/agents.
//
// Each program comes from npm into .cache/agents, gets an empty home, `baton
// mcp` as its only MCP server and an endpoint on loopback as its model. The
// model asks for the five calls of the task, each from what the call before
// answered. The task counts as done only if the site received the right order.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// runWait bounds one program's task, its own start included.
const runWait = 4 * time.Minute

func main() {
	var (
		names = flag.String("agents", "claude-code,gemini", "agent programs to run")
		baton = flag.String("baton", "build/bin/baton", "the program that is tried")
		show  = flag.Bool("v", false, "show what the programs print")
	)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, strings.Split(*names, ","), *baton, *show); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, names []string, baton string, show bool) error {
	baton, err := filepath.Abs(baton)
	if err != nil {
		return err
	}
	if _, err := os.Stat(baton); err != nil {
		return fmt.Errorf("%w: run `go tool task build` first", err)
	}
	failed := 0
	for _, name := range names {
		i := slices.IndexFunc(programs, func(p program) bool { return p.name == name })
		if i < 0 {
			return fmt.Errorf("there is no agent program %q", name)
		}
		began := time.Now()
		calls, err := try(ctx, programs[i], baton, show)
		if err != nil {
			failed++
			fmt.Printf("%-12s FAILED after %.1f s: %v\n", name, time.Since(began).Seconds(), err)
			continue
		}
		fmt.Printf("%-12s done in %.1f s, calls: %s\n", name, time.Since(began).Seconds(), strings.Join(calls, ", "))
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d agent programs failed", failed, len(names))
	}
	return nil
}

// try has one program do the task and gives the calls that it made.
func try(ctx context.Context, p program, baton string, show bool) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, runWait)
	defer cancel()
	bin, err := p.install(ctx)
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp("", "baton-agent-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	shop := newShop()
	defer shop.Close()
	m := &model{script: order(shop.URL)}
	endpoint := httptest.NewServer(p.speaks(m))
	defer endpoint.Close()
	args, env, err := p.set(home, endpoint.URL, []string{baton, "mcp", "--headless", "--agent", p.name, "--data-dir", filepath.Join(home, "baton")})
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Dir = home
	cmd.Env = append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=dumb", "NO_COLOR=1"}, env...)
	cmd.WaitDelay = 10 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.CombinedOutput()
	if show {
		fmt.Printf("--- %s\n%s\n---\n", p.name, out)
	}
	if err != nil {
		return m.made(), fmt.Errorf("%w; it printed:\n%s\nthe model saw:\n%s", err, last(string(out), 2000), m.seen())
	}
	if got := shop.received(); got != wanted {
		return m.made(), fmt.Errorf("the site received %q, not %q; the model saw:\n%s", got, wanted, m.seen())
	}
	if !strings.Contains(string(out), number) {
		return m.made(), fmt.Errorf("its answer lacks the order's number; it printed:\n%s", last(string(out), 2000))
	}
	return m.made(), nil
}

func last(s string, n int) string {
	if len(s) > n {
		return "…" + s[len(s)-n:]
	}
	return s
}
