// The helpers: each sends the fields of the tool of its name, whichever of the
// accepted forms it was called in.

const WAYS = ["ref", "role", "text", "label", "placeholder", "testid", "css", "x", "y"];
const TARGET_KEYS = [...WAYS, "name", "exact", "nth", "frame"];
const TAGS = new Set("a abbr article aside audio body button canvas code dd details dialog div dl dt em fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr html i iframe img input label legend li main meter nav ol optgroup option p pre progress section select small span strong summary svg table tbody td textarea tfoot th thead time title tr ul video".split(" "));
/** Options of other libraries that change nothing here. */
const IDLE = new Set(["force", "noWaitAfter", "strict", "trial", "animations", "delay", "position", "steps", "waitUntil", "polling", "visible", "hidden", "referer", "clickCount", "button_", "scroll"]);

const isPlain = v => v !== null && typeof v === "object" && !Array.isArray(v) && !(v instanceof RegExp) && !(v instanceof Date) && !(v instanceof Promise) && !locators.has(v);
const isRef = s => typeof s === "string" && /^e[1-9]\d{0,8}$/.test(s.trim());

/** The plain text of a simple regular expression: names are compared as text here. */
function literal(v, what) {
  if (!(v instanceof RegExp)) return v === undefined ? undefined : String(v);
  const s = v.source.replace(/^\^|\$$/g, "").replace(/\\([.\/()[\]{}+*?^$|\-])/g, "\u0000$1").replace(/\\s[+*]?/g, " ");
  if (/(^|[^\u0000])[\\()[\]{}+*?^$|.]/.test(s)) throw refuse(what + " is compared as text, and " + v + " is a pattern", "a plain string, such as {role:\"button\",name:\"Save\"}");
  return s.replace(/\u0000/g, "");
}

const unquote = s => /^(".*"|'.*')$/s.test(s) ? s.slice(1, -1) : s;

/** Whether a string reads as a CSS selector rather than words. */
function cssLike(s) {
  if (/(^|[\s>+~,)\]\w])[.#][A-Za-z_-]|\[[\w-]+([~|^$*]?=.*)?\]|:[a-z-]+(\(|$|[\s>.[#])|^[\w-]+\s*[>+~]\s*\S|^\*/.test(s)) return true;
  return s.split(/[\s,]+/).every(w => TAGS.has(w) || /^[a-z]+-[a-z-]+$/.test(w));
}

/** A target from a string: a ref, a line of a snapshot, a selector of another library. */
function fromString(s) {
  s = s.trim();
  if (isRef(s)) return s;
  let m = /^(?:aria-)?ref\s*=\s*(e\d+)$/.exec(s) || /^(?:- )?[a-z]+(?: "(?:[^"\\]|\\.)*")?(?: [^"[]*)?\[(?:ref=)?(e[1-9]\d*)\]/.exec(s);
  if (m) return m[1];
  m = /^(.*?)\s*>>\s*nth=(\d+)$/.exec(s);
  if (m) return { ...asObject(fromString(m[1])), nth: Number(m[2]) };
  m = /^(css|text|label|placeholder|testid|data-testid|data-test-id|id|role)\s*=\s*(.+)$/s.exec(s);
  if (m) {
    const v = m[2].trim();
    switch (m[1]) {
      case "css": return { css: v };
      case "id": return { css: "#" + unquote(v) };
      case "text": return unquote(v) === v ? { text: v } : { text: unquote(v), exact: true };
      case "role": {
        const r = /^([a-z]+)(?:\[name=(["']?)(.*?)\2\s*i?\])?$/.exec(v);
        if (!r) break;
        return r[3] === undefined ? { role: r[1] } : { role: r[1], name: r[3] };
      }
      default: return { [/test/.test(m[1]) ? "testid" : m[1]]: unquote(v) };
    }
  }
  if (/^(\/\/|\.\.|xpath=|\(\/\/)/.test(s)) throw refuse("XPath is not accepted", TARGETS);
  m = /^(?:- )?([a-z]+) ("(?:[^"\\]|\\.)*")$/.exec(s);
  if (m) {
    try { return { role: m[1], name: parse(m[2]) }; } catch { /* words, then */ }
  }
  return cssLike(s) ? { css: s } : s;
}

const asObject = t => typeof t === "string" ? { ref: t } : { ...t };

/** A target from any accepted form. */
function target(v) {
  if (locators.has(v)) return locators.get(v);
  if (typeof v === "string" && v.trim() !== "") return fromString(v);
  if (typeof v === "function") v = v();
  if (!isPlain(v)) throw refuse((v && typeof v.then === "function" ? "a promise" : v === null ? "null" : Array.isArray(v) ? "a list" : v === undefined ? "nothing" : "a " + typeof v) + " is no target", TARGETS);
  if (v.target !== undefined) return target(v.target);
  const out = {};
  for (let [k, x] of Object.entries(v)) {
    if (x === undefined || x === null) continue;
    if (k === "testId" || k === "test_id" || k === "dataTestId") k = "testid";
    if (k === "selector" || k === "locator") { Object.assign(out, asObject(target(x))); continue; }
    if (k === "hasText") { out.text = literal(x, k); continue; }
    if (k === "element" || k === "hidden" || k === "timeout") continue;
    if (k === "frame") x = target(x);
    else if (["name", "text", "label", "placeholder", "testid", "css", "role"].includes(k)) x = literal(x, k);
    out[k] = x;
  }
  if (Object.keys(out).length === 1 && out.ref) return String(out.ref);
  return out;
}

/** The options of a call, in the tools' own names. */
function options(o, most = 30000) {
  const out = {};
  for (const [k, v] of Object.entries(o || {})) {
    if (v === undefined) continue;
    if (k === "timeout" || k === "timeoutMs") out.timeout_ms = Math.max(1, Math.min(Number(v) || most, most));
    else if (k === "clickCount") out.count = v;
    else if (k === "modifiers") out.modifiers = [].concat(v);
    else if (k === "tabId" || k === "tab_id") out.tab = v;
    else if (k === "maxChars") out.max_chars = v;
    else if (k === "hardReload") out.action = "hard_reload";
    else if (!IDLE.has(k)) out[k] = v;
  }
  return out;
}

/** Splits one object of fields into its target and the tool's own fields. */
function split(o, own) {
  if (o.target !== undefined) {
    const { target: t, ...rest } = o;
    return { ...options(rest), target: target(t) };
  }
  const t = {}, rest = {};
  for (const [k, v] of Object.entries(o)) {
    (!own.includes(k) && (TARGET_KEYS.includes(k) || k === "selector" || k === "locator" || k === "testId") ? t : rest)[k] = v;
  }
  const out = options(rest);
  if (Object.keys(t).length) out.target = target(t);
  return out;
}

const given = a => a.filter(v => v !== undefined);

/** A helper that has a target and nothing else of note. */
function pointed(name, extra) {
  return (...a) => {
    const fields = isPlain(a[0]) ? split(a[0], []) : { target: target(a[0]) };
    return step(name, { ...fields, ...options(a[1]), ...extra });
  };
}

const click = pointed("click");
const dblclick = pointed("click", { count: 2 });
const hover = pointed("hover");

function open(url, o) {
  if (isPlain(url)) return step("open", options(url));
  return step("open", url === undefined ? options(o) : { url: String(url), ...options(o) });
}

const MOVES = { back: "back", goBack: "back", forward: "forward", goForward: "forward", reload: "reload", hard_reload: "hard_reload", stop: "stop" };

function navigate(to, o) {
  if (isPlain(to)) return step("navigate", options(to));
  if (typeof to !== "string") throw refuse("navigate takes an address", 'navigate("https://example.com/"), navigate("back"), navigate({action:"reload"})');
  return step("navigate", { ...(Object.hasOwn(MOVES, to) ? { action: MOVES[to] } : { url: to }), ...options(o) });
}

/** snapshot and read: of the page, of a target, or of what a query finds. */
function looking(name) {
  return (a, o) => {
    if (a === undefined || a === null) return step(name, options(o));
    if (typeof a === "string") {
      const t = fromString(a);
      return step(name, { ...(t === a.trim() && !isRef(t) ? { query: a } : { target: t }), ...options(o) });
    }
    return step(name, isPlain(a) ? split(a, []) : { target: target(a), ...options(o) });
  };
}

function drag(from, to, o) {
  if (isPlain(from) && to === undefined) {
    const { from: f, to: t, source, target: x, ...rest } = from;
    return step("drag", { from: target(f ?? source), to: target(t ?? x), ...options(rest) });
  }
  return step("drag", { from: target(from), to: target(to), ...options(o) });
}

function scroll(a, b, c) {
  if (a === undefined) return step("scroll", { dy: 600 });
  if (typeof a === "number") return step("scroll", { dx: typeof b === "number" ? a : 0, dy: typeof b === "number" ? b : a });
  if (typeof a === "string" && ["top", "bottom"].includes(a)) return step("scroll", { to: a, ...options(b) });
  if (a === "down" || a === "up") return step("scroll", { dy: (a === "up" ? -1 : 1) * (typeof b === "number" ? b : 600) });
  let fields = isPlain(a) ? split(a, ["to", "dx", "dy"]) : { target: target(a) };
  if (typeof b === "number") fields = { ...fields, dx: typeof c === "number" ? b : 0, dy: typeof c === "number" ? c : b };
  else if (typeof b === "string") fields.to = b;
  else fields = { ...fields, ...options(b) };
  if (fields.target !== undefined && fields.dx === undefined && fields.dy === undefined && fields.to === undefined) fields.to = "target";
  return step("scroll", fields);
}

function type(...a) {
  a = given(a);
  let fields;
  if (a.length === 1 && !isPlain(a[0])) fields = { text: String(a[0]) };
  else if (a.length === 1) fields = split(a[0], ["text"]);
  else if (isPlain(a[0]) && isPlain(a[1])) fields = { ...split(a[0], ["text"]), ...options(a[1]) };
  else fields = { target: target(a[0]), text: String(a[1]), ...options(a[2]) };
  if (fields.text === undefined && fields.value !== undefined) { fields.text = String(fields.value); delete fields.value; }
  for (const k of ["clear", "replace"]) {
    if (k in fields) { fields.mode = fields[k] === false ? "append" : "replace"; delete fields[k]; }
  }
  if ("append" in fields) { fields.mode = fields.append ? "append" : "replace"; delete fields.append; }
  if (fields.text === undefined) throw refuse("type was given no text", 'type("e4","Ana"), type({target:"e4",text:"Ana",submit:true}), type("Ana") into the focused field');
  return step("type", fields);
}

function press(...a) {
  a = given(a);
  const forms = 'press("Enter"), press("e4","Enter"), press({keys:"Control+K"})';
  let fields;
  if (a.length === 1 && isPlain(a[0])) fields = split(a[0], ["keys"]);
  else if (a.length === 1) fields = { keys: a[0] };
  else if (isPlain(a[1])) fields = isPlain(a[0]) ? { ...split(a[0], ["keys"]), ...options(a[1]) } : { keys: a[0], ...options(a[1]) };
  else fields = { target: target(a[0]), keys: a[1], ...options(a[2]) };
  if (fields.keys === undefined && fields.key !== undefined) { fields.keys = fields.key; delete fields.key; }
  if (Array.isArray(fields.keys)) fields.keys = fields.keys.join(" ");
  if (typeof fields.keys !== "string") throw refuse("press was given no keys", forms);
  return step("press", fields);
}

function chosen(v) {
  return [].concat(v).map(o => {
    if (!isPlain(o)) return String(o);
    if (o.label !== undefined) return String(o.label);
    if (o.value !== undefined) return String(o.value);
    throw refuse("an option is chosen by its label or value", 'select("e5",["France"])');
  });
}

function select(...a) {
  a = given(a);
  let fields;
  if (a.length === 1 && isPlain(a[0])) fields = split(a[0], ["values", "value", "option", "options"]);
  else if (a.length > 1) fields = { target: target(a[0]), values: a[1], ...options(a[2]) };
  else fields = {};
  for (const k of ["value", "option", "options"]) {
    if (k in fields) { fields.values ??= fields[k]; delete fields[k]; }
  }
  if (fields.values === undefined || fields.target === undefined) throw refuse("select needs a target and values", 'select("e5",["France"]), select({target:"e5",values:["France"]})');
  fields.values = chosen(fields.values);
  return step("select", fields);
}

function check(t, on, o) {
  if (isPlain(on)) { o = on; on = undefined; }
  const fields = isPlain(t) ? split(t, ["checked"]) : { target: target(t) };
  return step("check", { ...fields, checked: on === undefined ? fields.checked !== false : Boolean(on), ...options(o) });
}

const uncheck = (t, o) => check(t, false, o);

function fill(a, b, o) {
  const forms = 'fill([{target:"e4",text:"Ana"}]), fill({fields:[…]}), fill("e4","Ana")';
  const field = f => {
    if (Array.isArray(f)) return { target: target(f[0]), text: String(f[1]) };
    if (!isPlain(f)) throw refuse("a field is an object", forms);
    let { target: t, text, value, ...rest } = f;
    if (text === undefined) text = value;
    if (text === undefined) throw refuse("a field has no text", forms);
    return { target: target(t === undefined ? rest : t), text: String(text) };
  };
  if (Array.isArray(a)) return step("fill", { fields: a.map(field), ...options(b) });
  if (b !== undefined && !(isPlain(a) && isPlain(b))) return type(a, b, o);
  if (!isPlain(a)) throw refuse("fill was given no fields", forms);
  if (a.fields !== undefined) {
    const { fields, ...rest } = a;
    return fill(isPlain(fields) ? Object.entries(fields) : fields, rest);
  }
  if (a.target !== undefined || a.text !== undefined || a.value !== undefined) return step("fill", { fields: [field(a)] });
  return step("fill", { fields: Object.entries(a).map(field) });
}

function upload(t, files, o) {
  const fields = files === undefined && isPlain(t) ? split(t, ["files", "file", "path"]) : { target: target(t), files, ...options(o) };
  for (const k of ["file", "path"]) {
    if (k in fields) { fields.files ??= fields[k]; delete fields[k]; }
  }
  fields.files = [].concat(fields.files ?? []).map(f => String(isPlain(f) ? f.path ?? f.name : f));
  return step("upload", fields);
}

function dialog(a, text) {
  if (isPlain(a)) return step("dialog", options({ accept: true, ...a }));
  const accept = a === undefined ? true : typeof a === "boolean" ? a : { accept: true, ok: true, dismiss: false, cancel: false }[a];
  if (accept === undefined) throw refuse("dialog takes true or false", 'dialog(true), dialog(false), dialog(true,"text"), dialog({accept:true,text:"Ana"})');
  return step("dialog", text === undefined ? { accept } : { accept, text: String(text) });
}

// ---- Page functions ----

/** The source of a function, to be run in the page. */
function source(f) {
  if (typeof f !== "function") return String(f);
  const s = Function.prototype.toString.call(f);
  if (/\{\s*\[native code\]\s*\}\s*$/.test(s)) throw refuse("a native function cannot be sent to the page", "evaluate(() => document.title)");
  return /^(async\s+)?(\*\s*)?[\w$]+\s*\(/.test(s) && !/^(async\s+)?function\b/.test(s) && !/^async\s*\([^]*?=>/.test(s) ? "({" + s + "})[" + stringify(f.name) + "]" : s;
}

function call(f, args, element) {
  const list = args.map(v => {
    if (locators.has(v)) throw refuse("an element is passed alone, or first", "evaluate((el) => el.value, \"e4\")");
    return v === undefined ? "undefined" : stringify(plain(v));
  });
  return (element ? "(el) => (" : "() => (") + source(f) + ")(" + (element ? ["el", ...list] : list).join(", ") + ")";
}

const functionLike = s => /^\s*(async\s+)?(function\b|\([^()]*(\([^()]*\)[^()]*)*\)\s*=>|[A-Za-z_$][\w$]*\s*=>)/.test(s);

function evaluate(f, ...args) {
  const forms = "evaluate(() => document.title), evaluate((a) => …, a), evaluate((el) => el.value, \"e4\"), evaluate({expression, target})";
  if (isPlain(f) && (f.expression !== undefined || f.function !== undefined || f.fn !== undefined)) {
    const { expression, function: g, fn, target: t, args: list, ...rest } = f;
    const e = expression ?? g ?? fn;
    const fields = options(rest);
    if (t !== undefined) fields.target = target(t);
    return step("evaluate", { ...fields, expression: typeof e === "function" || list !== undefined ? call(e, [].concat(list ?? []), t !== undefined) : String(e) });
  }
  const elementFirst = typeof f !== "function" && (typeof args[0] === "function" || (typeof args[0] === "string" && functionLike(args[0]))) && (locators.has(f) || isPlain(f) || isRef(f));
  if (elementFirst) return step("evaluate", { target: target(f), expression: call(args[0], args.slice(1), true) });
  if (typeof f !== "function" && typeof f !== "string") throw refuse("evaluate was given no function", forms);
  if (args.length && (locators.has(args[0]) || isRef(args[0]) || (isPlain(args[0]) && isRef(args[0].ref) && Object.keys(args[0]).length === 1))) {
    return step("evaluate", { target: target(args[0]), expression: call(f, args.slice(1), true) });
  }
  if (typeof f === "string" && !(args.length && functionLike(f))) return step("evaluate", { expression: f });
  return step("evaluate", { expression: call(f, args, false) });
}

// ---- Waits ----

const STATES = { visible: "visible", attached: "visible", hidden: "hidden", detached: "gone", gone: "gone", enabled: "enabled", disabled: "disabled", checked: "checked", unchecked: "unchecked", editable: "editable", stable: "visible" };
const LOADS = { load: { load: "load" }, complete: { load: "load" }, loaded: { load: "load" }, domcontentloaded: { load: "domcontentloaded" }, DOMContentLoaded: { load: "domcontentloaded" }, interactive: { load: "domcontentloaded" }, networkidle: { quiet: 500 }, networkidle0: { quiet: 500 }, networkidle2: { quiet: 500 }, idle: { quiet: 500 }, quiet: { quiet: 500 }, "dom-quiet": { quiet: 500 } };
const WAITS = ["text", "text_gone", "textGone", "url", "load", "quiet", "function", "selector", "css", "role", "label", "placeholder", "testid", "ref"];
const FORMS = 'wait({text:"Done"}), wait({text_gone:"Loading"}), wait({target,state:"visible"}), wait({url:"*/done"}), wait({load:"load"}), wait({quiet:500}), wait(() => window.ready), wait(500), each with timeout_ms';
const callsHelpers = new RegExp("(^|[^.\\w$])(" + HELPERS.concat("waitFor", "goto", "step").join("|") + ")\\s*\\(|(^|[^.\\w$])page\\s*[.[]");

function address_(v) {
  if (!(v instanceof RegExp)) return String(v).replace(/\*+/g, "*");
  const s = v.source.replace(/^\^/, "").replace(/\$$/, "").replace(/\\\//g, "/").replace(/\.[*+]\??/g, "*").replace(/\\\./g, ".").replace(/\\([?\-])/g, "\u0000$1");
  if (/(^|[^\u0000])[\\()[\]{}+?|^$]/.test(s)) throw refuse("an address is a part of it, or a pattern with *", 'wait({url:"/orders/*"})');
  return (/\*/.test(s) && !/^\*/.test(s) ? "*" : "") + s.replace(/\u0000/g, "") + (/\*/.test(s) && !/\*$/.test(s) ? "*" : "");
}

/** Waits for a function: in the page, or here, once a second, when it calls helpers itself. */
async function waitFunction(f, timeout, args = []) {
  if (typeof f === "function" ? !callsHelpers.test(source(f)) : true) {
    const text = typeof f === "function" || functionLike(f) ? call(f, args, false) : String(f);
    return step("wait", timeout === undefined ? { function: text } : { function: text, timeout_ms: timeout });
  }
  const line = lineOf(new Error().stack);
  const until = Date.now() + (timeout === undefined ? 10000 : timeout);
  for (;;) {
    const v = await f(...args);
    if (v) return v;
    if (Date.now() + 1000 > until) break;
    await sleep(1000);
  }
  const e = new StepError("timeout: the function did not give a true value in time. Next: look at the page with snapshot()");
  e.code = "timeout";
  e.step = "wait";
  e.line = line;
  throw e;
}

/** As Playwright (function, argument, options) and Puppeteer (function, options, …arguments) have it. */
function waitForFunction(f, a, ...more) {
  const set = v => isPlain(v) && ("timeout" in v || "polling" in v);
  if (set(a)) return waitFunction(f, limit(a).timeout_ms, more);
  return waitFunction(f, set(more[0]) ? limit(more[0]).timeout_ms : undefined, a === undefined || a === null ? [] : [a]);
}

const limit = o => typeof o === "number" ? { timeout_ms: Math.max(1, Math.min(o, SLEEP)) } : options(o, SLEEP);

function wait(a, b, c) {
  if (typeof a === "number") return sleep(a);
  if (typeof a === "function") {
    const list = typeof b === "number" || isPlain(b) && ("timeout" in b || "timeout_ms" in b || "polling" in b) ? [] : b === undefined || b === null ? [] : [b];
    return waitFunction(a, limit(list.length ? c : b ?? c).timeout_ms, list);
  }
  if (locators.has(a)) {
    const o = typeof b === "string" ? { state: b, ...options(c) } : b;
    return wait({ ...(o || {}), target: a });
  }
  if (typeof a === "string") {
    const o = limit(typeof b === "string" ? c : b);
    if (typeof b === "string") {
      if (WAITS.includes(a)) return wait({ [a]: b, ...o });
      if (Object.hasOwn(STATES, b)) return wait({ target: plainText(a) ? { text: a } : a, state: b, ...o });
      if (WAITS.includes(b)) return wait({ [b]: a, ...o });
      throw refuse("wait(" + stringify(a) + ", " + stringify(b) + ") is not understood", FORMS);
    }
    if (Object.hasOwn(LOADS, a)) return step("wait", { ...LOADS[a], ...o });
    if (/^(https?:\/\/|\*\*?\/)/.test(a)) return step("wait", { url: address_(a), ...o });
    return plainText(a) ? step("wait", { text: a, ...o }) : wait({ ...o, ...(isPlain(b) && b.state ? { state: b.state } : {}), target: a });
  }
  if (!isPlain(a)) throw refuse("wait was given nothing to wait for", FORMS);
  const o = { ...a, ...(isPlain(b) ? b : typeof b === "number" ? { timeout_ms: b } : {}) };
  for (const k of ["ms", "time", "seconds"]) {
    if (typeof o[k] === "number" && !WAITS.some(w => w in o)) return sleep(k === "seconds" ? o[k] * 1000 : o[k]);
  }
  if (typeof o.condition === "string" && (o.condition in o || o.condition === "target")) delete o.condition;
  if (typeof o.condition === "function" || typeof o.condition === "string") { o.function = o.condition; delete o.condition; }
  if (o.fn !== undefined) { o.function = o.fn; delete o.fn; }
  if (o.expression !== undefined) { o.function = o.expression; delete o.expression; }
  if (o.function !== undefined) return waitFunction(o.function, limit(o).timeout_ms, []);
  if (o.textGone !== undefined) { o.text_gone = o.textGone; delete o.textGone; }
  if (o.hidden === true) o.state = "hidden";
  const state = o.state ?? o.loadState;
  delete o.loadState;
  delete o.state;
  const load = o.load ?? o.waitUntil ?? (Object.hasOwn(LOADS, state) ? state : undefined);
  delete o.load;
  if (o.quiet === true) o.quiet = 500;
  const out = split(options(o, SLEEP), ["text", "text_gone", "url"]);
  if (load !== undefined) {
    if (!Object.hasOwn(LOADS, load)) throw refuse("there is no load state " + stringify(load), FORMS);
    Object.assign(out, LOADS[load]);
  } else if (state !== undefined) {
    if (!Object.hasOwn(STATES, state)) throw refuse("there is no state " + stringify(state), FORMS);
    if (out.target === undefined && out.text !== undefined) {
      if (STATES[state] === "hidden" || STATES[state] === "gone") { out.text_gone = out.text; delete out.text; }
    } else {
      out.state = STATES[state];
    }
  } else if (out.target !== undefined) {
    out.state = "visible";
  }
  for (const k of ["text", "text_gone"]) if (k in out) out[k] = literal(out[k], k);
  if (out.url !== undefined) out.url = address_(out.url);
  return step("wait", out);
}

/** Whether a string is words rather than a ref or a selector. */
function plainText(s) {
  const t = fromString(s);
  return t === s.trim() && !isRef(t);
}

const snapshot = looking("snapshot"), readPage = looking("read");

Object.assign(globalThis, {
  open, navigate, snapshot, read: readPage, click, hover, drag, scroll, type, press, select, check, fill, upload, wait, evaluate, dialog, sleep,
  // names of other libraries
  goto: navigate, dblclick, doubleClick: dblclick, uncheck, setChecked: check, selectOption: select, fillFields: fill, fill_fields: fill, dragTo: drag, waitFor: wait, waitForText: (t, o) => wait({ text: t, ...limit(o) }), waitForSelector: (s, o) => wait(s, o), waitForFunction, waitForTimeout: sleep, wait_for: wait, select_option: select, set_checked: check,
  step(s, more) {
    if (typeof s === "string") s = { action: s, ...more };
    const { action, name, arguments: args, ...rest } = s || {};
    const k = String(action ?? name ?? "").replace(/^browser_/, "");
    if (!HELPERS.includes(k)) throw refuse("there is no step " + stringify(k), HELPERS.join(", "));
    return globalThis[k]({ ...rest, ...args });
  },
  role: (r, o) => ({ role: String(r), ...(typeof o === "string" ? { name: o } : target(o || {})) }),
  ref: r => String(r), css: s => ({ css: String(s) }), label: s => ({ label: literal(s, "label") }), placeholder: s => ({ placeholder: literal(s, "placeholder") }), testid: s => ({ testid: String(s) }), text: (s, o) => ({ text: literal(s, "text"), ...(o || {}) }),
});
