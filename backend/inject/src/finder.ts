// Find in page: where a text stands in this document, kept up as the page changes. Nothing of the page is touched: the
// person's interface draws the marks over the picture.
import { discover, elementAt, parentOf, scopes, shadowOf } from "./dom";
import { isSecret } from "./secret";

const BINDING = "__batonFind";
const MOST = 20_000; // matches of one document
const MARKS = 400; // told at a time
const EVERY = 250; // ms between two looks at a page that tells of nothing
const SKIP = new Set("script style noscript template head meta link title iframe object embed canvas audio video datalist select option progress meter svg math".split(" "));
const INLINE = new Set("a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp slot small span strike strong sub sup time tt u var wbr".split(" "));
const FIELD = /^(text|search|url|email|tel|number|button|submit|reset)$/;

/** A piece of the document's text: a text node, or a field with its value. */
interface Piece { node: Text | HTMLElement; start: number; length: number }
interface Match { start: number; end: number }
interface Seen { x: number; y: number; w: number; h: number; on: boolean }

interface Search {
  seq: number; text: string; pattern: RegExp; fold: boolean;
  pieces: Piece[]; matches: Match[]; active: number;
  gone: number; // how often a match was made the active one
  at: { node: Node; offset: number } | null; // where the active match stands
  said: string; timer: number; busy: number; observer: MutationObserver; watched: Set<Node>; stale: boolean; frame: boolean;
}

let now: Search | null = null;

/** Every letter without its accents, one for one. */
const plain = (s: string): string => /[^\x00-\x7f]/.test(s) ? s.replace(/[\u00c0-\u1fff]/g, c => { const d = c.normalize("NFD")[0]!; return d.length === c.length ? d : c; }) : s;

function pattern(text: string, matchCase: boolean): RegExp {
  const words = matchCase ? text : plain(text.normalize("NFC")).replace(/[\u0300-\u036f]/g, "");
  const one = (c: string) => /\s/.test(c) ? " +" : c.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&") + (matchCase || c < "A" ? "" : "[\\u0300-\\u036f\\u00ad]*");
  return new RegExp([...words.replace(/\s+/g, " ")].map(one).join(""), matchCase ? "gu" : "giu");
}

function collect(s: Search): string {
  const parts: string[] = [], pieces: Piece[] = [];
  let length = 0, open = false;
  const add = (node: Text | HTMLElement, data: string) => {
    if (/[\t\n\r\f\u00a0]/.test(data)) data = data.replace(/[\t\n\r\f\u00a0]/g, " ");
    if (s.fold) data = plain(data);
    pieces.push({ node, start: length, length: data.length });
    parts.push(data);
    length += data.length;
    open = true;
  };
  const cut = () => { if (open) { parts.push("\n"); length++; open = false; } };
  const walk = (n: Node): void => {
    if (n.nodeType === 3) { if ((n as Text).data) add(n as Text, (n as Text).data); return; }
    if (n.nodeType !== 1) return;
    const el = n as HTMLElement, name = el.localName;
    if (SKIP.has(name)) return;
    if (name === "br" || name === "hr") return cut();
    if (name === "input" || name === "textarea") {
      const f = el as HTMLInputElement;
      if ((name === "textarea" || FIELD.test(f.type)) && f.value && !isSecret(f)) { cut(); add(f, f.value); cut(); }
      return;
    }
    const block = !INLINE.has(name);
    if (block) cut();
    const root = shadowOf(el);
    const filled = name === "slot" ? (el as HTMLSlotElement).assignedNodes() : [];
    if (filled.length) for (const c of filled) walk(c);
    else for (let c = (root ?? el).firstChild; c; c = c.nextSibling) walk(c);
    if (block) cut();
  };
  if (document.body) walk(document.body);
  else if (document.documentElement) walk(document.documentElement);
  s.pieces = pieces;
  return parts.join("");
}

function pieceAt(s: Search, offset: number): number {
  let lo = 0, hi = s.pieces.length - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (s.pieces[mid]!.start <= offset) lo = mid;
    else hi = mid - 1;
  }
  return lo;
}

const holder = (p: Piece): Element | null => p.node.nodeType === 3 ? parentOf(p.node) : p.node as HTMLElement;

function search(s: Search): void {
  const began = performance.now();
  s.stale = false;
  discover();
  const text = collect(s), shown = new Map<Element, boolean>();
  const drawn = (p: Piece): boolean => {
    const el = holder(p);
    if (!el) return false;
    let v = shown.get(el);
    if (v === undefined) {
      v = el.checkVisibility({ visibilityProperty: true });
      const edited = v && (el as HTMLElement).isContentEditable ? el.closest("[contenteditable]") : null;
      if (edited && isSecret(edited)) v = false;
      shown.set(el, v);
    }
    return v;
  };
  s.matches = [];
  s.pattern.lastIndex = 0;
  for (let m; s.matches.length < MOST && (m = s.pattern.exec(text));) {
    const start = m.index, end = start + m[0].length;
    if (end === start) { s.pattern.lastIndex++; continue; }
    const from = pieceAt(s, start), to = pieceAt(s, end - 1);
    if (drawn(s.pieces[from]!) && (from === to || drawn(s.pieces[to]!))) s.matches.push({ start, end });
  }
  keep(s);
  for (const scope of scopes()) {
    if (s.watched.has(scope)) continue;
    s.watched.add(scope);
    s.observer.observe(scope, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["class", "style", "hidden", "open"] });
    scope.addEventListener("scroll", moved, { capture: true, passive: true });
    scope.addEventListener("input", changed, { capture: true, passive: true });
  }
  s.busy = performance.now() - began;
}

// The active match stays the one at its place, or the next after it.
function keep(s: Search): void {
  if (!s.at || s.active < 0) return;
  const p = s.pieces.findIndex(x => x.node === s.at!.node);
  const place = p < 0 ? -1 : s.pieces[p]!.start + s.at.offset;
  if (place < 0) { s.active = Math.min(s.active, s.matches.length - 1); return; }
  const i = s.matches.findIndex(m => m.start >= place);
  s.active = i < 0 ? s.matches.length - 1 : i;
}

function rangeOf(s: Search, m: Match): Range | null {
  const a = s.pieces[pieceAt(s, m.start)], b = s.pieces[pieceAt(s, m.end - 1)];
  if (a?.node.nodeType !== 3 || b?.node.nodeType !== 3 || !a.node.isConnected || !b.node.isConnected) return null;
  const r = document.createRange();
  try {
    r.setStart(a.node, m.start - a.start);
    r.setEnd(b.node, m.end - b.start);
  } catch { return null; } // the text has changed since
  return r;
}

function rects(s: Search, m: Match): DOMRect[] {
  const p = s.pieces[pieceAt(s, m.start)];
  if (p && p.node.nodeType === 1) return [(p.node as HTMLElement).getBoundingClientRect()];
  const r = rangeOf(s, m);
  return r ? [...r.getClientRects()].filter(b => b.width > 0 && b.height > 0) : [];
}

/** What of a box its scrollers show; null when nothing. */
function clipped(el: Element | null, b: DOMRect): DOMRect | null {
  let l = Math.max(b.left, 0), t = Math.max(b.top, 0), r = Math.min(b.right, innerWidth), d = Math.min(b.bottom, innerHeight);
  for (let n = el; n && l < r && t < d; n = parentOf(n)) {
    if (n === document.body || n === document.documentElement) break;
    const o = getComputedStyle(n);
    if (o.overflowX === "visible" && o.overflowY === "visible") continue;
    const c = n.getBoundingClientRect();
    if (o.overflowX !== "visible") { l = Math.max(l, c.left); r = Math.min(r, c.right); }
    if (o.overflowY !== "visible") { t = Math.max(t, c.top); d = Math.min(d, c.bottom); }
  }
  return l < r && t < d ? new DOMRect(l, t, r - l, d - t) : null;
}

function marks(s: Search): Seen[] {
  const out: Seen[] = [], near = new Map<Element, boolean>();
  const nearView = (el: Element): boolean => {
    let v = near.get(el);
    if (v === undefined) {
      const b = el.getBoundingClientRect();
      near.set(el, v = b.bottom >= -200 && b.top <= innerHeight + 200 && b.right >= 0 && b.left <= innerWidth || getComputedStyle(el).display === "inline" || getComputedStyle(el).display === "contents");
    }
    return v;
  };
  s.matches.forEach((m, i) => {
    if (out.length >= MARKS && i !== s.active) return;
    const p = s.pieces[pieceAt(s, m.start)], el = p ? holder(p) : null;
    if (!p || !el || !nearView(el)) return;
    for (const b of rects(s, m)) {
      const c = clipped(el, b);
      if (!c) continue;
      const top = elementAt(c.x + c.width / 2, c.y + c.height / 2);
      if (top && top !== el && !top.contains(el) && !el.contains(top) && getComputedStyle(el).pointerEvents !== "none" && !related(top, el)) continue;
      out.push({ x: c.x, y: c.y, w: c.width, h: c.height, on: i === s.active });
    }
  });
  return out;
}

// Through shadow roots: one stands inside the other as they are drawn.
function related(a: Element, b: Element): boolean {
  for (let n: Element | null = a; n; n = parentOf(n)) if (n === b) return true;
  for (let n: Element | null = b; n; n = parentOf(n)) if (n === a) return true;
  return false;
}

function tell(s: Search): void {
  const began = performance.now();
  const news = JSON.stringify({ seq: s.seq, gone: s.gone, count: s.matches.length, active: s.active, marks: marks(s) });
  s.busy = Math.max(s.busy, performance.now() - began);
  if (news === s.said) return;
  s.said = news;
  (globalThis as unknown as Record<string, ((t: string) => void) | undefined>)[BINDING]?.(news);
}

function later(s: Search, ms: number): void {
  clearTimeout(s.timer);
  s.timer = setTimeout(() => {
    if (now !== s) return;
    if (s.stale) search(s);
    tell(s);
    later(s, Math.max(EVERY, 10 * s.busy));
  }, ms) as unknown as number;
}

function changed(): void {
  if (!now || now.stale) return;
  now.stale = true;
  later(now, Math.max(150, 10 * now.busy));
}

function moved(): void {
  const s = now;
  if (!s || s.frame) return;
  s.frame = true;
  requestAnimationFrame(() => { s.frame = false; if (now === s) tell(s); });
}

/** Begins a search: how often the text stands here, and the first match at or below the top of what is in view. */
export function findStart(a: { seq: number; text: string; matchCase: boolean }) {
  findStop({ select: false });
  const s: Search = now = {
    seq: a.seq, text: a.text, pattern: pattern(a.text, a.matchCase), fold: !a.matchCase, pieces: [], matches: [], active: -1, gone: 0, at: null, said: "", timer: 0, busy: 0,
    observer: new MutationObserver(changed), watched: new Set(), stale: false, frame: false,
  };
  addEventListener("resize", moved);
  search(s);
  later(s, 0);
  let first = -1;
  for (let i = 0; i < s.matches.length; i++) {
    const b = rects(s, s.matches[i]!)[0];
    if (b && b.bottom > 0) { first = i; break; }
  }
  return { count: s.matches.length, first };
}

/** Makes a match the active one; below 0, none. It gives the match's box within the element that holds it. */
export function findGo(a: { index: number }) {
  const s = now, m = s?.matches[a.index];
  if (!s) return { gone: true, x: 0, y: 0, w: 0, h: 0 };
  s.active = m ? a.index : -1;
  s.gone++;
  s.at = null;
  if (m) {
    const p = s.pieces[pieceAt(s, m.start)]!;
    s.at = { node: p.node, offset: m.start - p.start };
  }
  later(s, 0);
  const b = m && rects(s, m)[0], el = findElement();
  if (!b || !el) return { gone: !!m, x: 0, y: 0, w: 0, h: 0 };
  const o = el.getBoundingClientRect();
  return { gone: false, x: b.x - o.x, y: b.y - o.y, w: b.width, h: b.height };
}

/** The element that holds the active match. */
export function findElement(): Element | null {
  const s = now, m = s?.matches[s.active];
  return s && m ? holder(s.pieces[pieceAt(s, m.start)]!) : null;
}

/** Ends the search; select leaves the active match selected, as the place where the person is. */
export function findStop(a: { select: boolean }): void {
  const s = now;
  if (!s) return;
  now = null;
  clearTimeout(s.timer);
  s.observer.disconnect();
  removeEventListener("resize", moved);
  for (const n of s.watched) {
    n.removeEventListener("scroll", moved, { capture: true });
    n.removeEventListener("input", changed, { capture: true });
  }
  const m = a.select ? s.matches[s.active] : undefined, r = m && rangeOf(s, m);
  if (r) {
    const sel = getSelection();
    sel?.removeAllRanges();
    sel?.addRange(r);
  }
}
