// Fields whose value never leaves the page. Once secret, an element stays so for the life of the document.
import { scopes, shadowOf } from "./dom";
import { listen } from "./listen";

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

function noteValue(el: Element, v = secretValue(el)): void {
  const before = last.get(el);
  if (v === before) return;
  if (before !== undefined && before !== "" && v.startsWith(before)) held.delete(before);
  last.set(el, v);
  foreign ||= !isOwn(v);
  tell(v, before ?? "");
  if (v.length < 4) return;
  if (held.size >= MOST) held.delete(held.values().next().value!);
  held.add(v);
}

/** Longer values are known by their beginning. */
const LONGEST = 4096;
let untold: string[] = [];
// The keys pressed in a field since it got the focus.
const runs = new WeakMap<Element, string>();

/** Tells the host what a secret field holds, through a binding that only this world has. */
function tell(v: string, was: string): void {
  untold.push(JSON.stringify({ value: v.slice(0, LONGEST), was: was.slice(0, LONGEST), own: isOwn(v) }));
  const send = (globalThis as unknown as { __batonSecret?: (s: string) => void }).__batonSecret;
  if (!send) return;
  for (const s of untold) send(s);
  untold = [];
}

// A secret field of this document has held what the agent did not enter.
let foreign = false;

export function heldForeign(): boolean { return foreign; }

/** The secret field that an event is for, inside shadow roots too. */
function fieldAt(e: Event): Element | null {
  let el = e.composedPath()[0] as Element | null | undefined;
  for (let r = el instanceof Element ? shadowOf(el) : null; r?.activeElement; r = shadowOf(el)) el = r.activeElement;
  return el instanceof Element && isSecret(el) ? el : null;
}

/** What a field will hold once a text is in it. */
function coming(el: Element, text: string): string {
  const f = el as HTMLInputElement, v = secretValue(el);
  let from: number | null = null, to: number | null = null;
  try { from = f.selectionStart; to = f.selectionEnd; } catch { /* number and the like have no caret */ }
  return v.slice(0, from ?? v.length) + text + v.slice(to ?? v.length);
}

/** Notes what is entered into secret fields as it is entered, before the page hears of it. */
export function watchSecrets(): void {
  const on = (type: string, f: (el: Element, e: Event) => void) => listen(type, e => {
    const el = fieldAt(e);
    if (el) f(el, e);
  }, { capture: true, passive: true });
  for (const t of ["input", "change", "focusin", "focusout"]) on(t, el => noteValue(el));
  on("focusin", el => runs.delete(el));
  on("keydown", (el, e) => {
    const k = e as KeyboardEvent;
    if ([...k.key].length !== 1 || k.ctrlKey || k.metaKey) return;
    const before = runs.get(el) ?? "", run = (before + k.key).slice(-LONGEST);
    runs.set(el, run);
    const next = coming(el, k.key);
    // A page may take each character out of the field as it comes.
    if (run !== next && run.length > 3) {
      held.delete(before);
      if (held.size < MOST) held.add(run);
      tell(run, before);
    }
    noteValue(el, next);
  });
  on("beforeinput", (el, e) => {
    const text = (e as InputEvent).data ?? (e as InputEvent).dataTransfer?.getData("text");
    if (text) noteValue(el, coming(el, text));
  });
  for (const t of ["paste", "drop"]) on(t, (el, e) => {
    const text = ((e as ClipboardEvent).clipboardData ?? (e as DragEvent).dataTransfer)?.getData("text");
    if (text) noteValue(el, coming(el, text));
  });
  // What a document brings along, or gets back from the browser.
  for (const t of ["DOMContentLoaded", "load", "pageshow"]) listen(t, () => {
    for (const el of document.querySelectorAll("input[type=password]")) if (isSecret(el)) noteValue(el);
  }, { passive: true });
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
