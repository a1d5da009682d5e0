// Fields whose value never leaves the page. Once secret, an element stays so for the life of the document.
import { scopes } from "./dom";

const known = new WeakSet<Element>();
const list = new Set<WeakRef<Element>>();

const NAMES = /^(?:.*[-_])?(?:cvv2?|cvc2?|csc|otp|totp|one[-_]?time[-_]?code|card[-_]?(?:number|no)|cc[-_]?(?:number|num|no|csc|cvc|cvv|exp.*)|security[-_]?code)$/i;
const CODES = /^(?:one-time-code|current-password|new-password|cc-(?:number|csc|exp|exp-month|exp-year|type|name|given-name|family-name|additional-name))$/;

function looksSecret(el: Element): boolean {
  const tag = el.localName;
  if (tag !== "input" && tag !== "textarea" && tag !== "select") return false;
  if (tag === "input") {
    const type = (el as HTMLInputElement).type;
    if (type === "password") return true;
    if (type === "hidden" || type === "checkbox" || type === "radio" || type === "submit" || type === "button" || type === "file" || type === "image" || type === "reset" || type === "range" || type === "color") return false;
  }
  const auto = el.getAttribute("autocomplete");
  if (auto) for (const t of auto.toLowerCase().trim().split(/\s+/)) if (CODES.test(t) && !/^cc-(type|name|given-name|family-name|additional-name)$/.test(t)) return true;
  if (NAMES.test(el.getAttribute("name") ?? "") || NAMES.test(el.id)) return true;
  return tag !== "select" && /disc|circle|square/.test(getComputedStyle(el).getPropertyValue("-webkit-text-security"));
}

export function noteSecret(el: Element): void {
  if (known.has(el)) return;
  known.add(el);
  list.add(new WeakRef(el));
}

export function isSecret(el: Element): boolean {
  if (known.has(el)) return true;
  if (!looksSecret(el)) return false;
  noteSecret(el);
  return true;
}

/** Notes every secret field there is now, in all scopes. */
export function sweep(): void {
  for (const s of scopes()) for (const el of s.querySelectorAll("input,textarea,select[autocomplete],select[name],select[id]")) isSecret(el);
}

export function secretFields(): Element[] {
  const out: Element[] = [];
  for (const w of list) {
    const el = w.deref();
    if (el) out.push(el);
    else list.delete(w);
  }
  return out;
}

export function secretValue(el: Element): string {
  return el.localName === "select" ? "" : (el as HTMLInputElement).value ?? "";
}

let masks: string[] = [];

/** Notes the values that text is cleaned of until the next call. */
export function loadMasks(): void {
  masks = [...new Set(secretFields().map(secretValue).filter(v => v.length >= 4))].sort((a, b) => b.length - a.length);
}

/** Text without any value that a secret field holds now. */
export function mask(s: string): string {
  for (const m of masks) if (s.includes(m)) s = s.replaceAll(m, "••••");
  return s;
}
