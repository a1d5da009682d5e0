// Pages may not keep the pointer. Who looks at a page has a picture of it, and an agent none: nobody could get the pointer
// back, and every press would go to the element that keeps it.
import { listen } from "./listen";

export function freePointer(): void {
  listen("pointerlockchange", () => { if (document.pointerLockElement) document.exitPointerLock(); }, { capture: true, passive: true });
}
