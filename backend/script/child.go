package script

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"modernc.org/quickjs"
)

//go:embed sandbox/core.js
var coreJS string

//go:embed sandbox/helpers.js
var helpersJS string

//go:embed sandbox/page.js
var pageJS string

// Child is the whole of a child process: it runs the one script that the host
// sends and gives the process's exit code. The process ends at once when in
// closes, whatever the script does.
func Child(in io.Reader, out io.Writer) int {
	bound()
	debug.SetMaxStack(256 << 20)
	k := &kid{out: bufio.NewWriterSize(out, 64<<10), pending: map[int]string{}}
	if err := k.prepare(); err != nil {
		fmt.Fprintln(os.Stderr, "script:", err)
		return 1
	}
	msgs := make(chan toChild, 16)
	go receive(in, msgs)
	k.send(toHost{T: "ready"})
	m := <-msgs
	if m.T != "run" {
		return 1
	}
	k.run(m, msgs)
	return 0
}

// receive reads the host's lines; the process ends with them.
func receive(in io.Reader, msgs chan<- toChild) {
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 64<<10), 2*maxLine)
	for s.Scan() {
		var m toChild
		if json.Unmarshal(s.Bytes(), &m) != nil {
			break
		}
		msgs <- m
	}
	os.Exit(0)
}

// kid is the script's side; all of it belongs to one goroutine.
type kid struct {
	out *bufio.Writer
	vm  *quickjs.VM

	enter   quickjs.Value // the sandbox's way in: run and settle
	pending map[int]string
	end     *toHost // how the script ended, once it has
}

// prepare makes the sandbox.
func (k *kid) prepare() error {
	vm, err := quickjs.NewVM()
	if err != nil {
		return err
	}
	k.vm = vm
	vm.SetMemoryLimit(memory)
	if err := vm.RegisterHostFunc("__host", k.host); err != nil {
		return err
	}
	src := "(function () {\n\"use strict\";\n" + coreJS + helpersJS + pageJS +
		"\nreturn (what, a, b, c) => what === \"run\" ? run(a, b) : settle(a, b, c);\n})()"
	k.enter, err = vm.EvalValue(src, quickjs.EvalGlobal)
	return err
}

// host is all that the sandbox can call.
func (k *kid) host(args []any) (any, error) {
	str := func(i int) string {
		if i < len(args) {
			s, _ := args[i].(string)
			return s
		}
		return ""
	}
	num := func(i int) int {
		if i < len(args) {
			switch n := args[i].(type) {
			case int:
				return n
			case float64:
				return int(n)
			}
		}
		return 0
	}
	switch str(0) {
	case "step":
		id, name := num(1), str(2)
		k.pending[id] = name
		k.send(toHost{T: "step", ID: id, Name: name, Args: json.RawMessage(str(3))})
	case "log":
		k.send(toHost{T: "log", Text: str(1)})
	case "done":
		v := str(1)
		if len(v) > MaxValue {
			k.end = &toHost{T: "fail", Code: "script_limit", Text: fmt.Sprintf("the script's value has %d bytes; at most %d are returned: return less, such as a slice", len(v), MaxValue)}
			return nil, nil
		}
		k.end = &toHost{T: "done", Value: json.RawMessage(v)}
	case "fail":
		k.end = &toHost{T: "fail", Text: str(1), Line: num(2), Code: str(3), Name: str(5)}
	}
	return nil, nil
}

func (k *kid) send(m toHost) {
	b, err := json.Marshal(m)
	if err != nil {
		b, _ = json.Marshal(toHost{T: "fail", Text: "the sandbox said what is no JSON"})
	}
	_, _ = k.out.Write(append(b, '\n'))
	_ = k.out.Flush()
}

// run runs the script and tells its end.
func (k *kid) run(m toChild, msgs <-chan toChild) {
	d := time.Duration(m.Timeout) * time.Millisecond
	until := time.Now().Add(d)
	over := time.NewTimer(d)
	stop := time.AfterFunc(d, k.vm.Interrupt)
	defer stop.Stop()
	late := func() bool { // whether the time is over; then it is told
		if time.Now().Before(until) {
			return false
		}
		// An interrupted function rejects its promise: let the script's end, if
		// it is the end, say on which line that was.
		_, _ = k.vm.ExecutePendingJobs()
		out := toHost{T: "fail", Code: "time", Text: k.awaited()}
		if k.end != nil && strings.Contains(k.end.Text, "interrupted") {
			out.Line = k.end.Line
		}
		k.send(out)
		return true
	}
	if _, err := k.enter.Call(quickjs.UndefinedValue, "run", m.Code, m.URL); err != nil && !late() {
		k.send(toHost{T: "fail", Text: err.Error()})
		return
	}
	for {
		for {
			n, _ := k.vm.ExecutePendingJobs() // errors of jobs are their promises' matter
			if late() {
				return
			}
			if n == 0 {
				break
			}
		}
		if k.end != nil && (k.end.T == "fail" || !k.acting()) {
			k.send(*k.end)
			return
		}
		if k.end == nil && len(k.pending) == 0 {
			k.send(toHost{T: "fail", Text: "the script awaits a promise that nothing will settle"})
			return
		}
		select {
		case a := <-msgs:
			delete(k.pending, a.ID)
			ok, text := true, string(a.Value)
			if a.Error != nil {
				b, _ := json.Marshal(a.Error)
				ok, text = false, string(b)
			} else if text == "" {
				text = "null"
			}
			if _, err := k.enter.Call(quickjs.UndefinedValue, "settle", a.ID, ok, text); err != nil {
				if !late() {
					k.send(toHost{T: "fail", Code: "script_limit", Text: "a step's answer could not be taken: " + err.Error()})
				}
				return
			}
		case <-over.C:
			k.send(toHost{T: "fail", Code: "time", Text: k.awaited()})
			return
		}
	}
}

// acting tells whether steps that do something are under way: a script that
// did not await them is not over yet. Waits and sleeps that nobody awaits are.
func (k *kid) acting() bool {
	for _, name := range k.pending {
		if name != "wait" && name != "sleep" {
			return true
		}
	}
	return false
}

func (k *kid) awaited() string {
	var names []string
	for _, name := range k.pending {
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	return "; it was waiting for " + strings.Join(names, ", ")
}
