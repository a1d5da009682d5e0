// What came while changes were noted, for whoever looks up listeners, which page script cannot see.
import { mark } from "./mark";
import type { Notes } from "./watch";

/** Larger parts are left to the next snapshot. */
const MOST = 1500;
const DEAF = new Set("script style link meta template noscript br hr option optgroup source track".split(" "));

let holder: WeakRef<Element> | undefined;
let came: WeakSet<Element> = new WeakSet();

/** Takes what came: true when listeners may be in it, and it is no large part of the page. */
export function takeAdded(n: Notes): boolean {
  if (!n.added.size) return false;
  const all = [...n.added].filter(e => e.isConnected && !DEAF.has(e.localName));
  n.added.clear();
  let top: Node | null = all[0] ?? null;
  for (const e of all) while (top && !top.contains(e)) top = top.parentNode;
  if (!top || top.nodeType !== 1 || (top as Element).getElementsByTagName("*").length > MOST) return false;
  holder = new WeakRef(top as Element);
  came = new WeakSet(all);
  return true;
}

/** The element that holds all that came. */
export const added = (): Element | null => holder?.deref() ?? null;

/** Takes nodes with listeners, as they come; only those that came are marked. */
export function markAdded(nodes: unknown[]): number {
  return mark(nodes.filter(x => {
    for (let e = x as Element | null; e; e = e.parentElement) if (came.has(e)) return true;
    return false;
  }));
}
