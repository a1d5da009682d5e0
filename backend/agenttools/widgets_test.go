package agenttools

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/backend/fault"
	"baton/backend/tab"
	"baton/backend/tool"
)

// The widget tasks are text: testdata/widgets/tasks.txt, a block a task. Each
// page notes in `got` what really reached it, and says whether the event was
// trusted; the last line of a task says what it must have noted.

// widgetTask is one task.
type widgetTask struct {
	name  string
	steps []widgetStep
}

type widgetStep struct {
	line int
	verb string
	rest string
}

func widgetTasks(t *testing.T) []widgetTask {
	t.Helper()
	f, err := os.Open("testdata/widgets/tasks.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []widgetTask
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		s := strings.TrimSpace(lines.Text())
		switch {
		case s == "" || s[0] == '#':
		case strings.HasPrefix(s, "== "):
			out = append(out, widgetTask{name: s[3:]})
		case len(out) == 0:
			t.Fatalf("line %d stands before the first task", n)
		default:
			verb, rest, _ := strings.Cut(s, " ")
			at := &out[len(out)-1]
			at.steps = append(at.steps, widgetStep{line: n, verb: verb, rest: strings.TrimSpace(rest)})
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// widgetSite serves the pages; "{other}" in them is the same server as another site.
func widgetSite(t *testing.T) string {
	t.Helper()
	var port string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := os.ReadFile(filepath.Join("testdata/widgets", filepath.Base(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		kind := "text/html; charset=utf-8"
		if strings.HasSuffix(r.URL.Path, ".js") {
			kind = "text/javascript; charset=utf-8"
		}
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, strings.ReplaceAll(string(body), "{other}", "http://localhost:"+port))
	}))
	port = s.URL[strings.LastIndex(s.URL, ":")+1:]
	t.Cleanup(s.Close)
	return "http://127.0.0.1:" + port
}

func TestWidgets(t *testing.T) {
	base := widgetSite(t)
	tasks := widgetTasks(t)
	if len(tasks) < 60 {
		t.Errorf("there are %d tasks", len(tasks))
	}
	files := t.TempDir()
	for _, name := range []string{"a.txt", "b.txt"} {
		if err := os.WriteFile(filepath.Join(files, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, task := range tasks {
		t.Run(task.name, func(t *testing.T) {
			w := &widgetDesk{desk: sit(t), base: base}
			w.Files = func(context.Context) []string { return []string{files} }
			asked := false
			for _, s := range task.steps {
				w.at = s.line
				w.step(s.verb, s.rest)
				asked = asked || s.verb == "want"
			}
			if !asked {
				t.Error("the task asks for nothing")
			}
		})
	}
}

// widgetDesk runs the steps of a task.
type widgetDesk struct {
	*desk
	base  string
	at    int      // the line of tasks.txt
	last  string   // text of the last result
	texts []string // what was read so far, newest last
}

func (w *widgetDesk) failf(form string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("tasks.txt:%d: %s\nlast result:\n%s", w.at, fmt.Sprintf(form, args...), w.last)
}

// run calls a tool and keeps what it said.
func (w *widgetDesk) run(name string, args map[string]any) error {
	w.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		w.failf("%v", err)
	}
	r, err := w.call(name, string(raw))
	w.keep(r, err)
	return err
}

func (w *widgetDesk) keep(r tool.Result, err error) {
	if err != nil {
		w.last = err.Error()
		return
	}
	w.last = r.Text
	w.texts = append(w.texts, r.Text)
}

func (w *widgetDesk) do(name string, args map[string]any) {
	w.t.Helper()
	if err := w.run(name, args); err != nil {
		w.failf("%s %v: %v", name, args, err)
	}
}

// target reads a target: JSON, or a part of a line of an outline. "A > B" is the
// first line with B below a line with A. What was read last counts first; what
// was not read yet is looked for in a new snapshot.
func (w *widgetDesk) target(s string) any {
	w.t.Helper()
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "{") {
		var v any
		if err := json.Unmarshal([]byte(s), &v); err != nil {
			w.failf("%s: %v", s, err)
		}
		return v
	}
	for range 2 {
		for _, text := range slices.Backward(w.texts) {
			if r := refOf(text, s); r != "" {
				return r
			}
		}
		w.do("browser_snapshot", map[string]any{})
	}
	w.failf("no line with %q", s)
	return nil
}

func refOf(text, spec string) string {
	parts := strings.Split(spec, " > ")
	deep := -1
	for line := range strings.Lines(text) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if deep >= 0 && indent <= deep {
			deep, parts = -1, strings.Split(spec, " > ") // left the part again
		}
		if !strings.Contains(line, parts[0]) {
			continue
		}
		if len(parts) > 1 {
			deep, parts = indent, parts[1:]
			continue
		}
		if m := inBrackets.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return ""
}

// split cuts a step in two at its last separator.
func (w *widgetDesk) split(s, sep string) (string, string) {
	w.t.Helper()
	i := strings.LastIndex(s, sep)
	if i < 0 {
		w.failf("%q has no %q", s, sep)
	}
	return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+len(sep):])
}

func (w *widgetDesk) step(verb, rest string) {
	w.t.Helper()
	switch verb {
	case "open":
		w.do("browser_open", map[string]any{"url": w.base + "/" + rest})
	case "look":
		w.do("browser_snapshot", map[string]any{})
	case "find":
		w.do("browser_snapshot", map[string]any{"query": rest})
	case "click", "hover":
		w.do("browser_"+verb, map[string]any{"target": w.target(rest)})
	case "dblclick":
		w.do("browser_click", map[string]any{"target": w.target(rest), "count": 2})
	case "rightclick":
		w.do("browser_click", map[string]any{"target": w.target(rest), "button": "right"})
	case "ctrlclick":
		w.do("browser_click", map[string]any{"target": w.target(rest), "modifiers": []string{"Control"}})
	case "shiftclick":
		w.do("browser_click", map[string]any{"target": w.target(rest), "modifiers": []string{"Shift"}})
	case "type", "append", "slow", "enter":
		on, text := w.split(rest, " = ")
		args := map[string]any{"target": w.target(on), "text": strings.ReplaceAll(text, `\n`, "\n")}
		switch verb {
		case "append":
			args["mode"] = "append"
		case "slow":
			args["slowly"] = true
		case "enter":
			args["submit"] = true
		}
		w.do("browser_type", args)
	case "write":
		w.do("browser_type", map[string]any{"text": rest, "mode": "append"})
	case "press":
		keys, on, has := strings.Cut(rest, " on ")
		args := map[string]any{"keys": keys}
		if has {
			args["target"] = w.target(on)
		}
		w.do("browser_press", args)
	case "drag":
		from, to := w.split(rest, " -> ")
		w.do("browser_drag", map[string]any{"from": w.target(from), "to": w.target(to)})
	case "select":
		on, values := w.split(rest, " = ")
		w.do("browser_select", map[string]any{"target": w.target(on), "values": strings.Split(values, "; ")})
	case "upload":
		on, files := w.split(rest, " = ")
		w.do("browser_upload", map[string]any{"target": w.target(on), "files": strings.Split(files, "; ")})
	case "check", "uncheck":
		w.do("browser_check", map[string]any{"target": w.target(rest), "checked": verb == "check"})
	case "fill":
		var fields []map[string]any
		for _, f := range strings.Split(rest, "; ") {
			on, text := w.split(f, " = ")
			fields = append(fields, map[string]any{"target": w.target(on), "text": text})
		}
		w.do("browser_fill", map[string]any{"fields": fields})
	case "scroll": // scroll TARGET|page by N | to bottom
		on, how := w.split(rest, " by ")
		args := map[string]any{}
		if on != "page" {
			args["target"] = w.target(on)
		}
		var n int
		fmt.Sscan(how, &n)
		if strings.HasSuffix(how, "x") {
			args["dx"] = n
		} else {
			args["dy"] = n
		}
		w.do("browser_scroll", args)
	case "bottom":
		args := map[string]any{"to": "bottom"}
		if rest != "page" {
			args["target"] = w.target(rest)
		}
		w.do("browser_scroll", args)
	case "wait":
		w.do("browser_wait", map[string]any{"text": rest})
	case "gone":
		w.do("browser_wait", map[string]any{"text_gone": rest})
	case "accept", "dismiss":
		args := map[string]any{"accept": verb == "accept"}
		if rest != "" {
			args["text"] = rest
		}
		w.do("browser_dialog", args)
	case "tab": // the tab opened last
		for _, i := range w.deps.Tabs.List(w.actor()) {
			if i.Mine && i.Opener != "" {
				w.do("browser_snapshot", map[string]any{"tab": i.ID})
			}
		}
	case "closed": // the tab opened last closes by itself
		for end := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			open := slices.ContainsFunc(w.deps.Tabs.List(w.actor()), func(i tab.Info) bool { return i.Mine && i.Opener != "" })
			if !open {
				break
			}
			if time.Now().After(end) {
				w.failf("the tab did not close")
			}
		}
	case "call":
		name, args, _ := strings.Cut(rest, " ")
		r, err := w.call(name, args)
		w.keep(r, err)
		if err != nil {
			w.failf("%s: %v", rest, err)
		}
	case "refused": // refused CODE click TARGET
		code, inner, _ := strings.Cut(rest, " ")
		verb, rest, _ := strings.Cut(inner, " ")
		on, text, has := strings.Cut(rest, " = ")
		args := map[string]any{"target": w.target(on)}
		if has {
			args["text"] = text
		}
		if err := w.run("browser_"+verb, args); !fault.Is(err, fault.Code(code)) {
			w.failf("wanted %s, got %v", code, err)
		}
	case "says":
		if !strings.Contains(w.last, rest) {
			w.failf("the result does not say %q", rest)
		}
	case "silent":
		if strings.Contains(w.last, rest) {
			w.failf("the result says %q", rest)
		}
	case "want":
		w.want(rest)
	default:
		w.failf("there is no step %q", verb)
	}
}

// want compares what the page noted. Nothing is waited for: a tool answers when
// its effect is there, and a task that needs more time says so with wait.
func (w *widgetDesk) want(want string) {
	w.t.Helper()
	said := w.last
	r, err := w.call("browser_evaluate", `{"expression":"got.join(' | ')"}`)
	if err != nil {
		w.failf("reading what the page noted: %v", err)
	}
	var got string
	if err := json.Unmarshal([]byte(r.Text), &got); err != nil {
		w.failf("%q: %v", r.Text, err)
	}
	if got = strings.ReplaceAll(got, "\n", "/"); got != want {
		late := ""
		time.Sleep(700 * time.Millisecond)
		if r, err := w.call("browser_evaluate", `{"expression":"got.join(' | ')"}`); err == nil && r.Text != `"`+got+`"` {
			late = "\n(later it noted " + r.Text + ")"
		}
		w.last = said
		w.failf("the page noted  %s\nand should have %s%s", got, want, late)
	}
}
