package script

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/backend/fault"
)

// program is Baton itself, whose children the tests are about.
var baton string

func TestMain(m *testing.M) {
	if os.Getenv("SCRIPT_TEST_HOST") != "" {
		os.Exit(m.Run())
	}
	dir, err := os.MkdirTemp("", "script-test-")
	if err != nil {
		panic(err)
	}
	baton = filepath.Join(dir, "baton")
	build := exec.Command("go", "build", "-o", baton, "baton")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s\n%v\n", out, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// site answers steps as a host would, and keeps them.
type site struct {
	t *testing.T
	*Runner
	answer func(ctx context.Context, s Step) (json.RawMessage, error)

	mu   sync.Mutex
	seen []string // "click {"target":"e1"}"
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, Runner: New(Config{Program: baton})}
	t.Cleanup(s.Runner.Close)
	return s
}

func (s *site) do(ctx context.Context, st Step) (json.RawMessage, error) {
	s.mu.Lock()
	s.seen = append(s.seen, st.Name+" "+string(st.Args))
	s.mu.Unlock()
	if s.answer != nil {
		return s.answer(ctx, st)
	}
	return json.RawMessage(`{"tab":"t1","url":"http://site.test/` + st.Name + `"}`), nil
}

func (s *site) run(code string) (Outcome, error) { return s.runFor(code, 10*time.Second) }

func (s *site) runFor(code string, d time.Duration) (Outcome, error) {
	s.t.Helper()
	s.seen = nil
	ctx, cancel := context.WithTimeout(s.t.Context(), 60*time.Second)
	defer cancel()
	return s.Run(ctx, Job{Code: code, URL: "http://site.test/", Timeout: d, Do: s.do})
}

// value runs a script that must end well and gives its value.
func (s *site) value(code string) string {
	s.t.Helper()
	o, err := s.run(code)
	if err != nil {
		s.t.Fatalf("%s\nended as %v", code, err)
	}
	return string(o.Value)
}

func (s *site) wantValue(code, want string) {
	s.t.Helper()
	if got := s.value(code); got != want {
		s.t.Errorf("%s\ngave %s, want %s", code, got, want)
	}
}

// wantFault runs a script that must end with code and all the words.
func (s *site) wantFault(src string, code fault.Code, words ...string) *fault.Fault {
	s.t.Helper()
	return s.wantFaultFor(src, 10*time.Second, code, words...)
}

func (s *site) wantFaultFor(src string, d time.Duration, code fault.Code, words ...string) *fault.Fault {
	s.t.Helper()
	o, err := s.runFor(src, d)
	f := fault.From(err)
	if f == nil || f.Code != code {
		s.t.Fatalf("%s\nended as %v (value %s), want %s", src, err, o.Value, code)
	}
	for _, w := range words {
		if !strings.Contains(f.Message+" | "+f.Next, w) {
			s.t.Errorf("%s\nsays %q, without %q", src, f.Message+" | "+f.Next, w)
		}
	}
	return f
}

// wantSteps runs a script and compares what it asked for.
func (s *site) wantSteps(code string, want ...string) {
	s.t.Helper()
	if _, err := s.run(code); err != nil {
		s.t.Errorf("%s\nended as %v", code, err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.seen) != len(want) {
		s.t.Errorf("%s\nasked for %q, want %q", code, s.seen, want)
		return
	}
	for i, w := range want {
		name, args, _ := strings.Cut(w, " ")
		gotName, gotArgs, _ := strings.Cut(s.seen[i], " ")
		if args == "" {
			args = "{}"
		}
		if name != gotName || !sameJSON(args, gotArgs) {
			s.t.Errorf("%s\nstep %d was %s, want %s", code, i+1, s.seen[i], w)
		}
	}
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	if m, ok := y.(map[string]any); ok { // waits are sliced
		if n, ok := x.(map[string]any); ok && n["timeout_ms"] == nil && m["timeout_ms"] == float64(slice.Milliseconds()) {
			delete(m, "timeout_ms")
		}
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

func itoa(n int) string { return strconv.Itoa(n) }

// wait waits until the spare is ready.
func (s *site) wait() {
	s.t.Helper()
	eventually(s.t, "a spare", func() bool {
		s.Runner.mu.Lock()
		defer s.Runner.mu.Unlock()
		return s.spare != nil
	})
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(15 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never came: %s", what)
		}
	}
}
