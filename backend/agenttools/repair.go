package agenttools

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"baton/backend/fault"
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
