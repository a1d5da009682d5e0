//go:build unix

package script

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/backend/fault"
)

func running_(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

func TestASpareIsReadyAfterTheFirstScriptAndEndsWithTheRunner(t *testing.T) {
	s := newSite(t)
	if s.spare != nil {
		t.Error("a child was started before the first script")
	}
	s.wantValue("return 1", "1")
	s.wait()
	first := s.spare.cmd.Process.Pid
	s.wantValue("return 2", "2")
	s.wait()
	second := s.spare.cmd.Process.Pid
	if first == second {
		t.Error("a child ran two scripts")
	}
	s.Runner.Close()
	if running_(first) || running_(second) {
		t.Error("a child outlived its runner")
	}
	_, err := s.run("return 3")
	if !fault.Is(err, fault.Cancelled) {
		t.Errorf("a closed runner: %v", err)
	}
}

func TestADeadSpareIsReplaced(t *testing.T) {
	s := newSite(t)
	s.wantValue("return 1", "1")
	s.wait()
	c := s.spare
	_ = c.cmd.Process.Kill()
	<-c.gone
	s.wantValue("return 2", "2")
}

func TestKilledChildrenAreGone(t *testing.T) {
	s := newSite(t)
	_, err := s.runFor(`Array.prototype.lastIndexOf.call({length: 2 ** 53 - 1}, 1)`, 300*time.Millisecond)
	if !fault.Is(err, fault.ScriptLimit) {
		t.Fatal(err)
	}
	s.Runner.Close()
	out, _ := exec.Command("pgrep", "-f", baton).Output()
	if len(strings.TrimSpace(string(out))) > 0 {
		t.Errorf("children that are left: %s", out)
	}
}

// A host that is killed in the middle of a script leaves no child behind.
func TestAKilledHostLeavesNoChild(t *testing.T) {
	if os.Getenv("SCRIPT_TEST_HOST") != "" {
		r := New(Config{Program: os.Getenv("SCRIPT_TEST_HOST")})
		_, _ = r.Run(t.Context(), Job{Code: "return 1", Do: nil})
		for r.spare == nil {
			time.Sleep(5 * time.Millisecond)
		}
		spare := r.spare
		c, err := startChild(r.cfg)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.send(toChild{T: "run", Code: `Array.prototype.lastIndexOf.call({length: 2 ** 53 - 1}, 1)`, Timeout: 60000})
		fmt.Printf("\nchildren %d %d\n", spare.cmd.Process.Pid, c.cmd.Process.Pid)
		select {}
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestAKilledHostLeavesNoChild$")
	cmd.Env = append(os.Environ(), "SCRIPT_TEST_HOST="+baton)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pids [2]int
	for sc := bufio.NewScanner(out); sc.Scan(); {
		if n, _ := fmt.Sscanf(sc.Text(), "children %d %d", &pids[0], &pids[1]); n == 2 {
			break
		}
	}
	if pids[1] == 0 || !running_(pids[1]) {
		t.Fatal("the host did not get so far")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	eventually(t, "the end of the children", func() bool { return !running_(pids[0]) && !running_(pids[1]) })
}

// A host that another process started by fork cannot signal still ends its
// children: their stdin closes.
func TestAChildEndsWithItsStdin(t *testing.T) {
	c, err := startChild(Config{Program: baton, Args: []string{"script"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.kill()
	_ = c.send(toChild{T: "run", Code: `Array.prototype.lastIndexOf.call({length: 2 ** 53 - 1}, 1)`, Timeout: 60000})
	time.Sleep(100 * time.Millisecond)
	_ = c.in.Close()
	select {
	case <-c.gone:
	case <-time.After(10 * time.Second):
		t.Error("it goes on")
	}
}

func TestCancellingEndsTheScriptAndWaitsForItsStep(t *testing.T) {
	s := newSite(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	_, err := s.Run(ctx, Job{Code: `await click("e1"); await click("e2")`, Do: func(ctx context.Context, _ Step) (json.RawMessage, error) {
		cancel()
		<-ctx.Done()
		time.Sleep(50 * time.Millisecond)
		close(ended)
		return nil, ctx.Err()
	}})
	if !fault.Is(err, fault.Cancelled) {
		t.Error(err)
	}
	select {
	case <-ended:
	default:
		t.Error("it did not wait for what was sent")
	}
}

// A child that has gone wrong is stopped and costs the host nothing.
func TestAChildThatSpeaksNonsenseIsEnded(t *testing.T) {
	for name, says := range map[string]string{
		"no JSON":         `echo nonsense; sleep 60`,
		"an unknown line": `echo '{"t":"boo"}'; sleep 60`,
		"an endless line": `yes x | tr -d '\n'`,
		"endless logs":    `yes '{"t":"log","text":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}'`,
		"endless steps":   `yes '{"t":"step","id":1,"name":"click","args":{}}'`,
		"a huge value":    `printf '{"t":"done","value":"'; head -c 100000 /dev/zero | tr '\0' x; echo '"}'; sleep 60`,
		"an end":          `exit 3`,
	} {
		r := New(Config{Program: "/bin/sh", Args: []string{"-c", `echo '{"t":"ready"}'; read line; ` + says}})
		start := time.Now()
		o, err := r.Run(t.Context(), Job{Code: "1", Timeout: time.Second, Do: func(context.Context, Step) (json.RawMessage, error) { return nil, nil }})
		if err == nil || time.Since(start) > 10*time.Second || len(o.Log) > mostLines {
			t.Errorf("%s: %v after %s, %d lines", name, err, time.Since(start), len(o.Log))
		}
		r.mu.Lock()
		r.closed = true // no spare of this kind
		r.mu.Unlock()
		r.Close()
	}
	if _, err := New(Config{Program: "/bin/sh", Args: []string{"-c", "echo no"}}).Run(t.Context(), Job{Code: "1"}); !fault.Is(err, fault.Internal) {
		t.Error(err)
	}
}

func BenchmarkEightSteps(b *testing.B) {
	r := New(Config{Program: baton})
	defer r.Close()
	code := ""
	for i := range 8 {
		code += fmt.Sprintf(`await type("e%d","some text");`, i+1)
	}
	do := func(context.Context, Step) (json.RawMessage, error) { return json.RawMessage(`{"tab":"t1"}`), nil }
	var sum time.Duration
	n := 0
	for b.Loop() {
		for n > 0 {
			r.mu.Lock()
			ready := r.spare != nil
			r.mu.Unlock()
			if ready {
				break
			}
			time.Sleep(time.Millisecond)
		}
		o, err := r.Run(b.Context(), Job{Code: code, Do: do})
		if err != nil {
			b.Fatal(err)
		}
		if n++; n > 1 {
			sum += o.Took
		}
	}
	b.ReportMetric(float64(sum.Microseconds())/1000/float64(n-1), "ms/warm-script")
}
