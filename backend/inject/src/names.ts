// Accessible names and descriptions by accname 1.2. Values of secret fields take no part.
import { byId, childrenOf, scopeOf, shadowOf } from "./dom";
import { labelsOf } from "./labels";
import { NAMED_BY_CONTENT, isEditingHost, roleOf } from "./roles";
import { isSecret } from "./secret";
import { squeeze } from "./text";

const INLINE = new Set(("a abbr b bdi bdo cite code data dfn em font i img ins del kbd label mark q s samp small span strong sub sup time tt u var wbr slot svg input select button textarea acronym big nobr").split(" "));
const SILENT = new Set("script style template noscript head meta link title audio video object embed iframe datalist map param source track".split(" "));
/** Longest text that a name is built from. */
const LONGEST = 4000;

export function isInline(tag: string): boolean {
  return INLINE.has(tag);
}
export function isSilent(tag: string): boolean {
  return SILENT.has(tag);
}

interface Walk { seen: Set<Element>; pseudo: boolean; skip: Element | null; length: number; viaRef: boolean }

function walk(over: Partial<Walk> = {}): Walk {
  return { seen: new Set(), pseudo: false, skip: null, length: 0, viaRef: false, ...over };
}

export function nameOf(el: Element, role: string): string {
  return compute(el, role, walk());
}

function compute(el: Element, role: string, w: Walk): string {
  if (el.hasAttributes()) {
    if (!w.viaRef) {
      const by = el.getAttribute("aria-labelledby");
      if (by) {
        const s = referenced(el, by, w);
        if (s) return s;
      }
    }
    const label = el.getAttribute("aria-label");
    if (label) { const s = squeeze(label); if (s) return s; }
  }
  const native = nativeName(el, role, w);
  if (native) return native;
  if (NAMED_BY_CONTENT.has(role)) {
    const s = contentOf(el, w);
    if (s) return s;
  }
  if (!el.hasAttributes()) return "";
  const title = el.getAttribute("title");
  if (title) { const s = squeeze(title); if (s) return s; }
  const hint = el.getAttribute("placeholder") ?? el.getAttribute("aria-placeholder");
  return hint && (role === "textbox" || role === "searchbox" || role === "combobox" || role === "spinbutton") ? squeeze(hint) : "";
}

/** The text of an element's contents, with a second look at generated content when there is none. */
export function contentOf(el: Element, w: Walk = walk()): string {
  const only = onlyText(el);
  if (only !== null) return squeeze(only);
  let s = squeeze(inner(el, w));
  if (!s && !w.pseudo) s = squeeze(inner(el, { ...w, pseudo: true, seen: new Set(), length: 0 }));
  return s;
}

// The text of an element that holds nothing else; null when it holds more or is drawn otherwise.
function onlyText(el: Element): string | null {
  const n = el.firstChild;
  return n && n === el.lastChild && n.nodeType === 3 && el.localName !== "slot" && !shadowOf(el) ? n.nodeValue : null;
}

function referenced(el: Element, ids: string, w: Walk): string {
  const out: string[] = [];
  for (const id of ids.trim().split(/\s+/)) {
    const t = byId(el, id);
    if (!t || w.seen.has(t)) continue;
    const s = text(t, { ...w, viaRef: true, seen: new Set(w.seen).add(t) }, true);
    if (s) out.push(squeeze(s));
  }
  return squeeze(out.join(" "));
}

function nativeName(el: Element, role: string, w: Walk): string {
  switch (el.localName) {
    case "input": {
      const i = el as HTMLInputElement;
      if (i.type === "submit" || i.type === "reset" || i.type === "button") return squeeze(i.value || (i.type === "submit" ? labels(i, w) || "Submit" : i.type === "reset" ? labels(i, w) || "Reset" : labels(i, w)));
      if (i.type === "image") return labels(i, w) || squeeze(i.alt || i.value || i.title || "Submit");
      return labels(i, w);
    }
    case "select": case "textarea": case "meter": case "progress": case "output": return labels(el as HTMLInputElement, w);
    case "button": return labels(el as HTMLButtonElement, w);
    case "img": case "area": return squeeze(el.getAttribute("alt") ?? "");
    case "fieldset": return childText(el, "legend", w);
    case "figure": return childText(el, "figcaption", w);
    case "table": return childText(el, "caption", w);
    case "optgroup": return squeeze(el.getAttribute("label") ?? "");
    case "option": return squeeze((el as HTMLOptionElement).label);
    case "svg": case "g": case "rect": case "circle": case "ellipse": case "path": case "polygon": case "polyline": case "line": case "text": case "image": case "use": {
      if (!(el instanceof SVGElement)) return "";
      for (let k = el.firstElementChild; k; k = k.nextElementSibling) if (k.localName === "title") return squeeze(k.textContent ?? "");
      return "";
    }
    case "iframe": case "frame": return squeeze(el.getAttribute("title") ?? el.getAttribute("name") ?? "");
    case "summary": return role === "button" ? contentOf(el, w) : "";
  }
  return "";
}

function labels(el: HTMLInputElement | HTMLButtonElement, w: Walk): string {
  const list = labelsOf(el);
  if (!list.length) return "";
  const out: string[] = [];
  for (const l of list) {
    if (w.seen.has(l)) continue;
    out.push(squeeze(text(l, { ...w, seen: new Set(w.seen).add(l), skip: el, viaRef: true }, true)));
  }
  return squeeze(out.join(" "));
}

function childText(el: Element, tag: string, w: Walk): string {
  for (let k = el.firstElementChild; k; k = k.nextElementSibling) if (k.localName === tag) return squeeze(inner(k, w));
  return "";
}

function inner(el: Element, w: Walk): string {
  let out = "";
  if (w.pseudo) out += generated(el, "::before");
  for (const n of childrenOf(el)) {
    if (w.length > LONGEST) break;
    if (n.nodeType === 3) {
      out += n.nodeValue;
      w.length += n.nodeValue!.length;
    } else if (n.nodeType === 1) {
      const k = n as Element;
      const tag = k.localName;
      if (tag === "br") { out += " "; continue; }
      const s = text(k, w, false);
      out += INLINE.has(tag) ? s : s ? " " + s + " " : "";
    }
  }
  if (w.pseudo) out += generated(el, "::after");
  return out;
}

function text(el: Element, w: Walk, top: boolean): string {
  if (el === w.skip || SILENT.has(el.localName)) return "";
  const attrs = el.hasAttributes();
  const cs = getComputedStyle(el);
  if (!(top && w.viaRef) && (cs.display === "none" || cs.visibility !== "visible" || attrs && el.getAttribute("aria-hidden") === "true")) return "";
  if (attrs && !top) {
    const by = !w.viaRef && el.getAttribute("aria-labelledby");
    if (by && !w.seen.has(el)) {
      w.seen.add(el);
      const s = referenced(el, by, w);
      if (s) return s;
    }
  }
  if (attrs) {
    const label = el.getAttribute("aria-label");
    if (label && label.trim()) return label;
  }
  const role = roleOf(el);
  if (!top) {
    const v = embedded(el, role);
    if (v !== undefined) return v;
  }
  switch (el.localName) {
    case "img": case "area": return el.getAttribute("alt") ?? el.getAttribute("title") ?? "";
    case "svg": return nativeName(el, role, w);
    case "input": case "select": case "textarea": return "";
  }
  let s = (w.pseudo ? null : onlyText(el)) ?? inner(el, w);
  if (!s.trim() && attrs) s = el.getAttribute("title") ?? "";
  if (INLINE.has(el.localName) && /^(block|flex|grid|table|list-item|flow-root)/.test(cs.display)) s = " " + s + " ";
  return s;
}

// A control inside a label or a button speaks its value.
function embedded(el: Element, role: string): string | undefined {
  switch (role) {
    case "textbox": case "searchbox": case "spinbutton": case "slider": case "combobox": case "listbox": break;
    default: return undefined;
  }
  if (isSecret(el)) return "";
  if (el.localName === "select") return [...(el as HTMLSelectElement).selectedOptions].map(o => o.label).join(" ");
  if (el.localName === "input" || el.localName === "textarea") return (el as HTMLInputElement).value;
  if (role === "slider" || role === "spinbutton") return el.getAttribute("aria-valuetext") ?? el.getAttribute("aria-valuenow") ?? "";
  if (isEditingHost(el)) return (el as HTMLElement).innerText;
  return undefined;
}

function generated(el: Element, which: string): string {
  const c = getComputedStyle(el, which).content;
  if (!c || c === "none" || c === "normal") return "";
  const alt = /\/\s*"((?:[^"\\]|\\.)*)"$/.exec(c);
  const m = alt ?? /^"((?:[^"\\]|\\.)*)"/.exec(c);
  return m ? m[1]!.replace(/\\(.)/g, "$1").replace(/[\ue000-\uf8ff]/g, "") : "";
}

/** What helps beyond the name; "" when there is nothing new or it is on the page as text anyway. */
export function descriptionOf(el: Element, name: string): string {
  const own = el.getAttribute("aria-description");
  if (own) return squeeze(own);
  const by = el.getAttribute("aria-describedby");
  if (by) {
    const out: string[] = [];
    for (const id of by.trim().split(/\s+/)) {
      const t = scopeOf(el).getElementById?.(id);
      if (t && !t.checkVisibility({ visibilityProperty: true })) out.push(squeeze(t.textContent ?? ""));
    }
    const s = squeeze(out.join(" "));
    if (s) return s;
  }
  const title = el.getAttribute("title");
  const s = title ? squeeze(title) : "";
  return s && s !== name && !name.includes(s) ? s : "";
}
