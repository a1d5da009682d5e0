package agenttools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"baton/backend/fault"
	"baton/backend/mcpserver"
	"baton/backend/page"
	"baton/backend/redact"
	"baton/backend/script"
	"baton/backend/tool"
)

const scriptDescription = `Many steps in one call: JavaScript that awaits open, navigate, snapshot, read, click, hover, drag, scroll, type, press, select, check, fill, upload, wait, evaluate, dialog, sleep, each with its tool's fields or (target, value). await type("e4","Ana"); await click({role:"button",name:"Next"}); return await evaluate(() => document.title)`

type scriptArgs struct {
	Tab     string `json:"tab,omitempty"`
	Code    string `json:"code"`
	Timeout int    `json:"timeout_ms,omitempty"`
}

const (
	// finalWait is the time of the snapshot after a script.
	finalWait = 8 * time.Second
	// progressEvery is how often a client that waits hears of a script's steps.
	progressEvery = time.Second
	// lastLook is how long reading the page may take after a script that used
	// all its time.
	lastLook = 800 * time.Millisecond
)

func browserScript(ctx context.Context, t *Thread, a scriptArgs) (tool.Result, error) {
	d, err := within(a.Timeout, script.UsualTime, script.MaxTime)
	if err != nil {
		return tool.Result{}, err
	}
	if t.deps.Scripts == nil {
		return tool.Result{}, fault.New(fault.Unsupported, "scripts are not available here").Then("call the tools one by one")
	}
	url := ""
	if id, err := t.tab(a.Tab); err == nil {
		if i, err := t.deps.Tabs.Get(id, t.actor()); err == nil && i.Hold == nil {
			url = redact.URL(i.URL)
		}
	} else if a.Tab != "" {
		return tool.Result{}, err
	}
	s := &scripted{thread: t, url: url, end: time.Now().Add(d + lastLook)}
	var told time.Time
	o, err := t.deps.Scripts.Run(ctx, script.Job{
		Code: a.Code, URL: url, Timeout: d, Do: s.step,
		Began: func(n int, what string) {
			if time.Since(told) > progressEvery {
				told = time.Now()
				mcpserver.Progress(ctx, fmt.Sprintf("step %d: %s", n, redact.Text(what)))
			}
		},
	})
	return s.result(ctx, o, err)
}

// scripted is one script's way to the tools.
type scripted struct {
	thread *Thread
	end    time.Time // when the call must have answered

	mu  sync.Mutex
	url string // the last one that a step told
}

// step does one step of a script through the tool of its name, as if the agent
// had called it.
func (s *scripted) step(ctx context.Context, st script.Step) (json.RawMessage, error) {
	t, ok := stepTool(st.Name)
	if !ok {
		return nil, fault.New(fault.Unsupported, "scripts have no step %q", st.Name).Then("call the tool browser_%s outside scripts", st.Name)
	}
	res, err := t.Call(withScript(ctx), s.thread, st.Args)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	if u, ok := res.Data["url"].(string); ok && u != "" {
		s.url = u
	}
	s.mu.Unlock()
	switch st.Name {
	case "snapshot":
		return json.Marshal(res.Data["snapshot"])
	case "read":
		return json.Marshal(res.Data["text"])
	case "evaluate":
		return json.Marshal(res.Data["value"])
	}
	return json.Marshal(res.Data)
}

// steps are the tools that a script's helpers call. They are found at first
// use, since the catalogue holds browser_script itself.
var steps struct {
	once  sync.Once
	tools map[string]tool.Tool[*Thread]
}

// notSteps are tools that scripts do not have.
var notSteps = map[string]bool{
	"script": true, "tabs": true, "close": true, "screenshot": true, "environment": true, "record": true, "console": true, "annotations": true,
}

func stepTool(name string) (tool.Tool[*Thread], bool) {
	steps.once.Do(func() {
		steps.tools = map[string]tool.Tool[*Thread]{}
		for _, t := range Tools() {
			if short, ok := strings.CutPrefix(t.Name, "browser_"); ok && !notSteps[short] {
				steps.tools[short] = t
			}
		}
	})
	t, ok := steps.tools[name]
	return t, ok
}

type inScript struct{}

// withScript marks the calls of a script's steps.
func withScript(ctx context.Context) context.Context {
	return page.WithHaste(context.WithValue(ctx, inScript{}, true))
}

// mostValue is how many bytes of a value evaluate returns.
func mostValue(ctx context.Context) int {
	if ctx.Value(inScript{}) != nil {
		return maxScriptValue
	}
	return maxValue
}

// result tells a script's end: the outcome, its value and log, what was done
// when it failed, and the page as it is now.
func (s *scripted) result(ctx context.Context, o script.Outcome, err error) (tool.Result, error) {
	data := map[string]any{"steps": len(o.Steps)}
	var lines []string
	f := fault.From(err)
	if f == nil {
		failed := 0
		for _, d := range o.Steps {
			if d.Err != nil {
				failed++
			}
		}
		head := fmt.Sprintf("Script finished: %s", counted(len(o.Steps), "step"))
		if failed > 0 {
			head += fmt.Sprintf(", %d of them failed", failed)
		}
		value := clean(o.Value)
		data["value"] = value
		lines = append(lines, head, "Value: "+string(value))
	} else {
		lines = append(lines, did(o.Steps)...)
	}
	if len(o.Log) > 0 {
		log := make([]string, len(o.Log))
		for i, l := range o.Log {
			log[i] = redact.Text(l)
		}
		data["log"] = log
		lines = append(lines, "Log:")
		for _, l := range log {
			lines = append(lines, "  "+strings.ReplaceAll(l, "\n", "\n  "))
		}
	}
	s.mu.Lock()
	if s.url != "" {
		data["url"] = s.url
	}
	s.mu.Unlock()
	lines = append(lines, s.final(ctx, f, len(o.Steps) > 0, used(lines), data)...)
	if f == nil {
		return tool.Result{Text: strings.Join(lines, "\n"), Data: data}, nil
	}
	out := *f
	out.Message = redact.Text(f.Message)
	out.Partial, out.Data = strings.Join(lines, "\n"), data
	return tool.Result{}, &out
}

// final reads the page after the last step. Its failure is said and takes
// nothing away.
func (s *scripted) final(ctx context.Context, f *fault.Fault, stepped bool, taken int, data map[string]any) []string {
	reached := func() []string {
		if u, _ := data["url"].(string); u != "" {
			return []string{"The script reached " + u}
		}
		return nil
	}
	if !stepped || ctx.Err() != nil {
		return reached()
	}
	if f != nil {
		switch f.Code {
		case fault.InterruptedByPerson, fault.InUseByPerson, fault.AccessOff, fault.ProtectedBySecret:
			return reached()
		}
	}
	look, ok := stepTool("snapshot")
	if !ok {
		return reached()
	}
	ctx, cancel := context.WithTimeout(ctx, min(finalWait, time.Until(s.end)))
	defer cancel()
	args, _ := json.Marshal(map[string]any{"max_chars": max(2000, min(10_000, mostText-taken))})
	res, err := look.Call(ctx, s.thread, args)
	switch {
	case fault.Is(err, fault.NoSuchTab):
		return reached()
	case err != nil:
		said := fault.From(err)
		data["snapshot_error"] = string(said.Code) + ": " + said.Message
		return append(reached(), "The page could not be read afterwards: "+said.Error())
	}
	for _, k := range []string{"tab", "url", "title", "status", "snapshot", "notices"} {
		if v, ok := res.Data[k]; ok {
			data[k] = v
		}
	}
	return []string{res.Text}
}

// mostDid is how many steps of a failed script are listed.
const mostDid = 30

// did lists the steps of a failed script, the last ones when there are many.
func did(list []script.Did) []string {
	if len(list) == 0 {
		return []string{"No step was done."}
	}
	out := []string{"Done until then:"}
	from := max(0, len(list)-mostDid)
	if from > 0 {
		out = append(out, fmt.Sprintf("  (+%d before)", from))
	}
	for i, d := range list[from:] {
		line := fmt.Sprintf("  %d %s", from+i+1, redact.Text(d.What))
		if d.Err != nil {
			line += " — " + string(d.Err.Code)
		}
		out = append(out, line)
	}
	return out
}

// clean gives a value without secrets, as JSON still.
func clean(v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return json.RawMessage("null")
	}
	if c := json.RawMessage(redact.Text(string(v))); json.Valid(c) {
		return c
	}
	return v
}

func used(lines []string) int {
	n := 0
	for _, l := range lines {
		n += len(l) + 1
	}
	return n
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
