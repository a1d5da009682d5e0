// Whether the page stands still: then an element's place need not be looked at twice.
import { listen } from "./listen";
import { watching } from "./watch";

/** How long nothing may have happened. */
const CALM = 60;
const MOVES = ["scroll", "resize", "load", "transitionrun", "animationstart"];

let heeding = false;
let moved = 0;

function note(): void { moved = performance.now(); }

/** Begins to note what moves things, so that an element's first place can be trusted later. */
export function heed(): void {
  if (heeding) return;
  heeding = true;
  for (const t of MOVES) listen(t, note, { capture: true, passive: true });
  note();
}

/** True when changes have been noted for a while, there was none, and nothing is animated. */
export function still(): boolean {
  heed();
  const n = watching();
  const now = performance.now();
  if (!n || now - moved < CALM || n.count > 0 && now - n.last < CALM) return false;
  return document.getAnimations().every(a => a.playState !== "running");
}
