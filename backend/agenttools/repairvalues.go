package agenttools

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"baton/backend/fault"
)

// numbers and flags may come as strings.
var (
	numeric = []string{"max_chars", "offset", "count", "timeout_ms", "dx", "dy", "ms", "quiet", "width", "height", "zoom", "since"}
	boolean = []string{"urls", "submit", "slowly", "checked", "full_page", "show", "accept", "reset"}
	lists   = []string{"modifiers", "values", "files", "assets"}
)

// values repairs what arguments hold.
func values(tool string, args []string, m map[string]json.RawMessage) error {
	for k, v := range m {
		if !slices.Contains(args, k) {
			continue
		}
		switch {
		case slices.Contains(numeric, k):
			if s := strings.TrimSpace(plain(v)); isString(v) {
				if _, err := strconv.ParseFloat(s, 64); err == nil {
					m[k] = json.RawMessage(s)
				}
			}
		case slices.Contains(boolean, k):
			switch strings.ToLower(strings.TrimSpace(plain(v))) {
			case "true", "yes", "on", "1":
				m[k] = json.RawMessage("true")
			case "false", "no", "off", "0":
				m[k] = json.RawMessage("false")
			}
		case slices.Contains(lists, k):
			if v = bytes.TrimSpace(v); len(v) > 0 && v[0] != '[' && string(v) != "null" {
				m[k] = listOf(v)
			}
		}
	}
	if v, ok := m["tab"]; ok {
		if n, err := strconv.Atoi(plain(v)); err == nil && n > 0 {
			m["tab"], _ = json.Marshal("t" + strconv.Itoa(n))
		}
	}
	switch tool {
	case "browser_type":
		return typeValues(args, m)
	case "browser_check":
		if v, ok := m["uncheck"]; ok && plain(v) == "true" {
			if plain(m["checked"]) == "true" {
				return fault.New(fault.BadArguments, "checked and uncheck are both true").Then("give checked alone: true or false")
			}
			delete(m, "uncheck")
			m["checked"] = json.RawMessage("false")
		}
		if _, ok := m["checked"]; !ok {
			m["checked"] = json.RawMessage("true")
		}
	case "browser_press":
		if v := bytes.TrimSpace(m["keys"]); len(v) > 0 && v[0] == '[' {
			var parts []string
			if json.Unmarshal(v, &parts) == nil {
				m["keys"], _ = json.Marshal(strings.Join(parts, joint(parts)))
			}
		}
	case "browser_navigate":
		if v, ok := m["action"]; ok {
			a := strings.ToLower(strings.TrimSpace(plain(v)))
			if other, ok := map[string]string{"refresh": "reload", "go_back": "back", "goback": "back", "go_forward": "forward", "goforward": "forward", "hardreload": "hard_reload"}[a]; ok {
				a = other
			}
			m["action"], _ = json.Marshal(a)
		}
	case "browser_wait":
		return waitValues(m)
	case "browser_fill":
		return fillValues(m)
	case "browser_scroll":
		return scrollValues(m)
	case "browser_screenshot":
		if strings.EqualFold(plain(m["format"]), "jpg") {
			m["format"] = json.RawMessage(`"jpeg"`)
		}
	case "browser_console":
		if to, ok := map[string]string{"warn": "warning", "errors": "error", "log": "info"}[strings.ToLower(plain(m["level"]))]; ok {
			m["level"], _ = json.Marshal(to)
		}
	}
	return nil
}

func isString(v json.RawMessage) bool { return len(v) > 0 && bytes.TrimSpace(v)[0] == '"' }

func listOf(v json.RawMessage) json.RawMessage {
	var s string
	if json.Unmarshal(v, &s) == nil && strings.HasPrefix(strings.TrimSpace(s), "[") && json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	if !isString(v) { // a number is a value too
		v, _ = json.Marshal(string(v))
	}
	return slices.Concat(json.RawMessage("["), v, json.RawMessage("]"))
}

// joint joins a list of keys: modifiers before a key make a chord.
func joint(parts []string) string {
	for _, p := range parts[:max(len(parts)-1, 0)] {
		switch strings.ToLower(p) {
		case "control", "ctrl", "alt", "shift", "meta", "cmd", "command", "mod", "option":
		default:
			return " "
		}
	}
	return "+"
}

func typeValues(args []string, m map[string]json.RawMessage) error {
	var differ error
	mode := func(replace bool) {
		want := map[bool]string{true: `"replace"`, false: `"append"`}[replace]
		if v, ok := m["mode"]; ok && string(v) != want {
			differ = fault.New(fault.BadArguments, "the call asks to replace and to append").Then("give mode alone: replace or append")
		}
		m["mode"] = json.RawMessage(want)
	}
	if v, ok := m["mode"]; ok && isString(v) {
		switch strings.ToLower(plain(v)) {
		case "clear", "overwrite", "set", "fill":
			m["mode"] = json.RawMessage(`"replace"`)
		case "add", "insert", "type":
			m["mode"] = json.RawMessage(`"append"`)
		}
	}
	if v, ok := m["submit"]; ok && strings.EqualFold(plain(v), "enter") {
		m["submit"] = json.RawMessage("true")
	}
	for _, k := range []string{"clear", "replace", "clear_first", "clearFirst", "overwrite"} {
		if v, ok := m[k]; ok && !slices.Contains(args, k) {
			delete(m, k)
			mode(plain(v) != "false")
		}
	}
	if v, ok := m["append"]; ok {
		delete(m, "append")
		mode(plain(v) == "false")
	}
	if differ != nil {
		return differ
	}
	// A number or flag typed as such is text.
	if v, ok := m["text"]; ok && !isString(v) {
		switch v[0] {
		case '{', '[':
		default:
			if string(v) != "null" {
				m["text"], _ = json.Marshal(string(v))
			}
		}
	}
	return nil
}

func waitValues(m map[string]json.RawMessage) error {
	if v, ok := m["condition"]; ok && isString(v) && m[snake(plain(v))] != nil {
		delete(m, "condition") // it names what the call gives anyway
	}
	if v, ok := m["state"]; ok && m["text"] != nil && m["target"] == nil {
		switch strings.ToLower(plain(v)) {
		case "visible", "attached", "present":
			delete(m, "state")
		case "hidden", "gone", "detached", "removed":
			delete(m, "state")
			m["text_gone"] = m["text"]
			delete(m, "text")
		}
	}
	if _, ok := m["state"]; ok && m["target"] == nil && m["load"] == nil && (m["text"] != nil || m["url"] != nil || m["function"] != nil) {
		return fault.New(fault.BadArguments, "state goes with target only").Then("give text or text_gone alone, or a target with its state")
	}
	if v, ok := m["state"]; ok {
		s := strings.ToLower(plain(v))
		switch s {
		case "networkidle", "network_idle", "idle":
			delete(m, "state")
			if _, has := m["load"]; has {
				return fault.New(fault.BadArguments, "state %q and load are both given", s).Then("give load, or quiet with its milliseconds")
			}
			m["load"] = json.RawMessage(`"networkidle"`)
		case "attached":
			m["state"] = json.RawMessage(`"visible"`)
		case "detached", "removed":
			m["state"] = json.RawMessage(`"gone"`)
		case "load", "domcontentloaded":
			if _, has := m["target"]; !has {
				delete(m, "state")
				m["load"], _ = json.Marshal(s)
			}
		}
	}
	if v, ok := m["load"]; ok {
		switch strings.ToLower(plain(v)) {
		case "networkidle", "network_idle", "networkidle0", "networkidle2", "idle":
			// What is meant is that nothing goes on any more.
			delete(m, "load")
			if _, has := m["quiet"]; !has {
				m["quiet"] = json.RawMessage("500")
			}
		case "commit", "interactive", "dom":
			m["load"] = json.RawMessage(`"domcontentloaded"`)
		case "complete", "true", "loaded":
			m["load"] = json.RawMessage(`"load"`)
		}
	}
	for _, k := range []string{"textGone", "gone"} {
		if v, ok := m[k]; ok && isString(v) {
			delete(m, k)
			m["text_gone"] = v
		}
	}
	if v, ok := m["seconds"]; ok {
		if f, err := strconv.ParseFloat(plain(v), 64); err == nil {
			delete(m, "seconds")
			m["ms"] = json.RawMessage(strconv.Itoa(int(f * 1000)))
		}
	}
	return nil
}

func scrollValues(m map[string]json.RawMessage) error {
	if v, ok := m["to"]; ok && isString(v) {
		if to, ok := map[string]string{"end": "bottom", "start": "top", "beginning": "top", "element": "target"}[strings.ToLower(plain(v))]; ok {
			m["to"], _ = json.Marshal(to)
		}
	}
	for from, to := range map[string]string{"scroll_direction": "direction", "scroll_amount": "amount", "scrollDirection": "direction", "scrollAmount": "amount"} {
		if v, ok := m[from]; ok && m[to] == nil {
			delete(m, from)
			m[to] = v
		}
	}
	v, ok := m["direction"]
	if !ok {
		return nil
	}
	if v, ok := m["amount"]; ok {
		if f, err := strconv.ParseFloat(plain(v), 64); err == nil && f > 0 && f < 20 {
			return fault.New(fault.BadArguments, "amount %g can mean pixels or turns of the wheel", f).Then("write dy (or dx) in pixels, such as 600")
		}
	}
	by := 600.0
	for _, k := range []string{"amount", "pixels", "distance"} {
		if a, has := m[k]; has {
			if f, err := strconv.ParseFloat(plain(a), 64); err == nil {
				by = f
				delete(m, k)
			}
		}
	}
	key, sign := "dy", 1.0
	switch strings.ToLower(plain(v)) {
	case "down":
	case "up":
		sign = -1
	case "right":
		key = "dx"
	case "left":
		key, sign = "dx", -1
	default:
		return nil
	}
	delete(m, "direction")
	if _, has := m[key]; has {
		return fault.New(fault.BadArguments, "direction and %s are both given", key).Then("give %s alone", key)
	}
	m[key] = json.RawMessage(strconv.FormatFloat(by*sign, 'g', -1, 64))
	return nil
}

func fillValues(m map[string]json.RawMessage) error {
	raw, ok := m["fields"]
	if !ok {
		return nil
	}
	raw = bytes.TrimSpace(raw)
	if isString(raw) {
		if s := strings.TrimSpace(plain(raw)); json.Valid([]byte(s)) {
			raw = json.RawMessage(s)
		}
	}
	// {"e4": "Ana"} names the fields by their refs.
	if len(raw) > 0 && raw[0] == '{' {
		var one map[string]json.RawMessage
		if json.Unmarshal(raw, &one) == nil && (one["target"] != nil || one["ref"] != nil || one["selector"] != nil) {
			raw = slices.Concat(json.RawMessage("["), raw, json.RawMessage("]"))
		}
	}
	if len(raw) > 0 && raw[0] == '{' {
		var byRef map[string]string
		if json.Unmarshal(raw, &byRef) != nil {
			return nil
		}
		refs := make([]string, 0, len(byRef))
		for k := range byRef {
			if !bareRef.MatchString(k) {
				return fault.New(fault.BadArguments, "the field %q is no ref", short(k)).Then(`give fields as [{"target":"e4","text":"Ana"}]`)
			}
			refs = append(refs, k)
		}
		slices.Sort(refs)
		list := make([]map[string]string, len(refs))
		for i, k := range refs {
			list[i] = map[string]string{"target": k, "text": byRef[k]}
		}
		raw, _ = json.Marshal(list)
	}
	var list []map[string]json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	for i, f := range list {
		f = rename([]string{"target", "text"}, f)
		if err := lift("", []string{"target", "text"}, f); err != nil {
			return err
		}
		if v, ok := f["target"]; ok {
			fixed, err := repairTarget(v)
			if err != nil {
				return err
			}
			f["target"] = fixed
		}
		if v, ok := f["text"]; ok && (string(v) == "true" || string(v) == "false") {
			return fault.New(fault.BadArguments, "the text %s can mean a check mark or the word", v).Then(`use browser_check for a checkbox, or write "text":%q`, string(v))
		} else if ok && !isString(v) && string(v) != "null" && v[0] != '{' && v[0] != '[' {
			f["text"], _ = json.Marshal(string(v))
		}
		delete(f, "name") // what the field is called beside its target
		delete(f, "type")
		list[i] = f
	}
	fixed, err := json.Marshal(list)
	m["fields"] = fixed
	return err
}
