package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/chromedp/cdproto/runtime"

	cdproto "github.com/chromedp/cdproto/cdp"

	"baton/backend/cdp"
	"baton/backend/fault"
	"baton/backend/redact"
)

// ErrThrew marks a script of the page or agent that threw; its text is the
// exception's.
var ErrThrew = errors.New("the script threw")

// Threw gives an agent's fault for an ErrThrew.
func Threw(err error) error {
	return fault.New(fault.ScriptError, "%s", strings.TrimPrefix(redact.Text(err.Error()), ErrThrew.Error()+": ")).Because(err)
}

// looksLikeFunction is how an expression that is a function starts.
var looksLikeFunction = regexp.MustCompile(`^\s*(async\s+)?(function\b|\([^()]*(\([^()]*\)[^()]*)*\)\s*=>|[A-Za-z_$][\w$]*\s*=>)`)

// encode turns a value into JSON and says truly what JSON cannot hold. It runs
// in the page's own world as a function over the value.
const encode = `function enc(v, seen){
 const t = typeof v;
 if (v === undefined) return {u:1};
 if (t === 'number' && (v !== v || v === Infinity || v === -Infinity || Object.is(v,-0))) return {s: Object.is(v,-0) ? '-0' : String(v)};
 if (t === 'bigint') return {s: String(v)+'n'};
 if (t === 'symbol') return {s: String(v)};
 if (t === 'function') return {s: '[function '+(v.name||'anonymous')+']'};
 if (v === null || t !== 'object') return {v};
 if (seen.has(v)) return {s: '[circular]'};
 const tag = Object.prototype.toString.call(v).slice(8,-1);
 if (typeof Node !== 'undefined' && v instanceof Node) return {s: '<'+v.nodeName.toLowerCase()+(v.id?' id="'+v.id+'"':'')+'>'};
 if (tag === 'Date') return {s: isNaN(v) ? 'Invalid Date' : v.toISOString()};
 if (tag === 'RegExp') return {s: String(v)};
 if (tag === 'Error' || v instanceof Error) return {s: (v.name||'Error')+': '+v.message};
 if (typeof Window !== 'undefined' && v === window) return {s: '[window]'};
 seen.add(v);
 try {
  if (tag === 'Map') return {v: {Map: [...v].map(([a,b]) => [plain(a,seen), plain(b,seen)])}};
  if (tag === 'Set') return {v: {Set: [...v].map(a => plain(a,seen))}};
  if (Array.isArray(v) || ArrayBuffer.isView(v) || tag === 'NodeList' || tag === 'HTMLCollection') return {v: Array.from(v, a => plain(a,seen))};
  if (typeof v.toJSON === 'function') return {v: JSON.parse(JSON.stringify(v))};
  const o = {};
  for (const k of Object.keys(v)) { const e = enc(v[k], seen); if (!e.u) o[k] = 's' in e ? e.s : e.v; }
  return {v: o};
 } finally { seen.delete(v); }
}
function plain(v, seen){ const e = enc(v, seen); return e.u ? null : 's' in e ? e.s : e.v; }`

// EvaluateFor runs an agent's expression or function in the page's own world of
// the target's frame; a function gets the target. It is refused where it could
// read a secret.
func (p *Page) EvaluateFor(ctx context.Context, expression string, t *Target) (json.RawMessage, bool, error) {
	ctx, cancel, err := p.reading(ctx)
	if err != nil {
		return nil, false, err
	}
	defer cancel()
	if err := p.mayEvaluate(ctx); err != nil {
		return nil, false, p.explain(ctx, err)
	}
	ref := 0
	if t != nil {
		r, err := p.resolve(ctx, *t)
		if err != nil {
			return nil, false, p.explain(ctx, err)
		}
		if ref = r.ref; ref == 0 {
			return nil, false, fault.New(fault.BadArguments, "a point is no argument").Then("give a ref")
		}
	}
	value, undefined, err := p.Evaluate(ctx, expression, ref)
	if err == nil || errors.Is(err, ErrThrew) {
		if no := p.mayTell(ctx); no != nil {
			return nil, false, no
		}
	}
	if err == nil {
		value, err = p.mayReturn(value)
	}
	return value, undefined, err
}

// Evaluate runs an expression or a function in the page's own world of a
// frame (the main one when ref is 0) and gives its value as JSON. With a ref,
// the expression is a function and gets the element. Undefined comes back as
// "null" with undefined set. A script that throws is ErrThrew.
func (p *Page) Evaluate(ctx context.Context, expression string, ref int) (value json.RawMessage, undefined bool, err error) {
	ctx, cancel, err := p.reading(ctx)
	if err != nil {
		return nil, false, err
	}
	defer cancel()
	frame := p.root
	if ref != 0 {
		w, err := p.worldOf(ctx, ref)
		if err != nil {
			return nil, false, err
		}
		frame = w.frame
	}
	s, unique, err := p.ownWorld(ctx, frame)
	if err != nil {
		return nil, false, p.explain(ctx, err)
	}
	expr := strings.TrimRight(strings.TrimSpace(expression), "; \t\n")
	fn := looksLikeFunction.MatchString(expr)
	if ref != 0 && !fn {
		return nil, false, fault.New(fault.BadArguments, "with a target, expression must be a function of the element").Then("write it as (el) => …")
	}
	if err := pass(ctx, func() error { return nil }); err != nil {
		return nil, false, p.explain(ctx, err)
	}
	var r runtime.CallFunctionOnResult
	if fn {
		params := runtime.CallFunctionOnParams{
			FunctionDeclaration: "async function(...args){" + encode + "\nreturn enc(await (" + expr + ")(...args), new Set());}",
			UniqueContextID:     unique, AwaitPromise: ptr(true), ReturnByValue: ptr(true), UserGesture: ptr(true),
		}
		if ref != 0 {
			id, err := p.resolveIn(ctx, ref, s, unique)
			if err != nil {
				return nil, false, err
			}
			params.Arguments = []*runtime.CallArgument{{ObjectID: id}}
		}
		err = passing(ctx, s, "Runtime.callFunctionOn", params, &r)
	} else {
		r, err = p.evaluateExpression(ctx, s, unique, expression)
	}
	if err != nil {
		if gone(err) {
			return nil, false, fault.New(fault.Uncertain, "the page went to another document while the script ran").Because(err)
		}
		f := p.explain(ctx, err)
		if fault.Is(f, fault.PageBusy) && answers(ctx, s, unique) {
			// The page is well: it is the script that waits for something.
			f = fault.New(fault.Timeout, "the promise of the script did not settle in time; what it began goes on in the page").WithEffect("unknown").
				Then("look at the page, or give what the script waits for more time with timeout_ms, up to 30000")
		}
		return nil, false, f
	}
	if r.ExceptionDetails != nil {
		return nil, false, fmt.Errorf("%w: %s", ErrThrew, exceptionText(r.ExceptionDetails))
	}
	var e struct {
		U int             `json:"u"`
		S *string         `json:"s"`
		V json.RawMessage `json:"v"`
	}
	if err := json.Unmarshal(r.Result.Value, &e); err != nil {
		return nil, false, err
	}
	switch {
	case e.U == 1:
		return json.RawMessage("null"), true, nil
	case e.S != nil:
		b, err := json.Marshal(*e.S)
		return b, false, err
	case len(e.V) == 0:
		return json.RawMessage("null"), false, nil
	}
	return e.V, false, nil
}

// evaluateExpression runs what the console would take, with await at the top
// level, and encodes its value.
func (p *Page) evaluateExpression(ctx context.Context, s *cdp.Session, unique, expression string) (runtime.CallFunctionOnResult, error) {
	var v runtime.EvaluateResult
	group := newGroup("evaluate")
	defer letGo(ctx, s, group)
	err := passing(ctx, s, "Runtime.evaluate", runtime.EvaluateParams{
		Expression: expression, UniqueContextID: unique, AwaitPromise: ptr(true), ReplMode: ptr(true), UserGesture: ptr(true), ObjectGroup: group,
	}, &v)
	if err != nil || v.ExceptionDetails != nil || v.Result == nil {
		return runtime.CallFunctionOnResult(v), err
	}
	if v.Result.ObjectID == "" {
		return runtime.CallFunctionOnResult{Result: plainValue(v.Result)}, nil
	}
	arg := &runtime.CallArgument{ObjectID: v.Result.ObjectID, UnserializableValue: v.Result.UnserializableValue, Value: v.Result.Value}
	var r runtime.CallFunctionOnResult
	err = s.Call(ctx, "Runtime.callFunctionOn", runtime.CallFunctionOnParams{
		FunctionDeclaration: "async function(v){" + encode + "\nreturn enc(await v, new Set());}",
		UniqueContextID:     unique, Arguments: []*runtime.CallArgument{arg}, AwaitPromise: ptr(true), ReturnByValue: ptr(true),
	}, &r)
	return r, err
}

// answerTime bounds the look whether a document's thread answers, once the time
// of a script is over.
const answerTime = 300 * time.Millisecond

// answers tells whether a document's thread runs script now.
func answers(ctx context.Context, s *cdp.Session, unique string) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer cancel()
	var v runtime.EvaluateResult
	return s.Call(ctx, "Runtime.evaluate", runtime.EvaluateParams{Expression: "1", UniqueContextID: unique, ReturnByValue: ptr(true)}, &v) == nil && v.ExceptionDetails == nil
}

// plainValue wraps a value that is no object as encode would.
func plainValue(o *runtime.RemoteObject) *runtime.RemoteObject {
	e := map[string]any{}
	switch {
	case o.UnserializableValue != "":
		e["s"] = o.UnserializableValue
	case o.Type == "undefined":
		e["u"] = 1
	case len(o.Value) > 0:
		e["v"] = json.RawMessage(o.Value)
	case o.Description != "": // a symbol
		e["s"] = o.Description
	default:
		e["v"] = nil
	}
	b, _ := json.Marshal(e)
	return &runtime.RemoteObject{Value: b}
}

// passing sends a command through the gate in ctx and waits for its answer: a
// script of the agent's may do anything to the page.
func passing(ctx context.Context, s *cdp.Session, method string, params, result any) error {
	var q *cdp.Pending
	if err := pass(ctx, func() (err error) { q, err = s.Send(ctx, method, params); return err }); err != nil {
		return err
	}
	return q.Wait(ctx, result)
}

// ownWorld gives the frame's own execution context, waiting until its document
// has one.
func (p *Page) ownWorld(ctx context.Context, id cdproto.FrameID) (*cdp.Session, string, error) {
	for {
		if _, err := p.world(ctx, id); err != nil {
			return nil, "", err
		}
		p.mu.Lock()
		f := p.frames[id]
		if f != nil && f.main != "" {
			s, unique := f.sess, f.main
			p.mu.Unlock()
			return s, unique, nil
		}
		p.mu.Unlock()
		// The two contexts of a document are announced a moment apart.
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			return nil, "", context.Cause(ctx)
		}
	}
}

// resolveIn gives a remote object for a ref in the page's own world.
func (p *Page) resolveIn(ctx context.Context, ref int, s *cdp.Session, unique string) (runtime.RemoteObjectID, error) {
	w, err := p.worldOf(ctx, ref)
	if err != nil {
		return "", err
	}
	group := newGroup("evaluate")
	defer letGo(ctx, w.sess, group)
	id, err := w.element(ctx, ref, group)
	if err != nil {
		return "", p.explain(ctx, err)
	}
	if id == "" {
		return "", goneFault(ref)
	}
	var d struct {
		Node struct {
			Backend int64 `json:"backendNodeId"`
		} `json:"node"`
	}
	if err := s.Call(ctx, "DOM.describeNode", map[string]any{"objectId": id}, &d); err != nil {
		return "", p.explain(ctx, err)
	}
	ctxID, err := p.contextNumber(ctx, s, unique)
	if err != nil {
		return "", err
	}
	var o struct {
		Object runtime.RemoteObject `json:"object"`
	}
	if err := s.Call(ctx, "DOM.resolveNode", map[string]any{"backendNodeId": d.Node.Backend, "executionContextId": ctxID}, &o); err != nil {
		return "", p.explain(ctx, err)
	}
	return o.Object.ObjectID, nil
}

func ptr[T any](v T) *T { return &v }
