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

// What secret fields of this document were seen to hold, of each run of typing only the whole: a page that moves a value
// out of its field and shows it elsewhere gives nothing away.
const held = new Set<string>();
const last = new WeakMap<Element, string>();
const MOST = 200;

function noteValue(el: Element): void {
  const v = secretValue(el), before = last.get(el);
  if (v === before) return;
  if (before !== undefined && before !== "" && v.startsWith(before)) held.delete(before);
  last.set(el, v);
  if (v.length < 4) return;
  if (held.size >= MOST) held.delete(held.values().next().value!);
  held.add(v);
}

/** Notes what is entered into secret fields as it is entered, before the page hears of it. */
export function watchSecrets(): void {
  const heard = (e: Event) => {
    const el = e.composedPath()[0];
    if (el instanceof Element && isSecret(el)) noteValue(el);
  };
  addEventListener("input", heard, { capture: true, passive: true });
  addEventListener("change", heard, { capture: true, passive: true });
}

// The texts that the agent itself entered into secret fields.
const own = new Set<string>();

/** Notes that the agent enters a text behind what a field holds. */
export function noteOwn(before: string, text: string): void {
  if (!isOwn(before)) return;
  if (own.size >= MOST) own.clear();
  own.add(before + text);
}

/** Longer texts count only whole: a list of all codes would hold anybody's. */
const SHORT = 40;
const bare = (s: string) => s.replace(/[\s()./-]+/g, "");

/** Says that a value is the agent's own text, whole or a part of it, in whatever form the page gave it. */
export function isOwn(v: string): boolean {
  if (v === "" || own.has(v)) return true;
  const b = bare(v);
  if (b) for (const o of own) if (o.length <= SHORT ? bare(o).includes(b) : bare(o) === b) return true;
  return false;
}

let masks: string[] = [];

/** Notes the values that text is cleaned of until the next call. */
export function loadMasks(): void {
  for (const f of secretFields()) noteValue(f);
  masks = [...held].sort((a, b) => b.length - a.length);
}

/** Text without any value that a secret field holds or was seen to hold. */
export function mask(s: string): string {
  for (const m of masks) if (s.includes(m)) s = s.replaceAll(m, "••••");
  return s;
}
