// Notes what mutates between watch and changes. Nothing is read while noting: a record costs what the observer costs.
import { discover, scopes, tellRoots } from "./dom";
import { everRead } from "./record";
import { noteSecret, sweep } from "./secret";
import { heed } from "./still";
import { walkSilently } from "./walk";

const OPTIONS: MutationObserverInit = { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true };
const EVENTS = ["input", "change", "toggle", "focusin", "focusout", "close", "cancel", "fullscreenchange", "slotchange"];
const MOST_DIRTY = 20_000;

export interface Notes {
  /** To be read again with all that is in them. */
  dirty: Set<Element>;
  /** Children came or went: only they are read, unless the parent is one line with its children. */
  parents: Set<Element>;
  removed: Set<Element>;
  /** Elements that came, whose listeners nobody has looked for. */
  added: Set<Element>;
  /** Everything is to be read again: more changed than is worth noting. */
  flood: boolean;
  count: number;
  last: number;
  focus: Element | null;
}

let observer: MutationObserver | undefined;
let notes: Notes | undefined;
let waiting: (() => void) | undefined;

export function watch(): void {
  heed();
  discover();
  sweep();
  if (!everRead()) walkSilently();
  unwatch();
  notes = fresh();
  observer = new MutationObserver(take);
  for (const s of scopes()) observer.observe(s, OPTIONS);
  tellRoots(r => observer?.observe(r, OPTIONS));
  for (const t of EVENTS) addEventListener(t, onEvent, true);
}

function fresh(): Notes {
  return { dirty: new Set(), parents: new Set(), removed: new Set(), added: new Set(), flood: false, count: 0, last: 0, focus: document.activeElement };
}

export function unwatch(): void {
  observer?.disconnect();
  observer = undefined;
  notes = undefined;
  tellRoots(undefined);
  for (const t of EVENTS) removeEventListener(t, onEvent, true);
}

/** What was noted so far; null when nobody watches. With keep, noting starts afresh. */
export function takeNotes(keep: boolean): Notes | null {
  if (!notes || !observer) return null;
  take(observer.takeRecords());
  const n = notes;
  if (keep) { notes = fresh(); } else unwatch();
  return n;
}

export function watching(): Notes | null {
  if (observer) take(observer.takeRecords());
  return notes ?? null;
}

/** Resolves at the next note, or after ms. */
export function nextNote(ms: number): Promise<void> {
  return new Promise(done => {
    const t = setTimeout(end, ms);
    function end() {
      clearTimeout(t);
      if (waiting === end) waiting = undefined;
      done();
    }
    waiting = end;
  });
}

/** Ends the wait for the next note. */
export function wake(): void {
  waiting?.();
}

function onEvent(e: Event): void {
  if (!notes) return;
  const t = e.composedPath()[0] as Element | undefined;
  if (!t || t.nodeType !== 1) return;
  touch(t);
  // One of a group of radio buttons changes the others.
  if (e.type === "change" && (t as HTMLInputElement).type === "radio") {
    const r = t as HTMLInputElement;
    const scope = t.getRootNode() as Document | ShadowRoot;
    if (r.name) for (const o of scope.querySelectorAll<HTMLInputElement>(`input[type=radio][name=${CSS.escape(r.name)}]`)) notes.dirty.add(o);
  }
  if (e.type !== "focusin" && e.type !== "focusout") bump(1);
}

function bump(n: number): void {
  if (!notes) return;
  notes.count += n;
  notes.last = performance.now();
  waiting?.();
}

function touch(el: Element): void {
  const n = notes!;
  if (n.dirty.size >= MOST_DIRTY) n.flood = true;
  else n.dirty.add(el);
}

function take(records: MutationRecord[]): void {
  const n = notes;
  if (!n || !records.length) return;
  for (const r of records) {
    const t = r.target;
    const el = t.nodeType === 1 ? t as Element : t.nodeType === 11 ? (t as ShadowRoot).host : t.parentElement;
    if (r.type === "attributes") {
      // A password shown as text stays secret, and so does what is no longer marked as a code.
      if (r.attributeName === "type" && r.oldValue?.toLowerCase() === "password") noteSecret(t as Element);
      if (r.attributeName === "autocomplete" && /one-time-code|password|cc-(number|csc|exp)/.test(r.oldValue ?? "")) noteSecret(t as Element);
      if (r.attributeName === "style" && (r.oldValue ?? "") === ((t as Element).getAttribute("style") ?? "")) continue;
    }
    if (r.type === "childList" && el) {
      let text = false;
      for (const x of r.removedNodes) {
        if (x.nodeType === 1) { if (n.removed.size < MOST_DIRTY) n.removed.add(x as Element); } else if (x.nodeType === 3 && x.nodeValue!.trim()) text = true;
      }
      for (const x of r.addedNodes) {
        if (x.nodeType === 1) { touch(x as Element); if (n.added.size < MOST_DIRTY) n.added.add(x as Element); }
        else if (x.nodeType === 3 && x.nodeValue!.trim()) text = true;
      }
      if (text) touch(el);
      else n.parents.add(el);
      continue;
    }
    if (el) touch(el);
  }
  bump(records.length);
}
