// Labels of controls. The DOM's own `labels` scans the document for every control; this index scans it once a call.
import { scopeOf } from "./dom";

const index = new Map<Document | ShadowRoot, Map<Element, HTMLLabelElement[]>>();

/** Forgets the index; every entry does so first. */
export function forgetLabels(): void {
  index.clear();
}

export function labelsOf(el: Element): HTMLLabelElement[] {
  const scope = scopeOf(el);
  let m = index.get(scope);
  if (!m) {
    index.set(scope, m = new Map());
    for (const l of scope.querySelectorAll("label")) {
      const c = l.control;
      if (!c) continue;
      const list = m.get(c);
      if (list) list.push(l);
      else m.set(c, [l]);
    }
  }
  return m.get(el) ?? [];
}
