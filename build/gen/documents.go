package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"baton/backend/fault"
	"baton/backend/tool"
)

// errorsDocument describes every error.
func errorsDocument(table []fault.Row) string {
	var b strings.Builder
	b.WriteString("# Errors\n\nGenerated from `backend/fault/codes.go` by `build/gen`: change it there.\n\n" +
		"An agent gets the code, a sentence of what is wrong and one of what to do next. A person gets the same in their words;\n" +
		"where the last column names a step, the interface offers it.\n\n" +
		"| code | when | what an agent does next | what a person can do |\n|---|---|---|---|\n")
	for _, r := range table {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.Code, cell(r.Meaning), cell(r.Next), cell(r.Person))
	}
	return b.String()
}

// entry is a tool as its document shows it.
type entry struct {
	name, description string
	schema            json.RawMessage
	args              []string
	reads             bool
	example           tool.Example
}

func entries[S any](tools []tool.Tool[S]) []entry {
	out := make([]entry, len(tools))
	for i, t := range tools {
		out[i] = entry{t.Name, t.Description, t.Schema, t.Args, t.ReadOnly, t.Example}
	}
	return out
}

// schema is the part of JSON Schema that arguments use.
type schema struct {
	Type        any                `json:"type"`
	Description string             `json:"description"`
	Enum        []any              `json:"enum"`
	Items       *schema            `json:"items"`
	AnyOf       []*schema          `json:"anyOf"`
	OneOf       []*schema          `json:"oneOf"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
}

// UnmarshalJSON also reads true, which is the schema of any value.
func (s *schema) UnmarshalJSON(raw []byte) error {
	if string(raw) == "true" {
		*s = schema{}
		return nil
	}
	type plain schema
	return json.Unmarshal(raw, (*plain)(s))
}

// toolsDocument describes every tool that agents can call.
func toolsDocument(tools []entry) (string, error) {
	var b strings.Builder
	b.WriteString("# Tools for agents\n\nGenerated from `backend/agenttools` by `build/gen`: change it there. In the order of the catalogue.\n\n" +
		"A target is a ref of a snapshot (`e12`), `{role, name}`, `{text}`, `{label}`, `{placeholder}`, `{testid}`, `{css}` or `{x, y}`.\n" +
		"Each tool has an example; \"…\" in a result stands for what differs or is left out.\n")
	for _, t := range tools {
		var s schema
		if err := json.Unmarshal(t.schema, &s); err != nil {
			return "", fmt.Errorf("%s: %w", t.name, err)
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s.", t.name, strings.TrimSuffix(t.description, "."))
		if t.reads {
			b.WriteString(" It only reads.")
		}
		b.WriteString("\n")
		if len(t.args) > 0 {
			b.WriteString("\n| argument | takes | |\n|---|---|---|\n")
			for _, name := range t.args {
				p := s.Properties[name]
				if p == nil {
					return "", fmt.Errorf("%s: its schema does not know %s", t.name, name)
				}
				takes, note := kind(p), p.Description
				if name == "target" || name == "from" || (name == "to" && len(p.Enum) == 0) {
					takes = "target"
				}
				if slices.Contains(s.Required, name) {
					note = strings.TrimSpace("required. " + note)
				}
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, cell(takes), cell(note))
			}
		}
		if t.example.Call != "" {
			fmt.Fprintf(&b, "\n```\n%s %s\n```\n```\n%s\n```\n", t.name, t.example.Call, t.example.Result)
		}
	}
	return b.String(), nil
}

// kind says in a few words what an argument takes.
func kind(s *schema) string {
	switch {
	case len(s.Enum) > 0:
		words := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			words[i] = fmt.Sprintf("`%v`", v)
		}
		return strings.Join(words, ", ")
	case len(s.AnyOf)+len(s.OneOf) > 0:
		var kinds []string
		for _, k := range slices.Concat(s.AnyOf, s.OneOf) {
			kinds = append(kinds, kind(k))
		}
		return strings.Join(kinds, " or ")
	case s.Items != nil:
		return "list of " + kind(s.Items)
	case len(s.Properties) > 0:
		names := make([]string, 0, len(s.Properties))
		for n := range s.Properties {
			names = append(names, "`"+n+"`")
		}
		slices.Sort(names)
		return "object of " + strings.Join(names, ", ")
	}
	switch t := s.Type.(type) {
	case string:
		return t
	case []any:
		words := make([]string, len(t))
		for i, v := range t {
			words[i] = fmt.Sprint(v)
		}
		return strings.Join(words, " or ")
	}
	return "any value"
}

func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
}
