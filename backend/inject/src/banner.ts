// Cookie banners: finds the button that refuses, and what says that a known consent platform is at work.
import { contains, elementAt, isVisible, parentOf } from "./dom";
import { COOKIES, LONG, TIMES, floats, isDialog, isNamed, textOf } from "./likely";
import { LONGEST, firmness, type Firmness } from "./refuse";
import { Numbering, element } from "./shared";
import { squeeze } from "./text";
import { sleep } from "./time";

const BUTTONS = "button,[role=button],input[type=button],input[type=submit],a,summary,[onclick],[tabindex='0']";
/** How many buttons are looked at from each end of a document: banners stand at its start or its end. */
const ENDS = 700;
interface Found { el: Element; box: Element; firm: Firmness }

let found: Found | undefined;
/** The field that had the focus before the press. */
let writing: HTMLElement | null = null;

/** Looks for a refusing button for ms at most; with now only once. */
export async function bannerWatch(a: { ms: number; now?: boolean }) {
  const start = performance.now();
  for (let i = 0; ; i++) {
    const t = performance.now();
    found = search();
    const costMs = performance.now() - t;
    if (found || a.now) return { button: !!found, over: false, costMs };
    // A page on which looking is dear is looked at less often.
    const next = Math.max(TIMES[i + 1] ?? Infinity, costMs > 8 ? t - start + 60 * costMs : 0);
    if (next > a.ms) return { button: false, over: true, costMs };
    await sleep(next - (performance.now() - start));
  }
}

/** The button found, if it still stands and shows, with a number. */
export function bannerButton(a: { next: number }) {
  const numbering = new Numbering(Math.max(1, a.next));
  let f = found;
  if (!f || !f.el.isConnected || !ready(f.el)) f = found = search();
  if (!f) return { ref: 0, label: "", next: numbering.next };
  const active = document.activeElement as HTMLElement | null;
  writing = active?.matches("input,textarea,select,[contenteditable]") ? active : null;
  return { ref: numbering.of(f.el), label: label(f.el), next: numbering.next };
}

/** Whether the banner of a button has gone, waited for up to ms. Who was writing goes on where they were. */
export async function bannerGone(a: { ref: number; ms: number }): Promise<boolean> {
  const gone = await leaves(a);
  const now = document.activeElement;
  if (writing?.isConnected && (!now || now === document.body || found?.el === now)) writing.focus({ preventScroll: true });
  return gone;
}

async function leaves(a: { ref: number; ms: number }): Promise<boolean> {
  const end = performance.now() + a.ms;
  for (;;) {
    const el = element(a.ref);
    if (!el || !shows(el)) return true;
    const box = found?.el === el ? found.box : el;
    if (!shows(box)) return true;
    if (performance.now() >= end) return false;
    await sleep(20);
  }
}

function* scopesOfBanners(): Iterable<Document | ShadowRoot> {
  yield document;
  const roots: ShadowRoot[] = [];
  // Banners built from web components hang near the top of the page.
  let level: Element[] = document.body ? [document.body] : [];
  for (let depth = 0; depth < 4 && level.length; depth++) {
    const next: Element[] = [];
    for (const el of level) {
      if (el.shadowRoot) roots.push(el.shadowRoot);
      const kids = el.children;
      const n = kids.length;
      for (let i = 0; i < n; i++) {
        if (i === 80 && n > 160) i = n - 80;
        next.push(kids[i]!);
      }
      if (next.length > 800) break;
    }
    level = next;
  }
  let seen = 0;
  for (let i = 0; i < roots.length && i < 60; i++) {
    const r = roots[i]!;
    yield r;
    for (const el of r.querySelectorAll("*")) {
      if (++seen > 4000) return;
      if (el.shadowRoot) roots.push(el.shadowRoot);
    }
  }
}

function search(): Found | undefined {
  let best: Found | undefined;
  for (const scope of scopesOfBanners()) {
    const list = scope.querySelectorAll<HTMLElement>(BUTTONS);
    const n = list.length;
    for (let i = 0; i < n; i++) {
      if (i === ENDS && n > 2 * ENDS) i = n - ENDS;
      const el = list[i]!;
      const s = quick(el);
      if (s === null) continue;
      const firm = firmness(s);
      if (!firm || best && firm <= best.firm) continue;
      if (!ready(el) || leads(el)) continue;
      const box = boxOf(el, firm);
      if (box) best = { el, box, firm };
    }
  }
  return best;
}

/** An element's label when it is short enough to be one; null otherwise. */
function quick(el: HTMLElement): string | null {
  if (el.localName === "input") return (el as HTMLInputElement).value;
  const own = el.textContent;
  if (own !== null && own.length > 4 * LONGEST) return null;
  const s = own && own.trim() ? own : el.getAttribute("aria-label") ?? el.title;
  return s || null;
}

function label(el: Element): string {
  return squeeze(quick(el as HTMLElement) ?? "").slice(0, LONGEST);
}

/** A link to another page is no button. */
function leads(el: Element): boolean {
  if (el.localName !== "a") return false;
  const href = (el.getAttribute("href") ?? "").trim();
  if (!href || href.startsWith("#") || /^javascript:/i.test(href)) return false;
  const a = el as HTMLAnchorElement;
  return a.origin !== location.origin || a.pathname !== location.pathname || !a.hash;
}

function shows(el: Element): boolean {
  if (!isVisible(el) || !el.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && getComputedStyle(el).display !== "contents") return false;
  const b = el.getBoundingClientRect();
  return b.width > 0 && b.height > 0 && b.bottom > 0 && b.right > 0 && b.top < innerHeight && b.left < innerWidth;
}

/** Visible, enabled, and not under something else. */
function ready(el: Element): boolean {
  if (!shows(el) || el.closest("[inert],[aria-hidden=true]") || (el as HTMLButtonElement).disabled || el.getAttribute("aria-disabled") === "true") return false;
  const b = el.getBoundingClientRect();
  const x = (Math.max(b.left, 0) + Math.min(b.right, innerWidth)) / 2;
  const y = (Math.max(b.top, 0) + Math.min(b.bottom, innerHeight)) / 2;
  const at = elementAt(x, y);
  return !!at && (at === el || contains(el, at));
}

/** The banner around a button: a dialog, a fixed or sticky box, or a consent container, that speaks of cookies. */
function boxOf(el: Element, firm: Firmness): Element | undefined {
  for (let p: Element | null = parentOf(el), n = 0; p && n < 40; p = parentOf(p), n++) {
    if (p === document.body || p === document.documentElement) break;
    const named = isNamed(p);
    const dialog = isDialog(p);
    if (!named && !dialog && !floats(p)) continue;
    const said = textOf(p, firm === 1);
    if (!COOKIES.test(said) || !named && !dialog && said.length > LONG) continue;
    return signsIn(p) ? undefined : p;
  }
  // A frame that holds little more than the banner is the box itself.
  if (window !== window.top && document.body) {
    const said = textOf(document.body, firm === 1);
    if (said.length < LONG && COOKIES.test(said) && !signsIn(document.body)) return document.body;
  }
  return undefined;
}

function signsIn(el: Element): boolean {
  for (const i of el.querySelectorAll("input[type=password],input[type=email],input[autocomplete=username]")) if (isVisible(i)) return true;
  return false;
}

