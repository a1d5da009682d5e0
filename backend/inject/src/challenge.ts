// Bot checks: pages that a protection service shows in place of the site's own, and captcha widgets that wait.
import { isVisible } from "./dom";
import { scopes, shadowOf } from "./shared";
import { PHRASES, TITLES, vendorOf } from "./suspect";

type Kind = "none" | "waits" | "widget" | "person" | "blocked";

export interface Challenge {
  /** none; waits: passes by itself; widget: one press on point may do; person: only a person passes; blocked. */
  kind: Kind;
  vendor: string;
  /** Where the checkbox of a widget is; null when it is not in view. */
  point: { x: number; y: number } | null;
  /** A widget's answer is there. */
  passed: boolean;
  /** A Turnstile widget, which often passes without a press. */
  turnstile: boolean;
}

/** Pages with more text than this are the site's own. */
const SHORT = 2500;
/** Phrases without a vendor's marks count only on pages with less. */
const TERSE = 1200;

const NAMES: Record<string, string> = {
  cloudflare: "Cloudflare", turnstile: "Cloudflare Turnstile", datadome: "DataDome", perimeterx: "PerimeterX", imperva: "Imperva",
  akamai: "Akamai", awswaf: "AWS WAF", recaptcha: "reCAPTCHA", hcaptcha: "hCaptcha",
};

const WAITING = /checking (?:your|the site connection)|verifying you are human|this (?:process is automatic|may take a few seconds)|please (?:wait|stand by)|just a moment|one moment|automatically (?:redirect|reload)|browser (?:is being checked|check)|redirected (?:once|shortly|in)/i;
const BLOCKED = /you (?:have been|are|were) blocked|has been blocked|access (?:to this (?:page|site|resource) )?(?:has been |is )?denied|request unsuccessful|you don['’]t have permission to access|blocked by (?:our|the) security|sie wurden (?:blockiert|gesperrt)|vous avez été bloqué|has sido bloqueado/i;

export function challenge(): Challenge {
  const out: Challenge = { kind: "none", vendor: "", point: null, passed: false, turnstile: false };
  const be = (kind: Kind, vendor: string): Challenge => ({ ...out, kind, vendor: NAMES[vendor] ?? vendor });
  if (!document.body) return out;
  const text = textOf(document.body);
  const short = text.length < SHORT;
  const inline = short ? inlineScripts() : "";
  const src = scriptSources();
  const has = (id: string) => !!document.getElementById(id);
  const title = document.title;

  // Pages of the vendors' own.
  if (short) {
    const cloudflare = has("challenge-form") || has("challenge-running") || has("challenge-stage") || has("cf-challenge-running") || has("cf-please-wait") || /_cf_chl_opt/.test(inline) || /\/cdn-cgi\/challenge-platform\/h\/[bg]\/orchestrate\//.test(src + inline);
    if (has("cf-error-details") || /attention required!.*cloudflare/i.test(title) && BLOCKED.test(text)) {
      if (BLOCKED.test(text) || /error 10(?:05|06|07|08|09|10|12|15|20)|ray id/i.test(text)) return be("blocked", "cloudflare");
    }
    const datadome = framesOf("datadome");
    const dd = /\bdd\s*=\s*\{[^}]*['"]?(?:cid|hsh)['"]?/.exec(inline);
    if (datadome.length || dd && /captcha-delivery\.com/.test(src + inline)) {
      const said = datadome.map(f => f.src).join(" ") + (dd ? inline.slice(dd.index, dd.index + 600) : "");
      if (/[?&]t=bv\b|['"]t['"]\s*:\s*['"]bv['"]/.test(said)) return be("blocked", "datadome");
      if (/\/interstitial\/|['"]rt['"]\s*:\s*['"]i['"]/.test(said)) return be("waits", "datadome");
      return be("person", "datadome");
    }
    if (has("px-captcha") || has("px-captcha-wrapper") || /_pxAppId|_pxUuid/.test(inline) && (BLOCKED.test(text) || PHRASES.test(text))) return be("person", "perimeterx");
    const incapsula = framesOf("imperva");
    if (incapsula.length || /_Incapsula_Resource/.test(src + inline) || /incapsula incident id|powered by imperva/i.test(text)) {
      if (framesOf("hcaptcha").length || framesOf("recaptcha").length) return be("person", "imperva");
      if (/incident id/i.test(text)) return be("blocked", "imperva");
      if (incapsula.some(sized)) return be("person", "imperva");
      return be("waits", "imperva");
    }
    if (/^pardon our interruption/i.test(title)) return be(/onprotectioninitialized|reese84/i.test(inline) && !PHRASES.test(text) ? "waits" : "person", "imperva");
    const akamai = document.getElementById("sec-cpt-if") ?? document.getElementById("sec-if-cpt-container");
    if (akamai || /\/_sec\/cp_challenge/.test(src + inline)) {
      const provider = (document.getElementById("sec-cpt-if") ?? akamai)?.getAttribute("provider") ?? "";
      return be(/crypto/i.test(provider) || !akamai ? "waits" : "person", "akamai");
    }
    if (document.querySelector('meta[http-equiv="refresh" i][content*="bm-verify" i]')) return be("waits", "akamai");
    if (/^access denied/i.test(title) && /reference\s*#\s*\d+\.[\da-f]+/i.test(text)) return be("blocked", "akamai");
    if (/gokuProps/.test(inline) || /awswaf\.com\//.test(src) && text.length < TERSE) {
      if (/captcha\.js/.test(src) || visible("captcha-container") || framesOf("awswaf").length) return be("person", "awswaf");
      if (/challenge\.js/.test(src) || has("challenge-container")) {
        if (text.length < 600 || /gokuProps/.test(inline)) return be("waits", "awswaf");
      }
    }
    const w = widget();
    if (w) return w.kind === "widget" && cloudflare ? { ...w, vendor: NAMES["cloudflare"]! } : w;
    if (answered()) return { ...out, passed: true };
    if (cloudflare) return be("waits", "cloudflare");
    if (text.length < TERSE) {
      if (PHRASES.test(text)) return be(WAITING.test(text) && !/press (?:&|and) hold|not a robot|captcha/i.test(text) ? "waits" : "person", "");
      if (TITLES.test(title) && BLOCKED.test(text) && /you have been blocked|bot|automated|robot|ray id|reference|incident|security/i.test(text)) return be("blocked", "");
      if (/^(?:just a moment|checking your browser|ddos-guard|verifying|security check)/i.test(title) && WAITING.test(text)) return be("waits", "");
    }
    return out;
  }
  return out;
}

/** The puzzle or checkbox of a captcha widget that waits for someone. */
function widget(): Challenge | null {
  const out: Challenge = { kind: "none", vendor: "", point: null, passed: false, turnstile: false };
  // An open puzzle.
  for (const f of framesOf("recaptcha")) if (/\/bframe/i.test(f.src) && sized(f) && opened(f)) return { ...out, kind: "person", vendor: NAMES["recaptcha"]! };
  for (const f of framesOf("hcaptcha")) if (/frame=challenge/i.test(f.src) && sized(f) && opened(f)) return { ...out, kind: "person", vendor: NAMES["hcaptcha"]! };
  if (answered()) return null;
  const boxes: [HTMLIFrameElement, string][] = [];
  for (const f of framesOf("turnstile")) boxes.push([f, "turnstile"]);
  for (const f of framesOf("recaptcha")) if (/\/anchor/i.test(f.src) && !/[?&]size=invisible/i.test(f.src)) boxes.push([f, "recaptcha"]);
  for (const f of framesOf("hcaptcha")) if (/frame=checkbox(?!-invisible)/i.test(f.src)) boxes.push([f, "hcaptcha"]);
  for (const [f, vendor] of boxes) {
    if (!isVisible(f)) continue;
    const b = f.getBoundingClientRect();
    if (b.width < 100 || b.height < 40) continue;
    const normal = b.width >= 240 && b.height >= 50 && b.height <= 110;
    const whole = b.top >= 0 && b.left >= 0 && b.bottom <= innerHeight && b.left + 60 <= innerWidth;
    return {
      ...out, kind: normal && whole ? "widget" : "person", vendor: NAMES[vendor]!, turnstile: vendor === "turnstile",
      point: normal && whole ? { x: Math.round(b.left + 28), y: Math.round(b.top + b.height / 2) } : null,
    };
  }
  return null;
}

/** Whether a widget's answer is filled in. */
function answered(): boolean {
  for (const name of ["cf-turnstile-response", "g-recaptcha-response", "h-captcha-response"]) {
    for (const el of document.getElementsByName(name)) if ((el as HTMLInputElement).value) return true;
  }
  return false;
}

function framesOf(vendor: string): HTMLIFrameElement[] {
  const out: HTMLIFrameElement[] = [];
  const take = (scope: Document | ShadowRoot) => { for (const f of scope.querySelectorAll("iframe")) if (vendorOf(f.src) === vendor) out.push(f); };
  for (const f of document.getElementsByName("cf-turnstile-response")) for (let p = f.parentElement, n = 0; p && n < 3; p = p.parentElement, n++) shadowOf(p);
  for (const s of scopes()) take(s);
  return out;
}

function sized(f: HTMLElement): boolean {
  const b = f.getBoundingClientRect();
  return isVisible(f) && b.width >= 100 && b.height >= 60;
}

/** A puzzle's frame stands far outside the page until it opens. */
function opened(f: HTMLElement): boolean {
  const b = f.getBoundingClientRect();
  return b.bottom > 0 && b.right > 0 && b.top < innerHeight * 3 && b.left < innerWidth && f.checkVisibility({ opacityProperty: true, visibilityProperty: true });
}

function visible(id: string): boolean {
  const el = document.getElementById(id);
  return !!el && isVisible(el) && el.getBoundingClientRect().height > 0;
}

function textOf(el: Element): string {
  let out = "";
  let left = 3000;
  const visit = (n: Node): void => {
    if (left-- < 0 || out.length > SHORT + 500) return;
    if (n.nodeType === 3) { out += n.nodeValue; return; }
    if (n.nodeType !== 1) return;
    const tag = (n as Element).localName;
    if (tag === "script" || tag === "style" || tag === "template" || tag === "noscript" || !(n as Element).checkVisibility?.()) return;
    for (let k = n.firstChild; k; k = k.nextSibling) visit(k);
    out += " ";
  };
  visit(el);
  return out.replace(/\s+/g, " ").trim();
}

function inlineScripts(): string {
  let out = "";
  for (const s of document.scripts) if (!s.src && out.length < 60_000) out += (s.textContent ?? "").slice(0, 20_000) + "\n";
  return out;
}

function scriptSources(): string {
  let out = "";
  for (const s of document.scripts) if (s.src && s.src.length < 2000 && out.length < 60_000) out += s.src + "\n";
  return out;
}
