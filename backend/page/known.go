package page

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/outline"
	"baton/backend/redact"
)

// What secret fields hold becomes known as it is entered: the isolated world
// tells it through a binding that the page's own world does not have, before
// the page's own listeners run. It is taken in as it is read from Chromium, so
// whatever Chromium says later is looked at with it (K4, K6).

// secretBinding is how the isolated world tells what a secret field holds.
const secretBinding = "__batonSecret"

// flushWait bounds how long a document is asked for what it has to tell. One
// whose thread stands still has told all that it will.
const flushWait = 150 * time.Millisecond

// learn takes in what a secret field holds. It runs on the connection's reader.
func (p *Page) learn(s *cdp.Session, ev cdp.Event) {
	e, ok := cdp.Decode[runtime.EventBindingCalled](ev)
	if !ok || e.Name != secretBinding {
		return
	}
	var told struct {
		Value string `json:"value"`
		Was   string `json:"was"`
		Own   bool   `json:"own"`
	}
	if json.Unmarshal([]byte(e.Payload), &told) != nil {
		return
	}
	p.telling.Store(s, true)
	site, _ := p.site.Load().(string)
	p.known.Add(told.Value, redact.Seen{Group: p.group, Site: site, Own: told.Own, Was: told.Was})
}

// Group names the page with those that it shares values with.
func (p *Page) Group() string { return p.group }

// Refresh shows the page's state and dialog without what has become known since.
func (p *Page) Refresh() {
	p.publish()
	p.dialog(func(d *Dialog) *Dialog { return d })
}

// Flush waits until documents with secret fields have told what these hold.
func (p *Page) Flush(ctx context.Context) {
	if d, _ := p.Dialogs.Get(); d != nil {
		return // the thread stands still
	}
	var wg sync.WaitGroup
	p.telling.Range(func(k, _ any) bool {
		wg.Go(func() {
			ctx, cancel := soon(ctx, flushWait)
			defer cancel()
			s := k.(*cdp.Session)
			if s.Call(ctx, "Runtime.evaluate", runtime.EvaluateParams{Expression: "0"}, nil) != nil && ctx.Err() == nil {
				p.telling.Delete(s)
			}
		})
		return true
	})
	wg.Wait()
}

// clean gives a text of the page without what secret fields held.
func (p *Page) clean(s string) string { return p.known.Text(s, p.group) }

// Clean gives a text that goes with the page without what secret fields held.
func (p *Page) Clean(s string) string { return p.clean(s) }

// passages is clean for passages that were looked for: what matched by a value alone
// is none, for a query confirms no value.
func (p *Page) passages(s, query string) string {
	out := p.clean(s)
	if out != s && query != "" && !fold(out, query) {
		return ""
	}
	return out
}

// fold tells whether a text holds another, in any case and spacing.
func fold(s, part string) bool {
	bare := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return strings.Contains(bare(s), bare(part))
}

// cleanNodes takes known values out of an outline, those spread over its lines
// too. It gives the refs of the lines that changed.
func (p *Page) cleanNodes(nodes []outline.Node) map[int]bool {
	if !p.known.Some() {
		return nil
	}
	var texts []*string
	var of []int
	var take func(list []outline.Node)
	take = func(list []outline.Node) {
		for i := range list {
			n := &list[i]
			add := func(s *string) { texts, of = append(texts, s), append(of, n.Ref) }
			add(&n.Name)
			if n.Value != nil {
				add(n.Value)
			}
			for j := range n.State {
				add(&n.State[j])
			}
			for j := range n.Text {
				add(&n.Text[j].Text)
			}
			for j := range n.Options {
				add(&n.Options[j].Label)
			}
			if n.URL != "" {
				add(&n.URL)
			}
			take(n.Kids)
		}
	}
	take(nodes)
	before := make([]string, len(texts))
	for i, s := range texts {
		before[i] = *s
	}
	if found, _ := p.known.Pieces(texts, p.group); !found {
		return nil
	}
	changed := map[int]bool{}
	for i, s := range texts {
		if *s != before[i] {
			changed[of[i]] = true
		}
	}
	return changed
}

// cleanChange does the same for what changed.
func (p *Page) cleanChange(c *outline.Change) {
	p.cleanNodes(c.Nodes)
	for i := range c.Gone {
		c.Gone[i].Name = p.clean(c.Gone[i].Name)
	}
	c.Focus = p.clean(c.Focus)
}

// mayReturn looks at the value of an agent's script: what the agent itself
// entered into secret fields is taken out; with anything else nothing is told,
// for which of many texts was taken out would say which of them is right.
func (p *Page) mayReturn(value json.RawMessage) (json.RawMessage, error) {
	if !p.known.Some() || len(value) == 0 {
		return value, nil
	}
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return value, nil
	}
	var texts []*string
	v = leaves(v, &texts)
	found, foreign := p.known.Pieces(texts, "")
	switch {
	case foreign:
		return nil, fault.New(fault.SecretField, "the script ran, and its value holds what a secret field held, so it is not told").WithEffect("yes").
			Then("return less, or use browser_snapshot and the other tools; they leave secrets out")
	case !found:
		return value, nil
	}
	return json.Marshal(put(v))
}

// leaf is a text or number inside a value of JSON.
type leaf struct {
	was any
	s   string
	now *string
}

// leaves replaces the texts and numbers in a value of JSON, names of fields
// too, by leafs, and lists them in order.
func leaves(v any, texts *[]*string) any {
	take := func(was any, s string) *leaf {
		l := &leaf{was: was, s: s}
		now := s
		l.now = &now
		*texts = append(*texts, l.now)
		return l
	}
	switch v := v.(type) {
	case string:
		return take(v, v)
	case json.Number:
		return take(v, v.String())
	case []any:
		for i := range v {
			v[i] = leaves(v[i], texts)
		}
	case map[string]any:
		out := make([][2]any, 0, len(v))
		for k, x := range v {
			out = append(out, [2]any{take(k, k), leaves(x, texts)})
		}
		return out
	}
	return v
}

// put undoes leaves with the texts as they are now.
func put(v any) any {
	switch v := v.(type) {
	case *leaf:
		if *v.now == v.s {
			return v.was
		}
		return *v.now
	case []any:
		for i := range v {
			v[i] = put(v[i])
		}
	case [][2]any:
		out := make(map[string]any, len(v))
		for _, kv := range v {
			out[*kv[0].(*leaf).now] = put(kv[1])
		}
		return out
	}
	return v
}
