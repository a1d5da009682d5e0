// The wait before a first reading: loading markers, and young documents without controls.
import { isVisible } from "./dom";
import { sleep } from "./time";

const MARKERS = "[aria-busy=true],[class*=skeleton i],[class*=shimmer i],[data-loading=true],[class*=placeholder-glow i],[class*=placeholder-wave i]";
const CONTROLS = "a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=textbox],[tabindex],[contenteditable],iframe,video";
const YOUNG = 2500;
const QUIET = 150;

let first: Promise<Settled> | undefined;

interface Settled { why: string; waitedMs: number; busy: boolean; nodes: number }

/** Waits once; who asks meanwhile waits too. */
export async function settle(a: { maxMs?: number }): Promise<Settled> {
  const before = first;
  first ??= wait(a);
  const told = before ? await before.then(() => null, () => null) : await first;
  return { ...told ?? { why: "before", waitedMs: 0, busy: false }, nodes: document.getElementsByTagName("*").length };
}

async function wait(a: { maxMs?: number }): Promise<Settled> {
  const out = { why: "", waitedMs: 0, busy: false, nodes: 0 };
  const start = performance.now();
  const max = a.maxMs || 2000;
  const passed = () => performance.now() - start;
  let last = start;
  let changed = false;
  const o = new MutationObserver(() => { last = performance.now(); changed = true; });
  o.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  try {
    if (!marker() && start < YOUNG && !controls()) {
      out.why = "young document";
      let loadedAt = document.readyState === "complete" ? start : 0;
      while (!changed && passed() < max) {
        if (!loadedAt && document.readyState === "complete") loadedAt = performance.now();
        if (loadedAt ? performance.now() - loadedAt >= 500 : passed() >= 1000) break;
        await sleep(15);
      }
      // The first change is often only a frame of what follows.
      if (changed) while (performance.now() - last < 40 && passed() < max) await sleep(10);
    }
    if (marker()) {
      out.why = "loading marker";
      for (;;) {
        const busy = marker();
        if (!busy && performance.now() - last >= QUIET) break;
        if (passed() >= max) { out.busy = busy; break; }
        await sleep(15);
      }
    }
  } finally { o.disconnect(); }
  out.waitedMs = Math.round(passed());
  return out;
}

/** Whether a loading marker shows among these elements or inside them. */
export function markerIn(els: Iterable<Element>): boolean {
  for (const el of els) if (el.isConnected && (el.matches(MARKERS) && drawn(el) || shows(el.querySelectorAll(MARKERS)))) return true;
  return false;
}

function marker(): boolean {
  return shows(document.querySelectorAll(MARKERS));
}

function drawn(el: Element): boolean {
  return shows([el]);
}

function shows(found: Iterable<Element>): boolean {
  let n = 0;
  for (const el of found) {
    if (++n > 60) break;
    if (/^(html|input|select|textarea|button)$/.test(el.localName) || !isVisible(el)) continue;
    const b = el.getBoundingClientRect();
    if (b.width > 0 && b.height > 0 && b.bottom > 0 && b.top < innerHeight) return true;
  }
  return false;
}

function controls(): boolean {
  for (const el of document.querySelectorAll(CONTROLS)) if (isVisible(el)) return true;
  for (const el of document.querySelectorAll("*")) if (el.shadowRoot?.querySelector(CONTROLS)) return true;
  return false;
}
