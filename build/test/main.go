// Command test runs every test of the repository without a screen and prints
// the count on its last line: go test, under a private display, session bus
// and unlocked keychain (see services_linux.go), then the user interface's
// tests. It exits with 1 when a test failed or none ran.
//
// Usage: go run ./build/test [go test flags and packages]
//
// Packages default to all of the module; the user interface's tests run only
// then. Packages must be built before, since some tests start the programs in
// build/bin: the task "test" does so.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	// Children ask to die with the thread that started them; this keeps it.
	runtime.LockOSThread()
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "test:", err)
		code = 1
	}
	os.Exit(code)
}

func run(args []string) (code int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	root, err := goEnv(ctx, "GOMOD")
	if err != nil {
		return 1, err
	}
	if err := os.Chdir(filepath.Dir(root)); err != nil {
		return 1, err
	}

	flags, packages := split(args)
	all := len(packages) == 0
	if all {
		if packages, err = allPackages(ctx); err != nil {
			return 1, err
		}
	}

	env, end, err := start(ctx)
	if err != nil {
		return 1, err
	}
	defer end()

	var sum tally
	if err := goTest(ctx, env, append(flags, packages...), &sum); err != nil {
		return 1, err
	}
	if all && ctx.Err() == nil {
		if err := uiTest(ctx, env, &sum); err != nil {
			return 1, err
		}
	}
	if ctx.Err() != nil {
		return 1, errors.New("interrupted")
	}
	sum.print(os.Stdout)
	if len(sum.failed) > 0 || sum.passed == 0 {
		return 1, nil
	}
	return 0, nil
}

// split tells go test's flags from packages. A flag that takes a value must be
// written with "=".
func split(args []string) (flags, packages []string) {
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			flags = append(flags, a)
		} else {
			packages = append(packages, a)
		}
	}
	return flags, packages
}

// allPackages lists the module's packages without the Go code that some npm
// packages carry.
func allPackages(ctx context.Context) ([]string, error) {
	out, err := output(ctx, "go", "list", "./...")
	if err != nil {
		return nil, err
	}
	var list []string
	for p := range strings.FieldsSeq(out) {
		if !strings.Contains(p, "/node_modules/") {
			list = append(list, p)
		}
	}
	return list, nil
}

func goEnv(ctx context.Context, name string) (string, error) {
	out, err := output(ctx, "go", "env", name)
	return strings.TrimSpace(out), err
}

func output(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return string(out), err
}

// command is a child with the tests' environment that is asked to stop when
// ctx ends, and killed 10 seconds later.
func command(ctx context.Context, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = env
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}
