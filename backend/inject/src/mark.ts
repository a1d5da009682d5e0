// What DevTools knows and page script cannot see: listeners, and closed shadow roots.
import { addClosedRoot } from "./dom";

const pressable = new WeakSet<Element>();

export function marked(el: Element): boolean {
  return pressable.has(el);
}

/** Takes nodes as they come; returns how many were new. */
export function mark(nodes: unknown[]): number {
  let n = 0;
  for (const x of nodes) {
    const node = x as globalThis.Node | null;
    if (!node || typeof node !== "object") continue;
    if (node.nodeType === 11 && (node as ShadowRoot).host) { if (addClosedRoot(node as ShadowRoot)) n++; continue; }
    if (node.nodeType !== 1 || pressable.has(node as Element)) continue;
    pressable.add(node as Element);
    n++;
  }
  return n;
}
