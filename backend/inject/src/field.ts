// Fields: which take text, what they hold.
import { childrenOf, contains, activeElement, isVisible, scopeOf } from "./dom";
import { boxOf, describe, kindOf } from "./describe";
import { element, numberOf } from "./refs";
import { isInline, isSilent } from "./names";
import { isSecret, loadMasks, mask } from "./secret";
import { sound } from "./text";
import { isDisabled, isReadonly } from "./state";
import { boxed } from "./aim";
import { frame } from "./time";
import { watch } from "./watch";

export const TYPED = new Set("date time datetime-local month week color range".split(" "));
const TEXTUAL = new Set("text search tel url email number password".split(" "));

/** The field that an element stands for: itself, its label's, or the only one inside it. */
export function fieldOf(el: Element): Element {
  if (kindOfField(el) !== "other") return el;
  if (el.localName === "label") return (el as HTMLLabelElement).control ?? el;
  const inside: Element[] = [];
  collect(el, inside, 0);
  return inside.length === 1 ? inside[0]! : el;
}

function collect(el: Element, out: Element[], depth: number): void {
  if (depth > 30 || out.length > 1) return;
  for (const n of childrenOf(el)) {
    if (n.nodeType !== 1) continue;
    const k = n as Element;
    const kind = kindOfField(k);
    if ((TEXTUAL.has(kind) || kind === "textarea" || kind === "contenteditable") && isVisible(k)) out.push(k);
    else collect(k, out, depth + 1);
  }
}

export function kindOfField(el: Element): string {
  switch (el.localName) {
    case "textarea": return "textarea";
    case "select": return "select";
    case "input": {
      const t = (el as HTMLInputElement).type;
      return t === "button" || t === "submit" || t === "reset" || t === "image" || t === "hidden" ? "other" : t;
    }
  }
  return (el as HTMLElement).isContentEditable ? "contenteditable" : "other";
}

function editingHost(el: Element): HTMLElement {
  let h = el as HTMLElement;
  while (h.parentElement?.isContentEditable) h = h.parentElement;
  return h;
}

let stamps = 0;
const stampOf = new WeakMap<Element, number>();

function stamp(el: Element): string {
  let n = stampOf.get(el);
  if (n === undefined) stampOf.set(el, n = ++stamps);
  let h = 0;
  const v = rawValue(el);
  for (let i = 0; i < v.length; i++) h = Math.imul(h, 31) + v.charCodeAt(i) | 0;
  return `${n}.${v.length}.${(h >>> 0).toString(36)}`;
}

export function rawValue(el: Element): string {
  const kind = kindOfField(el);
  if (kind === "contenteditable") return editableText(editingHost(el));
  if (kind === "checkbox" || kind === "radio") return String((el as HTMLInputElement).checked);
  if (kind === "file") return [...(el as HTMLInputElement).files ?? []].map(f => f.name).join("\n");
  if (kind === "select") return [...(el as HTMLSelectElement).selectedOptions].map(o => o.label).join("\n");
  return kind === "other" ? "" : (el as HTMLInputElement).value;
}

/** The text of an editor with one line feed a line. */
export function editableText(el: Element): string {
  let out = "";
  const visit = (n: Element) => {
    for (const c of childrenOf(n)) {
      if (c.nodeType === 3) out += c.nodeValue!.replace(/[\u200b\ufeff]/g, "");
      else if (c.nodeType === 1) {
        const k = c as Element;
        if (isSilent(k.localName)) continue;
        if (k.localName === "br") {
          // A last break in a block only keeps the line open.
          const more = k.nextSibling && !(k.nextSibling.nodeType === 3 && !k.nextSibling.nodeValue);
          if (more || k.parentElement === el && out && !out.endsWith("\n")) out += "\n";
          else if (!more && k.parentElement!.childNodes.length === 1 && k.parentElement !== el) out += "";
          continue;
        }
        const block = !isInline(k.localName);
        if (block && out !== "" && (!out.endsWith("\n") || k.previousElementSibling)) out += out.endsWith("\n") && !k.previousElementSibling ? "" : k.previousSibling || out ? "\n" : "";
        visit(k);
      }
    }
  };
  visit(el);
  return out.replace(/\u00a0/g, " ").replace(/\n+$/, "");
}

function length(el: Element): number {
  const m = (el as HTMLInputElement).maxLength;
  return typeof m === "number" && m > 0 ? m : 0;
}

export async function focus(a: { ref: number; mode: string; any?: boolean; watch?: boolean }) {
  const out = { status: "gone", kind: "other", secret: false, multiline: false, maxLength: 0, empty: true, desc: "", stamp: "", box: { x: 0, y: 0, w: 0, h: 0 }, before: null as ReturnType<typeof field> | null };
  const target = element(a.ref);
  if (!target) return out;
  const el = a.any ? target : fieldOf(target);
  out.kind = kindOfField(el);
  out.secret = isSecret(el);
  out.desc = describe(el);
  out.multiline = out.kind === "textarea" || out.kind === "contenteditable";
  out.maxLength = length(el);
  out.empty = rawValue(el) === "";
  out.stamp = stamp(el);
  if (a.watch) watch();
  const good = () => ({ ...out, status: "ok", box: boxOf(target), before: a.watch ? field(a) : null });
  if (!isVisible(el)) return boxed(el) && (a.any || !takesText(el)) ? good() : { ...out, status: "hidden" };
  if (isDisabled(el) || el.closest("[inert]")) return { ...out, status: "disabled" };
  if (!a.any) {
    if (isReadonly(el)) return { ...out, status: "readonly" };
    if (!takesText(el) && !TYPED.has(out.kind) && out.kind !== "select" && out.kind !== "checkbox" && out.kind !== "radio") return { ...out, status: "not_editable" };
  }
  if (a.mode === "check") return { ...out, status: "ok" };
  if (!hasFocus(el)) {
    (el as HTMLElement).focus({ preventScroll: false });
    if (!hasFocus(el)) await frame();
  }
  if (!hasFocus(el)) return { ...out, status: "not_focused" };
  if (a.mode === "replace" || a.mode === "append") select(el, out.kind, a.mode === "append");
  return good();
}

function takesText(el: Element): boolean {
  const k = kindOfField(el);
  return TEXTUAL.has(k) || k === "textarea" || k === "contenteditable";
}

function hasFocus(el: Element): boolean {
  const now = activeElement();
  if (!now) return false;
  return now === el || contains(el, now) || (el as HTMLElement).isContentEditable && contains(now, el) && (now as HTMLElement).isContentEditable;
}

function select(el: Element, kind: string, atEnd: boolean): void {
  if (kind === "contenteditable") {
    const host = editingHost(el);
    const root = scopeOf(host) as ShadowRoot & { getSelection?(): Selection | null };
    const s = (root.nodeType === 11 && root.getSelection?.()) || document.getSelection();
    if (!s) return;
    const r = document.createRange();
    r.selectNodeContents(host);
    // A caret at the end stays: moving it would drop what a toolbar button just set for the next text.
    if (atEnd && caretAtEnd(s, host)) return;
    if (atEnd) r.collapse(false);
    s.removeAllRanges();
    s.addRange(r);
    return;
  }
  if (!takesText(el)) return;
  const i = el as HTMLInputElement;
  if (!atEnd) { i.select(); return; }
  try { i.setSelectionRange(i.value.length, i.value.length); } catch {
    // email and number know no caret: select all, and the caller's End key goes behind it.
    i.select();
  }
}

function caretAtEnd(s: Selection, host: Element): boolean {
  if (!s.isCollapsed || !s.focusNode || !host.contains(s.focusNode)) return false;
  const rest = document.createRange();
  rest.selectNodeContents(host);
  rest.setStart(s.focusNode, s.focusOffset);
  if (rest.toString() !== "") return false;
  const left = rest.cloneContents();
  return !left.querySelector("img,hr,video,table") && left.querySelectorAll("br").length < 2;
}

export function focused(a: { ref: number }) {
  const now = activeElement();
  const el = a.ref ? element(a.ref) : null;
  const f = el ? fieldOf(el) : null;
  return {
    on: !!now && !!f && (hasFocus(f) || !!el && hasFocus(el)),
    desc: now ? describe(now) : "",
    kind: now ? kindOfField(now) : "other",
    isFrame: !!now && kindOf(now) === "iframe",
    secret: !!now && isSecret(now),
    ref: now ? numberOf(now) : 0,
    document: document.hasFocus(),
  };
}

export function field(a: { ref: number }) {
  const out = { status: "gone", kind: "other", value: "", length: 0, secret: false, desc: "", files: [] as string[], stamp: "" };
  const target = element(a.ref);
  if (!target) return out;
  const el = fieldOf(target);
  loadMasks();
  out.status = "ok";
  out.kind = kindOfField(el);
  out.secret = isSecret(el);
  out.desc = describe(el);
  const v = rawValue(el);
  out.length = v.length;
  out.stamp = stamp(el);
  if (!out.secret) out.value = mask(sound(v));
  if (out.kind === "file") out.files = [...(el as HTMLInputElement).files ?? []].map(f => sound(f.webkitRelativePath || f.name));
  return out;
}

export function matches(a: { ref: number; text: string }): boolean {
  const target = element(a.ref);
  if (!target) return false;
  const el = fieldOf(target);
  const norm = (s: string) => s.replace(/\r\n?/g, "\n").replace(/\u00a0/g, " ");
  const v = norm(rawValue(el));
  const want = norm(a.text);
  if (v === want) return true;
  return kindOfField(el) === "contenteditable" && v.replace(/\n+/g, "\n").trim() === want.replace(/\n+/g, "\n").trim();
}


