package page

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"baton/backend/fault"
	"baton/backend/input"
)

// TargetForms are the accepted ways to name a target, for refusals.
const TargetForms = `use "e12", {"role":"button","name":"Save"}, {"text":…}, {"label":…}, {"placeholder":…}, {"testid":…}, {"css":…} or {"x":120,"y":340}`

var refForm = regexp.MustCompile(`^e([1-9]\d{0,8})$`)

// UnmarshalJSON reads the accepted forms; anything else is BadArguments.
func (t *Target) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '"' {
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		n, ok := ParseRef(s)
		if !ok {
			return fault.New(fault.BadArguments, "%q is no ref", s).Then(TargetForms)
		}
		*t = Target{Ref: n}
		return nil
	}
	var w struct {
		Ref         string   `json:"ref"`
		Role        string   `json:"role"`
		Name        string   `json:"name"`
		Text        string   `json:"text"`
		Label       string   `json:"label"`
		Placeholder string   `json:"placeholder"`
		TestID      string   `json:"testid"`
		CSS         string   `json:"css"`
		X           *float64 `json:"x"`
		Y           *float64 `json:"y"`
		Exact       bool     `json:"exact"`
		Nth         *int     `json:"nth"`
		Frame       *Target  `json:"frame"`
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		if fault.Is(err, fault.BadArguments) {
			return fault.From(err)
		}
		why := strings.TrimPrefix(err.Error(), "json: ")
		return fault.New(fault.BadArguments, "a target cannot be read: %s", why).Then(TargetForms).Because(err)
	}
	*t = Target{Frame: w.Frame}
	t.Locator.Role, t.Locator.Name, t.Locator.Exact, t.Locator.Nth = w.Role, w.Name, w.Exact, w.Nth
	t.Locator.Text, t.Locator.Label, t.Locator.Placeholder = w.Text, w.Label, w.Placeholder
	t.Locator.TestID, t.Locator.CSS = w.TestID, w.CSS
	ways := 0
	for _, s := range []string{w.Ref, w.Role, w.Text, w.Label, w.Placeholder, w.TestID, w.CSS} {
		if s != "" {
			ways++
		}
	}
	if w.X != nil || w.Y != nil {
		ways++
	}
	switch {
	case ways == 0 && w.Name != "":
		return fault.New(fault.BadArguments, "a target with a name needs its role").Then(TargetForms)
	case ways == 0:
		return fault.New(fault.BadArguments, "the target is empty").Then(TargetForms)
	case ways > 1:
		return fault.New(fault.BadArguments, "the target names its element in %d ways", ways).Then("give one of ref, role with name, text, label, placeholder, testid, css, x with y")
	case w.Name != "" && w.Role == "":
		return fault.New(fault.BadArguments, "name goes with role only").Then(TargetForms)
	case w.Nth != nil && *w.Nth < 0:
		return fault.New(fault.BadArguments, "nth is %d", *w.Nth).Then("count from 0")
	case w.X != nil || w.Y != nil:
		if w.X == nil || w.Y == nil {
			return fault.New(fault.BadArguments, "a point needs both x and y")
		}
		t.Point = &input.Point{X: *w.X, Y: *w.Y}
	case w.Ref != "":
		n, ok := ParseRef(w.Ref)
		if !ok {
			return fault.New(fault.BadArguments, "%q is no ref", w.Ref).Then(TargetForms)
		}
		t.Ref = n
	}
	return nil
}

// ParseRef reads a ref such as "e12".
func ParseRef(s string) (int, bool) {
	m := refForm.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil
}
