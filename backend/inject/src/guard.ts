// The guard: between arm and disarm a real press reaches the wanted element or nothing.
import { elementAt, shadowOf } from "./dom";
import { describeCover } from "./describe";
import { reaches } from "./hit";
import { element } from "./refs";

interface Armed { el: Element | null; any: boolean; result: "none" | "hit" | "missed"; cover: string; coverSecret: boolean; clicked: boolean }

let armed: Armed | null = null;

const PRESS = new Set(["pointerdown", "mousedown", "touchstart"]);
const TYPES = ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend", "click", "auxclick", "contextmenu", "dblclick"];

function onEvent(e: Event): void {
  const g = armed;
  if (!g || !e.isTrusted) return;
  if (g.result === "none" && PRESS.has(e.type)) {
    const t = targetOf(e);
    if (g.any || g.el && g.el.isConnected && reaches(g.el, t)) g.result = "hit";
    else {
      g.result = "missed";
      if (t) {
        const c = describeCover(t);
        g.cover = c.text;
        g.coverSecret = c.secret;
      }
    }
  }
  if (g.result === "missed") {
    e.preventDefault();
    e.stopImmediatePropagation();
    return;
  }
  if (g.result === "hit" && (e.type === "click" || e.type === "auxclick" || e.type === "contextmenu")) {
    if (g.any || g.el && reaches(g.el, targetOf(e))) g.clicked = true;
  }
}

function targetOf(e: Event): Element | null {
  const m = e as MouseEvent;
  const deep = e.composedPath()[0] as Element | undefined;
  // A path ends at the host of a closed root, so that what is inside is looked up by the point.
  if (deep?.nodeType === 1 && !shadowOf(deep) && !(e.target as Element).shadowRoot) return deep;
  return typeof m.clientX === "number" && (m.clientX || m.clientY) ? elementAt(m.clientX, m.clientY) : deep ?? null;
}

// Registered as the bundle arrives, before the page's own listeners where it is installed at document start.
export function install(): void {
  for (const t of TYPES) addEventListener(t, onEvent, { capture: true, passive: false });
}

/** Whether the input under way is an agent's. */
export const isArmed = (): boolean => armed !== null;

/** Ref 0 lets every press through; below 0 none: the press is meant for another document. */
export function arm(a: { ref: number }): void {
  armed = { el: a.ref > 0 ? element(a.ref) : null, any: !a.ref, result: "none", cover: "", coverSecret: false, clicked: false };
}

export function disarm() {
  const g = armed;
  armed = null;
  return { result: g?.result ?? "none", cover: g?.cover ?? "", coverSecret: g?.coverSecret ?? false, clicked: g?.clicked ?? false };
}
