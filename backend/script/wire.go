package script

import (
	"encoding/json"
	"fmt"
	"strings"

	"baton/backend/redact"
)

// toChild is a line from the host to the child. T is "run" or "step".
type toChild struct {
	T       string          `json:"t"`
	Code    string          `json:"code,omitempty"`
	URL     string          `json:"url,omitempty"`
	Timeout int64           `json:"timeout_ms,omitempty"`
	ID      int             `json:"id,omitempty"`
	Value   json.RawMessage `json:"value,omitempty"`
	Error   *wireFault      `json:"error,omitempty"`
}

type wireFault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next,omitempty"`
}

// toHost is a line from the child to the host. T is "ready", "step", "log",
// "done" or "fail".
type toHost struct {
	T     string          `json:"t"`
	ID    int             `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"` // the step asked for, or that failed
	Args  json.RawMessage `json:"args,omitempty"`
	Text  string          `json:"text,omitempty"`
	Value json.RawMessage `json:"value,omitempty"`
	Line  int             `json:"line,omitempty"`
	Code  string          `json:"code,omitempty"` // of a failed step, "time" or script_limit
}

// brief says in a few words what a step does, without what is typed.
func brief(name string, raw json.RawMessage) string {
	var a map[string]json.RawMessage
	if json.Unmarshal(raw, &a) != nil {
		return name
	}
	words := []string{name}
	for _, k := range []string{"target", "from", "to", "url", "action", "keys", "load", "state", "tab", "ms"} {
		v, ok := a[k]
		if !ok {
			continue
		}
		var s string
		switch {
		case k == "target" || k == "from" || k == "to":
			s = briefTarget(v)
		case json.Unmarshal(v, &s) == nil:
			if k == "url" {
				s = redact.URL(s)
			}
		default:
			s = string(v)
		}
		words = append(words, s)
	}
	if f, ok := a["fields"]; ok {
		var list []json.RawMessage
		if json.Unmarshal(f, &list) == nil {
			words = append(words, fmt.Sprintf("%d fields", len(list)))
		}
	}
	if t, ok := a["text"]; ok && name == "wait" {
		words = append(words, string(t))
	}
	s := strings.Join(words, " ")
	if r := []rune(s); len(r) > 120 {
		s = string(r[:120]) + "…"
	}
	return s
}

func briefTarget(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	var t struct{ Ref, Role, Name, Text, Label, Placeholder, TestID, CSS string }
	if json.Unmarshal(v, &t) != nil {
		return "a target"
	}
	switch {
	case t.Ref != "":
		return t.Ref
	case t.Name != "":
		return fmt.Sprintf("%s %q", t.Role, t.Name)
	case t.Text+t.Label+t.Placeholder != "":
		return fmt.Sprintf("%q", t.Text+t.Label+t.Placeholder)
	}
	return t.Role + t.TestID + t.CSS
}
