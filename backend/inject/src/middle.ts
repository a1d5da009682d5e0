// The middle button, which pastes where a system has that. Chromium without a window pastes by it what was selected last
// in any of its pages: no page gets that, and the person's interface brings what their own desktop has selected.
import { listen } from "./listen";
import { sleep } from "./time";

let releasing = false; // the button is just let go of: a paste now is the button's
let told: boolean | null = null; // whether it was one; null until the button is let go of

/** Hears the middle button before the page does. */
export function watchMiddle(): void {
  const capture = { capture: true, passive: true };
  listen("mousedown", e => {
    if (e.isTrusted && (e as MouseEvent).button === 1) told = null;
  }, capture);
  listen("mouseup", e => {
    if (!e.isTrusted || (e as MouseEvent).button !== 1) return;
    releasing = true;
    told = false;
    setTimeout(() => { releasing = false; }); // Chromium pastes before anything else runs
  }, capture);
  listen("paste", e => {
    if (!releasing || !e.isTrusted) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    told = true;
  }, { capture: true });
}

/** Whether Chromium would have pasted at the middle button's last press; it is told once. */
export async function middle(a: { wait: number }): Promise<boolean> {
  for (let t = 0; told === null && t < a.wait; t += 10) await sleep(10);
  await sleep(0);
  const was = told;
  told = null;
  return was === true;
}
