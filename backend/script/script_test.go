package script

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"baton/backend/fault"
)

func TestScriptsComeAsStatementsFunctionsAndCalls(t *testing.T) {
	s := newSite(t)
	for code, want := range map[string]string{
		`return 1 + 1`:  `2`,
		`const a = 1;`:  `null`,
		`async () => 3`: `3`,
		`async (page) => { await page.click("e1"); return page.url(); };`: `"http://site.test/click"`,
		`(async () => { await click("e1"); return 4 })();`:                `4`,
		"const x = 5;\n(async () => { await sleep(5); return x })();":     `5`,
		"async function main() { await sleep(5); return 6 }\nmain();":     `6`,
		"```js\nreturn 7\n```":                 `7`,
		`await evaluate(() => document.title)`: `{"tab":"t1","url":"http://site.test/evaluate"}`,
		`await click("e1")`:                    `null`,
		`return {a: undefined, b: NaN, c: 10n, d: new Map([[1, {x: 2}]]), e: new Set([1]), f: new Date(0), g: () => 1, h: [undefined], i: Symbol("s"), j: new Error("no")}`: `{"b":"NaN","c":"10n","d":{"Map":[[1,{"x":2}]]},"e":{"Set":[1]},"f":"1970-01-01T00:00:00.000Z","g":"[function g]","h":[null],"i":"Symbol(s)","j":"Error: no"}`,
		`const a = {}; a.a = a; return a`: `{"a":"[circular]"}`,
		`return "\ud83d"`:                 ``,
		`return page.getByText("x")`:      `{"text":"x"}`,
	} {
		if want == "" {
			s.value(code)
			continue
		}
		s.wantValue(code, want)
	}
}

func TestErrorsSayTheirLine(t *testing.T) {
	s := newSite(t)
	s.wantFault("const a = 1;\n\nnull.x", fault.ScriptError, "TypeError: cannot read property 'x' of null", "line 3")
	s.wantFault("const a = 1;\nconst b = ;", fault.ScriptError, "SyntaxError", "line 2")
	s.wantFault("await click('e1')\nthrow new Error('mine')", fault.ScriptError, "Error: mine", "line 2")
	s.wantFault("throw {a: 1}", fault.ScriptError, `threw {"a":1}`)
	s.wantFault("", fault.ScriptError, "empty")
	s.wantFault("await new Promise(() => {})", fault.ScriptError, "nothing will settle")
	s.answer = func(_ context.Context, st Step) (json.RawMessage, error) {
		return nil, fault.New(fault.TargetNotFound, "nothing fits %s", st.Name)
	}
	f := s.wantFault("const a = 1\nawait click('e1')", fault.ScriptError, "click failed (line 2)", "target_not_found", "browser_snapshot")
	if !strings.HasPrefix(f.Message, "click failed (line 2): target_not_found: nothing fits click") {
		t.Error(f.Message)
	}
	s.wantValue("try { await click('e1') } catch (e) { return [e.code, e.step, e.line, e instanceof Error, e.name] }", `["target_not_found","click",1,true,"StepError"]`)
	s.wantValue("return (await Promise.allSettled([click('e1'), snapshot()])).map(r => r.reason.code)", `["target_not_found","target_not_found"]`)
}

func TestAFailedScriptKeepsWhatWasDone(t *testing.T) {
	s := newSite(t)
	o, err := s.run(`console.log("one", {a: 1}); await navigate("https://a.test/?token=hidden"); await type("e3", "typed"); await click({role: "button", name: "Go"}); throw new Error("x")`)
	if !fault.Is(err, fault.ScriptError) {
		t.Fatal(err)
	}
	var what []string
	for _, d := range o.Steps {
		what = append(what, d.What)
	}
	if got := strings.Join(what, " | "); got != `navigate https://a.test/?token=… | type e3 | click button "Go"` {
		t.Error(got)
	}
	if len(o.Log) != 1 || o.Log[0] != `one {"a":1}` {
		t.Errorf("%q", o.Log)
	}
}

func TestLimits(t *testing.T) {
	s := newSite(t)
	s.wantFault(`for (let i = 0; i < 300; i++) await click("e1")`, fault.ScriptLimit, "200 steps")
	if len(s.seen) != MaxSteps {
		t.Errorf("%d steps were done", len(s.seen))
	}
	s.wantFault(`for (;;) { try { await click("e1") } catch {} }`, fault.ScriptLimit, "200 steps")
	s.wantFault(`await Promise.all(Array.from({length: 300}, () => click("e1")))`, fault.ScriptLimit, "200 steps")
	s.wantFault(`return "x".repeat(70000)`, fault.ScriptLimit, "at most 65536")
	s.wantValue(`return (await Promise.all(Array.from({length: 3}, (_, i) => "x".repeat(60000).length))).length`, "3")
	s.wantFault(`await type("e1", "x".repeat(600000))`, fault.ScriptError, "500000 at most")
	if _, err := s.Run(t.Context(), Job{Code: strings.Repeat("x", MaxCode+1), Do: s.do}); !fault.Is(err, fault.ScriptLimit) {
		t.Error(err)
	}
	o, err := s.run(`for (let i = 0; i < 5000; i++) console.log("line " + i); console.log("x".repeat(1e6))`)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, l := range o.Log {
		total += len(l)
	}
	if len(o.Log) != 201 || total > 20000 || !strings.Contains(o.Log[200], "+4801 lines") {
		t.Errorf("%d lines, %d characters, the last %q", len(o.Log), total, o.Log[len(o.Log)-1])
	}
}

func TestAMegabyteReachesTheScript(t *testing.T) {
	s := newSite(t)
	s.answer = func(context.Context, Step) (json.RawMessage, error) {
		return json.Marshal(strings.Repeat("é", 500_000))
	}
	s.wantValue(`const s = await evaluate(() => document.body.innerText); return s.length`, "500000")
}

func TestUndefinedIsNull(t *testing.T) {
	s := newSite(t)
	s.answer = func(context.Context, Step) (json.RawMessage, error) { return nil, nil }
	s.wantValue(`return [await evaluate(() => {})]`, "[null]")
}

func TestTakeoverStopsTheScriptWhateverItCatches(t *testing.T) {
	s := newSite(t)
	var n atomic.Int32
	s.answer = func(_ context.Context, st Step) (json.RawMessage, error) {
		if n.Add(1) == 3 {
			return nil, fault.New(fault.InterruptedByPerson, "the person took over").WithEffect("unknown")
		}
		return json.RawMessage("{}"), nil
	}
	for _, code := range []fault.Code{fault.InterruptedByPerson} {
		o, err := s.run(`for (let i = 0; i < 9; i++) { try { await click("e" + (i + 1)) } catch {} }`)
		if f := fault.From(err); f == nil || f.Code != code || f.Effect != "unknown" {
			t.Fatal(err)
		}
		if len(o.Steps) != 3 || len(s.seen) != 3 {
			t.Errorf("it went on: %q", s.seen)
		}
	}
}

func TestStepsKeepTheirOrderAndWaitsHoldNobodyUp(t *testing.T) {
	s := newSite(t)
	var now, most, ready atomic.Int32
	s.answer = func(ctx context.Context, st Step) (json.RawMessage, error) {
		if st.Name == "wait" {
			if ready.Load() == 0 {
				time.Sleep(20 * time.Millisecond)
				return nil, fault.New(fault.Timeout, "not yet")
			}
			return json.RawMessage(`{"after_ms":1}`), nil
		}
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer now.Add(-1)
		time.Sleep(15 * time.Millisecond)
		if strings.Contains(string(st.Args), "e9") {
			ready.Store(1)
		}
		return json.Marshal(string(st.Args))
	}
	s.wantSteps(`await Promise.all([1, 2, 3, 4].map(n => click("e" + n)))`, `click {"target":"e1"}`, `click {"target":"e2"}`, `click {"target":"e3"}`, `click {"target":"e4"}`)
	if most.Load() != 1 {
		t.Errorf("%d steps at once on one tab", most.Load())
	}
	most.Store(0)
	s.value(`await Promise.all([2, 3, 4].map(n => click({ref: "e1", tab: "t" + n})))`)
	if most.Load() < 2 {
		t.Error("tabs waited for one another")
	}
	most.Store(0)
	s.value(`await Promise.all([2, 3, 4].map(n => open("https://a.test/" + n)))`)
	if most.Load() < 2 {
		t.Error("new tabs waited for one another")
	}
	s.value(`const w = wait({text: "Done"}); await sleep(30); await click("e9"); await w`)
	ready.Store(0)
	s.wantValue(`const w = wait({text: "Never"}); return await Promise.race([w, click("e2").then(() => "clicked")])`, `"clicked"`)
	if _, err := s.runFor(`await wait({text: "Never", timeout_ms: 600})`, 5*time.Second); !fault.Is(err, fault.ScriptError) || !strings.Contains(err.Error(), "timeout: not yet") {
		t.Error(err)
	}
}

// What was issued before a failure and waits behind it is not done (A11);
// reading is.
func TestAFailedActionTakesThoseBehindItAlong(t *testing.T) {
	s := newSite(t)
	s.answer = func(_ context.Context, st Step) (json.RawMessage, error) {
		time.Sleep(20 * time.Millisecond)
		if strings.Contains(string(st.Args), "e1\"") {
			return nil, fault.New(fault.TargetGone, "gone")
		}
		return json.RawMessage(`"did"`), nil
	}
	s.wantValue(`return (await Promise.allSettled([click("e1"), click("e2"), snapshot(), click("e3")])).map(r => r.value ?? r.reason.code)`,
		`["target_gone","cancelled","did","did"]`)
	s.wantValue(`try { await click("e1") } catch {} return await click("e2")`, `"did"`)
}

// A step that the script did not await is done before the script is over.
func TestStepsThatNobodyAwaitsAreDone(t *testing.T) {
	s := newSite(t)
	s.answer = func(context.Context, Step) (json.RawMessage, error) {
		time.Sleep(30 * time.Millisecond)
		return json.RawMessage("1"), nil
	}
	s.wantSteps(`["e1", "e2"].forEach(async r => { await click(r) })`, `click {"target":"e1"}`, `click {"target":"e2"}`)
	start := time.Now()
	s.value(`setTimeout(() => {}, 5000); return 1`)
	if time.Since(start) > 25*time.Second {
		t.Error("it waited for a timer that nobody awaits")
	}
}

func TestPromisesWork(t *testing.T) {
	s := newSite(t)
	s.wantValue(`return await Promise.all([click("e1"), 2, Promise.resolve(3)]).then(l => l.length)`, "3")
	s.wantValue(`async function* g() { yield 1; await sleep(1); yield 2 } let n = 0; for await (const x of g()) n += x; return n`, "3")
	s.wantValue(`try { await Promise.any([Promise.reject(1)]) } catch (e) { return e.name }`, `"AggregateError"`)
	s.wantValue(`try { throw 1 } catch { return 2 } finally { await sleep(1) }`, "2")
	s.wantValue(`const id = setTimeout(() => { throw 1 }, 10); clearTimeout(id); await sleep(30); return "ok"`, `"ok"`)
}

func TestManyScriptsAtOnce(t *testing.T) {
	s := newSite(t)
	errs := make(chan error, 6)
	for i := range 6 {
		go func() {
			o, err := s.Run(t.Context(), Job{Code: fmt.Sprintf(`await sleep(20); return %d`, i), Do: s.do})
			if err == nil && string(o.Value) != fmt.Sprint(i) {
				err = fmt.Errorf("script %d gave %s", i, o.Value)
			}
			errs <- err
		}()
	}
	for range 6 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
