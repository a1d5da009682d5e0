package agenttools

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"baton/backend/fault"
	"baton/backend/tool"
)

// repairCase is a line of testdata/repair.txt.
type repairCase struct {
	line             int
	tool, args, want string
	refused          string
}

func repairCases(t testing.TB) []repairCase {
	t.Helper()
	f, err := os.Open("testdata/repair.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []repairCase
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		text := strings.TrimSpace(s.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		c := repairCase{line: n}
		var rest string
		c.tool, rest, _ = strings.Cut(text, " ")
		if args, refused, ok := strings.Cut(rest, " !! "); ok {
			c.args, c.refused = args, refused
		} else if args, want, ok := strings.Cut(rest, " => {"); ok {
			// The last arrow before an object: functions have arrows too.
			i := strings.LastIndex(rest, " => {")
			c.args, c.want = rest[:i], rest[i+4:]
			_, _ = args, want
		} else {
			t.Fatalf("line %d says neither what comes out nor what is refused", n)
		}
		out = append(out, c)
	}
	return out
}

// idle is a thread without a tab: a call that passes its arguments ends there.
func idle(t testing.TB, name string) *Thread {
	t.Helper()
	tt, ok := t.(*testing.T)
	if !ok {
		t.Fatal("a test is needed")
	}
	return NewThread(&Deps{Tabs: start(tt), Uploads: shared.uploads, Log: slog.New(slog.DiscardHandler)}, name)
}

func TestRepairCorpus(t *testing.T) {
	cases := repairCases(t)
	if len(cases) < 150 {
		t.Errorf("there are %d cases", len(cases))
	}
	for _, c := range cases {
		for _, x := range Tools() {
			if x.Name != c.tool {
				continue
			}
			if c.refused != "" {
				_, err := x.Call(context.Background(), idle(t, t.Name()), json.RawMessage(c.args))
				if f := fault.From(err); err == nil || f.Code != fault.BadArguments && f.Code != fault.FileNotAllowed || !strings.Contains(f.Message+". Next: "+f.Next, c.refused) {
					t.Errorf("repair.txt:%d: %s %s gave %v, want a refusal with %q", c.line, c.tool, c.args, err, c.refused)
				}
				continue
			}
			got, err := repair(c.tool, x.Args)(json.RawMessage(c.args))
			if err != nil {
				t.Errorf("repair.txt:%d: %s %s is refused: %v", c.line, c.tool, c.args, err)
				continue
			}
			var is, want any
			if json.Unmarshal(got, &is) != nil || json.Unmarshal([]byte(c.want), &want) != nil || !reflect.DeepEqual(is, want) {
				t.Errorf("repair.txt:%d: %s %s became %s, want %s", c.line, c.tool, c.args, got, c.want)
			}
			if c.tool == "browser_open" {
				continue // it would open a tab
			}
			// The tool itself takes them, too.
			if _, err := x.Call(context.Background(), idle(t, t.Name()), json.RawMessage(c.args)); fault.Is(err, fault.BadArguments) {
				t.Errorf("repair.txt:%d: %s %s is refused by the tool: %v", c.line, c.tool, c.args, err)
			}
		}
	}
}

func TestRepairLeavesWhatIsRight(t *testing.T) {
	for _, c := range repairCases(t) {
		if c.refused != "" {
			continue
		}
		got, err := repaired(t, c.tool, c.want)
		var is, want any
		if err != nil || json.Unmarshal([]byte(got), &is) != nil || json.Unmarshal([]byte(c.want), &want) != nil || !reflect.DeepEqual(is, want) {
			t.Errorf("repair.txt:%d: %s %s became %s, %v", c.line, c.tool, c.want, got, err)
		}
	}
}

// allowed are the values that repairs put in the place of other words for them.
var allowed = strings.Fields("replace append visible gone load domcontentloaded networkidle bottom top target reload back forward hard_reload error warning info jpeg system " +
	"true false 500 600 -600 2 0 #")

// leaves gives the plain values of JSON.
func leaves(v any, out []string) []string {
	switch x := v.(type) {
	case map[string]any:
		for _, k := range x {
			out = leaves(k, out)
		}
	case []any:
		for _, k := range x {
			out = leaves(k, out)
		}
	case string:
		out = append(out, x)
	case json.Number:
		out = append(out, string(x))
	case bool:
		out = append(out, fmt.Sprint(x))
	}
	return out
}

var plainWords = regexp.MustCompile(`[^\p{L}\p{N}]+`)

// FuzzRepairInventsNothing repairs what it is given, for every tool: it never
// panics, what comes out is JSON, and no value in it was not in what went in.
func FuzzRepairInventsNothing(f *testing.F) {
	tools := Tools()
	for _, c := range repairCases(f) {
		i := slices.IndexFunc(tools, func(x tool.Tool[*Thread]) bool { return x.Name == c.tool })
		f.Add(i, c.args)
	}
	f.Fuzz(func(t *testing.T, n int, in string) {
		x := tools[((n%len(tools))+len(tools))%len(tools)]
		out, err := repair(x.Name, x.Args)(json.RawMessage(in))
		if err != nil {
			if !fault.Is(err, fault.BadArguments) && json.Valid([]byte(in)) {
				t.Errorf("%s %q: %v", x.Name, in, err)
			}
			return
		}
		if !json.Valid([]byte(in)) {
			return
		}
		d := json.NewDecoder(strings.NewReader(string(out)))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s %q became %q", x.Name, in, out)
		}
		given := plainWords.ReplaceAllString(strings.ToLower(unescaped(in)), "")
		for _, leaf := range leaves(v, nil) {
			bare := plainWords.ReplaceAllString(strings.ToLower(leaf), "")
			if slices.Contains(allowed, leaf) || bare == "" || strings.Contains(given, bare) || strings.Contains(given, strings.TrimPrefix(bare, "t")) {
				continue
			}
			if isGivenNumber(leaf, in) {
				continue
			}
			t.Errorf("%s %q became %s: where does %q come from?", x.Name, in, out, leaf)
		}
	})
}

var numbersIn = regexp.MustCompile(`\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`)

// isGivenNumber says that a number was given, in another form or in seconds.
func isGivenNumber(leaf, in string) bool {
	n, err := strconv.ParseFloat(leaf, 64)
	if err != nil {
		return false
	}
	for _, s := range numbersIn.FindAllString(in, -1) {
		if x, err := strconv.ParseFloat(s, 64); err == nil && (x == math.Abs(n) || math.Round(x*1000) == n || math.Trunc(x*1000) == n || math.Abs(n-x) < 1e-9*x) {
			return true
		}
	}
	return false
}

// unescaped gives a text with the escapes of JSON in it resolved, those of
// strings within strings too.
func unescaped(s string) string {
	all := s
	var walk func(v any, depth int)
	walk = func(v any, depth int) {
		switch x := v.(type) {
		case map[string]any:
			for k, y := range x {
				all += " " + k
				walk(y, depth)
			}
		case []any:
			for _, y := range x {
				walk(y, depth)
			}
		case string:
			all += " " + x + " " + strings.ReplaceAll(x, `\`, "")
			var inner any
			if depth < 4 && json.Unmarshal([]byte(x), &inner) == nil {
				walk(inner, depth+1)
			}
		}
	}
	var v any
	if json.Unmarshal([]byte(s), &v) == nil {
		walk(v, 0)
	}
	return all
}
