// Where to press: brings an element into view, waits until it is still, and finds a point that reaches it.
import { areaBox, areaImage } from "./area";
import { elementAt, isVisible, parentOf } from "./dom";
import { boxOf, describe, describeCover, kindOf } from "./describe";
import { arm } from "./guard";
import { reaches } from "./hit";
import { labelsOf } from "./labels";
import { element, numberOf } from "./refs";
import { isSecret } from "./secret";
import { isDisabled } from "./state";
import { still } from "./still";
import { frame, sleep } from "./time";
import { watch } from "./watch";
import type { Box, Point } from "./wire";

interface Args { ref: number; timeoutMs?: number; noScroll?: boolean; hover?: boolean; center?: boolean; watch?: boolean; arm?: boolean; loose?: boolean }

/** A covered element is refused after so long without change. */
const COVERED_FOR = 300;
/** A hidden element is given so long to show. */
const HIDDEN_FOR = 2000;

/** Where to press. With watch and arm, what follows begins in the same turn in which the point was found. */
export async function aim(a: Args) {
  const out = await find(a);
  if (out.status !== "ok" || a.arm && /^(?:select|option)$/.test(out.kind)) return out;
  if (a.watch) watch();
  if (a.arm) arm(a);
  return { ...out, watched: !!a.watch, armed: !!a.arm };
}

async function find(a: Args) {
  const start = performance.now();
  const end = start + (a.timeoutMs || 5000);
  const out = { status: "gone", point: { x: 0, y: 0 }, box: { x: 0, y: 0, w: 0, h: 0 }, cover: "", coverRef: 0, coverSecret: false, kind: "other", viaLabel: false, desc: "", scrolled: false, secret: false, watched: false, armed: false };
  let el = element(a.ref);
  if (!el) return out;
  out.kind = kindOf(el);
  out.secret = isSecret(el);
  out.desc = describe(el);
  let last: Box | undefined;
  let cover: Element | null | undefined;
  let coveredAt = 0;
  let tried = 0;
  let first = true;
  for (;;) {
    el = element(a.ref);
    if (!el) return { ...out, status: "gone" };
    const now = performance.now();
    const t = boxed(el);
    if (!t) {
      out.status = "hidden";
      out.viaLabel = false;
      // Drawn without a size, as selects are that others stand for: it need not be shown to be set.
      if (now >= Math.min(end, start + (a.loose && isVisible(el) ? 0 : HIDDEN_FOR))) return out;
      await sleep(50);
      last = undefined;
      continue;
    }
    out.viaLabel = t !== el;
    if (!a.hover && isDisabled(el)) {
      out.status = "disabled";
      out.box = boxOf(t);
      if (now >= end) return out;
      await sleep(50);
      continue;
    }
    if (first && a.center && !a.noScroll) { bring(t, "center"); out.scrolled = true; last = undefined; }
    first = false;
    const box = boxOf(t);
    if (!last && (a.loose || !out.scrolled && still())) last = box;
    if (!last || box.x !== last.x || box.y !== last.y || box.w !== last.w || box.h !== last.h) {
      out.status = "unstable";
      if (last && now >= end) return { ...out, box };
      last = box;
      await frame();
      continue;
    }
    out.box = box;
    const p = pointFor(el, t);
    if (p.ok) return { ...out, status: "ok", point: p.point, cover: "", coverSecret: false };
    // Not reachable where it stands: other alignments, each looked at once it is still.
    if (!a.noScroll && tried < ALIGN.length) {
      const was = boxOf(t);
      bring(t, ALIGN[tried++]!);
      const is = boxOf(t);
      if (is.x !== was.x || is.y !== was.y) out.scrolled = true;
      else if (p.inside) continue;
      last = undefined;
      if (!a.loose) await frame();
      continue;
    }
    if (!p.inside) {
      out.status = "hidden";
      // Drawn without a size, as selects are that others stand for: it need not be shown to be set.
      if (now >= Math.min(end, start + (a.loose && isVisible(el) ? 0 : HIDDEN_FOR))) return out;
      await sleep(50);
      tried = 0;
      last = undefined;
      continue;
    }
    if (p.cover !== cover) { cover = p.cover; coveredAt = now; }
    out.status = "covered";
    if (now - coveredAt >= COVERED_FOR || now >= end) {
      if (p.cover) {
        const c = describeCover(p.cover);
        out.cover = c.text;
        out.coverSecret = c.secret;
        out.coverRef = numberOf(c.el) || numberOf(p.cover);
      }
      return out;
    }
    await sleep(50);
    if (now - coveredAt > COVERED_FOR / 2) tried = Math.min(tried, ALIGN.length);
  }
}

const ALIGN: ScrollLogicalPosition[] = ["center", "end", "start"];

function bring(el: Element, block: ScrollLogicalPosition): void {
  el.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
}

/** The element when it has a box to press, else its label that has one. */
export function boxed(el: Element): Element | null {
  if (el.localName === "area") return areaBox(el) && areaImage(el);
  if (isVisible(el) && hasArea(el)) return el;
  if (el.localName === "option" && el.closest("select")) { const s = el.closest("select")!; return isVisible(s) ? s : null; }
  for (const l of labelsOf(el)) if (isVisible(l) && hasArea(l)) return l;
  const around = el.closest("label");
  return around && around.control === el && isVisible(around) && hasArea(around) ? around : null;
}

function hasArea(el: Element): boolean {
  for (const r of el.getClientRects()) if (r.width > 0 && r.height > 0) return true;
  // A box of no size may still hold visible children.
  for (let k = el.firstElementChild; k; k = k.nextElementSibling) if (hasArea(k)) return true;
  return false;
}

function rectsOf(el: Element): DOMRect[] {
  const own = [...el.getClientRects()].filter(r => r.width > 0 && r.height > 0);
  if (own.length) return own;
  const out: DOMRect[] = [];
  for (let k = el.firstElementChild; k; k = k.nextElementSibling) out.push(...rectsOf(k));
  return out;
}

interface Found { ok: boolean; point: Point; inside: boolean; cover: Element | null }

/** The point to press: the centre of the largest visible part, else another point of it that reaches the element. */
export function pointFor(el: Element, t: Element): Found {
  const clip = clipOf(t);
  const parts = (el.localName === "area" ? [areaBox(el)!] : rectsOf(t)).map(r => cross(r, clip)).filter(b => b.w >= 1 && b.h >= 1).sort((a, b) => b.w * b.h - a.w * a.h);
  let cover: Element | null = null;
  let point: Point = { x: 0, y: 0 };
  for (const [i, b] of parts.slice(0, 4).entries()) {
    for (const [fx, fy] of i === 0 ? SPOTS : SPOTS.slice(0, 1)) {
      const p = { x: b.x + b.w * fx!, y: b.y + b.h * fy! };
      const at = elementAt(p.x, p.y);
      if (reaches(el, at) || t !== el && el.localName !== "area" && reaches(t, at)) return { ok: true, point: p, inside: true, cover: null };
      if (i === 0 && fx === 0.5 && fy === 0.5) { cover = at; point = p; }
    }
  }
  return { ok: false, point, inside: parts.length > 0, cover };
}

const SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.9]];

// The part of the viewport that ancestors do not cut off.
function clipOf(el: Element): Box {
  let c: Box = { x: 0, y: 0, w: innerWidth, h: innerHeight };
  let pos = getComputedStyle(el).position;
  for (let p = parentOf(el); p && p !== document.documentElement; p = parentOf(p)) {
    if (pos === "fixed") break;
    const cs = getComputedStyle(p);
    if (pos === "absolute" && cs.position === "static") continue;
    if (p !== document.body && (cs.overflowX !== "visible" || cs.overflowY !== "visible")) {
      const b = p.getBoundingClientRect();
      c = cross(new DOMRect(b.x + p.clientLeft, b.y + p.clientTop, p.clientWidth || b.width, p.clientHeight || b.height), c);
    }
    pos = cs.position;
  }
  return c;
}

function cross(r: DOMRect, c: Box): Box {
  const x = Math.max(r.x, c.x);
  const y = Math.max(r.y, c.y);
  return { x, y, w: Math.min(r.right, c.x + c.w) - x, h: Math.min(r.bottom, c.y + c.h) - y };
}
