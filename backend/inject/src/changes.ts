// What is different since watch: new and changed lines, what is gone, where focus went.
import { activeElement, childrenOf, parentOf, isVisible } from "./dom";
import { takeAdded } from "./added";
import { checked } from "./choose";
import { describe } from "./describe";
import { field, matches } from "./field";
import { disarm } from "./guard";
import { line, seal, type Line } from "./line";
import { anyRecord, begin, fields, known, record, signOf, type Seen } from "./record";
import { Numbering, element, numberOf } from "./refs";
import { NAMED_BY_CONTENT, roleOf } from "./roles";
import { loadMasks, mask, sweep } from "./secret";
import { Moves } from "./moves";
import { markerIn } from "./settle";
import { shape } from "./shape";
import { stateOf } from "./state";
import { cut, sound } from "./text";
import { Walker } from "./tree";
import { pageRoots, slots, title } from "./walk";
import { nextNote, takeNotes, wake, watching, type Notes } from "./watch";
import type { FrameSlot, Gone, Node } from "./wire";

interface Args {
  next: number; budget?: number; quietMs?: number; maxMs?: number; firstMs?: number; frameMs?: number; holdMs?: number; near?: number[]; told?: number[]; keep?: boolean; marks?: boolean; again?: boolean;
  guard?: boolean; field?: { ref: number; text: string }; checked?: number;
}

const MOST_GONE = 6;
/** Lists longer than this are not read again for what moved in them. */
const MOST_SIBLINGS = 500;
/** How many ancestors place a changed part. */
const PLACES = 2;
const WHOLE_LINES = new Set([...NAMED_BY_CONTENT, "row", "cell", "gridcell", "columnheader", "rowheader", "listitem", "status", "alert", "term", "definition"]);
const PLACING = new Set("dialog alertdialog navigation region form list table grid row listitem article group tabpanel menu listbox tree treeitem toolbar radiogroup search complementary feed iframe".split(" "));

type News = ReturnType<typeof fresh>;

function fresh(next: number) {
  return {
    next, nodes: [] as Node[], gone: [] as Gone[], goneMore: 0, focus: "", frames: [] as FrameSlot[], empty: true, unwatched: false, mutations: 0, waitedMs: 0, busy: false, added: false, title: "", url: location.href,
    guard: null as ReturnType<typeof disarm> | null, field: null as ReturnType<typeof field> | null, matches: false, checked: null as ReturnType<typeof checked> | null,
  };
}

/** Waits until the page has reacted and reads what is different; then what the guard saw, and a field or a box, on request. */
export async function changes(a: Args) {
  const start = performance.now();
  const out = fresh(a.next);
  if (!a.again) {
    heldUntil = 0;
    hold({ ms: a.holdMs || 0 });
  }
  if (a.guard) {
    out.guard = disarm();
    if (out.guard.result === "missed") return out;
  }
  const told = await news(a, out, start);
  if (told.added) return told;
  if (a.field) {
    told.field = field(a.field);
    told.matches = matches(a.field);
  }
  if (a.checked) told.checked = checked({ ref: a.checked });
  return told;
}

async function news(a: Args, out: News, start: number): Promise<News> {
  if (!watching()) return { ...out, unwatched: true, title: title() };
  const end = await quiet(start, a);
  if (end === "added") return { ...out, added: true };
  out.busy = end === "busy";
  out.waitedMs = Math.round(performance.now() - start);
  const notes = takeNotes(!!a.keep);
  if (!notes) return { ...out, unwatched: true };
  sweep();
  loadMasks();
  out.title = title();
  out.mutations = notes.count;
  const was = notes.focus;
  const now = activeElement();
  // Focus on the target itself, or on a line that says so, is no news.
  let told = !!now && (a.near ?? []).some(r => element(r) === now);
  const roots = rootsOf(notes, a.near ?? []);
  present = begin(false);
  retired = new Map();
  const said = new Set((a.told ?? []).map(r => element(r)));
  const gone = new Set<Element>();
  const moves = new Moves();
  for (const r of notes.removed) if (!r.isConnected) lost(r, gone, 0); else moves.add(r);
  const top = line(null, "", "", "");
  for (const r of roots) {
    if (!shown(r)) { hidden(r, gone); continue; }
    const tree = new Walker().tree([r]);
    const before = new Map<Line, Seen | undefined>();
    remember(tree, before);
    record(tree, null);
    moves.note(tree, before);
    if (tree.kids.length === 0) hidden(r, gone);
    else unseen(r, gone);
    const d = compare(tree, before, said, moves);
    if (!d) continue;
    place(top, r, d);
  }
  tidy(top);
  const back = new Map<string, number>();
  tally(top, back);
  rebuilt(top);
  seal(top);
  if (top.count) {
    const numbering = new Numbering(Math.max(1, a.next));
    const slot = slots(out.frames);
    out.nodes = shape(top, { budget: a.budget || 2000, numbering, active: now, onNode: (l, n) => { slot(l, n); if (l.el && l.el === now) told = true; } });
    out.next = numbering.next;
  }
  leave(gone, back, out);
  const old = was && was !== document.body && was !== document.documentElement ? was : null;
  if (now !== deepest(old) && !told && now && now.localName !== "iframe") out.focus = describe(now);
  out.empty = !out.nodes.length && !out.gone.length && !out.goneMore && !out.focus;
  return out;
}

function deepest(el: Element | null): Element | null {
  let d = el;
  for (let s = d?.shadowRoot; s?.activeElement; s = d?.shadowRoot) d = s.activeElement;
  return d;
}

let heldUntil = 0;
/** When the requests that were waited for had been answered; 0 while none was. */
let answered = 0;

/** Holds the reading of what changed back for ms: the page has asked for something. 0 lets it go on. */
export function hold(a: { ms: number }): void {
  const now = performance.now();
  answered = !a.ms && heldUntil ? now : 0;
  heldUntil = a.ms ? now + a.ms : 0;
  wake();
}

/** What an answer brings shows at once: so long before it is known here, and so long after it showed. */
const BEFORE = 4;
const AFTER = 2;

let frames: Frames | undefined;

// Waits until nothing was noted for quietMs, or for frameMs with a frame drawn in between; "busy" when maxMs came first,
// "added" when something came and marks are asked for.
async function quiet(start: number, a: Args): Promise<"quiet" | "busy" | "added"> {
  const quietMs = a.quietMs || 50, maxMs = a.maxMs || 600, frameMs = a.frameMs || 0;
  const firstMs = a.firstMs || quietMs;
  if (!a.again || !frameMs) frames = frameMs ? new Frames() : undefined;
  for (;;) {
    const now = performance.now();
    const n = watching();
    if (!n) return "quiet";
    const room = maxMs - (now - start);
    if (heldUntil > now && room > 0) {
      await nextNote(Math.min(heldUntil - now, room) + 1);
      continue;
    }
    if (a.marks && takeAdded(n)) return "added";
    const left = n.count || answered ? rest(now, start, n, quietMs, frameMs, frames) : firstMs - (now - start);
    if (left <= 0) {
      // Quiet, but what came is only a loading marker: the content is still to come.
      if (room <= 0 || n.flood || !n.count || !markerIn(n.dirty)) return "quiet";
      await nextNote(Math.min(100, room) + 1);
      continue;
    }
    if (room <= 0) return n.count > 0 ? "busy" : "quiet";
    await (frames && n.count ? Promise.race([nextNote(Math.min(left, room) + 1), frames.next(n.last)]) : nextNote(Math.min(left, room) + 1));
  }
}

// How long a page that did something, or got an answer, is still to be waited for.
function rest(now: number, start: number, n: Notes, quietMs: number, frameMs: number, frames: Frames | undefined): number {
  if (answered) return n.last >= answered - BEFORE ? AFTER - (now - n.last) : quietMs - (now - answered);
  const since = now - Math.max(n.last, start - quietMs);
  return (frames?.drawn(n.last) ? frameMs : quietMs) - since;
}

/** Tells whether a frame was drawn since a time. */
class Frames {
  private last = 0;
  private asked: Promise<void> | undefined;

  drawn(since: number): boolean { return this.last > since; }

  /** Resolves at the next frame, unless one was drawn since. */
  next(since: number): Promise<void> {
    if (this.drawn(since)) return new Promise(() => {});
    return this.asked ??= new Promise(done => requestAnimationFrame(() => {
      this.last = performance.now();
      this.asked = undefined;
      done();
    }));
  }
}

/** Waits for quiet without reading anything. */
export async function quietFor(a: { quietMs: number; maxMs: number }): Promise<boolean> {
  let last = performance.now();
  const start = last;
  const o = new MutationObserver(() => { last = performance.now(); });
  o.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  try {
    for (;;) {
      const now = performance.now();
      if (now - last >= a.quietMs) return true;
      const room = a.maxMs - (now - start);
      if (room <= 0) return false;
      await new Promise(r => setTimeout(r, Math.min(room, a.quietMs - (now - last)) + 1));
    }
  } finally { o.disconnect(); }
}

// The elements to read again: those that mutated, lifted to the line they belong to, outermost only.
function rootsOf(notes: Notes, near: number[]): Element[] {
  if (notes.flood) return pageRoots();
  const all = new Set<Element>();
  const add = (el: Element) => { if (el.isConnected) all.add(lift(el)); };
  for (const el of notes.dirty) add(el);
  for (const el of notes.removed) if (el.isConnected && el.parentElement && el.parentElement.childElementCount <= MOST_SIBLINGS) add(el.parentElement);
  for (const el of notes.parents) if (el.isConnected && (lift(el) !== el || oneLine(el))) add(el);
  for (const ref of near) {
    const el = element(ref);
    if (el) all.add(lift(surroundings(el)));
  }
  for (const w of fields) {
    const el = w.deref();
    if (!el) { fields.delete(w); continue; }
    if (!el.isConnected) continue;
    const s = known(el);
    if (!s || all.has(el)) continue;
    const role = roleOf(el);
    const st = stateOf(el, role, s.name);
    const l = line(el, s.role, s.name, "");
    l.words = st.words; l.value = st.value; l.options = st.options;
    if (signOf(l) !== s.sign) add(el);
  }
  for (const el of [...all]) if (el.localName === "html" || el.localName === "head") { all.delete(el); if (el.localName === "html") for (const r of pageRoots()) all.add(r); }
  const out: Element[] = [];
  outer: for (const el of all) {
    for (let p = parentOf(el); p; p = parentOf(p)) if (all.has(p)) continue outer;
    out.push(el);
  }
  return out.sort((x, y) => x.compareDocumentPosition(y) & 4 ? -1 : 1);
}

// A parent whose line says what its children are.
function oneLine(el: Element): boolean {
  const s = anyRecord(el);
  return !!s && (WHOLE_LINES.has(s.role) || s.role === "generic") || INLINE_LINE.test(el.localName);
}

const INLINE_LINE = /^(select|button|a|summary|tr|svg|legend|caption|figcaption|details|fieldset)$/;

function lift(el: Element): Element {
  let top = el;
  let p: Element | null = el;
  for (let i = 0; p && i < 12; i++, p = parentOf(p)) {
    if (oneLine(p) || p.localName === "label" && (p as HTMLLabelElement).control) top = p;
  }
  if (/^(option|optgroup)$/.test(top.localName)) top = top.closest("select") ?? top;
  if (/^(legend|caption|figcaption|summary)$/.test(top.localName) && top.parentElement) top = top.parentElement;
  if (top.localName === "slot") top = parentOf(top) ?? top;
  return top;
}

// Style changes without a mutation happen near the target: its parent's contents, when they are few.
function surroundings(el: Element): Element {
  let best = el;
  let p = parentOf(el);
  for (let i = 0; p && i < 3 && p !== document.body && p !== document.documentElement; i++, p = parentOf(p)) {
    if (p.getElementsByTagName("*").length > 150) break;
    best = p;
  }
  return best;
}

function shown(el: Element): boolean {
  if (el === document.body) return true;
  for (let p: Element | null = el; p; p = parentOf(p)) {
    if (p.hasAttribute("inert") || p.getAttribute("aria-hidden") === "true") return false;
    if (p.localName === "details" && p !== el && !(p as HTMLDetailsElement).open && !el.closest("summary")) return false;
  }
  return isVisible(el);
}

function remember(l: Line, out: Map<Line, Seen | undefined>): void {
  if (l.el) {
    const s = known(l.el);
    out.set(l, s && { ...s });
  }
  for (const k of l.kids) remember(k, out);
}

// The part of a tree that is new or changed; null when none is.
function compare(l: Line, before: Map<Line, Seen | undefined>, said: Set<Element | null>, moves: Moves): Line | null {
  if (l.role === "text") {
    const s = before.get(l);
    if (s?.texts?.includes(l.name)) return null;
    l.mark = s ? "changed" : "new";
    seal(l);
    return l;
  }
  const s = l.el ? before.get(l) : undefined;
  if (l.role) {
    if (!s?.role) {
      // A known wrapper whose only text became a line of its own has not moved.
      if (!s?.texts?.includes(l.name) || l.act) { l.mark = "new"; seal(l); return l; }
    } else if (s.sign !== signOf(l) && !(l.el && said.has(l.el) && !l.kids.length)) l.mark = "changed";
  }
  const kids: Line[] = [];
  for (const k of l.kids) {
    const d = compare(k, before, said, moves);
    if (d) kids.push(d);
  }
  if (!l.mark && !kids.length && !moves.beside.has(l)) return null;
  l.kids = kids;
  seal(l);
  return l;
}

// A subtree was walked from the page: lines above it tell where it stands.
function place(top: Line, root: Element, d: Line): void {
  const chain: { el: Element; s: Seen }[] = [];
  for (let p = parentOf(root); p && chain.length < PLACES; p = parentOf(p)) {
    const s = known(p);
    if (s && s.role && PLACING.has(s.role) && (s.name || s.role === "dialog" || s.role === "list")) chain.push({ el: p, s });
  }
  let into = top;
  for (const c of chain.reverse()) {
    let l = into.kids.find(k => k.el === c.el && k.role !== "text");
    if (!l) {
      l = line(c.el, c.s.role, c.s.name, c.el.localName);
      into.kids.push(l);
    }
    into = l;
  }
  into.kids.push(...d.kids);
}

function tidy(l: Line): void {
  for (const k of l.kids) tidy(k);
  seal(l);
}

const FURNITURE = new Set("banner navigation contentinfo complementary search".split(" "));

// Page furniture that was only built anew, with the same lines, is said in one line.
function rebuilt(l: Line): void {
  for (const k of l.kids) {
    if (k.mark !== "new" || !FURNITURE.has(k.role)) { rebuilt(k); continue; }
    const left = new Map(retired);
    if (!covered(k, left)) continue;
    k.folded = k.count - 1;
    k.kids = [];
    seal(k);
  }
}

function covered(l: Line, left: Map<string, number>): boolean {
  if (l.role && l.role !== "text") {
    const key = keyOf(l.role, l.name);
    const n = left.get(key);
    if (!n) return false;
    left.set(key, n - 1);
  }
  return l.kids.every(k => covered(k, left));
}

const keyOf = (role: string, name: string) => role + "\u0001" + name;
let retired = new Map<string, number>();

// Elements under a root that were lines before and were not met this time.
function unseen(root: Element, gone: Set<Element>): void {
  const visit = (el: Element, depth: number) => {
    for (const n of childrenOf(el)) {
      if (n.nodeType !== 1) continue;
      const k = n as Element;
      const s = known(k);
      if (s && s.at < present && (s.role || s.texts)) { gone.add(k); retire(k, 0); continue; }
      if (depth < 900) visit(k, depth + 1);
    }
  };
  visit(root, 0);
  const s = known(root);
  if (s && s.at < present && s.role && !(root.localName === "body")) { gone.add(root); s.gone = true; }
}

function hidden(root: Element, gone: Set<Element>): void {
  const s = known(root);
  if (s && (s.role || s.texts)) { gone.add(root); retire(root, 0); return; }
  for (const n of childrenOf(root)) if (n.nodeType === 1) hidden(n as Element, gone);
}

function lost(el: Element, gone: Set<Element>, depth: number): void {
  const s = known(el);
  if (s && (s.role || s.texts)) { gone.add(el); retire(el, depth); return; }
  if (depth < 900) for (const n of childrenOf(el)) if (n.nodeType === 1) lost(n as Element, gone, depth + 1);
}

let present = 0;

function retire(el: Element, depth: number): void {
  const s = known(el);
  if (s) {
    s.gone = true;
    if (s.role) retired.set(keyOf(s.role, s.name), (retired.get(keyOf(s.role, s.name)) ?? 0) + 1);
  }
  if (depth < 900) for (const n of childrenOf(el)) if (n.nodeType === 1) retire(n as Element, depth + 1);
}

function tally(l: Line, into: Map<string, number>): void {
  if (l.role) { const k = keyOf(l.role, l.name); into.set(k, (into.get(k) ?? 0) + 1); }
  for (const k of l.kids) tally(k, into);
}

// What is gone, without what came back under the same role and name.
function leave(gone: Set<Element>, back: Map<string, number>, out: { gone: Gone[]; goneMore: number }): void {
  for (const el of gone) {
    let outer: Element | null = el;
    while ((outer = parentOf(outer))) if (gone.has(outer)) break;
    if (outer) continue;
    const s = anyRecord(el);
    if (!s) continue;
    const role = s.role || "text";
    const name = s.role ? s.name : s.texts?.[0] ?? "";
    if (!name && role !== "dialog" && role !== "alertdialog" && !numberOf(el)) {
      // Say what was in it instead.
      for (const k of named(el, [], 0)) tell(k, out, back);
      continue;
    }
    tell(el, out, back);
  }
}

function named(el: Element, out: Element[], depth: number): Element[] {
  if (depth < 60) for (const n of childrenOf(el)) {
    if (n.nodeType !== 1 || out.length > 4 * MOST_GONE) continue;
    const s = anyRecord(n as Element);
    if (s?.gone && (s.role ? s.name : s.texts?.length)) out.push(n as Element);
    else named(n as Element, out, depth + 1);
  }
  return out;
}

function tell(el: Element, out: { gone: Gone[]; goneMore: number }, back: Map<string, number>): void {
  const s = anyRecord(el)!;
  const role = s.role || "text";
  const name = s.role ? s.name : s.texts?.[0] ?? "";
  const key = keyOf(role, name);
  const n = back.get(key);
  if (n) { back.set(key, n - 1); return; }
  if (out.gone.length < MOST_GONE) {
    const c = cut(mask(name), 44);
    const g: Gone = { r: role, n: sound(c.left ? c.text + "…" : c.text) };
    const ref = numberOf(el);
    if (ref) g.e = ref;
    out.gone.push(g);
  } else out.goneMore++;
}
