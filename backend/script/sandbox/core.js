// The sandbox's ground: steps, time, console and the end of a script. The host
// function is taken out of reach before the script's own code is read.
const host = globalThis.__host;
delete globalThis.__host;
const { stringify, parse } = JSON;
const AsyncFunction = (async () => {}).constructor;
const FIRST = 2; // lines that AsyncFunction puts before the script's own

const HELPERS = ["open", "navigate", "snapshot", "read", "click", "hover", "drag", "scroll", "type", "press", "select", "check", "fill", "upload", "wait", "evaluate", "dialog", "sleep"];
const TARGETS = 'a target is "e12", {role:"button",name:"Save"}, {text}, {label}, {placeholder}, {testid}, {css} or {x,y}';

/** A refusal of a form, which names what is accepted. */
function refuse(message, forms) {
  return new TypeError(message + ". Accepted: " + forms);
}

/** Where in the script the present call was made, from the innermost frame of its code. */
function lineOf(stack) {
  const m = /<input>:(\d+)/.exec(String(stack || ""));
  return m ? Math.max(1, Number(m[1]) - FIRST) : 0;
}

/** A step that the host refused. */
class StepError extends Error {
  get name() { return "StepError"; }
}

// ---- Steps ----

const pending = new Map();
let steps = 0;
let batch = null;
let address = "";
const onDialog = [];

/** Sends one step. Steps of one turn go out together, waits last, so that a wait begun beside a click sees its effect. */
function step(name, args) {
  const id = ++steps;
  const at = new StepError("");
  const p = new Promise((resolve, reject) => pending.set(id, { name, resolve, reject, at, line: lineOf(at.stack) }));
  const text = stringify(args === undefined ? {} : args);
  if (text.length > 500000) {
    pending.delete(id);
    throw new RangeError(name + " was given " + text.length + " characters; a step takes 500000 at most");
  }
  if (!batch) {
    batch = [];
    Promise.resolve().then(() => {
      const list = batch;
      batch = null;
      for (const last of [false, true]) {
        for (const s of list) if ((s[1] === "wait") === last) host("step", s[0], s[1], s[2]);
      }
    });
  }
  batch.push([id, name, text]);
  return p;
}

/** The host's answer to a step. */
function settle(id, ok, text) {
  const s = pending.get(id);
  if (!s) return;
  pending.delete(id);
  const v = parse(text);
  if (!ok) {
    const e = s.at;
    e.message = v.code + ": " + v.message + (v.next ? ". Next: " + v.next : "");
    e.code = v.code;
    e.next = v.next;
    e.step = s.name;
    e.line = s.line;
    if (s.name === "evaluate" && /is not defined/.test(v.message)) e.message += ". A page function sees no variables of the script: pass them as arguments, evaluate((a) => …, a)";
    s.reject(e);
    return;
  }
  if (v && typeof v === "object" && typeof v.url === "string") address = v.url;
  if (v && typeof v === "object" && v.dialog && onDialog.length && s.name !== "dialog") {
    answer(v.dialog).then(() => s.resolve(v), s.reject);
    return;
  }
  s.resolve(v);
}

/** Hands a dialog to the script's listeners. */
async function answer(d) {
  for (const f of onDialog.splice(0)) {
    let did = false;
    const say = (accept, text) => { did = true; return step("dialog", text === undefined ? { accept } : { accept, text: String(text) }); };
    if (f.keep) onDialog.push(f);
    await f.fn({ accept: t => say(true, t), dismiss: () => say(false), message: () => d.message, type: () => d.kind, defaultValue: () => d.default || "" });
    if (did) return;
  }
}

// ---- Time ----

const SLEEP = 25000;

async function sleep(ms) {
  if (ms && typeof ms === "object") ms = ms.ms;
  ms = Number(ms);
  if (!(ms >= 0)) throw refuse("sleep takes a number of milliseconds", "sleep(500)");
  while (ms > 0) {
    await step("sleep", { ms: Math.min(ms, SLEEP) });
    ms -= SLEEP;
  }
}

const timers = new Map();
let timer = 0;
globalThis.setTimeout = function setTimeout(fn, ms, ...args) {
  if (typeof fn !== "function") throw refuse("setTimeout takes a function", "setTimeout(fn, 500), or await sleep(500)");
  const id = ++timer;
  timers.set(id, true);
  sleep(Math.max(0, Number(ms) || 0)).then(() => timers.delete(id) && fn(...args));
  return id;
};
globalThis.clearTimeout = id => { timers.delete(id); };
globalThis.setInterval = () => { throw refuse("there is no setInterval in the sandbox", "a loop with await sleep(1000), or await wait({text:\"Done\"})"); };
globalThis.clearInterval = () => {};
globalThis.queueMicrotask = fn => { Promise.resolve().then(fn); };

// ---- Values ----

/** What JSON can hold of a value, saying truly what it cannot. */
function plain(v, above = []) {
  switch (typeof v) {
    case "undefined": return null;
    case "number": return v !== v || v === Infinity || v === -Infinity ? String(v) : v;
    case "bigint": return v + "n";
    case "symbol": return String(v);
    case "function": return locators.has(v) ? locators.get(v) : "[function " + (v.name || "anonymous") + "]";
  }
  if (v === null || typeof v !== "object") return v;
  if (locators.has(v)) return plain(locators.get(v), above);
  if (above.includes(v)) return "[circular]";
  if (above.length > 60) return "[too deep]";
  const under = above.concat([v]);
  if (v instanceof Error) return v instanceof StepError ? v.message : v.name + ": " + v.message;
  if (v instanceof Date) return isNaN(v) ? "Invalid Date" : v.toISOString();
  if (v instanceof RegExp) return String(v);
  if (v instanceof Promise) return "[promise: await it]";
  if (v instanceof Map) return { Map: Array.from(v, ([a, b]) => [plain(a, under), plain(b, under)]) };
  if (v instanceof Set) return { Set: Array.from(v, a => plain(a, under)) };
  if (Array.isArray(v) || ArrayBuffer.isView(v)) return Array.from(v, a => plain(a, under));
  if (typeof v.toJSON === "function") return plain(v.toJSON(), under);
  const out = {};
  for (const k of Object.keys(v)) if (v[k] !== undefined) out[k] = plain(v[k], under);
  return out;
}

const locators = new WeakMap();

// ---- Console ----

let lines = 0, logged = 0, dropped = 0;

function log(...args) {
  let s = args.map(a => typeof a === "string" ? a : stringify(plain(a))).join(" ");
  if (s.length > 2000) s = s.slice(0, 2000) + "… (+" + (s.length - 2000) + " characters)";
  if (lines >= 200 || logged + s.length > 16000) { dropped++; return; }
  lines++;
  logged += s.length;
  host("log", s);
}
globalThis.console = { log, info: log, warn: log, error: log, debug: log, dir: log, table: log, trace: log, group: log, groupEnd() {}, time() {}, timeEnd() {}, assert(ok, ...a) { if (!ok) log("assertion failed", ...a); } };

// ---- The run ----

const PAGE = "is the page's, and the script runs outside the page. Use evaluate: `return await evaluate(() => document.title)`";
const NONE = "does not exist in the sandbox, which has no network, files, modules or process. Read the page with evaluate(() => …), and work on it with the helpers " + HELPERS.join(", ");
const OUTSIDE = "is no helper of scripts. End the script and call the tool of that name; scripts have " + HELPERS.join(", ");
const KNOWN = {
  document: PAGE, window: PAGE, location: PAGE, navigator: PAGE, history: PAGE, localStorage: PAGE, sessionStorage: PAGE, self: PAGE, $: PAGE, $$: PAGE, jQuery: PAGE, alert: PAGE, getComputedStyle: PAGE, HTMLElement: PAGE, Event: PAGE, MutationObserver: PAGE, requestAnimationFrame: PAGE,
  fetch: "is the page's. Use evaluate: `return await evaluate(async () => (await fetch(\"/x\")).text())`",
  XMLHttpRequest: NONE, require: NONE, process: NONE, module: NONE, exports: NONE, fs: NONE, Buffer: NONE, URL: NONE, URLSearchParams: NONE, TextEncoder: NONE, TextDecoder: NONE, performance: NONE, structuredClone: NONE, Deno: NONE, Bun: NONE, os: NONE, std: NONE, print: "does not exist here; use console.log", browser: "does not exist here: the tab is open already. Use the helpers " + HELPERS.join(", ") + ", or page.click and its like",
  context: "does not exist here; open another tab with open(url)", chromium: NONE, playwright: NONE, puppeteer: NONE, expect: "does not exist here. Use wait({target, state:\"visible\"}) or compare values yourself",
  tabs: OUTSIDE, close: OUTSIDE, screenshot: OUTSIDE, console_log: OUTSIDE, request_takeover: OUTSIDE, submit_secret: OUTSIDE, fill_login: OUTSIDE, sign_in: OUTSIDE,
};

function tellDropped() {
  if (dropped) host("log", "(+" + dropped + " lines that the log had no room for)");
  dropped = 0;
}

/** Tells the end by an error. */
function fail(e) {
  tellDropped();
  let message, line = 0, code = "";
  if (e instanceof StepError) {
    message = e.message;
    code = e.code;
    line = e.line;
    host("fail", message, line, code, e.next || "", e.step || "");
    return;
  }
  if (e instanceof Error) {
    message = e.name + ": " + e.message;
    line = e.name === "SyntaxError" && e.lineNumber ? Math.max(1, e.lineNumber - FIRST) : lineOf(e.stack);
    const m = /^'?([\w$]+)'? is not defined$/.exec(e.message);
    if (e.name === "ReferenceError" && m) {
      const why = Object.hasOwn(KNOWN, m[1]) ? KNOWN[m[1]] : /^browser_/.test(m[1]) ? "is called as " + m[1].slice(8) + "(…) in scripts" : "";
      if (why) message = "ReferenceError: " + m[1] + " " + why;
    }
  } else if (e === null) {
    host("fail", "threw null, as the engine does when memory or stack is used up", 0, "script_limit", "", "");
    return;
  } else {
    message = "threw " + (typeof e === "string" ? e : stringify(plain(e)));
  }
  const limit = (e instanceof InternalError || e instanceof SyntaxError) && /out of memory|stack overflow|too long|too large/.test(e.message);
  host("fail", String(message), line, limit ? "script_limit" : "", "", "");
}

function compile(code) {
  return new AsyncFunction("page", code);
}

/** Whether the code compiles; then the function. */
function tried(code) {
  try { return compile(code); } catch { return null; }
}

/** Makes a function of the forms that scripts come in: statements, one function of the page, one call. */
function read(code) {
  code = code.replace(/^\s*```\w*[ \t]*\n([\s\S]*?)\n?```\s*$/, "$1");
  const bare = code.replace(/[;\s]+$/, "");
  if (bare === "") throw new SyntaxError("the script is empty");
  if (/^\s*(\/\/.*\n\s*)*(async\b|function\b|\(|[\w$]+\s*=>|await\s+(evaluate|snapshot|read|page\.(evaluate|title|content|\$\$?eval)|wait)\b)/.test(bare)) {
    const f = tried("return (" + bare + "\n)");
    if (f) return f;
  }
  const f = compile(code);
  // A function that the last statement calls is awaited, as its author means.
  const at = Math.max(bare.lastIndexOf("\n(async"), bare.lastIndexOf("\n;(async"), bare.lastIndexOf("\n(function"));
  const last = /(^|[\n;])([ \t]*)([A-Za-z_$][\w$]*\([^\n]*\))$/.exec(bare);
  let g = null;
  if (at >= 0 && /\)\([^()]*\)$/.test(bare)) g = tried(bare.slice(0, at + 1) + (bare[at + 1] === ";" ? ";return " + bare.slice(at + 2) : "return " + bare.slice(at + 1)));
  else if (last && !/^(if|for|while|switch|return|throw|catch)\b/.test(last[3])) g = tried(bare.slice(0, last.index + last[1].length) + last[2] + "return " + last[3]);
  return g || f;
}

async function main(code) {
  let v = await read(code)(page);
  if (typeof v === "function" && !locators.has(v)) v = await v(page);
  return v;
}

function run(code, url) {
  address = url;
  main(code).then(v => {
    const text = stringify(plain(v));
    tellDropped();
    host("done", text === undefined ? "null" : text);
  }).catch(fail).catch(() => host("fail", "the error could not be told", 0, "", "", ""));
}
