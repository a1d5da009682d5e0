// What a point reaches, and whether that is as good as the wanted element.
import { contains, elementAt, parentOf } from "./dom";
import { describeCover, kindOf } from "./describe";
import { element, numberOf } from "./refs";
import { isSecret } from "./secret";
import { roleOf } from "./roles";

const PASSES_ON = new Set("button link option tab menuitem menuitemcheckbox menuitemradio treeitem checkbox radio switch row gridcell listitem".split(" "));

/** Whether a press that reaches t acts on el. */
export function reaches(el: Element, t: Element | null): boolean {
  if (!t) return false;
  if (t === el || contains(el, t)) return true;
  for (let p: Element | null = t; p; p = parentOf(p)) {
    if (p.localName === "label" && (p as HTMLLabelElement).control === el) return true;
    if (p === el) return true;
  }
  if (!contains(t, el)) return false;
  // An ancestor got it: fine when el itself takes no pointer, or when the ancestor is the control that el is drawn in.
  if (getComputedStyle(el).pointerEvents === "none") {
    let p = parentOf(el);
    while (p && p !== t && getComputedStyle(p).pointerEvents === "none") p = parentOf(p);
    return p === t;
  }
  if (t === document.body || t === document.documentElement) return false;
  return PASSES_ON.has(roleOf(t)) || t.localName === "summary" || t.localName === "label";
}

export function hit(a: { ref: number; x: number; y: number }) {
  const out = { hit: false, gone: false, cover: "", coverSecret: false, frame: 0, isFrame: false, kind: "other", secret: false };
  const t = elementAt(a.x, a.y);
  if (t) {
    out.kind = kindOf(t);
    out.isFrame = out.kind === "iframe";
    if (out.isFrame) out.frame = numberOf(t);
    out.secret = isSecret(t);
  }
  if (a.ref) {
    const el = element(a.ref);
    if (!el) return { ...out, gone: true };
    out.hit = reaches(el, t);
    if (out.hit) return out;
  }
  if (t) {
    const c = describeCover(t);
    out.cover = c.text;
    out.coverSecret = c.secret;
  } else out.cover = "nothing (outside the view)";
  return out;
}
