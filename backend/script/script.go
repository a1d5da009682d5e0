// Package script runs an agent's scripts: JavaScript of many steps, in a
// sandbox that has the steps and nothing else.
//
// Each script runs in a process of its own, because some of the engine's
// natives can be stopped by nothing but the end of their process. Make a
// [Runner] with [New], give it scripts with [Runner.Run] and end it with
// [Runner.Close]; a program that runs scripts calls [Child] when it is started
// as "script". The child only asks: every step comes back to the host, which
// does it as it does any other call.
package script

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"baton/backend/fault"
)

// The limits of a script.
const (
	MaxSteps   = 200
	MaxValue   = 64 << 10 // bytes of JSON that a script returns
	MaxCode    = 256 << 10
	MaxTime    = 120 * time.Second
	UsualTime  = 60 * time.Second
	memory     = 64 << 20
	maxLine    = 4 << 20 // of the talk between host and child
	mostLog    = 16 << 10
	mostLines  = 201 // the last says how many had no room
	lineLength = 2100
)

// Step is what a script asks the host to do: a helper's name and its arguments
// as a JSON object.
type Step struct {
	Name string
	Args json.RawMessage
}

// Job is a script to run.
type Job struct {
	Code    string
	URL     string        // the present address, for scripts that ask at once
	Timeout time.Duration // at most MaxTime; 0 is UsualTime
	// Do does one step and gives its value. Steps that name the same tab come
	// one at a time and in order, waits apart. An error that ends every script,
	// such as a takeover, ends this one.
	Do func(ctx context.Context, s Step) (json.RawMessage, error)
	// Began is told of each step; nil is allowed.
	Began func(n int, what string)
}

// Did is a step that was begun.
type Did struct {
	What string // "click e12"
	Err  *fault.Fault
}

// Outcome is what came of a script; it holds what was reached also when the
// script failed.
type Outcome struct {
	Value json.RawMessage
	Log   []string
	Steps []Did
	Took  time.Duration
}

// Config is fixed for a Runner's life.
type Config struct {
	Program string   // the program that becomes the child; empty is this one
	Args    []string // its arguments; nil is "script"
	Log     *slog.Logger
}

// Runner runs scripts and keeps one child ready for the next.
type Runner struct {
	cfg Config

	mu     sync.Mutex
	spare  *child
	closed bool
	wg     sync.WaitGroup // starts of spares
}

// New makes a runner. No process starts before the first script.
func New(cfg Config) *Runner {
	if cfg.Args == nil {
		cfg.Args = []string{"script"}
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Runner{cfg: cfg}
}

// Close ends the spare child. Scripts under way end with their contexts.
func (r *Runner) Close() {
	r.mu.Lock()
	r.closed = true
	spare := r.spare
	r.spare = nil
	r.mu.Unlock()
	if spare != nil {
		spare.kill()
	}
	r.wg.Wait()
}

// take gives the spare, or a new child.
func (r *Runner) take() (*child, error) {
	r.mu.Lock()
	c, closed := r.spare, r.closed
	r.spare = nil
	r.mu.Unlock()
	if closed {
		return nil, fault.New(fault.Cancelled, "Baton is ending")
	}
	if c != nil && c.alive() {
		return c, nil
	}
	c, err := startChild(r.cfg)
	if err != nil {
		return nil, fault.New(fault.Internal, "the script's process could not be started").Because(err)
	}
	return c, nil
}

// refill sees the last child off and starts the next spare, in the background
// unless the runner is closed.
func (r *Runner) refill(last *child) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		last.kill()
		return
	}
	need := r.spare == nil
	r.wg.Go(func() {
		last.kill()
		if !need {
			return
		}
		c, err := startChild(r.cfg)
		if err != nil {
			r.cfg.Log.Warn("no spare process for scripts", "error", err)
			return
		}
		r.mu.Lock()
		keep := !r.closed && r.spare == nil
		if keep {
			r.spare = c
		}
		r.mu.Unlock()
		if !keep {
			c.kill()
		}
	})
}

// stops are the codes that end a script, whatever it would catch.
var stops = map[fault.Code]bool{
	fault.InterruptedByPerson: true, fault.InUseByPerson: true, fault.PageCrashed: true, fault.AccessOff: true,
	fault.ApprovalDeclined: true, fault.ApprovalExpired: true, fault.ProtectedBySecret: true, fault.EngineUnavailable: true,
}

// grace is how long a child may take to tell that its time is over.
const grace = 300 * time.Millisecond

// Run runs a script to its end. The error is a *fault.Fault.
func (r *Runner) Run(ctx context.Context, j Job) (Outcome, error) {
	start := time.Now()
	if j.Timeout <= 0 {
		j.Timeout = UsualTime
	}
	j.Timeout = min(j.Timeout, MaxTime)
	if len(j.Code) > MaxCode {
		return Outcome{}, fault.New(fault.ScriptLimit, "the script has %d bytes; at most %d are taken", len(j.Code), MaxCode)
	}
	c, err := r.take()
	if err != nil {
		return Outcome{}, err
	}
	stepCtx, cancel := context.WithDeadline(ctx, start.Add(j.Timeout))
	run := &running{job: j, child: c, ended: make(chan *fault.Fault, 1)}
	run.lanes = newLanes(stepCtx, run.step)
	over := time.NewTimer(j.Timeout + grace)
	// Steps under way are cut off and waited for, as they hold the tab; the
	// child goes first, so that none hangs on it.
	defer func() {
		over.Stop()
		cancel()
		c.stop()
		run.lanes.wg.Wait()
		r.refill(c)
	}()

	if err := c.send(toChild{T: "run", Code: j.Code, URL: j.URL, Timeout: j.Timeout.Milliseconds()}); err != nil {
		return run.outcome(start), fault.New(fault.Internal, "the script's process ended early").Because(err)
	}
	for {
		select {
		case m, ok := <-c.lines:
			if !ok {
				return run.outcome(start), run.died(c)
			}
			if done, err := run.take(m); done || err != nil {
				o := run.outcome(start)
				if err == nil {
					o.Value = m.Value
				}
				return o, err
			}
		case f := <-run.ended:
			return run.outcome(start), f
		case <-over.C:
			return run.outcome(start), timeUp(j.Timeout, "")
		case <-ctx.Done():
			return run.outcome(start), fault.New(fault.Cancelled, "the script was cancelled; what was done stays done")
		}
	}
}

func timeUp(d time.Duration, where string) *fault.Fault {
	return fault.New(fault.ScriptLimit, "the script did not end within %s%s", d, where).
		Then("split the work into smaller scripts, or give timeout_ms up to %d", MaxTime.Milliseconds())
}

// running is one script under way.
type running struct {
	job   Job
	child *child
	lanes *lanes
	ended chan *fault.Fault // a step that ends the script

	mu    sync.Mutex
	steps []Did
	log   []string
	chars int
}

// take handles a line of the child; done tells that the script has ended well.
func (r *running) take(m toHost) (done bool, err error) {
	switch m.T {
	case "step":
		n := r.begin(m)
		if n > MaxSteps {
			return false, fault.New(fault.ScriptLimit, "the script asked for more than %d steps", MaxSteps)
		}
		if r.job.Began != nil {
			r.job.Began(n, r.steps[n-1].What)
		}
		r.lanes.add(job{n: n, id: m.ID, step: Step{Name: m.Name, Args: m.Args}})
	case "log":
		r.print(m.Text)
	case "done":
		if len(m.Value) > MaxValue {
			return false, fault.New(fault.ScriptLimit, "the script's value has %d bytes; at most %d are returned", len(m.Value), MaxValue).
				Then("return less, such as a slice or the fields that matter; what was done stays done")
		}
		return true, nil
	case "fail":
		return false, r.failed(m)
	default:
		return false, fault.New(fault.Internal, "the script's process spoke out of turn")
	}
	return false, nil
}

func (r *running) begin(m toHost) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps = append(r.steps, Did{What: brief(m.Name, m.Args)})
	return len(r.steps)
}

func (r *running) print(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(s) > 4*lineLength || len(r.log) >= mostLines || r.chars+len(s) > 4*mostLog {
		return // the child keeps to less, and says so
	}
	r.chars += len(s)
	r.log = append(r.log, s)
}

// step does one step and answers the child.
func (r *running) step(ctx context.Context, j job, over func(failed bool)) *fault.Fault {
	if f := skipped(ctx); f != nil {
		return r.refuse(ctx, j, f, over)
	}
	var v json.RawMessage
	var err error
	switch j.step.Name {
	case "sleep":
		err = rest(ctx, j.step.Args)
	case "wait":
		v, err = waiting(ctx, j.step.Args, r.job.Do)
	default:
		v, err = r.job.Do(ctx, j.step)
	}
	if err == nil {
		if len(v) > maxLine-1024 {
			err = fault.New(fault.ScriptLimit, "the step's value has %d bytes, which is too much for a script", len(v))
		} else {
			over(false)
			_ = r.child.send(toChild{T: "step", ID: j.id, Value: v})
			return nil
		}
	}
	return r.refuse(ctx, j, fault.From(err), over)
}

// refuse answers a step with an error, or ends the script.
func (r *running) refuse(ctx context.Context, j job, f *fault.Fault, over func(failed bool)) *fault.Fault {
	r.mu.Lock()
	r.steps[j.n-1].Err = f
	r.mu.Unlock()
	if ctx.Err() != nil {
		return f // the script is over; it hears that, not this
	}
	if stops[f.Code] {
		select {
		case r.ended <- f:
		default:
		}
		return f
	}
	over(true)
	_ = r.child.send(toChild{T: "step", ID: j.id, Error: &wireFault{Code: string(f.Code), Message: f.Message, Next: f.Next}})
	return f
}

func (r *running) failed(m toHost) *fault.Fault {
	at := ""
	if m.Line > 0 {
		at = fmt.Sprintf(" (line %d)", m.Line)
	}
	text := m.Text
	if len(text) > 4000 {
		text = text[:4000] + "…"
	}
	switch m.Code {
	case "":
		return fault.New(fault.ScriptError, "%s%s", text, at)
	case "time":
		if m.Line > 0 {
			text += fmt.Sprintf("; it was near line %d", m.Line)
		}
		return timeUp(r.job.Timeout, text)
	case string(fault.ScriptLimit):
		return fault.New(fault.ScriptLimit, "%s%s", text, at)
	}
	return fault.New(fault.ScriptError, "%s failed%s: %s", m.Name, at, text).Then("correct the script from there; what was done stays done")
}

// died explains a child that ended without a word.
func (r *running) died(c *child) *fault.Fault {
	return fault.New(fault.ScriptLimit, "the script's process ended before the script, as it does when one takes too much").
		Then("split the work into smaller scripts; what was done stays done").Because(c.why())
}

func (r *running) outcome(start time.Time) Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Outcome{Log: append([]string(nil), r.log...), Steps: append([]Did(nil), r.steps...), Took: time.Since(start)}
}
