package agenttools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"baton/backend/fault"
	"baton/backend/page"
)

// Arguments come as models write them. repair rewrites the forms that have one
// meaning into those of the schema, before they are decoded; a form with two
// meanings is refused with the accepted ones. Access checks read the repaired
// arguments.

// renames are other names of arguments, for tools that have the second one.
// The first match that the tool has wins.
var renames = map[string][]string{
	"tab_id": {"tab"}, "tabid": {"tab"}, "page_id": {"tab"}, "pageid": {"tab"}, "tabname": {"tab"},
	"uri": {"url"}, "href": {"url"}, "link": {"url"}, "address": {"url"},
	"value": {"text", "values", "checked"}, "content": {"text"}, "input": {"text"}, "string": {"text"},
	"values": {"values"}, "option": {"values"}, "options": {"values"},
	"key": {"keys"}, "shortcut": {"keys"}, "combo": {"keys"},
	"paths": {"files"}, "path": {"files"}, "file": {"files"}, "filepaths": {"files"},
	"script": {"expression", "code"}, "js": {"expression"}, "javascript": {"expression"}, "code": {"expression"},
	"fn": {"function", "expression"}, "func": {"function"}, "function": {"expression"}, "predicate": {"function"},
	"timeout": {"timeout_ms"}, "timeoutms": {"timeout_ms"},
	"time": {"ms"}, "delay": {"ms"}, "milliseconds": {"ms"}, "sleep": {"ms"}, "duration": {"ms"},
	"start": {"from"}, "source": {"from"}, "startelement": {"from"}, "end": {"to"}, "destination": {"to"}, "endelement": {"to"},
	"deltax": {"dx"}, "deltay": {"dy"}, "x_delta": {"dx"}, "y_delta": {"dy"},
	"clickcount": {"count"}, "click_count": {"count"}, "search": {"query"}, "find": {"query"}, "filter": {"query"},
	"press_enter": {"submit"}, "pressenter": {"submit"}, "enter": {"submit"}, "limit": {"max_chars"}, "maxlength": {"max_chars"},
	"prompt_text": {"text"}, "prompttext": {"text"}, "wait_until": {"load"}, "waituntil": {"load"}, "colorscheme": {"color_scheme"},
	"texts": {"fields"}, "inputs": {"fields"}, "form": {"fields"}, "entries": {"fields"}, "fullpage": {"full_page"},
}

// targetKeys are those of a target that stands at the top level by mistake.
var targetKeys = []string{"ref", "selector", "css", "role", "name", "text", "label", "placeholder", "testid", "test_id", "x", "y", "exact", "nth", "element", "locator", "uid", "index"}

// repair gives the repairs for a tool with these arguments.
func repair(tool string, args []string) func(json.RawMessage) (json.RawMessage, error) {
	return func(raw json.RawMessage) (json.RawMessage, error) {
		m, ok := object(raw)
		if !ok {
			return raw, nil
		}
		m = unwrap(tool, args, m)
		m = rename(args, m)
		if err := lift(args, m); err != nil {
			return nil, err
		}
		for _, k := range []string{"target", "from", "to", "frame"} {
			if v, ok := m[k]; ok && slices.Contains(args, k) && (k != "to" || slices.Contains(args, "from")) {
				fixed, err := repairTarget(v)
				if err != nil {
					return nil, err
				}
				m[k] = fixed
			}
		}
		if err := values(tool, args, m); err != nil {
			return nil, err
		}
		return json.Marshal(m)
	}
}

func object(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	raw = bytes.TrimSpace(raw)
	// A whole object written as a string.
	if len(raw) > 0 && raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) == nil && strings.HasPrefix(strings.TrimSpace(s), "{") {
			raw = json.RawMessage(s)
		}
	}
	var m map[string]json.RawMessage
	return m, json.Unmarshal(raw, &m) == nil && m != nil
}

// unwrap takes the arguments out of {name, arguments} and the like.
func unwrap(tool string, args []string, m map[string]json.RawMessage) map[string]json.RawMessage {
	for _, k := range []string{"arguments", "args", "params", "parameters", "input"} {
		inner, ok := object(m[k])
		if !ok || slices.Contains(args, k) {
			continue
		}
		alone := len(m) == 1
		if n, has := m["name"]; len(m) == 2 && has && plain(n) == tool {
			alone = true
		}
		if alone {
			return inner
		}
	}
	return m
}

// rename gives arguments the names of the schema: snake case, and what other
// tools call them.
func rename(args []string, m map[string]json.RawMessage) map[string]json.RawMessage {
	out := make(map[string]json.RawMessage, len(m))
	for k, v := range m {
		if slices.Contains(args, k) {
			out[k] = v
		}
	}
	for k, v := range m {
		if slices.Contains(args, k) {
			continue
		}
		name := k
		if s := snake(k); slices.Contains(args, s) {
			name = s
		} else {
			for _, to := range append(slices.Clone(renames[strings.ToLower(k)]), renames[s]...) {
				if _, taken := m[to]; slices.Contains(args, to) && !taken {
					name = to
					break
				}
			}
		}
		if _, taken := out[name]; taken {
			name = k
		}
		out[name] = v
	}
	return out
}

func snake(s string) string {
	var b strings.Builder
	for i, r := range s {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		if r == '-' {
			r = '_'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// lift gathers the parts of a target that stand at the top level.
func lift(args []string, m map[string]json.RawMessage) error {
	if !slices.Contains(args, "target") {
		return nil
	}
	if _, has := m["target"]; has {
		// Playwright's tools take a description beside the ref.
		if !slices.Contains(args, "element") {
			delete(m, "element")
		}
		return nil
	}
	found := map[string]json.RawMessage{}
	for _, k := range targetKeys {
		if v, ok := m[k]; ok && !slices.Contains(args, k) {
			found[k] = v
			delete(m, k)
		}
	}
	if len(found) == 0 {
		return nil
	}
	if ref, ok := found["ref"]; ok {
		m["target"] = ref
		return nil
	}
	for _, k := range []string{"uid", "locator", "selector"} {
		if v, ok := found[k]; ok && len(found) <= 2 {
			m["target"] = v
			return nil
		}
	}
	if v, ok := found["element"]; ok && len(found) == 1 {
		m["target"] = v
		return nil
	}
	delete(found, "element")
	raw, err := json.Marshal(found)
	m["target"] = raw
	return err
}

var (
	inBrackets = regexp.MustCompile(`\[(?:ref=)?@?(e\d+)\]`)
	bareRef    = regexp.MustCompile(`^(?:\[)?(?:ref\s*[=:]\s*)?["']?@?(?:aria-ref=)?(e\d+)["']?(?:\])?$`)
	engineName = regexp.MustCompile(`^(css|text|role|label|placeholder|testid|test-id|data-testid|id|xpath|internal:\w+)\s*=\s*(.+)$`)
	roleName   = regexp.MustCompile(`^-?\s*([a-z]+)\s+"((?:[^"\\]|\\.)*)"\s*$`)
	nthSuffix  = regexp.MustCompile(`\s*>>\s*nth=(\d+)\s*$`)
	pointForm  = regexp.MustCompile(`^\(?\s*(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*\)?$`)
	looksCSS   = regexp.MustCompile(`^[#.\[]|^[a-z][a-z0-9-]*[#.\[:>]|^[a-z][a-z0-9-]*\s*>\s*`)
)

// repairTarget rewrites a target's other forms; what is right already and what
// is not known comes back as it is.
func repairTarget(raw json.RawMessage) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return raw, nil
	}
	switch raw[0] {
	case '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return raw, nil
		}
		return targetString(strings.TrimSpace(s))
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil && len(list) == 1 {
			return repairTarget(list[0])
		}
		var xy []float64
		if json.Unmarshal(raw, &xy) == nil && len(xy) == 2 {
			return json.Marshal(map[string]float64{"x": xy[0], "y": xy[1]})
		}
		return raw, nil
	case '{':
		return targetObject(raw)
	}
	if n, err := strconv.Atoi(string(raw)); err == nil && n > 0 {
		return nil, fault.New(fault.BadArguments, "the target is the number %d, which can mean a ref or a place in a list", n).Then(`write "e%d" for the ref; %s`, n, page.TargetForms)
	}
	return raw, nil
}

func targetString(s string) (json.RawMessage, error) {
	if m := bareRef.FindStringSubmatch(s); m != nil {
		return json.Marshal(m[1])
	}
	if strings.HasPrefix(s, "{") && json.Valid([]byte(s)) {
		return repairTarget(json.RawMessage(s))
	}
	// A whole line of a snapshot names its element by the ref in it.
	if m := inBrackets.FindAllStringSubmatch(s, -1); len(m) == 1 {
		return json.Marshal(m[0][1])
	} else if len(m) > 1 {
		return nil, fault.New(fault.BadArguments, "the target %q holds several refs", short(s)).Then("give one ref")
	}
	t := map[string]any{}
	if m := nthSuffix.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		t["nth"] = n
		s = strings.TrimSpace(s[:len(s)-len(m[0])])
	}
	if m := pointForm.FindStringSubmatch(s); m != nil && len(t) == 0 {
		x, _ := strconv.ParseFloat(m[1], 64)
		y, _ := strconv.ParseFloat(m[2], 64)
		return json.Marshal(map[string]float64{"x": x, "y": y})
	}
	if m := roleName.FindStringSubmatch(s); m != nil {
		name, err := strconv.Unquote(`"` + m[2] + `"`)
		if err != nil {
			name = m[2]
		}
		t["role"], t["name"] = m[1], name
		return json.Marshal(t)
	}
	if m := engineName.FindStringSubmatch(s); m != nil {
		if err := engineForm(t, m[1], strings.TrimSpace(m[2])); err != nil {
			return nil, err
		}
		return json.Marshal(t)
	}
	if strings.HasPrefix(s, "//") || strings.HasPrefix(s, "xpath=") {
		return nil, fault.New(fault.BadArguments, "XPath is not taken as a target").Then(page.TargetForms)
	}
	if looksCSS.MatchString(s) {
		t["css"] = s
		return json.Marshal(t)
	}
	return nil, fault.New(fault.BadArguments, "the target %q can mean a text, a label or a selector", short(s)).Then(`write {"text":…}, {"role":…,"name":…}, {"label":…} or {"css":…}, or a ref such as "e12"`)
}

// engineForm reads a selector with an engine's name before it.
func engineForm(t map[string]any, name, rest string) error {
	bare := strings.Trim(rest, `"'`)
	switch name {
	case "css":
		t["css"] = rest
	case "id":
		t["css"] = "#" + bare
	case "text":
		t["text"] = bare
		if bare != rest {
			t["exact"] = true
		}
	case "label":
		t["label"] = bare
	case "placeholder":
		t["placeholder"] = bare
	case "testid", "test-id", "data-testid":
		t["testid"] = bare
	case "role":
		role, attrs, has := strings.Cut(rest, "[")
		t["role"] = strings.TrimSpace(role)
		if has {
			key, val, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(attrs), "]"), "=")
			if !ok || strings.TrimSpace(key) != "name" {
				return fault.New(fault.BadArguments, "the selector %q cannot be read", short(rest)).Then(page.TargetForms)
			}
			t["name"] = strings.Trim(strings.TrimSuffix(strings.TrimSpace(val), "i"), `"'`)
		}
	default:
		return fault.New(fault.BadArguments, "%s selectors are not taken as targets", name).Then(page.TargetForms)
	}
	return nil
}

func targetObject(raw json.RawMessage) (json.RawMessage, error) {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return raw, nil
	}
	if inner, ok := m["target"]; ok && len(m) == 1 {
		return repairTarget(inner)
	}
	for from, to := range map[string]string{
		"selector": "css", "test_id": "testid", "testId": "testid", "data-testid": "testid", "uid": "ref", "id": "ref", "aria_label": "label",
		"accessible_name": "name", "index": "nth", "iframe": "frame", "coordinates": "", "element": "",
	} {
		v, ok := m[from]
		if !ok {
			continue
		}
		if from == "id" && !bareRef.MatchString(plain(v)) {
			continue
		}
		delete(m, from)
		if _, taken := m[to]; !taken && to != "" {
			m[to] = v
		} else if from == "coordinates" {
			var xy []float64
			if json.Unmarshal(v, &xy) == nil && len(xy) == 2 {
				m["x"], m["y"] = json.RawMessage(fmt.Sprint(xy[0])), json.RawMessage(fmt.Sprint(xy[1]))
			}
		}
	}
	if v, ok := m["ref"]; ok {
		// A ref says all; what stands beside it only describes.
		s := plain(v)
		if r := bareRef.FindStringSubmatch(s); r != nil {
			return json.Marshal(r[1])
		}
		if r := inBrackets.FindStringSubmatch(s); r != nil {
			return json.Marshal(r[1])
		}
	}
	if v, ok := m["nth"]; ok {
		if n, err := strconv.Atoi(plain(v)); err == nil {
			m["nth"] = json.RawMessage(strconv.Itoa(n))
		}
	}
	if v, ok := m["css"]; ok && len(m) <= 2 {
		s := strings.TrimSpace(plain(v))
		if bareRef.MatchString(s) || inBrackets.MatchString(s) || engineName.MatchString(s) || nthSuffix.MatchString(s) || roleName.MatchString(s) {
			fixed, err := targetString(s)
			if err == nil {
				return merge(fixed, m)
			}
		}
	}
	for _, k := range []string{"x", "y"} {
		if v, ok := m[k]; ok {
			if f, err := strconv.ParseFloat(plain(v), 64); err == nil {
				m[k] = json.RawMessage(strconv.FormatFloat(f, 'g', -1, 64))
			}
		}
	}
	if v, ok := m["frame"]; ok {
		fixed, err := repairTarget(v)
		if err != nil {
			return nil, err
		}
		m["frame"] = fixed
	}
	return json.Marshal(m)
}

// merge adds nth, exact and frame of an object to a target made of its selector.
func merge(fixed json.RawMessage, m map[string]json.RawMessage) (json.RawMessage, error) {
	var t map[string]json.RawMessage
	if json.Unmarshal(fixed, &t) != nil {
		return fixed, nil
	}
	for _, k := range []string{"nth", "exact", "frame"} {
		if v, ok := m[k]; ok {
			if _, taken := t[k]; !taken {
				t[k] = v
			}
		}
	}
	return json.Marshal(t)
}

func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// plain gives a JSON string's text, or a plain value as it is written.
func plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return strings.TrimSpace(string(raw))
}
