// Native selects, and what is checked.
import { describe } from "./describe";
import { isVisible } from "./dom";
import { boxed } from "./aim";
import { element } from "./refs";
import { roleOf } from "./roles";
import { isSecret } from "./secret";
import { checkedOf, isDisabled } from "./state";
import { fold, sound, squeeze } from "./text";

export function select(a: { ref: number; values?: string[]; unseen?: boolean }) {
  const out = { status: "gone", chosen: [] as string[], options: [] as string[], total: 0, missing: "", multiple: false, changed: false, secret: false, desc: "" };
  const target = element(a.ref);
  if (!target) return out;
  let el = (target.localName === "label" ? (target as HTMLLabelElement).control : target) as HTMLSelectElement | null;
  let values = a.values ?? [];
  let picked: HTMLOptionElement[] | undefined;
  if (target.localName === "option") {
    el = target.closest("select");
    picked = [target as HTMLOptionElement];
    values = [];
  }
  out.desc = describe(el ?? target);
  if (!el || el.localName !== "select") return { ...out, status: "not_select" };
  out.multiple = el.multiple;
  out.total = el.options.length;
  out.secret = isSecret(el);
  if (!isVisible(el) && !boxed(el)) return { ...out, status: "hidden" };
  if (isDisabled(el)) return { ...out, status: "disabled" };
  const all = [...el.options];
  if (!picked) {
    picked = [];
    for (const v of values) {
      const o = match(all, v);
      if (!o) return { ...out, status: "not_found", missing: v, options: out.secret ? [] : closest(all, v), chosen: shown(el, out.secret) };
      picked.push(o);
    }
  }
  if (!el.multiple && picked.length > 1) return { ...out, status: "ambiguous", chosen: shown(el, out.secret) };
  const off = picked.find(o => o.disabled || (o.parentElement as HTMLOptGroupElement | null)?.disabled);
  if (off) return { ...out, status: "not_found", missing: squeeze(off.label), options: all.filter(o => !o.disabled).slice(0, 8).map(o => sound(squeeze(o.label))), chosen: shown(el, out.secret) };
  const was = all.map(o => o.selected);
  const want = target.localName === "option" && el.multiple ? all.map((o, i) => was[i] || picked!.includes(o)) : all.map(o => picked!.includes(o));
  if (want.some((w, i) => w !== was[i])) {
    // One that another control stands for: that may open when this is focused, which nobody could.
    if (!a.unseen) el.focus({ preventScroll: true });
    if (el.multiple) all.forEach((o, i) => { o.selected = want[i]!; });
    else if (picked[0]) picked[0].selected = true;
    else el.selectedIndex = -1;
    out.changed = true;
    const chosen = shown(el, out.secret); // the page may undo it as it hears of it
    el.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    el.dispatchEvent(new Event("change", { bubbles: true }));
    return { ...out, status: "ok", chosen };
  }
  return { ...out, status: "ok", chosen: shown(el, out.secret) };
}

function shown(el: HTMLSelectElement, secret: boolean): string[] {
  return secret ? [] : [...el.selectedOptions].map(o => sound(squeeze(o.label)));
}

function match(all: HTMLOptionElement[], v: string): HTMLOptionElement | undefined {
  const s = squeeze(v);
  const f = fold(v);
  return all.find(o => squeeze(o.label) === s) ?? all.find(o => fold(o.label) === f || fold(o.text) === f) ?? all.find(o => o.value === v) ?? undefined;
}

// Those that share most with what was asked.
function closest(all: HTMLOptionElement[], v: string): string[] {
  const f = fold(v);
  const grams = (s: string) => { const g = new Set<string>(); for (let i = 0; i < s.length - 1; i++) g.add(s.slice(i, i + 2)); return g; };
  const want = grams(f);
  const score = (o: HTMLOptionElement) => {
    const l = fold(o.label);
    if (l.includes(f) || f && f.includes(l) && l) return 2;
    const g = grams(l);
    let both = 0;
    for (const x of g) if (want.has(x)) both++;
    return both / Math.max(1, g.size + want.size - both);
  };
  return all.slice(0, 5000).map((o, i) => ({ o, i, s: score(o) })).sort((x, y) => y.s - x.s || x.i - y.i).slice(0, 8).map(x => sound(squeeze(x.o.label)));
}

export function checked(a: { ref: number }) {
  const target = element(a.ref);
  if (!target) return { status: "gone", checked: "false", disabled: false, kind: "", desc: "" };
  const el = target.localName === "label" ? (target as HTMLLabelElement).control ?? target : target;
  const role = roleOf(el);
  const out = { status: "ok", checked: checkedOf(el), disabled: isDisabled(el), kind: role, desc: describe(el) };
  switch (role) {
    case "checkbox": case "radio": case "switch": case "menuitemcheckbox": case "menuitemradio": return out;
    case "option": case "treeitem": case "tab": case "row": case "gridcell":
      if (el.localName === "option") return { ...out, checked: String((el as HTMLOptionElement).selected) };
      if (el.hasAttribute("aria-checked")) return out;
      if (el.hasAttribute("aria-selected")) return { ...out, checked: String(el.getAttribute("aria-selected") === "true") };
      break;
    case "button": {
      const p = el.getAttribute("aria-pressed");
      if (p !== null) return { ...out, kind: "pressed", checked: p === "mixed" ? "mixed" : String(p === "true") };
    }
  }
  return { ...out, status: "not_checkable" };
}
