// What Chromium would draw outside the page, which no picture of the page holds: select lists, pickers, suggestions of a
// datalist and context menus. It is told to the person's interface as it opens and as it goes.
import { activeElement, scopes } from "./dom";
import { isArmed } from "./guard";
import { isSecret, loadMasks, mask } from "./secret";
import { cut, sound, squeeze } from "./text";
import { boxOf } from "./describe";
import { listen } from "./listen";
import type { Box } from "./wire";

const BINDING = "__batonSurface";
const PICKERS = new Set(["date", "time", "datetime-local", "month", "week", "color"]);
const MOST = 5000; // options told of one list
const LABEL = 200; // characters of one

interface Option { label: string; value: string; group: string; disabled: boolean; selected: boolean }

interface Shown { id: number; kind: string; el: HTMLElement; timer: number; text: string }

let seq = 0;
let shown: Shown | null = null;

function send(o: object): void {
  const tell = (globalThis as unknown as Record<string, ((s: string) => void) | undefined>)[BINDING];
  tell?.(JSON.stringify(o));
}

function close(): void {
  if (!shown) return;
  clearInterval(shown.timer);
  send({ id: shown.id, kind: "" });
  shown = null;
}

function show(el: HTMLElement, kind: string, more: object, lasts: () => boolean): void {
  if (shown && (shown.el !== el || shown.kind !== kind)) close();
  const text = JSON.stringify(more);
  if (shown && shown.text === text) return;
  if (shown) clearInterval(shown.timer);
  const id = shown?.id ?? ++seq;
  const timer = setInterval(() => { if (!lasts()) close(); }, 120) as unknown as number;
  shown = { id, kind, el, timer, text };
  send({ id, kind, box: boxOf(el), style: styleOf(el), ...more });
}

function styleOf(el: HTMLElement) {
  const s = getComputedStyle(el);
  return { size: parseFloat(s.fontSize) || 13, rtl: s.direction === "rtl" };
}

const isOpen = (el: Element) => el.isConnected && el.matches(":open");

/** Looks for a list or picker that Chromium holds open. */
function look(everywhere: boolean): void {
  let el = activeElement();
  if (everywhere && !(el && /^(select|input)$/.test(el.localName) && isOpen(el))) {
    el = null;
    for (const s of scopes()) if ((el = s.querySelector("select:open,input:open"))) break;
  }
  if (!el || !isOpen(el)) return;
  if (el.localName === "select") return list(el as HTMLSelectElement);
  const input = el as HTMLInputElement;
  if (!PICKERS.has(input.type)) return;
  const { value, min, max, step, type, required } = input;
  show(input, type, { value, min, max, step, required, options: suggestions(input, "") }, () => isOpen(input));
}

function list(el: HTMLSelectElement): void {
  if (getComputedStyle(el).appearance === "base-select") return; // drawn in the page itself
  show(el, "select", { options: optionsOf(el), index: el.selectedIndex }, () => isOpen(el));
}

function optionsOf(el: HTMLSelectElement): (Option & { index: number })[] {
  const out: (Option & { index: number })[] = [];
  const all = el.options;
  const styled = all.length <= 500;
  for (let i = 0; i < all.length && out.length < MOST; i++) {
    const o = all[i]!;
    if (o.hidden || styled && getComputedStyle(o).display === "none") continue;
    const g = o.parentElement?.localName === "optgroup" ? o.parentElement as HTMLOptGroupElement : null;
    out.push({ index: i, label: line(o.label), value: "", group: g ? line(g.label) : "", disabled: o.disabled || !!g?.disabled, selected: o.selected });
  }
  return out;
}

const line = (s: string) => { const c = cut(squeeze(s), LABEL); return sound(c.left ? c.text + "…" : c.text); };

/** Options of an input's datalist that go with what is typed. */
function suggestions(el: HTMLInputElement, typed: string): Option[] {
  const out: Option[] = [];
  const want = typed.trim().toLowerCase();
  for (const o of el.list?.querySelectorAll("option") ?? []) {
    if (out.length >= 200) break;
    if (o.disabled || !o.value) continue;
    const label = o.label && o.label !== o.value ? o.label : "";
    if (want && !(o.value.toLowerCase().includes(want) || label.toLowerCase().includes(want))) continue;
    out.push({ label: line(label), value: o.value.slice(0, 1000), group: "", disabled: false, selected: o.value === typed });
  }
  return out;
}

function suggest(el: HTMLInputElement, typed: string): void {
  const options = suggestions(el, typed);
  if (!options.length || options.length === 1 && options[0]!.value === typed) {
    if (shown?.el === el) close();
    return;
  }
  show(el, "list", { options }, () => el.isConnected && activeElement() === el);
}

function listed(e: Event): HTMLInputElement | null {
  const el = e.composedPath()[0] as HTMLInputElement | undefined;
  if (!(el instanceof HTMLInputElement) || !el.list || PICKERS.has(el.type) || el.type === "range" || el.readOnly || el.disabled || isSecret(el)) return null;
  return el;
}

function menu(e: MouseEvent, targets: EventTarget[]): void {
  const path = targets.filter((n): n is Element => (n as Node).nodeType === 1);
  const at = path[0];
  if (!at) return;
  loadMasks();
  const link = path.find((n): n is HTMLAnchorElement => (n.localName === "a" || n.localName === "area") && !!(n as HTMLAnchorElement).href);
  const field = path.find(n => /^(input|textarea)$/.test(n.localName) || (n as HTMLElement).isContentEditable) as HTMLInputElement | undefined;
  const secret = !!field && isSecret(field);
  const text = field && "selectionStart" in field && field.localName !== "div"
    ? secret ? "" : (field.value ?? "").slice(selection(field)[0], selection(field)[1])
    : String(getSelection() ?? "");
  close();
  (globalThis as unknown as Record<string, unknown>).__batonMenuTarget = new WeakRef(at);
  send({
    id: ++seq, kind: "menu", box: { x: e.clientX, y: e.clientY, w: 0, h: 0 } satisfies Box,
    link: link?.href ?? "", linkText: link ? line(link.textContent ?? "") : "",
    image: at.localName === "img" ? (at as HTMLImageElement).currentSrc : "",
    media: at.localName === "video" || at.localName === "audio" ? (at as HTMLMediaElement).currentSrc : "",
    text: sound(mask(text.slice(0, 2000))), editable: !!field && !field.readOnly && !field.disabled, secret,
    frame: top === window ? "" : location.href,
  });
}

// Some kinds of inputs have no selection to ask for.
function selection(el: HTMLInputElement): [number, number] {
  try { return [el.selectionStart ?? 0, el.selectionEnd ?? 0]; } catch { return [0, 0]; }
}

/** Hears what the person does, before the page does. */
export function watchSurfaces(): void {
  const capture = { capture: true, passive: true };
  const soon = (everywhere: boolean) => {
    if (isArmed()) return; // an agent sets such fields by value
    setTimeout(() => look(everywhere)); setTimeout(() => look(everywhere), 90); };
  listen("mousedown", e => { if (e.isTrusted && (e as MouseEvent).button === 0) soon(false); }, capture);
  listen("click", e => {
    if (!e.isTrusted) return;
    soon(true);
    const el = listed(e);
    if (el) setTimeout(() => suggest(el, ""));
  }, capture);
  listen("keydown", ev => {
    const e = ev as KeyboardEvent;
    if (!e.isTrusted) return;
    if (e.key === "Enter" || e.key === " " || e.key === "F4" || e.altKey) soon(true);
    const el = listed(e);
    if (el && e.key === "ArrowDown") setTimeout(() => suggest(el, el.value));
  }, capture);
  listen("input", e => {
    const el = e.isTrusted ? listed(e) : null;
    if (el) setTimeout(() => suggest(el, el.value));
  }, capture);
  listen("contextmenu", ev => {
    const e = ev as MouseEvent;
    const path = e.composedPath(); // empty once the event is over
    if (e.isTrusted && !isArmed()) setTimeout(() => { if (!e.defaultPrevented) menu(e, path); });
  }, capture);
  listen("pagehide", close, capture);
  listen("beforeprint", e => { if (e.isTrusted) send({ id: 0, kind: "print" }); }, capture);
  listen("fullscreenchange", () => send({ id: 0, kind: "full", value: document.fullscreenElement ? "on" : "" }), capture);
}

/** Ends that an element fills the screen. */
export async function unfull(): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
}

const of = (id: number) => shown && shown.id === id && shown.el.isConnected ? shown : null;

/** How the native list gets to an option by keys: downs from the first one. */
export function surfacePlan(a: { id: number; index: number }) {
  const s = of(a.id);
  const el = s?.kind === "select" ? s.el as HTMLSelectElement : null;
  const o = el?.options[a.index];
  if (!el || !o || o.disabled || (o.parentElement as HTMLOptGroupElement | null)?.disabled) return { gone: !el, wrong: !!el, open: false, downs: 0, same: false };
  let downs = 0;
  const styled = el.options.length <= 500;
  for (let i = 0; i < a.index; i++) {
    const x = el.options[i]!;
    if (!(x.disabled || x.hidden || (x.parentElement as HTMLOptGroupElement | null)?.disabled || styled && getComputedStyle(x).display === "none")) downs++;
  }
  return { gone: false, wrong: false, open: isOpen(el), downs, same: el.selectedIndex === a.index };
}

/** What has become of it. Held, it stays until it is set or closed. */
export function surfaceState(a: { id: number; hold: boolean }) {
  const s = of(a.id);
  if (s && a.hold) clearInterval(s.timer);
  return { gone: !s, open: !!s && isOpen(s.el), index: s?.kind === "select" ? (s.el as HTMLSelectElement).selectedIndex : -1 };
}

const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!;

/** Sets what the person chose where keys cannot. */
export function surfaceSet(a: { id: number; value: string; index: number }) {
  const s = of(a.id);
  if (!s) return { gone: true, value: "" };
  const el = s.el as HTMLInputElement | HTMLSelectElement;
  let type = "insertReplacementText";
  if (el.localName === "select") {
    (el as HTMLSelectElement).selectedIndex = a.index;
    type = "";
  } else setter.call(el, a.value);
  el.dispatchEvent(type ? new InputEvent("input", { bubbles: true, composed: true, inputType: type, data: a.value }) : new Event("input", { bubbles: true, composed: true }));
  el.dispatchEvent(new Event("change", { bubbles: true }));
  close();
  return { gone: false, value: el.value };
}

export function surfaceClose(a: { id: number }): void {
  if (shown?.id === a.id) close();
}
