// The guard: between arm and disarm a real press reaches the wanted element or nothing.
import { elementAt, shadowOf } from "./dom";
import { describeCover } from "./describe";
import { reaches } from "./hit";
import { listen } from "./listen";
import { element } from "./refs";
import { isDisabled } from "./state";

interface Armed { el: Element | null; any: boolean; result: "none" | "hit" | "missed"; cover: string; coverSecret: boolean; disabled: boolean; clicked: boolean }

let armed: Armed | null = null;

const PRESS = new Set(["pointerdown", "mousedown", "touchstart"]);
const TYPES = ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend", "click", "auxclick", "contextmenu", "dblclick"];

// Where an agent acts, a document that has only just come takes no press until it is let: one that is under way was meant
// for the document before it. Should the word that lets it be lost, it opens by itself after this, in milliseconds.
const NEW = 2000;
const MARK = "__batonCloses"; // set in documents that come to a page where an agent acts
let closed = true;
let acted = false;
let since = performance.now();
let stopping = false;
let stopped = false;

/** Whether the event belongs to a press that was meant for another document. */
function early(e: Event): boolean {
  if (PRESS.has(e.type) && !(stopping && e.type !== "pointerdown")) {
    stopping = closed && (acted || MARK in globalThis) && e.timeStamp - since < NEW;
    stopped ||= stopping;
  }
  return stopping;
}

function onEvent(e: Event): void {
  const g = armed;
  if (!e.isTrusted) return;
  if (!g) {
    if ((closed || stopping) && early(e)) {
      e.preventDefault();
      e.stopImmediatePropagation();
    }
    return;
  }
  if (g.result === "none" && PRESS.has(e.type)) {
    const t = targetOf(e);
    if (g.any || g.el && g.el.isConnected && reaches(g.el, t)) {
      g.disabled = !g.any && isDisabled(g.el!); // since the aim
      g.result = g.disabled ? "missed" : "hit";
    } else {
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
  for (const t of TYPES) listen(t, onEvent, { capture: true, passive: false });
  listen("pageshow", e => {
    if (!(e as PageTransitionEvent).persisted) return;
    closed = true;
    stopped = stopping = false;
    since = performance.now();
  }, { capture: true });
}

/** Lets presses through from now on, and tells whether one was stopped since the document came. */
export function admit(): boolean {
  closed = false;
  const was = stopped;
  stopped = false;
  return was;
}

/** Whether the input under way is an agent's. */
export const isArmed = (): boolean => armed !== null;

/** Ref 0 lets every press through; below 0 none: the press is meant for another document. */
export function arm(a: { ref: number }): void {
  closed = false;
  acted = true;
  armed = { el: a.ref > 0 ? element(a.ref) : null, any: !a.ref, result: "none", cover: "", coverSecret: false, disabled: false, clicked: false };
}

export function disarm() {
  const g = armed;
  armed = null;
  return { result: g?.result ?? "none", cover: g?.cover ?? "", coverSecret: g?.coverSecret ?? false, disabled: g?.disabled ?? false, clicked: g?.clicked ?? false };
}
