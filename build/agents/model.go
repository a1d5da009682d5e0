package main

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// step is what the model wants next: a call, or, with no tool, its last words.
type step struct {
	tool string // by Baton's name; the program has a longer one for it
	args map[string]any
	say  string
}

// model is a scripted model: it decides from the answers so far.
type model struct {
	script func(answers []string) step

	mu      sync.Mutex
	calls   []string
	answers []string
}

// next takes the answers to all calls so far and gives the next step.
func (m *model) next(answers []string) step {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answers = answers
	s := m.script(answers)
	if s.tool != "" && len(m.calls) == len(answers) {
		m.calls = append(m.calls, s.tool)
	}
	return s
}

func (m *model) made() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls
}

func (m *model) seen() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Join(m.answers, "\n--\n")
}

// order is the task's script: each call takes its refs from the first answer
// and goes on only if the answer before says that it was done.
func order(url string) func([]string) step {
	return func(answers []string) step {
		ref := func(line string) string {
			m := regexp.MustCompile(regexp.QuoteMeta(line) + `[^\n]*?\[(e\d+)\]`).FindStringSubmatch(answers[0])
			if m == nil {
				return "e0"
			}
			return m[1]
		}
		expect := []string{`button "Order"`, "", "", "", number}
		for i, a := range answers {
			if i < len(expect) && !strings.Contains(a, expect[i]) {
				return step{say: fmt.Sprintf("I stop: the answer to call %d lacks %q.", i+1, expect[i])}
			}
		}
		switch len(answers) {
		case 0:
			return step{tool: "browser_open", args: map[string]any{"url": url}}
		case 1:
			return step{tool: "browser_fill", args: map[string]any{"fields": []any{
				map[string]any{"target": ref(`textbox "Name"`), "text": "Ana Ruiz"}, map[string]any{"target": ref(`textbox "Email"`), "text": "ana@example.com"},
			}}}
		case 2:
			return step{tool: "browser_select", args: map[string]any{"target": ref(`combobox "Size"`), "values": []any{"large"}}}
		case 3:
			return step{tool: "browser_check", args: map[string]any{"target": ref(`checkbox "I accept the terms"`), "checked": true}}
		case 4:
			return step{tool: "browser_click", args: map[string]any{"target": ref(`button "Order"`)}}
		}
		return step{say: "The order is " + number + "."}
	}
}

// longName finds the name that a program gives one of Baton's tools.
func longName(tool string, names []string) string {
	for _, n := range names {
		if n == tool || strings.HasSuffix(n, "_"+tool) || strings.HasSuffix(n, "__"+tool) {
			return n
		}
	}
	return ""
}
