// Whether a document may show a cookie banner. Cheap: what follows from it is loaded only where this says so.
import { elementAt, isVisible, parentOf } from "./dom";
import { sleep } from "./time";

/** Words for cookies; a banner that uses none of them is no cookie banner. */
export const COOKIES = /cookie|ciasteczk|kakor|kapsler|eväste|evästeit|sütik|süti\b|çerez|kolačić|piškot|печив|бисквитк|куки|файл(?:ы|ів|ов)? c|クッキー|쿠키|slapuk|sīkdat|küpsis|galetes|galletas de rastreo|μπισκότ/i;

export const CONTAINER = /cookie|consent|gdpr|rgpd|dsgvo|\bcmp\b|cmp-|privacy|onetrust|didomi|usercentrics|cybot|truste|ccpa/i;
/** What consent platforms call themselves in ids, classes and addresses of scripts and frames. */
const PLATFORM = /cookie(?!less)|consent|gdpr|\bcmp\b|[-_]cmp|cmp[-_]|onetrust|cybot|didomi|usercentrics|truste|trustarc|quantcast|qc-cmp|sp_message|sourcepoint|privacy-mgmt|iubenda|axeptio|tarteaucitron|klaro|termly|osano|cmplz|borlabs|brlbs|cky-|moove_gdpr|evidon|uniconsent|sibbo|pandectes|\bfides|\bketch|transcend-consent|fc-consent|ez-cookie|snigel|pubtech|ncmp|ch2-dialog|cc-window|cc_banner|bpa-|wcpconsent|sp-dsgvo|legalmonster|truyo|privacymanager|axept/i;

/** The same for scripts, where a library for cookies alone says nothing. */
const SCRIPT = /cookie[-_.]?(?:consent|bot|law|notice|banner|script|yes|first|hub|information|pro\b|manager|control|alert|bar|popup|dialog)|consent|gdpr|\/cmp[-_./]|\bcmp\.|onetrust|otsdk|didomi|privacy-?center|usercentrics|trustarc|truste|quantcast|privacy-mgmt|sp-prod|iubenda|axept|tarteaucitron|klaro|termly|osano|complianz|borlabs|evidon|uniconsent|fundingchoices|sourcepoint|ketchcdn|transcend-cdn/i;


/** Long texts are no banners, unless a dialog or a consent container holds them. */
export const LONG = 9000;

/** When looks come, in milliseconds from the first. */
export const TIMES = [0, 60, 150, 300, 500, 750, 1000, 1400, 1900, 2500, 3500, 4500, 5500, 7000, 8500, 10000, 12000, 15000];

export interface Likely { likely: boolean; platform: boolean; over: boolean; costMs: number }

/** Waits until the document is parsed and something in it may be a cookie banner, or ms have passed. */
export async function bannerLikely(a: { ms: number; now?: boolean }): Promise<Likely> {
  const out: Likely = { likely: false, platform: false, over: false, costMs: 0 };
  if (!(document instanceof HTMLDocument) || !/^(https?|file|data|blob|about):$/.test(location.protocol)) return { ...out, over: true };
  if (!a.now && document.readyState === "loading") await new Promise<void>(done => addEventListener("DOMContentLoaded", () => done(), { once: true }));
  if (!document.body || window !== window.top && (location.href === "about:blank" || innerWidth < 120 || innerHeight < 60) && !document.body.firstElementChild) return { ...out, over: !a.now };
  // Off the way of whoever waits for the page, and after its own first layout.
  if (!a.now) {
    if (document.readyState !== "complete") await Promise.race([sleep(250), new Promise<void>(done => addEventListener("load", () => done(), { once: true }))]);
    await new Promise<void>(done => requestIdleCallback(() => done(), { timeout: 200 }));
  }
  const start = performance.now();
  for (let i = 0; ; i++) {
    const t = performance.now();
    out.platform = platform();
    out.likely = out.platform || (a.now ? standing() : floating());
    out.costMs = performance.now() - t;
    if (out.likely || a.now) return out;
    const next = Math.max(TIMES[i + 1] ?? Infinity, out.costMs > 5 ? t - start + 60 * out.costMs : 0);
    if (next > a.ms) return { ...out, over: true };
    await sleep(next - (performance.now() - start));
  }
}

/** The same by style alone, near the top of the tree: a look that must not make the page lay itself out early. */
function standing(): boolean {
  let level: Element[] = [document.body];
  let left = 300;
  for (let depth = 0; depth < 8 && level.length; depth++) {
    const next: Element[] = [];
    for (const el of level) {
      const kids = (el.shadowRoot ?? el).children;
      const n = kids.length;
      for (let i = 0; i < n; i++) {
        if (i === 10 && n > 20) i = n - 10;
        const k = kids[i]!;
        if (/^(?:script|style|link|template|svg|img|picture|video|table|ul|ol|p|h\d|a|button|form)$/.test(k.localName)) continue;
        if (left-- <= 0) return false;
        if (isBox(k) && k.checkVisibility()) {
          const said = textOf(k, false);
          if (COOKIES.test(said) && (said.length <= LONG || isDialog(k))) return true;
        }
        next.push(k);
      }
    }
    level = next;
  }
  return spoken();
}

/** Whether an open dialog, or a small frame, speaks of cookies. */
function spoken(): boolean {
  for (const d of document.querySelectorAll("dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]")) if (isVisible(d) && COOKIES.test(textOf(d, false))) return true;
  return window !== window.top && document.getElementsByTagName("*").length < 1500 && COOKIES.test((document.body.textContent ?? "").slice(0, 20_000));
}

/** Whether a box that stands over the page, where banners stand, speaks of cookies. */
function floating(): boolean {
  const w = innerWidth;
  const h = innerHeight;
  if (w < 40 || h < 40) return false;
  const seen = new Set<Element>();
  for (const [x, y] of [[w / 2, h - 24], [w / 2, h / 2], [80, h - 80], [w - 80, h - 80], [w / 2, h - 90], [w / 2, 24], [w / 2, h * 0.7], [w - 80, 80]] as const) {
    for (let p = elementAt(x, y), n = 0; p && n < 40 && !seen.has(p); p = parentOf(p), n++) {
      seen.add(p);
      if (p === document.body || p === document.documentElement) break;
      if (!isBox(p)) continue;
      const said = textOf(p, false);
      if (COOKIES.test(said) && (said.length <= LONG || isDialog(p))) return true;
    }
  }
  return spoken();
}

/** A dialog, a fixed or sticky box, or a consent container. */
export function isBox(el: Element): boolean {
  return isNamed(el) || isDialog(el) || floats(el);
}

export function isNamed(el: Element): boolean {
  return CONTAINER.test(el.id) || CONTAINER.test(el.getAttribute("class") ?? "") || el.localName.includes("-") && CONTAINER.test(el.localName);
}

export function isDialog(el: Element): boolean {
  const role = el.getAttribute("role");
  return role === "dialog" || role === "alertdialog" || el.getAttribute("aria-modal") === "true" || el.localName === "dialog" || el.hasAttribute("popover") && el.matches(":popover-open");
}

export function floats(el: Element): boolean {
  const p = getComputedStyle(el).position;
  return p === "fixed" || p === "sticky";
}

/** Text inside, through open shadow roots; without links, where a no could mean something else. */
export function textOf(el: Element, withoutLinks: boolean): string {
  let out = "";
  let left = 4000;
  const visit = (n: Node): void => {
    if (left-- < 0 || out.length > 40_000) return;
    if (n.nodeType === 3) { out += n.nodeValue; return; }
    if (n.nodeType !== 1 && n.nodeType !== 11) return;
    const tag = (n as Element).localName;
    if (tag === "script" || tag === "style" || tag === "template" || tag === "noscript" || withoutLinks && tag === "a") return;
    if (n.nodeType === 1) {
      const label = (n as Element).getAttribute("aria-label");
      if (label) out += " " + label + " ";
      const r = (n as Element).shadowRoot;
      if (r) visit(r);
    }
    for (let k = n.firstChild; k; k = k.nextSibling) visit(k);
    out += " ";
  };
  visit(el);
  return out;
}

/** Whether a consent platform left its marks: scripts, frames, or containers near the top of the page. */
export function platform(): boolean {
  for (const s of document.scripts) if (s.src && s.src.length < 2000 && SCRIPT.test(s.src)) return true;
  if (window !== window.top && PLATFORM.test(location.hostname + location.pathname)) return true;
  return named(document.body, 3, { left: 400 });
}

function named(el: Element | null, depth: number, visits: { left: number }): boolean {
  if (!el) return false;
  const kids = el.children;
  const n = kids.length;
  for (let i = 0; i < n; i++) {
    if (i === 40 && n > 80) i = n - 40;
    if (visits.left-- <= 0) return false;
    const k = kids[i]!;
    const tag = k.localName;
    if (tag === "script" || tag === "style" || tag === "link") continue;
    if (PLATFORM.test(k.id) || PLATFORM.test(k.getAttribute("class") ?? "") || tag.includes("-") && PLATFORM.test(tag)) return true;
    if (tag === "iframe" && PLATFORM.test((k as HTMLIFrameElement).src + k.getAttribute("title") + k.getAttribute("name"))) return true;
    if (depth > 1 && named(k, depth - 1, visits)) return true;
  }
  return false;
}
