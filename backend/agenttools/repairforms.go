package agenttools

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"baton/backend/fault"
	"baton/backend/page"
)

// Forms of other tools' calls and targets that have one meaning here.

// playwrightForm reads a locator as Playwright's scripts write it; nil when s
// is none.
func playwrightForm(s string) (json.RawMessage, error) {
	if !strings.Contains(s, "getBy") && !strings.Contains(s, "locator(") {
		return nil, nil
	}
	refuse := func() (json.RawMessage, error) {
		return nil, fault.New(fault.BadArguments, "the locator %q cannot be read", short(s)).Then(page.TargetForms)
	}
	m := playwright.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return refuse()
	}
	value, option := m[2]+m[3], m[5]+m[6]
	t := map[string]any{}
	switch m[1] {
	case "getByRole":
		t["role"] = value
		if m[4] == "name" {
			t["name"] = option
		}
	case "getByText":
		t["text"] = value
	case "getByLabel":
		t["label"] = value
	case "getByPlaceholder":
		t["placeholder"] = value
	case "getByTestId":
		t["testid"] = value
	case "locator":
		raw, err := targetString(value)
		if err != nil {
			raw, _ = json.Marshal(map[string]string{"css": value})
		}
		if json.Unmarshal(raw, &t) != nil {
			return raw, nil // a ref
		}
	default:
		return refuse()
	}
	if m[4] == "hasText" || m[4] == "name" && m[1] != "getByRole" {
		return refuse()
	}
	if m[7] == "true" {
		t["exact"] = true
	}
	if nth := m[8]; nth != "" {
		n := 0
		if nth != "first()" {
			n, _ = strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(nth, "nth("), ")"))
		}
		t["nth"] = n
	}
	return json.Marshal(t)
}

// byKind reads {by: "role", value: "button"} and the like.
func byKind(m map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	for _, k := range []string{"by", "kind", "strategy", "using", "type", "method"} {
		v, ok := m[k]
		if !ok {
			continue
		}
		kind := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(plain(v)))
		to, known := map[string]string{
			"ref": "ref", "role": "role", "text": "text", "label": "label", "placeholder": "placeholder", "testid": "testid",
			"css": "css", "cssselector": "css", "selector": "css",
		}[kind]
		if kind == "point" || kind == "coordinates" {
			delete(m, k)
			return m, nil
		}
		if !known {
			return nil, fault.New(fault.BadArguments, "a target has no %s %q", k, short(plain(v))).Then(page.TargetForms)
		}
		delete(m, k)
		for _, at := range []string{"value", "selector", "query"} {
			if x, has := m[at]; has {
				if m[to] != nil {
					return nil, fault.New(fault.BadArguments, "the target gives %s twice", to).Then(page.TargetForms)
				}
				delete(m, at)
				m[to] = x
				break
			}
		}
		if m[to] == nil {
			return nil, fault.New(fault.BadArguments, "the target says %s and gives none", to).Then(page.TargetForms)
		}
		return m, nil
	}
	return m, nil
}

var (
	tabForm   = regexp.MustCompile(`^t?[1-9]\d{0,8}$`)
	timeForm  = regexp.MustCompile(`^(\d+(?:\.\d+)?)\s*(ms|s|sec|secs|seconds?|milliseconds?)$`)
	sizeForm  = regexp.MustCompile(`^(\d{2,5})\s*[x×*,]\s*(\d{2,5})$`)
	shortTime = 100.0 // below it a bare number of a time may be seconds
)

// before rewrites what has a meaning of its own in one tool, with the names as
// the model wrote them.
func before(tool string, args []string, m map[string]json.RawMessage) error {
	if v, ok := m["id"]; ok && m["tab"] == nil && slices.Contains(args, "tab") && tabForm.MatchString(plain(v)) && (isString(v) || !slices.Contains(args, "target")) && strings.HasPrefix(plain(v), "t") {
		delete(m, "id")
		m["tab"] = v
	}
	for _, k := range []string{"time", "delay", "duration", "sleep", "timeout", "ms", "timeout_ms", "timeoutMs"} {
		v, ok := m[k]
		if !ok || !slices.Contains(args, "ms") && !slices.Contains(args, "timeout_ms") {
			continue
		}
		s := strings.ToLower(strings.TrimSpace(plain(v)))
		if f := timeForm.FindStringSubmatch(s); f != nil {
			n, _ := strconv.ParseFloat(f[1], 64)
			if strings.HasPrefix(f[2], "s") {
				n *= 1000
			}
			m[k] = json.RawMessage(strconv.FormatFloat(n, 'f', 0, 64))
			continue
		}
		if n, err := strconv.ParseFloat(s, 64); err == nil && n > 0 && n < shortTime && !strings.Contains(strings.ToLower(k), "ms") {
			to := "timeout_ms"
			if k != "timeout" && slices.Contains(args, "ms") {
				to = "ms"
			}
			return fault.New(fault.BadArguments, "%s %s can mean seconds or milliseconds", k, s).Then("write %s in milliseconds, such as %d", to, int(n*1000))
		}
	}
	switch tool {
	case "browser_tabs":
		return tabsForms(m)
	case "browser_click":
		for _, k := range []string{"doubleClick", "double_click", "double", "dblclick"} {
			if v, ok := m[k]; ok {
				delete(m, k)
				if plain(v) == "true" {
					if c := m["count"]; c != nil && plain(c) != "2" {
						return fault.New(fault.BadArguments, "%s and count %s differ", k, plain(c)).Then("give count alone")
					}
					m["count"] = json.RawMessage("2")
				}
			}
		}
		if v, ok := m["button"]; ok && isString(v) {
			m["button"], _ = json.Marshal(strings.ToLower(plain(v)))
		}
	case "browser_drag":
		return dragForms(m)
	case "browser_navigate", "browser_open":
		return navigateForms(tool, m)
	case "browser_dialog":
		return dialogForms(m)
	case "browser_console":
		if v, ok := m["onlyErrors"]; ok && m["level"] == nil {
			delete(m, "onlyErrors")
			if plain(v) == "true" {
				m["level"] = json.RawMessage(`"error"`)
			}
		}
	case "browser_environment":
		environmentForms(m)
	case "browser_fill":
		if m["fields"] == nil && (m["text"] != nil || m["value"] != nil) {
			one := map[string]json.RawMessage{}
			for _, k := range append(slices.Clone(targetKeys), "target", "value", "text") {
				if v, ok := m[k]; ok && !slices.Contains(args, k) {
					one[k] = v
					delete(m, k)
				}
			}
			raw, err := json.Marshal([]any{one})
			m["fields"] = raw
			return err
		}
	}
	return nil
}

// tabsForms takes listing by its other names; what else a tool of tabs does
// elsewhere has tools of its own here.
func tabsForms(m map[string]json.RawMessage) error {
	v, ok := m["action"]
	if !ok {
		return nil
	}
	switch a := strings.ToLower(plain(v)); a {
	case "list", "get", "":
		delete(m, "action")
	default:
		return fault.New(fault.BadArguments, "browser_tabs only lists tabs; it has no action %q", short(a)).
			Then("use browser_open for a new tab, browser_close to close one; any tool takes tab to work in another one")
	}
	return nil
}

func dragForms(m map[string]json.RawMessage) error {
	for _, end := range [][2]string{{"start", "from"}, {"end", "to"}} {
		ref := m[end[0]+"Ref"]
		if ref == nil {
			ref = m[end[0]+"_ref"]
		}
		for _, k := range []string{end[0] + "Element", end[0] + "_element"} {
			v, ok := m[k]
			if !ok {
				continue
			}
			delete(m, k) // it only describes what the ref names
			if ref == nil && m[end[1]] == nil {
				m[end[1]] = v
			}
		}
		x, y := m[end[0]+"X"], m[end[0]+"Y"]
		if x != nil && y != nil && m[end[1]] == nil {
			delete(m, end[0]+"X")
			delete(m, end[0]+"Y")
			raw, err := json.Marshal(map[string]json.RawMessage{"x": x, "y": y})
			if err != nil {
				return err
			}
			m[end[1]] = raw
		}
	}
	if v, ok := m["target"]; ok && m["to"] == nil && (m["from"] != nil || m["source"] != nil) {
		delete(m, "target")
		m["to"] = v
	}
	return nil
}

func navigateForms(tool string, m map[string]json.RawMessage) error {
	for _, k := range []string{"tab", "tabId", "tab_id", "pageId", "page_id"} {
		if tool == "browser_open" {
			delete(m, k) // a tab of its own is what open makes
		}
	}
	for _, k := range []string{"newTab", "new_tab"} {
		if v, ok := m[k]; ok && tool == "browser_open" && plain(v) == "true" {
			delete(m, k) // it always is one
		}
	}
	if v, ok := m["action"]; ok && m["url"] != nil {
		switch strings.ToLower(plain(v)) {
		case "goto", "navigate", "open", "visit", "go", "load", "url":
			delete(m, "action")
		}
	}
	if v, ok := m["direction"]; ok && m["action"] == nil && tool == "browser_navigate" {
		delete(m, "direction")
		m["action"] = v
	}
	if v, ok := m["url"]; ok && tool == "browser_navigate" {
		switch s := strings.ToLower(strings.TrimSpace(plain(v))); s {
		case "back", "forward", "reload", "refresh", "stop":
			return fault.New(fault.BadArguments, "url %q can mean a site or an action", s).Then(`write {"action":%q}, or the site's whole address`, s)
		}
	}
	return nil
}

func dialogForms(m map[string]json.RawMessage) error {
	if v, ok := m["dismiss"]; ok && m["accept"] == nil {
		if b, err := strconv.ParseBool(strings.ToLower(plain(v))); err == nil {
			delete(m, "dismiss")
			m["accept"] = json.RawMessage(strconv.FormatBool(!b))
		}
	}
	if v, ok := m["action"]; ok && m["accept"] == nil {
		switch strings.ToLower(plain(v)) {
		case "accept", "ok", "confirm", "yes":
			m["accept"] = json.RawMessage("true")
		case "dismiss", "cancel", "reject", "no":
			m["accept"] = json.RawMessage("false")
		default:
			return nil
		}
		delete(m, "action")
	}
	return nil
}

func environmentForms(m map[string]json.RawMessage) {
	if v, ok := object(m["viewport"]); ok && m["width"] == nil && m["height"] == nil {
		delete(m, "viewport")
		for k, x := range v {
			if m[k] == nil {
				m[k] = x
			}
		}
	}
	for _, k := range []string{"size", "viewport"} {
		if f := sizeForm.FindStringSubmatch(strings.TrimSpace(plain(m[k]))); f != nil && m["width"] == nil && m["height"] == nil {
			delete(m, k)
			m["width"], m["height"] = json.RawMessage(f[1]), json.RawMessage(f[2])
		}
	}
	for _, k := range []string{"color_scheme", "colorScheme", "orientation"} {
		if v, ok := m[k]; ok && isString(v) {
			s := strings.ToLower(plain(v))
			if s == "no-preference" {
				s = "system"
			}
			m[k], _ = json.Marshal(s)
		}
	}
}
