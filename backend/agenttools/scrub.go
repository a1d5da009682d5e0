package agenttools

import (
	"bytes"
	"context"
	"encoding/json"

	"baton/backend/fault"
	"baton/backend/redact"
	"baton/backend/tool"
)

// scrubbed runs a call and takes what secret fields were seen to hold out of
// whatever it answers, refusals too (K4). Packages below have done so where
// texts come from a page; this is the last place that they pass.
func scrubbed(ctx context.Context, t *Thread, raw json.RawMessage, next func(context.Context, json.RawMessage) (tool.Result, error)) (tool.Result, error) {
	sets := t.deps.Tabs.Known()
	said(sets, raw)
	res, err := next(ctx, raw)
	t.deps.Tabs.Flush(ctx)
	sets = known(sets)
	if len(sets) == 0 {
		return res, err
	}
	t.mu.Lock()
	id := t.current
	t.mu.Unlock()
	if s, ok := res.Data["tab"].(string); ok {
		id = s
	}
	s := scrubber{sets, t.deps.Tabs.Group(id)}
	if err != nil {
		return tool.Result{}, s.fault(fault.From(err))
	}
	res.Text = s.text(res.Text)
	res.Data = s.data(res.Data)
	return res, nil
}

// said notes the texts that an agent sends.
func said(sets []*redact.Known, raw json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	for {
		tok, err := d.Token()
		if err != nil {
			return
		}
		text := ""
		switch v := tok.(type) {
		case string:
			text = v
		case json.Number:
			text = v.String()
		}
		for _, k := range sets {
			k.Say(text)
		}
	}
}

func known(sets []*redact.Known) []*redact.Known {
	var out []*redact.Known
	for _, k := range sets {
		if k.Some() {
			out = append(out, k)
		}
	}
	return out
}

// scrubber cleans what leaves for an agent.
type scrubber struct {
	sets  []*redact.Known
	group string
}

func (s scrubber) text(v string) string {
	for _, k := range s.sets {
		v = k.Text(v, s.group)
	}
	return v
}

func (s scrubber) fault(f *fault.Fault) *fault.Fault {
	out := *f
	out.Message, out.Next, out.Partial, out.Data = s.text(f.Message), s.text(f.Next), s.text(f.Partial), s.data(f.Data)
	return &out
}

// data cleans a result's facts. Their names are Baton's own.
func (s scrubber) data(m map[string]any) map[string]any {
	if m == nil {
		return nil
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v map[string]any
	if d.Decode(&v) != nil {
		return nil
	}
	for k, x := range v {
		v[k] = s.value(x)
	}
	return v
}

func (s scrubber) value(v any) any {
	switch v := v.(type) {
	case string:
		return s.text(v)
	case json.Number:
		if clean := s.text(v.String()); clean != v.String() {
			return clean
		}
	case []any:
		for i := range v {
			v[i] = s.value(v[i])
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[s.text(k)] = s.value(x)
		}
		return out
	}
	return v
}
