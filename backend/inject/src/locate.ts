// Targets other than refs, found by Playwright's injected runtime.
import { isVisible, parentOf, scopes } from "./dom";
import { describe } from "./describe";
import { candidates } from "./likelyrole";
import { nameOf } from "./names";
import { Numbering } from "./refs";
import { roleOf } from "./roles";
import { isSecret, loadMasks, sweep } from "./secret";
import { fold } from "./text";
import { Walker } from "./tree";
import type { Line } from "./line";
import { modalRoots, pageRoots } from "./walk";

interface Runtime { parseSelector(s: string): unknown; querySelectorAll(parsed: unknown, root: Pick<Node, never>): Element[] }
interface Args { role?: string; name?: string; text?: string; label?: string; placeholder?: string; testid?: string; css?: string; exact?: boolean; nth?: number | null; next: number; boundary?: boolean; words?: boolean; skip?: number[] }
interface Candidate { ref: number; desc: string; hidden: boolean }

const MOST = 5;

export function locate(a: Args) {
  const numbering = new Numbering(Math.max(1, a.next));
  const out = { next: a.next, ref: 0, count: 0, found: [] as Candidate[], near: [] as Candidate[], error: "", missing: false, words: [] as string[], kept: [] as string[] };
  const runtime = (globalThis as unknown as { __batonPlaywright?: Runtime }).__batonPlaywright;
  if (!runtime) return { ...out, missing: true };
  sweep();
  loadMasks();
  const selector = selectorOf(a);
  if (!selector) return { ...out, error: "the target names nothing to look for" };
  if (a.css !== undefined) {
    const wrong = cssError(a.css, !!a.boundary);
    if (wrong) return { ...out, error: wrong };
  }
  let all: Element[];
  try {
    all = runtime.querySelectorAll(runtime.parseSelector(selector), a.role ? candidates(a.role.trim().toLowerCase(), a.name) : document);
  } catch (e) {
    return { ...out, error: a.css !== undefined ? `"${a.css.slice(0, 80)}" is no valid CSS selector` : a.role !== undefined ? `"${a.role.slice(0, 40)}" is no role` : String((e as Error).message).split("\n")[0]!.slice(0, 160) };
  }
  all = all.filter(el => !/^(script|style|noscript|head|title|template|meta|link)$/.test(el.localName));
  if (a.boundary) all = all.filter(el => allowed(el, a));
  if (a.words) {
    out.words = all.map(el => wordsOf(el, a));
    if (a.css !== undefined) out.kept = keptOf(a.css);
  }
  if (a.skip) all = all.filter((_, i) => !a.skip!.includes(i));
  const visible = all.filter(isVisible);
  const pool = visible.length ? visible : all;
  out.count = pool.length;
  if (pool.length) {
    out.found = pool.slice(0, MOST).map(el => ({ ref: numbering.of(el), desc: describe(el) + placeOf(el), hidden: !visible.includes(el) }));
    const n = a.nth ?? (pool.length === 1 ? 0 : -1);
    const pick = n < 0 ? undefined : pool[n];
    if (pick) out.ref = numbering.of(pick);
  } else out.near = nearest(a, numbering);
  out.next = numbering.next;
  return out;
}

const quoted = (s: string, exact: boolean | undefined) => JSON.stringify(s) + (exact ? "s" : "i");
const attribute = (name: string, s: string, exact: boolean | undefined) => `[${name}=${JSON.stringify(s).replace(/\\([^"\\])/g, "\\\\$1")}${exact ? "s" : "i"}]`;

function selectorOf(a: Args): string {
  if (a.role) return `internal:role=${a.role.trim().toLowerCase()}${a.name ? `[name=${quoted(a.name, a.exact)}]` : ""}`;
  if (a.text) return `internal:text=${quoted(a.text, a.exact)}`;
  if (a.label) return `internal:label=${quoted(a.label, a.exact)}`;
  if (a.placeholder) return `internal:attr=${attribute("placeholder", a.placeholder, a.exact)}`;
  if (a.testid) return `internal:testid=${attribute("data-testid", a.testid, true)}`;
  if (a.css) return `css=${a.css}`;
  return "";
}

const REVEALING = /:(?:checked|default|indeterminate|placeholder-shown|empty|blank|valid|invalid|user-valid|user-invalid|in-range|out-of-range|autofill|-webkit-autofill|dir|state)\b/i;
const VALUES = /\[\s*(?:[\w*-]*\s*\|)?\s*(?:value|selected|checked)\b/i;
const ENGINES = /:(?:has-text|text|text-is|text-matches|right-of|left-of|above|below|near|light|nth-match)\b/i;

// What a selector may not say: other engines, and with the boundary on whatever could tell a value.
function cssError(css: string, boundary: boolean): string {
  if (/>>/.test(css) || /^\s*(?:xpath|text|id|role|internal:[\w-]+|_react|_vue|data-[\w-]+)\s*=/i.test(css) || /^\s*(?:\/\/|\.\.)/.test(css)) return "css takes a plain CSS selector; use role, text, label, placeholder or testid for the rest";
  if (!boundary) return "";
  if (/\/\*|\\/.test(css)) return "comments and escapes are not allowed in css";
  if (/\[\s*["']/.test(css)) return "quoted attribute names are not allowed in css";
  if (REVEALING.test(css) || VALUES.test(css)) return "selectors on values and on the state of fields are not allowed";
  if (ENGINES.test(css) && /password/i.test(css)) return "selectors on the text of secret fields are not allowed";
  return "";
}

// Names as Playwright builds them may hold the value of a field inside; ours never do.
function allowed(el: Element, a: Args): boolean {
  if (el.localName === "option" && a.role) {
    const s = el.closest("select");
    if (s && isSecret(s)) return false;
  }
  if (!a.role || !a.name) return true;
  let holds = isSecret(el);
  for (const f of el.querySelectorAll("input,textarea,select")) if (isSecret(f)) { holds = true; break; }
  if (!holds && !el.hasAttribute("aria-labelledby")) return true;
  const own = nameOf(el, roleOf(el));
  return a.exact ? own === a.name.trim() : fold(own).includes(fold(a.name));
}

const MOST_WORDS = 4000, MOST_KEPT = 3000;

/** What a locator was compared with: the host knows values of other documents, and looks whether they are in it. */
function wordsOf(el: Element, a: Args): string {
  const i = el as HTMLInputElement;
  const button = el.localName === "input" && /^(?:submit|button|reset)$/.test(i.type) ? i.value : "";
  const all = a.role ? [a.name ? nameOf(el, roleOf(el)) : ""] : a.placeholder ? [el.getAttribute("placeholder")] : a.testid ? [el.getAttribute("data-testid")]
    : a.css !== undefined ? [] : [el.textContent, button, el.getAttribute("aria-label"), ...[...i.labels ?? []].map(l => l.textContent), a.label ? nameOf(el, roleOf(el)) : ""];
  return all.filter(Boolean).join("\n").slice(0, MOST_WORDS);
}

/** Values of the attributes that a selector compares, of every element, and all text where it compares text. */
function keptOf(css: string): string[] {
  const out: string[] = [];
  for (const [, name] of css.matchAll(/\[\s*(?:[\w*-]*\|)?([\w-]+)\s*[~|^$*]?=/g)) {
    for (const s of scopes()) for (const el of s.querySelectorAll(`[${name}]`)) {
      const v = el.getAttribute(name!);
      if (v && v.length > 3 && out.length < MOST_KEPT) out.push(v.slice(0, MOST_WORDS));
    }
  }
  if (ENGINES.test(css)) for (const s of scopes()) out.push((s.nodeType === 9 ? (s as Document).body?.textContent : s.textContent) ?? "");
  return out;
}

const PLACES = new Set("dialog alertdialog region form navigation article row listitem group table list main banner contentinfo complementary tabpanel".split(" "));

/** ` in region "Tea"`, to tell equal ones apart. */
function placeOf(el: Element): string {
  for (let p = parentOf(el), i = 0; p && i < 12; p = parentOf(p), i++) {
    const role = roleOf(p);
    if (!PLACES.has(role)) continue;
    const d = describe(p);
    if (d.includes('"')) return ` in ${d}`;
  }
  return "";
}

function grams(s: string): Set<string> {
  const g = new Set<string>();
  for (let i = 0; i < s.length - 1; i++) g.add(s.slice(i, i + 2));
  return g;
}

function nearest(a: Args, numbering: Numbering): Candidate[] {
  const want = fold(a.name ?? a.text ?? a.label ?? a.placeholder ?? a.testid ?? "");
  if (!want && !a.role) return [];
  const g = grams(want);
  const scored: { l: Line; score: number }[] = [];
  const roots = modalRoots();
  const visit = (l: Line) => {
    if (l.el && l.act && l.role) {
      let score = a.role && l.role === a.role.toLowerCase() ? 0.35 : 0;
      const name = fold(l.name);
      if (want && name) {
        if (name.includes(want) || want.includes(name) && name.length > 2) score += 0.6;
        else {
          const h = grams(name);
          let both = 0;
          for (const x of h) if (g.has(x)) both++;
          score += both / Math.max(1, h.size + g.size - both);
        }
      }
      if (score > 0.3) scored.push({ l, score });
    }
    for (const k of l.kids) visit(k);
  };
  visit(new Walker().tree(roots.length ? roots : pageRoots()));
  return scored.sort((x, y) => y.score - x.score).slice(0, MOST).map(({ l }) => ({ ref: numbering.of(l.el!), desc: describe(l.el!), hidden: false }));
}
