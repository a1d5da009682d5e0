// Areas of image maps: they have no box of their own, so theirs is worked out from their image's.
import { isVisible, scopeOf } from "./dom";

/** The image that shows an area. */
export function areaImage(el: Element): Element | null {
  const name = el.closest("map")?.getAttribute("name");
  if (!name) return null;
  for (const img of scopeOf(el).querySelectorAll("img[usemap]")) {
    if (img.getAttribute("usemap") === "#" + name && isVisible(img)) return img;
  }
  return null;
}

/** An area's box in the viewport: round its middle, so that the centre lies inside. Null when nothing shows it. */
export function areaBox(el: Element): DOMRect | null {
  if (!el.hasAttribute("href")) return null;
  const img = areaImage(el);
  if (!img) return null;
  const r = img.getBoundingClientRect();
  const c = (el.getAttribute("coords") ?? "").split(/[\s,;]+/).map(Number).filter(n => !isNaN(n));
  const shape = (el.getAttribute("shape") ?? "rect").toLowerCase();
  if (shape === "default") return r;
  if (shape.startsWith("circ")) return c.length < 3 ? null : new DOMRect(r.x + c[0]! - c[2]! / 2, r.y + c[1]! - c[2]! / 2, c[2]!, c[2]!);
  if (c.length < 4) return null;
  const xs = c.filter((_, i) => i % 2 === 0);
  const ys = c.filter((_, i) => i % 2 === 1);
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return new DOMRect(r.x + x, r.y + y, Math.max(...xs) - x, Math.max(...ys) - y);
}
