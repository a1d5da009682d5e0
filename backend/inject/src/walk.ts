// One document's outline.
import { suspect } from "./suspect";
import { activeElement, isVisible } from "./dom";
import type { Line } from "./line";
import { find, prune } from "./query";
import { begin, record } from "./record";
import { Later, Numbering, element } from "./refs";
import { isSecret, loadMasks, mask, sweep } from "./secret";
import { shape } from "./shape";
import { fold, sound } from "./text";
import { Walker } from "./tree";
import type { FrameSlot, Node } from "./wire";

interface Args { next: number; budget?: number; root?: number; query?: string; urls?: boolean; later?: boolean }

export const DEFAULT_BUDGET = 10_000;

export function walk(a: Args) {
  sweep();
  loadMasks();
  const numbering = new (a.later ? Later : Numbering)(Math.max(1, a.next));
  let roots: Element[];
  let modal = false;
  if (a.root) {
    const el = element(a.root);
    if (!el) return result(numbering, [], [], { gone: true });
    roots = [el];
  } else {
    roots = modalRoots();
    modal = roots.length > 0;
    if (!modal) roots = pageRoots();
  }
  const top = new Walker({ urls: a.urls }).tree(roots);
  begin(!a.root && !modal);
  record(top);
  const count = top.count;
  let matches = 0;
  let wanted: ((o: { n: string }) => boolean) | undefined;
  if (a.query?.trim()) {
    matches = find(top, a.query);
    prune(top);
    const q = fold(a.query);
    wanted = o => fold(o.n).includes(q);
  }
  const frames: FrameSlot[] = [];
  const nodes = shape(top, { budget: a.budget || DEFAULT_BUDGET, roomy: !!a.query, numbering, active: activeElement(), wanted, onNode: slots(frames) });
  return result(numbering, nodes, frames, { modal, count, matches, check: !a.root && suspect(count) });
}

/** Notes the present state of a document that nobody has read yet. */
export function walkSilently(): void {
  loadMasks();
  const top = new Walker().tree(pageRoots());
  begin(true);
  record(top);
}

function result(n: Numbering, nodes: Node[], frames: FrameSlot[], more: { gone?: boolean; modal?: boolean; count?: number; matches?: number; check?: boolean }) {
  return { next: n.next, nodes, frames, title: title(), url: location.href, modal: false, count: 0, gone: false, matches: 0, check: false, ...more };
}

export function title(): string {
  return mask(sound(document.title));
}

export function slots(frames: FrameSlot[]) {
  return (l: Line, n: Node) => {
    if (l.role !== "iframe" || !l.el || !n.e) return;
    const b = l.el.getBoundingClientRect();
    frames.push({ ref: n.e, src: (l.el as HTMLIFrameElement).src ?? "", box: { x: b.x, y: b.y, w: b.width, h: b.height } });
  };
}

export function pageRoots(): Element[] {
  return document.body ? [document.body] : document.documentElement ? [document.documentElement] : [];
}

/** Parts outside a modal dialog that stay usable: popups of its fields, messages. */
const BESIDE = "[role=listbox],[role=menu],[role=alert],[role=status],[role=tooltip],[aria-live=assertive],[aria-live=polite],[popover]";

/** The open modal dialog and what is usable beside it; empty when there is none. */
export function modalRoots(): Element[] {
  const top = [...document.querySelectorAll("dialog:modal")].at(-1);
  const native = !!top;
  let dialogs: Element[] = top ? [top] : [];
  if (!native) {
    dialogs = [...document.querySelectorAll('[aria-modal="true"]')].filter(d => {
      const role = d.getAttribute("role");
      return (role === "dialog" || role === "alertdialog" || d.localName === "dialog") && inView(d) && !d.closest("[aria-hidden=true],[inert]");
    });
    dialogs = dialogs.filter(d => !dialogs.some(o => o !== d && o.contains(d)));
    if (dialogs.length > 1) dialogs = dialogs.slice(-1);
  }
  const d = dialogs[0];
  if (!d) return [];
  const out = [d];
  if (!native) for (const el of document.querySelectorAll(BESIDE)) {
    if (d.contains(el) || out.some(o => o.contains(el)) || el.hasAttribute("popover") && !el.matches(":popover-open")) continue;
    if (isVisible(el) && inView(el) && (el.textContent ?? "").trim() && !isSecret(el)) out.push(el);
  }
  return out;
}

function inView(el: Element): boolean {
  if (!isVisible(el)) return false;
  const b = el.getBoundingClientRect();
  if (b.width * b.height > 0) return b.right > 0 && b.bottom > 0 && b.left < innerWidth && b.top < Math.max(innerHeight, document.documentElement.scrollHeight);
  return [...el.children].some(k => { const r = k.getBoundingClientRect(); return r.width * r.height > 0 && r.right > 0 && r.left < innerWidth; });
}
