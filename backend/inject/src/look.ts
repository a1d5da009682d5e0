// Small questions: states, text, facts, boxes of secrets.
import { discover, isVisible, scopes } from "./dom";
import { boxOf } from "./describe";
import { fieldOf, kindOfField, rawValue } from "./field";
import { element } from "./refs";
import { roleOf } from "./roles";
import { heldForeign, isOwn, isSecret, loadMasks, mask, noteOwn, secretFields, secretValue, sweep } from "./secret";
import { checkedOf, isDisabled, isReadonly } from "./state";
import { fold, sound } from "./text";
import { title } from "./walk";
import type { Box } from "./wire";

export function state(a: { ref: number }) {
  const el = element(a.ref);
  if (!el) return { gone: true, visible: false, enabled: false, checked: false, editable: false };
  const visible = isVisible(el) && el.getClientRects().length > 0;
  const enabled = !isDisabled(el) && !el.closest("[inert]");
  const f = fieldOf(el);
  const kind = kindOfField(f);
  const role = roleOf(el);
  let on = checkedOf(el) === "true";
  if (role === "button") on = el.getAttribute("aria-pressed") === "true";
  else if (!el.hasAttribute("aria-checked") && el.getAttribute("aria-selected") === "true") on = true;
  else if (el.localName === "option") on = (el as HTMLOptionElement).selected;
  return { gone: false, visible, enabled, checked: on, editable: visible && enabled && kind !== "other" && kind !== "file" && !isReadonly(f) };
}

const AROUND = 300, MOST_AROUND = 50;

/** With around, the host decides: it gets what stands around each place where the text was found. */
export function hasText(a: { text: string; around?: boolean }): { has: boolean; around: string[] } {
  const want = fold(a.text), out = { has: false, around: [] as string[] };
  if (!want) return { has: true, around: [] };
  const shows = (s: string): boolean => {
    const at = s.indexOf(want);
    if (at < 0) return false;
    if (!a.around) return out.has = true;
    for (let i = at; i >= 0 && out.around.length < MOST_AROUND; i = s.indexOf(want, i + want.length)) out.around.push(s.slice(Math.max(0, i - AROUND), i + want.length + AROUND));
    out.has = true;
    return false;
  };
  const tight = want.replace(/ /g, "");
  discover();
  sweep();
  loadMasks();
  const drawn = (s: string) => fold(mask(s));
  for (const s of scopes()) {
    const all = s.nodeType === 9 ? [(s as Document).body ?? (s as Document).documentElement] : [...s.children];
    for (const el of all) {
      if (!el || /^(style|script|template|link)$/.test(el.localName)) continue;
      // textContent is cheap and rules most out; what is drawn decides.
      if (!(el.textContent ?? "").toLowerCase().replace(/[\s\u00a0\u200b\u2060\ufeff]+/g, "").includes(tight)) {
        if (!/[^\x00-\x7f]/.test(tight) || !upper(el)) continue;
      }
      if (shows(drawn((el as HTMLElement).innerText ?? ""))) return out;
    }
    for (const el of s.querySelectorAll("[aria-label],[title],[placeholder],[alt],input,textarea,select")) {
      let visible: boolean | undefined;
      const seen = () => visible ??= isVisible(el);
      for (const k of ["aria-label", "title", "placeholder", "alt"]) {
        const v = el.getAttribute(k);
        if (v && drawn(v).includes(want) && seen() && shows(drawn(v))) return out;
      }
      if (/^(input|textarea|select)$/.test(el.localName) && (el as HTMLInputElement).type !== "hidden" && !isSecret(el)) {
        const kind = kindOfField(el);
        const v = kind === "checkbox" || kind === "radio" ? "" : drawn(kind === "other" ? (el as HTMLInputElement).value ?? "" : rawValue(el));
        if (v.includes(want) && seen() && shows(v)) return out;
      }
    }
  }
  return out;
}

// Text may be drawn in another case than it is written in (text-transform of letters outside ASCII).
function upper(el: Element): boolean {
  return fold(el.textContent ?? "").length > 0;
}

export function info() {
  const d = document.scrollingElement ?? document.documentElement;
  const v = visualViewport;
  discover();
  sweep();
  loadMasks();
  const secrets = secretFields().filter(f => f.isConnected);
  return {
    title: title(), url: sound(location.href), readyState: document.readyState, ageMs: performance.now(),
    scrollX, scrollY, scrollWidth: d?.scrollWidth ?? 0, scrollHeight: d?.scrollHeight ?? 0, innerWidth, innerHeight, pixelRatio: devicePixelRatio,
    visualScale: v?.scale ?? 1, visualOffsetX: v?.offsetLeft ?? 0, visualOffsetY: v?.offsetTop ?? 0,
    secrets: secrets.length > 0, secretsFilled: secrets.some(f => !isOwn(secretValue(f))), secretsHeld: heldForeign(),
  };
}

/** Whether a secret field holds, or has held, what the agent did not enter. */
export function filled(): boolean {
  discover();
  sweep();
  loadMasks();
  return secretFields().some(f => f.isConnected && !isOwn(secretValue(f))) || heldForeign();
}

/** The agent is about to enter a text of its own into a secret field. */
export function ownSecret(a: { ref: number; text: string; append: boolean }): boolean {
  const el = element(a.ref);
  if (!el) return false;
  noteOwn(a.append ? secretValue(fieldOf(el)) : "", a.text);
  return true;
}

/** Texts that come from the page by another way, cleaned of what its secret fields hold. */
export function scrub(a: { texts: string[] }): string[] {
  sweep();
  loadMasks();
  return a.texts.map(mask);
}

export function secretBoxes(): Box[] {
  discover();
  sweep();
  const out: Box[] = [];
  for (const f of secretFields()) {
    if (!f.isConnected || !isVisible(f)) continue;
    const b = boxOf(f);
    if (b.w > 0 && b.h > 0) out.push(b);
  }
  return out;
}
