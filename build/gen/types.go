package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// wireFiles gives the Go files of the wire: app/wire.go and app/wire_*.go, by
// the name of the TypeScript file that each becomes.
func wireFiles() (map[string][]byte, error) {
	names, err := filepath.Glob("app/wire_*.go")
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, name := range append(names, "app/wire.go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("run it from the repository's root: %w", err)
		}
		out[strings.TrimPrefix(strings.TrimSuffix(filepath.Base(name), ".go"), "wire_")] = source
	}
	return out, nil
}

// typescript gives the wire's types and constants as TypeScript files by name,
// each in the order and with the comments of its Go file. Every exported struct
// becomes an interface whose fields are named by their json tags. index is a
// file that gives all of them.
func typescript(sources map[string][]byte) (files map[string]string, index string, err error) {
	bodies, home := map[string]string{}, map[string]string{}
	for name, source := range sources {
		body, types, err := declarations(name, source)
		if err != nil {
			return nil, "", err
		}
		bodies[name] = body
		for _, t := range types {
			home[t] = name
		}
	}
	files = map[string]string{}
	index = "// Generated from app/wire*.go by build/gen: change it there.\n"
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		var b strings.Builder
		fmt.Fprintf(&b, "// Generated from app/%s by build/gen: change it there.\n", goFile(name))
		for _, from := range slices.Sorted(maps.Keys(bodies)) {
			if used := usedTypes(bodies[name], home, from); from != name && len(used) > 0 {
				fmt.Fprintf(&b, "import type { %s } from './%s'\n", strings.Join(used, ", "), from)
			}
		}
		files[name] = b.String() + bodies[name]
		index += fmt.Sprintf("export * from './wire/%s'\n", name)
	}
	return files, index, nil
}

func goFile(name string) string {
	if name == "wire" {
		return "wire.go"
	}
	return "wire_" + name + ".go"
}

// member is a field of an interface and its type.
var member = regexp.MustCompile(`(?m)^  \w+\??: ([^/\n]+)`)

// usedTypes gives the types of another file that a file's fields have.
func usedTypes(body string, home map[string]string, from string) []string {
	used := map[string]bool{}
	for _, m := range member.FindAllStringSubmatch(body, -1) {
		for _, t := range regexp.MustCompile(`\w+`).FindAllString(m[1], -1) {
			if home[t] == from && from != "" {
				used[t] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(used))
}

// declarations gives a Go file's constants and structs as TypeScript, and the
// names of the structs.
func declarations(name string, source []byte) (body string, types []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), goFile(name), source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		switch g.Tok {
		case token.CONST:
			err = constants(&b, g)
		case token.TYPE:
			for _, s := range g.Specs {
				types = append(types, s.(*ast.TypeSpec).Name.Name)
			}
			err = interfaces(&b, g)
		}
		if err != nil {
			return "", nil, err
		}
	}
	return b.String(), types, nil
}

func constants(b *strings.Builder, g *ast.GenDecl) error {
	first := true
	for _, s := range g.Specs {
		v := s.(*ast.ValueSpec)
		for i, name := range v.Names {
			if !name.IsExported() {
				continue
			}
			if i >= len(v.Values) {
				return fmt.Errorf("%s has no value of its own; spell values of the wire out", name)
			}
			lit, ok := v.Values[i].(*ast.BasicLit)
			if !ok {
				return fmt.Errorf("%s is no plain value", name)
			}
			value := lit.Value
			if lit.Kind == token.STRING {
				s, err := strconv.Unquote(lit.Value)
				if err != nil {
					return err
				}
				value = quoted(s)
			}
			if first {
				b.WriteString("\n")
				comment(b, "", g.Doc)
			}
			first = false
			fmt.Fprintf(b, "export const %s = %s%s\n", name, value, trailing(v.Comment))
		}
	}
	return nil
}

func interfaces(b *strings.Builder, g *ast.GenDecl) error {
	for _, s := range g.Specs {
		t := s.(*ast.TypeSpec)
		st, ok := t.Type.(*ast.StructType)
		if !ok || !t.Name.IsExported() {
			continue
		}
		b.WriteString("\n")
		doc := t.Doc
		if doc == nil {
			doc = g.Doc
		}
		comment(b, "", doc)
		fmt.Fprintf(b, "export interface %s {\n", t.Name)
		for _, f := range st.Fields.List {
			if err := field(b, t.Name.Name, f); err != nil {
				return err
			}
		}
		b.WriteString("}\n")
	}
	return nil
}

func field(b *strings.Builder, of string, f *ast.Field) error {
	if len(f.Names) == 0 {
		return fmt.Errorf("%s embeds a type; the wire's structs spell their fields out", of)
	}
	kind, err := typeOf(f.Type)
	if err != nil {
		return fmt.Errorf("%s.%s: %w", of, f.Names[0], err)
	}
	comment(b, "  ", f.Doc)
	for i, n := range f.Names {
		if !n.IsExported() {
			return fmt.Errorf("%s.%s is not exported", of, n)
		}
		name, optional := lowerFirst(n.Name), ""
		if f.Tag != nil {
			raw, err := strconv.Unquote(f.Tag.Value)
			if err != nil {
				return err
			}
			tag, opts, _ := strings.Cut(reflect.StructTag(raw).Get("json"), ",")
			if tag == "-" {
				continue
			}
			if tag != "" {
				name = tag
			}
			if strings.Contains(opts, "omitempty") || strings.Contains(opts, "omitzero") {
				optional = "?"
			}
		}
		end := ""
		if i == len(f.Names)-1 {
			end = trailing(f.Comment)
		}
		fmt.Fprintf(b, "  %s%s: %s%s\n", name, optional, kind, end)
	}
	return nil
}

// typeOf gives the TypeScript type of a Go type as JSON carries it.
func typeOf(e ast.Expr) (string, error) {
	switch t := e.(type) {
	case *ast.Ident:
		switch t.Name {
		case "string":
			return "string", nil
		case "bool":
			return "boolean", nil
		case "any":
			return "unknown", nil
		case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64":
			return "number", nil
		}
		if t.IsExported() {
			return t.Name, nil
		}
	case *ast.StarExpr:
		return typeOf(t.X)
	case *ast.ArrayType:
		if id, ok := t.Elt.(*ast.Ident); ok && id.Name == "byte" {
			return "string", nil // base64
		}
		of, err := typeOf(t.Elt)
		return of + "[]", err
	case *ast.MapType:
		if id, ok := t.Key.(*ast.Ident); ok && id.Name == "string" {
			of, err := typeOf(t.Value)
			return "Record<string, " + of + ">", err
		}
	}
	return "", fmt.Errorf("the wire carries no %T", e)
}

func comment(b *strings.Builder, indent string, c *ast.CommentGroup) {
	if c == nil {
		return
	}
	for _, l := range strings.Split(strings.TrimRight(c.Text(), "\n"), "\n") {
		b.WriteString(strings.TrimRight(indent+"// "+l, " ") + "\n")
	}
}

func trailing(c *ast.CommentGroup) string {
	if c == nil {
		return ""
	}
	return " // " + strings.Join(strings.Fields(c.Text()), " ")
}

func quoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(s) + "'"
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
