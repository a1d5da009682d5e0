package page

import (
	"context"
	"encoding/json"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/runtime"

	"baton/backend/cdp"
	"baton/backend/inject"
)

// marks is what was found out about a document beside what its script world
// can see; guarded by Page.mu.
type marks struct {
	at    time.Time // when it began last
	cost  time.Duration
	nodes int // how many elements the document had; 0 when not known
}

const (
	// markNodes bounds the documents whose listeners are listed.
	markNodes = 20_000
	// markMost bounds how many listeners of one document are looked at.
	markMost = 1000
	// cheap is what it may take to be done again at the next reading, and
	// markSmall the size of documents where only a busy computer makes it take
	// longer. Others are looked at again once markRest times as long has passed.
	cheap     = 40 * time.Millisecond
	markSmall = 1500
	markRest  = 10
	// markWait bounds the time of it.
	markWait = 700 * time.Millisecond
	// addedWait bounds the look at what has just come.
	addedWait = 150 * time.Millisecond
)

// probe looks for what may hold what a script cannot see. Its list holds the
// count of elements, then the count of open shadow roots, then those, then what
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
 return [n, roots.length - 1, ...roots.slice(1), ...hosts];
}`

// marking tells a document's world of what it cannot see by itself: elements
// with listeners for presses, and closed shadow roots. It repeats when that was
// cheap, because pages grow. What fails is left out: it only adds.
type marking struct {
	p      *Page
	w      *world
	m      *marks
	number runtime.ExecutionContextID // the world's
	own    runtime.ExecutionContextID // the page's own; 0 when not known
	group  string                     // of what it holds in the renderer
	doc    *cdp.Pending               // the document, as the page's own world sees it
}

// groups counts groups of objects that are held in a renderer.
var groups atomic.Int64

// newGroup names a group of objects of its own: documents of one session are
// looked at side by side, and who is done first lets go of its own alone.
func newGroup(of string) string { return of + " " + strconv.FormatInt(groups.Add(1), 10) }

// letGo frees the objects of a group.
func letGo(ctx context.Context, s *cdp.Session, group string) {
	_, _ = s.Send(context.WithoutCancel(ctx), "Runtime.releaseObjectGroup", runtime.ReleaseObjectGroupParams{ObjectGroup: group})
}

func (p *Page) mark(ctx context.Context, w *world) { p.marking(ctx, w).finish(ctx, -1) }

// marking begins it: the first question goes out, and nothing is waited for.
func (p *Page) marking(ctx context.Context, w *world) *marking {
	p.mu.Lock()
	m := p.prepared[w.unique]
	if m == nil {
		if len(p.prepared) > 200 {
			clear(p.prepared)
		}
		m = &marks{}
		p.prepared[w.unique] = m
	}
	k := &marking{p: p, w: w, m: m, group: newGroup("mark")}
	own := ""
	if f := p.frames[w.frame]; f != nil && f.world == w.unique && (m.cost <= cheap || m.nodes > 0 && m.nodes <= markSmall || time.Since(m.at) > markRest*m.cost) {
		k.number = f.worldID
		if f.main != "" {
			k.own, own = f.mainID, f.main
		}
	}
	p.mu.Unlock()
	if k.number != 0 && k.own != 0 {
		// The name cannot be given to anything else, so no script of the page's runs.
		k.doc, _ = w.sess.Send(ctx, "Runtime.evaluate", runtime.EvaluateParams{Expression: "document", UniqueContextID: own, ObjectGroup: k.group})
	}
	return k
}

// finish does the rest. nodes is how many elements the document has, less than 0
// when that is not known. The world is told before whatever it is asked next,
// and not waited for.
func (k *marking) finish(ctx context.Context, nodes int) {
	if k.number == 0 {
		return
	}
	ctx, cancel := soon(ctx, markWait)
	defer cancel()
	start := time.Now()
	if nodes <= markNodes {
		k.w.postNodes(ctx, "mark", k.unseen(ctx, nodes >= 0))
	}
	letGo(ctx, k.w.sess, k.group)
	k.p.mu.Lock()
	k.m.at, k.m.cost, k.m.nodes = start, time.Since(start), max(nodes, 0)
	k.p.mu.Unlock()
}

// postNodes calls an entry with nodes, without waiting for its answer.
func (w *world) postNodes(ctx context.Context, fn string, objects []string) {
	if len(objects) == 0 {
		return
	}
	args := make([]*runtime.CallArgument, len(objects))
	for i, o := range objects {
		args[i] = &runtime.CallArgument{ObjectID: runtime.RemoteObjectID(o)}
	}
	_, _ = w.sess.Send(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
		FunctionDeclaration: inject.NodesFunction(fn), UniqueContextID: w.unique, Arguments: args,
	})
}

// unseen gives remote objects, in the document's world, of nodes with press
// listeners and of closed shadow roots. small says that the document is known to
// be no big one.
func (k *marking) unseen(ctx context.Context, small bool) []string {
	s := k.w.sess
	look, err := s.Send(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
		FunctionDeclaration: probe, UniqueContextID: k.w.unique, ObjectGroup: k.group,
	})
	if err != nil {
		return nil
	}
	// A node's listeners are told for the world that it is seen from, so the
	// roots are looked at from the page's own. The way round, pierce, tells
	// those of all worlds, and renderers have died of it at the next load.
	var lists []*cdp.Pending
	listen := func(id runtime.RemoteObjectID) {
		if q, err := s.Send(ctx, "DOMDebugger.getEventListeners", map[string]any{"objectId": id, "depth": -1}); err == nil && id != "" {
			lists = append(lists, q)
		}
	}
	document := func() {
		var r runtime.EvaluateResult
		if k.doc != nil && k.doc.Wait(ctx, &r) == nil && r.Result != nil && r.Result.ObjectID != "" {
			listen(r.Result.ObjectID)
		}
	}
	if small {
		document()
	}
	var r runtime.CallFunctionOnResult
	if look.Wait(ctx, &r) != nil || r.Result == nil || r.Result.ObjectID == "" {
		return nil
	}
	var nodes []int64
	if !small || r.Result.Description != "Array(2)" {
		n, roots, hosts, ok := k.found(ctx, r.Result.ObjectID)
		if !ok || n > markNodes {
			return nil
		}
		if !small {
			document()
		}
		open, closed := k.p.rootsOf(ctx, s, roots, hosts)
		if k.own != 0 {
			for _, id := range resolveAll(ctx, s, k.group, open, k.own) {
				listen(runtime.RemoteObjectID(id))
			}
		}
		nodes = closed
	}
	return resolveAll(ctx, s, k.group, listening(ctx, lists, nodes), k.number)
}

// listening adds the nodes that have listeners for presses.
func listening(ctx context.Context, lists []*cdp.Pending, nodes []int64) []int64 {
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
	return nodes
}

// markAdded tells a document's world which of the elements that have just come
// have listeners for presses. What fails is left out.
func (p *Page) markAdded(ctx context.Context, w *world) {
	p.mu.Lock()
	f := p.frames[w.frame]
	if f == nil || f.world != w.unique || f.main == "" {
		p.mu.Unlock()
		return
	}
	number, own := f.worldID, f.mainID
	p.mu.Unlock()
	ctx, cancel := soon(ctx, addedWait)
	defer cancel()
	group := newGroup("mark")
	var holder runtime.CallFunctionOnResult
	var d struct {
		Node struct {
			Backend int64 `json:"backendNodeId"`
		} `json:"node"`
	}
	if w.sess.Call(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{FunctionDeclaration: inject.AddedFunction, UniqueContextID: w.unique, ObjectGroup: group}, &holder) != nil ||
		holder.Result == nil || holder.Result.ObjectID == "" || w.sess.Call(ctx, "DOM.describeNode", map[string]any{"objectId": holder.Result.ObjectID}, &d) != nil {
		return
	}
	var lists []*cdp.Pending
	for _, id := range resolveAll(ctx, w.sess, group, []int64{d.Node.Backend}, own) {
		if q, err := w.sess.Send(ctx, "DOMDebugger.getEventListeners", map[string]any{"objectId": id, "depth": -1}); err == nil {
			lists = append(lists, q)
		}
	}
	w.postNodes(ctx, inject.MarkAdded, resolveAll(ctx, w.sess, group, listening(ctx, lists, nil), number))
	letGo(ctx, w.sess, group)
}

// found takes the probe's list apart.
func (k *marking) found(ctx context.Context, list runtime.RemoteObjectID) (n int, roots, hosts []runtime.RemoteObjectID, ok bool) {
	props, ok := properties(ctx, k.w.sess, list)
	if !ok {
		return 0, nil, nil, false
	}
	number := func(name string) (v int) {
		if o := props[name]; o != nil {
			_ = json.Unmarshal(o.Value, &v)
		}
		return v
	}
	open := number("1")
	for i := 2; props[strconv.Itoa(i)] != nil; i++ {
		id := props[strconv.Itoa(i)].ObjectID
		if i-2 < open {
			roots = append(roots, id)
		} else {
			hosts = append(hosts, id)
		}
	}
	return number("0"), roots, hosts, true
}

// rootsOf gives the nodes of open shadow roots, and of the closed ones that
// some elements hold.
func (p *Page) rootsOf(ctx context.Context, s *cdp.Session, roots, hosts []runtime.RemoteObjectID) (open, closed []int64) {
	describe := func(ids []runtime.RemoteObjectID, depth int) []*cdp.Pending {
		var out []*cdp.Pending
		for _, id := range ids {
			if q, err := s.Send(ctx, "DOM.describeNode", map[string]any{"objectId": id, "depth": depth}); err == nil && id != "" {
				out = append(out, q)
			}
		}
		return out
	}
	type described struct {
		Node struct {
			Backend int64 `json:"backendNodeId"`
			Roots   []struct {
				Type    string `json:"shadowRootType"`
				Backend int64  `json:"backendNodeId"`
			} `json:"shadowRoots"`
		} `json:"node"`
	}
	first, second := describe(roots, 0), describe(hosts, 1)
	for _, q := range first {
		var d described
		if q.Wait(ctx, &d) == nil && d.Node.Backend != 0 {
			open = append(open, d.Node.Backend)
		}
	}
	for _, q := range second {
		var d described
		if q.Wait(ctx, &d) != nil {
			continue
		}
		for _, r := range d.Node.Roots {
			if r.Type == "closed" {
				closed = append(closed, r.Backend)
			}
		}
	}
	return open, closed
}

// resolveAll gives remote objects, in an execution context, of nodes.
func resolveAll(ctx context.Context, s *cdp.Session, group string, nodes []int64, number runtime.ExecutionContextID) []string {
	waits := make([]*cdp.Pending, 0, len(nodes))
	for _, id := range nodes {
		q, err := s.Send(ctx, "DOM.resolveNode", map[string]any{"backendNodeId": id, "executionContextId": number, "objectGroup": group})
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
