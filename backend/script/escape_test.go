package script

import (
	"os"
	"testing"
	"time"

	"baton/backend/fault"
)

func TestTheSandboxHasNothingOfTheMachine(t *testing.T) {
	s := newSite(t)
	for _, name := range []string{
		"std", "os", "process", "require", "module", "fetch", "XMLHttpRequest", "WebSocket", "WebAssembly", "print", "load", "loadScript", "scriptArgs", "Deno", "Bun", "global", "__host", "Worker", "importScripts",
	} {
		s.wantValue("return typeof "+name, `"undefined"`)
	}
	for code, want := range map[string]string{
		`return Function("return typeof __host + typeof std + typeof os")()`:                                            `"undefinedundefinedundefined"`,
		`return (0, eval)("typeof __host")`:                                                                             `"undefined"`,
		`return click.constructor.constructor("return typeof __host")()`:                                                `"undefined"`,
		`return page.constructor === undefined && page.__proto__ === undefined`:                                         ``,
		`return ({}).constructor.constructor("return this")() === globalThis`:                                           `true`,
		`return Object.getOwnPropertyNames(globalThis).filter(k => /host/i.test(k)).length`:                             `0`,
		`try { await import("/etc/passwd"); return "in" } catch (e) { return e.name }`:                                  `"ReferenceError"`,
		`try { await import("std"); return "in" } catch (e) { return e.name }`:                                          `"ReferenceError"`,
		`try { await import("data:text/javascript,export default 1"); return "in" } catch (e) { return e.name }`:        `"ReferenceError"`,
		`try { return arguments.callee.caller } catch (e) { return e.name }`:                                            `"TypeError"`,
		`try { return click.caller } catch (e) { return e.name }`:                                                       `"TypeError"`,
		`Error.prepareStackTrace = (e, f) => f; return typeof new Error().stack`:                                        ``,
		`let got = 0; const p = new Proxy({}, { get() { got++; return 1 } }); return [p.x, got]`:                        `[1,1]`,
		`return new Proxy({a: 1}, { ownKeys() { throw new Error("no") } }) && 1`:                                        `1`,
		`Object.prototype.target = "e9"; Object.prototype.toJSON = () => 7; Array.prototype.map = null; return {a: 1}`:  `7`,
		`Promise.prototype.then = () => { throw 1 }; JSON.stringify = () => "\"x\"; evil"; JSON.parse = null; return 3`: ``,
	} {
		o, err := s.run(code)
		if want == "" { // only that the host gets through it unharmed
			continue
		}
		if err != nil || string(o.Value) != want {
			t.Errorf("%s\ngave %s, %v; want %s", code, o.Value, err, want)
		}
	}
}

// What a script does to its own world changes nothing for the next.
func TestAScriptLeavesNothingBehind(t *testing.T) {
	s := newSite(t)
	s.wantValue(`globalThis.left = 1; Object.prototype.left = 2; Array.prototype.push = null; return left`, "1")
	s.wantValue(`return [typeof left, typeof ({}).left, typeof [].push]`, `["undefined","undefined","function"]`)
}

func TestMemoryIsBounded(t *testing.T) {
	s := newSite(t)
	for _, code := range []string{
		`const a = []; while (true) a.push(new Array(1000).fill(1))`,
		`let s = "x"; while (true) s += s + "y" + Math.random()`,
		`return new ArrayBuffer(1 << 30)`,
		`return "x".repeat(1 << 29).split("")`,
		`const m = new Map(); for (let i = 0; ; i++) m.set(i, {i})`,
		`const f = () => [f, new Uint8Array(1e6)]; const a = []; for (;;) a.push(f())`,
		`await Promise.all(Array.from({length: 1e7}, (_, i) => new Promise(() => {})))`,
	} {
		f := s.wantFault(code, fault.ScriptLimit)
		t.Log(f.Message)
	}
	f := s.wantFaultFor(`const a = []; for (;;) { try { for (;;) a.push("x".repeat(1e6)) } catch {} }`, 2*time.Second, fault.ScriptLimit)
	t.Log(f.Message)
}

func TestTheStackIsBounded(t *testing.T) {
	s := newSite(t)
	start := time.Now()
	for _, code := range []string{
		`const f = () => f() + 1; return f()`,
		`let a = []; for (let i = 0; i < 1e6; i++) a = [a]; return a.toString()`,
		`return JSON.parse("[".repeat(1e6))`,
		`return eval("(".repeat(2e5))`,
		`const o = {}; o.toString = () => "" + o; return "" + o`,
		`const p = {}; Object.setPrototypeOf(p, new Proxy(p, {})); return p.x`,
	} {
		if _, err := s.run(code); err == nil {
			t.Errorf("%s ended well", code)
		} else {
			t.Log(err)
		}
	}
	s.wantValue(`const f = () => f() + 1; try { f() } catch (e) { return e.message }`, `"stack overflow"`)
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("it took %s", d)
	}
}

// Endless scripts end at the deadline, those too whose native code nothing
// interrupts: their process is killed.
func TestEndlessScriptsEndAtTheDeadline(t *testing.T) {
	s := newSite(t)
	const d = 700 * time.Millisecond
	for _, code := range []string{
		"await click('e1')\nwhile (true) {}",
		`await click('e1'); for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }`,
		`await click('e1'); return /^(a+)+$/.test("a".repeat(40) + "b")`,
		`await click('e1'); for (;;) await null`,
		`await click('e1'); const f = () => Promise.resolve().then(f); await f()`,
		`await click('e1'); return Array.prototype.lastIndexOf.call({length: 2 ** 53 - 1}, 1)`,
		`await click('e1'); return Array.prototype.includes.call({length: 2 ** 53 - 1}, 1)`,
		`await click('e1'); return Array.prototype.indexOf.call(new Proxy({length: 2 ** 53 - 1}, {}), 1)`,
		`await click('e1'); await sleep(20000)`,
		`await click('e1'); await new Promise(r => setTimeout(r, 9000))`,
	} {
		start := time.Now()
		o, err := s.runFor(code, d)
		took := time.Since(start)
		if !fault.Is(err, fault.ScriptLimit) {
			t.Errorf("%s\nended as %v", code, err)
			continue
		}
		t.Logf("%v after %s", err, took.Round(time.Millisecond))
		if took > d+25*time.Second {
			t.Errorf("%s\nran for %s", code, took)
		}
		if len(o.Steps) == 0 || o.Steps[0].What != "click e1" {
			t.Errorf("%s\nlost what was done: %v", code, o.Steps)
		}
	}
	s.wantFaultFor("let n = 0\nawait 1\nfor (;;) { n = Math.sin(n) }", d, fault.ScriptLimit, "near line")
}

func TestAChildHasNoEnvironment(t *testing.T) {
	t.Setenv("SECRET_OF_THE_TEST", "x")
	for _, e := range environment() {
		if len(e) > 6 && e[:6] == "SECRET" {
			t.Error(e)
		}
	}
	s := newSite(t)
	s.wantValue("return 1", "1")
	s.wait()
	s.mu.Lock()
	pid := s.spare.cmd.Process.Pid
	s.mu.Unlock()
	env, err := os.ReadFile("/proc/" + itoa(pid) + "/environ")
	if err != nil {
		t.Skip("no /proc here")
	}
	if len(env) > 64 {
		t.Errorf("the child's environment is %q", env)
	}
}
