// page: what scripts written for Playwright or Puppeteer call, as helpers.

/** A stand-in whose unknown members explain themselves. */
function guarded(what, members) {
  return new Proxy(members, {
    get(o, k) {
      if (typeof k === "symbol" || k === "then" || k === "toJSON" || k === "constructor" || k === "prototype") return undefined;
      if (Object.hasOwn(o, k)) return o[k];
      throw refuse(what + "." + k + " does not exist: the script runs in Baton's sandbox", Object.keys(o).filter(n => n[0] !== "_").join(", ") + "; or the helpers " + HELPERS.join(", "));
    },
    set() { throw new TypeError(what + " cannot be changed"); },
  });
}

const quoted = s => { s = String(s); return s.includes('"') ? "'" + s + "'" : '"' + s + '"'; };

/** A target inside another: of CSS selectors, and of texts inside them. */
function within(base, t) {
  if (base === null) return t;
  const b = typeof base === "string" ? null : base;
  if (b && b.css !== undefined && b.nth === undefined && typeof t !== "string") {
    const scope = b.css.includes(",") ? ":is(" + b.css + ")" : b.css;
    const more = b.frame ? { frame: b.frame } : {};
    if (t.nth !== undefined) more.nth = t.nth;
    if (t.css !== undefined) return { css: scope + " " + (t.css.includes(",") ? ":is(" + t.css + ")" : t.css), ...more };
    if (t.text !== undefined) return { css: scope + (t.exact ? " :text-is(" : " :text(") + quoted(t.text) + ")", ...more };
    if (t.placeholder !== undefined) return { css: scope + " [placeholder=" + quoted(t.placeholder) + "]", ...more };
    if (t.testid !== undefined) return { css: scope + " [data-testid=" + quoted(t.testid) + "]", ...more };
  }
  throw refuse("a locator of this kind cannot be looked for inside another", "page.locator(\".row .name\"), page.getByRole(\"button\",{name:\"Save\"}), .nth(1), or a ref from snapshot()");
}

/** The ways to name elements, inside base (null is the page) or a frame. */
function finders(base, frame) {
  const make = t => locator(within(base, frame ? { ...asObject(t), frame } : t));
  return {
    locator(s, o) {
      if (locators.has(s)) return make(locators.get(s));
      let t = typeof s === "string" ? fromString(s) : target(s);
      if (typeof t === "string" && !isRef(t)) t = { css: t };
      if (o && o.hasText !== undefined) t = { css: (asObject(t).css ?? "*") + ":has-text(" + quoted(literal(o.hasText, "hasText")) + ")" };
      return make(t);
    },
    getByRole: (role, o = {}) => make({ role: String(role), ...(o.name === undefined ? {} : { name: literal(o.name, "name") }), ...(o.exact ? { exact: true } : {}) }),
    getByText: (s, o = {}) => make({ text: literal(s, "text"), ...(o.exact ? { exact: true } : {}) }),
    getByLabel: (s, o = {}) => make({ label: literal(s, "label"), ...(o.exact ? { exact: true } : {}) }),
    getByPlaceholder: (s, o = {}) => make({ placeholder: literal(s, "placeholder"), ...(o.exact ? { exact: true } : {}) }),
    getByTestId: s => make({ testid: literal(s, "testid") }),
    getByTitle: s => make({ css: "[title*=" + quoted(literal(s, "title")) + " i]" }),
    getByAltText: s => make({ css: "[alt*=" + quoted(literal(s, "alt")) + " i]" }),
    frameLocator: s => guarded("frameLocator", finders(null, target(s))),
  };
}

/** The selector of a locator, where many elements are meant. */
function many(t, what) {
  if (typeof t === "string" || t.css === undefined || t.frame !== undefined) throw refuse(what + " works on CSS selectors only", "page.locator(\"li\")." + what + ", evaluate(() => document.querySelectorAll(\"li\").length), or snapshot({query})");
  return t.css;
}

// stands tells whether an element is in a state now. A page that does not answer
// has not said no.
async function stands(t, state) {
  for (let tries = 0; ; tries++) {
    try {
      await step("wait", { target: t, state, timeout_ms: 150 << Math.min(tries, 4) });
      return true;
    } catch (e) {
      if (["timeout", "target_not_found", "target_gone"].includes(e.code)) return false;
      if (e.code !== "page_busy" || tries >= 5) throw e;
    }
  }
}

function locator(t) {
  const el = (f, ...args) => step("evaluate", { target: t, expression: call(f, args, true) });
  const list = (what, f) => step("evaluate", { expression: call(f, [many(t, what)], false) });
  const members = {
    ...finders(t),
    click: o => click(t, o), dblclick: o => dblclick(t, o), hover: o => hover(t, o), tap: o => click(t, o),
    fill: (s, o) => type(t, s, o), type: (s, o) => type(t, s, { mode: "append", ...options(o) }), pressSequentially: (s, o) => type(t, s, { slowly: true, mode: "append", ...options(o) }), clear: o => type(t, "", o),
    press: (k, o) => press(t, k, o), check: o => check(t, true, o), uncheck: o => check(t, false, o), setChecked: (on, o) => check(t, on, o),
    selectOption: (v, o) => select(t, v, o), select: (...v) => select(t, v), setInputFiles: (f, o) => upload(t, f, o), uploadFile: (...f) => upload(t, f),
    dragTo: (to, o) => drag(t, to, o), scrollIntoViewIfNeeded: o => scroll(t, o), scrollIntoView: o => scroll(t, o), focus: () => el(e => { e.focus(); return true; }),
    waitFor: (o = {}) => wait({ ...o, target: t }), waitForSelector: (s, o) => locator(within(t, target(s))).waitFor(o),
    evaluate: (f, ...a) => el(f, ...a), textContent: () => el(e => e.textContent), innerText: () => el(e => e.innerText), innerHTML: () => el(e => e.innerHTML),
    inputValue: () => el(e => e.value), getAttribute: n => el((e, k) => e.getAttribute(k), n), boundingBox: () => el(e => { const b = e.getBoundingClientRect(); return { x: b.x, y: b.y, width: b.width, height: b.height }; }),
    isVisible: () => stands(t, "visible"), isHidden: async () => !await stands(t, "visible"), isEnabled: () => stands(t, "enabled"), isDisabled: () => stands(t, "disabled"), isChecked: () => stands(t, "checked"), isEditable: () => stands(t, "editable"),
    count: () => list("count()", s => document.querySelectorAll(s).length),
    all: async () => Array.from({ length: await members.count() }, (_, n) => members.nth(n)),
    allTextContents: () => list("allTextContents()", s => Array.from(document.querySelectorAll(s), e => e.textContent)),
    allInnerTexts: () => list("allInnerTexts()", s => Array.from(document.querySelectorAll(s), e => e.innerText)),
    evaluateAll: (f, ...a) => step("evaluate", { expression: "() => (" + source(f) + ")(" + ["Array.from(document.querySelectorAll(" + stringify(many(t, "evaluateAll()")) + "))", ...a.map(v => stringify(plain(v)))].join(", ") + ")" }),
    nth: n => locator({ ...asObject(t), nth: n }), first: () => locator(typeof t === "string" ? t : { ...t, nth: 0 }),
    last: () => { throw refuse("last() is not known before the page is read", ".nth(n), or a ref from snapshot()"); },
    filter: (o = {}) => {
      if (o.hasText !== undefined && typeof t !== "string" && t.css !== undefined) return locator({ ...t, css: t.css + ":has-text(" + quoted(literal(o.hasText, "hasText")) + ")" });
      throw refuse("filter takes hasText on a CSS selector", "page.locator(\"li\").filter({hasText:\"Ana\"})");
    },
    $: s => locator(within(t, target(s))), elementHandle: () => proxy, contentFrame: () => guarded("frame", finders(null, t)),
  };
  const proxy = guarded("locator", members);
  locators.set(proxy, t);
  return proxy;
}

const pick = s => { const t = target(s); return typeof t === "string" && !isRef(t) ? { css: t } : t; };

const page = guarded("page", {
  ...finders(null),
  goto: navigate, goBack: () => navigate("back"), goForward: () => navigate("forward"), reload: () => navigate("reload"),
  click: (s, o) => click(pick(s), o), dblclick: (s, o) => dblclick(pick(s), o), tap: (s, o) => click(pick(s), o), hover: (s, o) => hover(pick(s), o), focus: s => locator(pick(s)).focus(),
  fill: (s, v, o) => type(pick(s), v, o), type: (s, v, o) => type(pick(s), v, { mode: "append", ...options(o) }), press: (s, k, o) => press(pick(s), k, o),
  check: (s, o) => check(pick(s), true, o), uncheck: (s, o) => check(pick(s), false, o), setChecked: (s, on, o) => check(pick(s), on, o), selectOption: (s, v, o) => select(pick(s), v, o), select: (s, ...v) => select(pick(s), v.flat()),
  setInputFiles: (s, f, o) => upload(pick(s), f, o), dragAndDrop: (a, b, o) => drag(pick(a), pick(b), o),
  waitForSelector: (s, o) => { const t = pick(s); return wait({ ...(o || {}), target: t }).then(() => locator(t)); }, waitForTimeout: sleep, waitForFunction, waitFor: wait,
  waitForURL: (u, o) => typeof u === "function" ? waitFunction(u, limit(o).timeout_ms) : step("wait", { url: address_(u), ...limit(o) }), waitForLoadState: (s, o) => wait(s ?? "load", o), waitForNavigation: o => wait((o && o.waitUntil) || "load", o && o.timeout), waitForNetworkIdle: o => wait("networkidle", o && o.timeout),
  evaluate, evaluateHandle: evaluate, $eval: (s, f, ...a) => locator(pick(s)).evaluate(f, ...a), $$eval: (s, f, ...a) => locator(pick(s)).evaluateAll(f, ...a),
  $: async s => await stands(pick(s), "visible") ? locator(pick(s)) : null, $$: s => locator(pick(s)).all(), waitForElement: (s, o) => wait({ ...(o || {}), target: pick(s) }),
  title: () => evaluate("document.title"), url: () => address, content: () => evaluate("document.documentElement.outerHTML"), innerText: s => locator(pick(s)).innerText(), textContent: s => locator(pick(s)).textContent(), innerHTML: s => locator(pick(s)).innerHTML(), inputValue: s => locator(pick(s)).inputValue(), getAttribute: (s, n) => locator(pick(s)).getAttribute(n),
  isVisible: s => locator(pick(s)).isVisible(), isHidden: s => locator(pick(s)).isHidden(), isChecked: s => locator(pick(s)).isChecked(), isEnabled: s => locator(pick(s)).isEnabled(), isDisabled: s => locator(pick(s)).isDisabled(),
  keyboard: guarded("page.keyboard", { press: (k, o) => press(k), type: s => type({ text: String(s), mode: "append" }), insertText: s => type({ text: String(s), mode: "append" }), sendCharacter: s => type({ text: String(s), mode: "append" }) }),
  mouse: guarded("page.mouse", { click: (x, y, o) => click({ x, y }, o), dblclick: (x, y, o) => dblclick({ x, y }, o), move: (x, y) => hover({ x, y }), wheel: (dx, dy) => isPlain(dx) ? scroll(dx.deltaX || 0, dx.deltaY || 0) : scroll(dx, dy) }),
  on: (event, fn) => listen(event, fn, true), once: (event, fn) => listen(event, fn, false),
  snapshot, read: readPage, scroll, drag, upload, wait, dialog, sleep, open, navigate,
  setDefaultTimeout() {}, setDefaultNavigationTimeout() {}, bringToFront() {}, mainFrame: () => page, isClosed: () => false,
});

function listen(event, fn, keep) {
  if (event !== "dialog") throw refuse("page.on(" + stringify(event) + ") does not exist here", "page.on(\"dialog\", d => d.accept())");
  onDialog.push({ fn, keep });
}

globalThis.page = page;
