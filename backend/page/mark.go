package page

import (
	"context"
	"encoding/json"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"baton/backend/cdp"
	"baton/backend/inject"
)

// marks is what was found out about a document beside what its script world
// can see; guarded by Page.mu.
type marks struct {
	at   time.Time
	cost time.Duration
}

const (
	// markNodes bounds the documents whose listeners are listed.
	markNodes = 20_000
	// markMost bounds how many listeners of one document are looked at.
	markMost = 1000
	// markWait bounds the time of it.
	markWait = 700 * time.Millisecond
)

// probe counts a document's elements, and lists the open shadow roots and what
// may hold a closed one: custom elements, and empty boxes.
const probe = `function(){
 const hosts = [], roots = [document];
 let n = 0;
 for (const root of roots) {
  if (n > 20000) break;
  for (const e of root.querySelectorAll('*')) {
   if (++n > 20000) break;
   if (e.shadowRoot) { if (roots.length < 60) roots.push(e.shadowRoot); continue; }
   if (hosts.length >= 60) continue;
   const k = e.localName;
   if (k.includes('-') || (!e.firstElementChild && /^(div|span|section|article|aside|main|header|footer|nav|p)$/.test(k) && !e.textContent && e.offsetHeight > 8 && e.offsetWidth > 8)) hosts.push(e);
  }
 }
 return {n, roots, hosts};
}`

// mark tells a document's world of what it cannot see by itself: elements with
// listeners for presses, and closed shadow roots. It repeats when that was
// cheap, because pages grow. What fails is left out: it only adds.
func (p *Page) mark(ctx context.Context, w *world) {
	p.mu.Lock()
	m := p.prepared[w.unique]
	if m == nil {
		if len(p.prepared) > 200 {
			clear(p.prepared)
		}
		m = &marks{}
		p.prepared[w.unique] = m
	}
	skip := m.cost > 25*time.Millisecond
	var number runtime.ExecutionContextID
	if f := p.frames[w.frame]; f != nil && f.world == w.unique {
		number = f.worldID
	}
	p.mu.Unlock()
	if skip || number == 0 {
		return
	}
	ctx, cancel := soon(ctx, markWait)
	defer cancel()
	start := time.Now()
	objects := p.unseen(ctx, w, number)
	if len(objects) > 0 {
		_, _ = inject.Mark(ctx, w, objects)
	}
	_, _ = w.sess.Send(ctx, "Runtime.releaseObjectGroup", runtime.ReleaseObjectGroupParams{ObjectGroup: "mark"})
	p.mu.Lock()
	m.at, m.cost = start, time.Since(start)
	p.mu.Unlock()
}

// unseen gives remote objects, in the document's world, of nodes with press
// listeners and of closed shadow roots.
func (p *Page) unseen(ctx context.Context, w *world, number runtime.ExecutionContextID) []string {
	var r runtime.CallFunctionOnResult
	err := w.sess.Call(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
		FunctionDeclaration: probe, UniqueContextID: w.unique, ObjectGroup: "mark",
	}, &r)
	if err != nil || r.Result == nil || r.Result.ObjectID == "" {
		return nil
	}
	props, ok := properties(ctx, w.sess, r.Result.ObjectID)
	if !ok {
		return nil
	}
	n := 0.0
	if v := props["n"]; v != nil {
		_ = json.Unmarshal(v.Value, &n)
	}
	if n > markNodes || props["roots"] == nil {
		return nil
	}
	roots, ok := properties(ctx, w.sess, props["roots"].ObjectID)
	if !ok {
		return nil
	}
	// A node's listeners are told for the world that it is seen from, so the
	// roots are looked at from the page's own. The way round, pierce, tells
	// those of all worlds, and renderers have died of it at the next load.
	var lists []*cdp.Pending
	for _, id := range p.fromOwnWorld(ctx, w, roots) {
		q, err := w.sess.Send(ctx, "DOMDebugger.getEventListeners", map[string]any{"objectId": id, "depth": -1})
		if err != nil {
			return nil
		}
		lists = append(lists, q)
	}
	var nodes []int64
	if hosts := props["hosts"]; hosts != nil && hosts.Description != "Array(0)" {
		nodes = p.closedRoots(ctx, w, hosts.ObjectID)
	}
	seen := map[int64]bool{}
	for _, q := range lists {
		var found struct {
			Listeners []struct {
				Type    string `json:"type"`
				Backend int64  `json:"backendNodeId"`
			} `json:"listeners"`
		}
		if q.Wait(ctx, &found) != nil {
			continue
		}
		for _, l := range found.Listeners {
			if inject.IsPress(l.Type) && l.Backend != 0 && !seen[l.Backend] && len(nodes) < markMost {
				seen[l.Backend] = true
				nodes = append(nodes, l.Backend)
			}
		}
	}
	return resolveAll(ctx, w.sess, nodes, number)
}

// resolveAll gives remote objects, in an execution context, of nodes.
func resolveAll(ctx context.Context, s *cdp.Session, nodes []int64, number runtime.ExecutionContextID) []string {
	waits := make([]*cdp.Pending, 0, len(nodes))
	for _, id := range nodes {
		q, err := s.Send(ctx, "DOM.resolveNode", map[string]any{"backendNodeId": id, "executionContextId": number, "objectGroup": "mark"})
		if err != nil {
			break
		}
		waits = append(waits, q)
	}
	var out []string
	for _, q := range waits {
		var o struct {
			Object runtime.RemoteObject `json:"object"`
		}
		if q.Wait(ctx, &o) == nil && o.Object.ObjectID != "" {
			out = append(out, string(o.Object.ObjectID))
		}
	}
	return out
}

// fromOwnWorld gives the same nodes as the page's own world sees them, without
// running any script there.
func (p *Page) fromOwnWorld(ctx context.Context, w *world, roots map[string]*runtime.RemoteObject) []string {
	p.mu.Lock()
	var number runtime.ExecutionContextID
	if f := p.frames[w.frame]; f != nil && f.main != "" {
		number = f.mainID
	}
	p.mu.Unlock()
	if number == 0 {
		return nil
	}
	var waits []*cdp.Pending
	for _, o := range roots {
		if o.ObjectID == "" {
			continue
		}
		q, err := w.sess.Send(ctx, "DOM.describeNode", map[string]any{"objectId": o.ObjectID, "depth": 0})
		if err != nil {
			return nil
		}
		waits = append(waits, q)
	}
	var nodes []int64
	for _, q := range waits {
		var d struct {
			Node struct {
				Backend int64 `json:"backendNodeId"`
			} `json:"node"`
		}
		if q.Wait(ctx, &d) == nil && d.Node.Backend != 0 {
			nodes = append(nodes, d.Node.Backend)
		}
	}
	return resolveAll(ctx, w.sess, nodes, number)
}

// closedRoots asks which of some elements hold a closed shadow root.
func (p *Page) closedRoots(ctx context.Context, w *world, list runtime.RemoteObjectID) []int64 {
	hosts, ok := properties(ctx, w.sess, list)
	if !ok {
		return nil
	}
	var waits []*cdp.Pending
	for name, h := range hosts {
		if name == "length" || h.ObjectID == "" {
			continue
		}
		q, err := w.sess.Send(ctx, "DOM.describeNode", map[string]any{"objectId": h.ObjectID, "depth": 1})
		if err != nil {
			return nil
		}
		waits = append(waits, q)
	}
	var out []int64
	for _, q := range waits {
		var d struct {
			Node struct {
				Roots []struct {
					Type    string `json:"shadowRootType"`
					Backend int64  `json:"backendNodeId"`
				} `json:"shadowRoots"`
			} `json:"node"`
		}
		if q.Wait(ctx, &d) != nil {
			continue
		}
		for _, r := range d.Node.Roots {
			if r.Type == "closed" {
				out = append(out, r.Backend)
			}
		}
	}
	return out
}

// properties gives a remote object's own properties.
func properties(ctx context.Context, s *cdp.Session, id runtime.RemoteObjectID) (map[string]*runtime.RemoteObject, bool) {
	var r struct {
		Result []struct {
			Name  string                `json:"name"`
			Value *runtime.RemoteObject `json:"value"`
		} `json:"result"`
	}
	if s.Call(ctx, "Runtime.getProperties", map[string]any{"objectId": id, "ownProperties": true}, &r) != nil {
		return nil, false
	}
	out := make(map[string]*runtime.RemoteObject, len(r.Result))
	for _, x := range r.Result {
		if x.Value != nil {
			out[x.Name] = x.Value
		}
	}
	return out, true
}
