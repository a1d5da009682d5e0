// What the person enters and chooses, by the names of the fields: told to whoever keeps account of a hold. No value that
// was typed is ever told.
import { describe } from "./describe";
import { isArmed } from "./guard";
import { listen } from "./listen";
import { isSecret, loadMasks, mask } from "./secret";
import { cut, sound, squeeze } from "./text";

const BINDING = "__batonDeed";

function tell(kind: string, el: Element, choice = ""): void {
  const f = (globalThis as unknown as Record<string, ((s: string) => void) | undefined>)[BINDING];
  loadMasks();
  const c = cut(mask(squeeze(choice)), 60);
  f?.(JSON.stringify({ kind, what: describe(el), choice: sound(c.left ? c.text + "…" : c.text) }));
}

// Each field once, until another one was filled.
let last: Element | null = null;

export function watchDeeds(): void {
  const heard = (e: Event) => {
    if (!e.isTrusted || isArmed()) return;
    const el = e.composedPath()[0];
    if (!(el instanceof Element)) return;
    const tag = el.localName;
    if (tag === "select") {
      if (e.type === "change") tell("chose", el, isSecret(el) ? "" : [...(el as HTMLSelectElement).selectedOptions].map(o => o.label).join(", "));
      return;
    }
    const type = tag === "input" ? (el as HTMLInputElement).type : "";
    if (type === "checkbox" || type === "radio") {
      if (e.type === "change") tell((el as HTMLInputElement).checked ? "checked" : "unchecked", el);
    } else if (type === "file") {
      if (e.type === "change") tell("gave files to", el);
    } else if (el !== last && (tag === "input" || tag === "textarea" || (el as HTMLElement).isContentEditable)) {
      last = el;
      tell("filled", el);
    }
  };
  listen("input", heard, { capture: true, passive: true });
  listen("change", heard, { capture: true, passive: true });
}
