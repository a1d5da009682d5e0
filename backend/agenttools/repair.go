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
	"paths": {"files"}, "path": {"files"}, "file": {"files", "path"}, "filepaths": {"files"}, "filepath": {"path"}, "file_path": {"path"}, "filename": {"path"},
	"assetpaths": {"assets"}, "asset_paths": {"assets"}, "asset": {"assets"}, "dependencies": {"assets"},
	"script": {"expression", "code"}, "js": {"expression"}, "javascript": {"expression"}, "code": {"expression"},
	"fn": {"function", "expression"}, "func": {"function"}, "function": {"expression"}, "predicate": {"function"},
	"timeout": {"timeout_ms"}, "timeoutms": {"timeout_ms"},
	"time": {"ms"}, "delay": {"ms"}, "milliseconds": {"ms"}, "sleep": {"ms"}, "duration": {"ms"},
	"start": {"from"}, "source": {"from"}, "startref": {"from"}, "start_ref": {"from"}, "end": {"to"}, "destination": {"to"}, "endref": {"to"}, "end_ref": {"to"},
	"from_target": {"from"}, "to_target": {"to"}, "from_ref": {"from"}, "to_ref": {"to"},
	"deltax": {"dx"}, "deltay": {"dy"}, "x_delta": {"dx"}, "y_delta": {"dy"},
	"clickcount": {"count"}, "click_count": {"count"}, "search": {"query"}, "find": {"query"}, "filter": {"query"},
	"press_enter": {"submit"}, "pressenter": {"submit"}, "enter": {"submit"}, "limit": {"max_chars"}, "maxlength": {"max_chars"},
	"prompt_text": {"text"}, "prompttext": {"text"}, "wait_until": {"load"}, "waituntil": {"load"}, "colorscheme": {"color_scheme"},
	"doubleclick": {"count"}, "clicks": {"count"}, "type": {"format", "level"}, "viewport_width": {"width"}, "viewport_height": {"height"},
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
		m, err := unwrap(tool, args, m)
		if err != nil {
			return nil, err
		}
		if err := before(tool, args, m); err != nil {
			return nil, err
		}
		m = rename(args, m)
		if err := lift(tool, args, m); err != nil {
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

// unwrap takes the arguments out of {name, arguments} and the like. A call of
// another tool is refused.
func unwrap(tool string, args []string, m map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	if inner, ok := object(m["function"]); ok && (len(m) == 1 || len(m) == 2 && m["type"] != nil) {
		m = inner
	}
	for _, k := range []string{"arguments", "args", "params", "parameters", "input"} {
		inner, ok := object(m[k])
		if !ok || slices.Contains(args, k) {
			continue
		}
		if len(m) == 1 {
			return inner, nil
		}
		for _, by := range []string{"name", "tool", "tool_name"} {
			n, has := m[by]
			if len(m) != 2 || !has {
				continue
			}
			if named := plain(n); named != tool && !strings.HasSuffix(named, "."+tool) && !strings.HasSuffix(named, "__"+tool) {
				return nil, fault.New(fault.BadArguments, "this is %s, and the call inside is for %q", tool, short(named)).Then("call that tool itself, or send the arguments of %s: %s", tool, strings.Join(args, ", "))
			}
			return inner, nil
		}
	}
	return m, nil
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
func lift(tool string, args []string, m map[string]json.RawMessage) error {
	if !slices.Contains(args, "target") {
		return nil
	}
	for _, k := range []string{"coordinate", "coordinates", "position", "point"} {
		if v, ok := m[k]; ok && m["target"] == nil && !slices.Contains(args, k) {
			delete(m, k)
			m["target"] = v
		}
	}
	if tool == "browser_scroll" && m["target"] == nil && (m["x"] != nil || m["y"] != nil) {
		return fault.New(fault.BadArguments, "x and y can mean a place or how far to scroll").Then(`write dx and dy for how far, {"target":{"x":…,"y":…}} for a place`)
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
	// playwright is a call of its locators: getByRole('button', { name: 'Save' }).
	playwright = regexp.MustCompile(`^(?:await\s+)?(?:page\.)?(getBy\w+|locator)\(\s*(?:'([^']*)'|"([^"]*)")\s*(?:,\s*\{\s*(?:(name|hasText)\s*:\s*(?:'([^']*)'|"([^"]*)"))?\s*,?\s*(?:exact\s*:\s*(true|false))?\s*\}\s*)?\)(?:\.(first\(\)|nth\(\d+\)))?(?:\.click\(\))?;?$`)
	inBrackets = regexp.MustCompile(`\[(?:ref=)?@?(e\d+)\]`)
	bareRef    = regexp.MustCompile(`^(?:\[)?(?:ref\s*[=:]\s*)?["']?@?(?:aria-ref=)?([eE]\d+)["']?(?:\])?:?$`)
	hashRef    = regexp.MustCompile(`^#e\d+$`)
	engineName = regexp.MustCompile(`^(css|text|role|label|placeholder|testid|test-id|data-testid|id|xpath|internal:\w+)\s*=\s*(.+)$`)
	roleName   = regexp.MustCompile(`^-?\s*([a-z]+)\s+(?:"((?:[^"\\]|\\.)*)"|'([^'"]*)')\s*$`)
	colonForm  = regexp.MustCompile(`^(css|text|label|placeholder|testid)\s*:\s*(\S.*)$`)
	visible    = regexp.MustCompile(`\s*>>\s*visible=true\s*$`)
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
		return nil, fault.New(fault.BadArguments, "the target is a list of %d", len(list)).Then("give one; " + page.TargetForms)
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
		return json.Marshal(strings.ToLower(m[1]))
	}
	if hashRef.MatchString(s) {
		return nil, fault.New(fault.BadArguments, "the target %q can mean the ref %s or an element with that id", s, s[1:]).Then(`write %q for the ref, {"css":%q} for the id`, s[1:], s)
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
	if fixed, err := playwrightForm(s); fixed != nil || err != nil {
		return fixed, err
	}
	s = strings.TrimSpace(visible.ReplaceAllString(s, ""))
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
		if m[3] != "" {
			name = m[3]
		}
		t["role"], t["name"] = m[1], name
		return json.Marshal(t)
	}
	if strings.Contains(s, ">>") {
		return nil, fault.New(fault.BadArguments, "the target %q is a chain of selectors, which is not taken", short(s)).Then(`write one selector as {"css":…}, with "frame" for what lies in a frame`)
	}
	m := engineName.FindStringSubmatch(s)
	if m == nil {
		m = colonForm.FindStringSubmatch(s)
	}
	if m != nil {
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
	m, err := byKind(m)
	if err != nil {
		return nil, err
	}
	for _, pair := range [][2]string{
		{"selector", "css"},
		{"test_id", "testid"},
		{"testId", "testid"},
		{"data-testid", "testid"},
		{"uid", "ref"},
		{"id", "ref"},
		{"aria_label", "label"},
		{"ariaLabel", "label"},
		{"aria-label", "label"},
		{"accessible_name", "name"},
		{"accessibleName", "name"},
		{"index", "nth"},
		{"iframe", "frame"},
		{"coordinates", ""},
		{"coordinate", ""},
		{"element", ""},
		{"description", ""},
	} {
		from, to := pair[0], pair[1]
		v, ok := m[from]
		if !ok {
			continue
		}
		if from == "id" && !bareRef.MatchString(plain(v)) {
			continue
		}
		delete(m, from)
		if old, taken := m[to]; taken && to != "" && !bytes.Equal(old, v) {
			return nil, fault.New(fault.BadArguments, "the target gives %s and %s, which differ", to, from).Then("give one of them; %s", page.TargetForms)
		}
		if to != "" {
			m[to] = v
		} else if from == "coordinates" || from == "coordinate" {
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
			return json.Marshal(strings.ToLower(r[1]))
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
		if bareRef.MatchString(s) || inBrackets.MatchString(s) || strings.Contains(s, ">>") || engineName.MatchString(s) || nthSuffix.MatchString(s) || roleName.MatchString(s) {
			fixed, err := targetString(s)
			if err != nil {
				return nil, err
			}
			return merge(fixed, m)
		}
	}
	if v, ok := m["exact"]; ok {
		if b, err := strconv.ParseBool(strings.ToLower(plain(v))); err == nil {
			m["exact"] = json.RawMessage(strconv.FormatBool(b))
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
