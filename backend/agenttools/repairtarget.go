package agenttools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"baton/backend/fault"
	"baton/backend/page"
)

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
