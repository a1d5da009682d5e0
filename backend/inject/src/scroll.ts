// Scrollers: which one matters, where a wheel reaches it, where it stands.
import { elementAt, isVisible, parentOf, scopes } from "./dom";
import { boxOf, describe } from "./describe";
import { element } from "./refs";
import { frame } from "./time";
import type { Point } from "./wire";

interface Args { ref: number; to?: string; dx?: number; dy?: number }

const keys = new Map<number, WeakRef<Element>>();
let nextKey = 1;

export function scroller(a: Args) {
  let el: Element | null = null;
  if (a.ref) {
    el = element(a.ref);
    if (!el) return { ...report(page(), 0), status: "gone" };
    if (a.to === "target") {
      if (!isVisible(el)) return { ...report(page(), 0), status: "hidden" };
      el.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    }
  }
  const s = el ? forElement(el, a) : forPage(a);
  if (a.to === "top" || a.to === "bottom") s.scrollTo({ top: a.to === "top" ? 0 : s.scrollHeight, behavior: "instant" });
  let key = 0;
  for (const [k, w] of keys) {
    const x = w.deref();
    if (!x) keys.delete(k);
    else if (x === s) key = k;
  }
  if (!key) keys.set(key = nextKey++, new WeakRef(s));
  return report(s, key);
}

export async function scrollState(a: { key: number }) {
  const s = keys.get(a.key)?.deref();
  if (!s?.isConnected) return { ...report(page(), 0), status: "gone" };
  const end = performance.now() + 500;
  let x = s.scrollLeft;
  let y = s.scrollTop;
  for (let still = 0; still < 2 && performance.now() < end;) {
    await frame();
    if (s.scrollLeft === x && s.scrollTop === y) still++;
    else { still = 0; x = s.scrollLeft; y = s.scrollTop; }
  }
  return report(s, a.key);
}

const page = () => document.scrollingElement ?? document.documentElement;

function scrolls(el: Element, dx = 0, dy = 0): boolean {
  const isPage = el === page();
  const cs = getComputedStyle(el);
  const y = el.scrollHeight > el.clientHeight + 1 && (isPage ? cs.overflowY !== "hidden" : /auto|scroll|overlay/.test(cs.overflowY));
  const x = el.scrollWidth > el.clientWidth + 1 && (isPage ? cs.overflowX !== "hidden" : /auto|scroll|overlay/.test(cs.overflowX));
  if (!dx && !dy) return x || y;
  const can = (has: boolean, at: number, max: number, d: number) => has && (d < 0 ? at > 0.5 : at < max - 0.5);
  return !!dy && can(y, el.scrollTop, el.scrollHeight - el.clientHeight, dy) || !!dx && can(x, el.scrollLeft, el.scrollWidth - el.clientWidth, dx);
}

function forElement(el: Element, a: Args): Element {
  let first: Element | null = null;
  for (let p: Element | null = el; p; p = parentOf(p)) {
    if (p === document.body && page() !== document.body) continue;
    if (!scrolls(p)) continue;
    first ??= p;
    if (!a.dx && !a.dy || scrolls(p, a.dx, a.dy)) return p;
  }
  if (first) return first;
  // A container whose only scroller is inside it.
  return largest(el.querySelectorAll("*")) ?? page();
}

function forPage(a: Args): Element {
  const p = page();
  if (scrolls(p) && (!a.dx && !a.dy || scrolls(p, a.dx, a.dy))) return p;
  const found = scopes().flatMap(s => [...s.querySelectorAll("*")]);
  return largest(found) ?? p;
}

function largest(els: Iterable<Element>): Element | null {
  let best: Element | null = null;
  let area = 0;
  for (const el of els) {
    if (el.scrollHeight <= el.clientHeight + 1 && el.scrollWidth <= el.clientWidth + 1 || el.clientHeight < 20) continue;
    if (!scrolls(el) || !isVisible(el)) continue;
    const b = el.getBoundingClientRect();
    const w = Math.min(b.right, innerWidth) - Math.max(b.left, 0);
    const h = Math.min(b.bottom, innerHeight) - Math.max(b.top, 0);
    if (w > 0 && h > 0 && w * h > area) { area = w * h; best = el; }
  }
  return best;
}

function report(s: Element, key: number) {
  const isPage = s === page();
  const b = isPage ? { x: 0, y: 0, w: innerWidth, h: innerHeight } : boxOf(s);
  const maxX = Math.max(0, s.scrollWidth - s.clientWidth);
  const maxY = Math.max(0, s.scrollHeight - s.clientHeight);
  return { status: "ok", point: inside(s, isPage), box: b, x: s.scrollLeft, y: s.scrollTop, maxX, maxY, page: isPage, none: !scrolls(s), desc: isPage ? "page" : describe(s), key };
}

// A point where a wheel turns this scroller and not one inside it or over it.
function inside(s: Element, isPage: boolean): Point {
  const b = isPage ? { x: 0, y: 0, w: innerWidth, h: innerHeight } : boxOf(s);
  const x0 = Math.max(0, b.x);
  const y0 = Math.max(0, b.y);
  const w = Math.min(innerWidth, b.x + b.w) - x0;
  const h = Math.min(innerHeight, b.y + b.h) - y0;
  const middle = { x: x0 + w / 2, y: y0 + h / 2 };
  for (const fy of [0.5, 0.3, 0.7, 0.1, 0.9]) for (const fx of [0.5, 0.25, 0.75, 0.04, 0.96]) {
    const p = { x: x0 + w * fx, y: y0 + h * fy };
    for (let t = elementAt(p.x, p.y); t; t = parentOf(t)) {
      if (t === s || isPage && (t === document.body || t === document.documentElement)) return p;
      if (scrolls(t) || t.localName === "iframe" || t.localName === "textarea") break;
    }
  }
  return middle;
}
