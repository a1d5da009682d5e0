// Package tool says what an agent tool is: a name, one line of description,
// typed arguments with their schema, and a func that runs it.
//
// [Define] makes a [Tool] from a typed func; [Tool.Call] decodes raw arguments
// strictly and runs it. A refusal is a *fault.Fault.
package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"baton/backend/fault"
)

// Tool is one tool of a catalogue for sessions of type S.
type Tool[S any] struct {
	Name        string
	Description string
	Schema      json.RawMessage // of its arguments: a JSON Schema of an object
	Args        []string        // names of the arguments, in order
	ReadOnly    bool            // it changes nothing on the page
	Example     Example         // for the documents; clients are not sent it
	check       func(raw json.RawMessage) error
	run         func(ctx context.Context, s S, raw json.RawMessage) (Result, error)
}

// Example is one call and its answer.
type Example struct {
	Call   string // the arguments, as JSON
	Result string // the text of the result; "…" stands for what differs from time to time
}

// Result is what a tool answers.
type Result struct {
	Text   string         // what the agent is to know; its first line is the outcome
	Data   map[string]any // the same facts, for clients that ask for structured results
	Images []Image
}

// Image is a picture in a result.
type Image struct {
	Data []byte
	MIME string
}

// Schemas says how types of arguments that are more than plain values appear
// in a schema.
type Schemas map[reflect.Type]*jsonschema.Schema

// Define makes a tool. Fields of A are its arguments by their json tags;
// "omitempty" marks optional ones, and a `jsonschema` tag describes one. An
// `enum:"a|b"` tag lists the values of a string.
func Define[S, A any](name, description string, schemas Schemas, run func(ctx context.Context, s S, a A) (Result, error)) Tool[S] {
	t := reflect.TypeFor[A]()
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: schemas})
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", name, err))
	}
	compact(schema)
	args := fields(t)
	for i := range t.NumField() {
		f := t.Field(i)
		if words := f.Tag.Get("enum"); words != "" {
			p := schema.Properties[jsonName(f)]
			p.Enum = nil
			for _, w := range strings.Split(words, "|") {
				p.Enum = append(p.Enum, w)
			}
			p.Type = ""
		}
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", name, err))
	}
	return Tool[S]{
		Name: name, Description: description, Schema: raw, Args: args,
		check: func(raw json.RawMessage) error {
			var a A
			return decode(raw, &a, args, required(schema))
		},
		run: func(ctx context.Context, s S, raw json.RawMessage) (Result, error) {
			var a A
			if err := decode(raw, &a, args, required(schema)); err != nil {
				return Result{}, err
			}
			return run(ctx, s, a)
		},
	}
}

// Reads marks the tool as one that changes nothing.
func (t Tool[S]) Reads() Tool[S] { t.ReadOnly = true; return t }

// Shown gives the tool its example.
func (t Tool[S]) Shown(call, result string) Tool[S] {
	t.Example = Example{Call: call, Result: result}
	return t
}

// Check decodes arguments as the schema has them, without repair, and runs
// nothing.
func (t Tool[S]) Check(raw json.RawMessage) error { return t.check(raw) }

// Repaired has fix rewrite the raw arguments before they are decoded (A6).
func (t Tool[S]) Repaired(fix func(raw json.RawMessage) (json.RawMessage, error)) Tool[S] {
	run := t.run
	t.run = func(ctx context.Context, s S, raw json.RawMessage) (Result, error) {
		raw, err := fix(raw)
		if err != nil {
			return Result{}, err
		}
		return run(ctx, s, raw)
	}
	return t
}

// Around has f run every call; next is the call itself.
func (t Tool[S]) Around(f func(ctx context.Context, s S, raw json.RawMessage, next func(context.Context, json.RawMessage) (Result, error)) (Result, error)) Tool[S] {
	run := t.run
	t.run = func(ctx context.Context, s S, raw json.RawMessage) (Result, error) {
		return f(ctx, s, raw, func(ctx context.Context, raw json.RawMessage) (Result, error) { return run(ctx, s, raw) })
	}
	return t
}

// Call decodes the arguments and runs the tool.
func (t Tool[S]) Call(ctx context.Context, s S, raw json.RawMessage) (Result, error) {
	return t.run(ctx, s, raw)
}

// compact drops what a schema need not say: that other arguments are refused,
// which the refusal itself tells.
func compact(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.AdditionalProperties = nil
	// An optional argument is left out, never null.
	s.Types = slices.DeleteFunc(s.Types, func(t string) bool { return t == "null" })
	if len(s.Types) == 1 {
		s.Type, s.Types = s.Types[0], nil
	}
	for _, p := range s.Properties {
		compact(p)
	}
	compact(s.Items)
}

func required(s *jsonschema.Schema) []string { return s.Required }

func fields(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		if n := jsonName(t.Field(i)); n != "" {
			out = append(out, n)
		}
	}
	return out
}

func jsonName(f reflect.StructField) string {
	n, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if n == "-" {
		return ""
	}
	return n
}

// decode reads arguments strictly: unknown and missing ones are refused by
// name, wrong types with the form that is wanted.
func decode(raw json.RawMessage, into any, known, must []string) error {
	if len(bytes.TrimSpace(raw)) == 0 || string(bytes.TrimSpace(raw)) == "null" {
		raw = json.RawMessage("{}")
	}
	var have map[string]json.RawMessage
	if err := json.Unmarshal(raw, &have); err != nil {
		return fault.New(fault.BadArguments, "the arguments are no JSON object").Then("send an object with: %s", strings.Join(known, ", "))
	}
	for name := range have {
		if !slices.Contains(known, name) {
			accepted := strings.Join(known, ", ")
			if accepted == "" {
				accepted = "no arguments"
			}
			return fault.New(fault.BadArguments, "there is no argument %q", name).Then("use: %s", accepted)
		}
	}
	for _, name := range must {
		if v, ok := have[name]; !ok || string(v) == "null" {
			return fault.New(fault.BadArguments, "the argument %q is missing", name).Then("call again with %s", name)
		}
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return fault.New(fault.BadArguments, "%s is a %s where a %s belongs", wrong.Field, wrong.Value, plain(wrong.Type)).Because(err)
		}
		var f *fault.Fault
		if errors.As(err, &f) {
			return f
		}
		return fault.New(fault.BadArguments, "the arguments cannot be read: %v", err).Because(err)
	}
	return nil
}

func plain(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return "number"
	case reflect.Slice:
		return "list"
	case reflect.Struct, reflect.Map:
		return "object"
	}
	return t.Kind().String()
}
