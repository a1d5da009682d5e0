// Elements in words.
import { activeElement, childrenOf, elementAt, isVisible, parentOf } from "./dom";
import { contentOf, nameOf } from "./names";
import { element } from "./refs";
import { WIDGETS, isEditingHost, roleOf } from "./roles";
import { isSecret, loadMasks, mask } from "./secret";
import { cut, sound, squeeze } from "./text";
import type { Box } from "./wire";

export function boxOf(el: Element): Box {
  const b = el.getBoundingClientRect();
  return { x: b.x, y: b.y, w: b.width, h: b.height };
}

/** `button "Save"`, or a tag with its id for what has neither role nor name. */
export function describe(el: Element): string {
  loadMasks();
  return words(el);
}

function words(el: Element): string {
  let role = roleOf(el);
  if (isEditingHost(el) && !WIDGETS.has(role)) role = "textbox";
  const name = shownName(el, role);
  if (role === "generic" || role === "none" || role === "presentation" || role === "paragraph") {
    if (!name) return tagOf(el);
    return `${el.localName === "label" ? "label" : "element"} "${name}"`;
  }
  return name ? `${role} "${name}"` : role === "img" || role === "list" || role === "listitem" ? `${role} ${tagOf(el)}` : role;
}

function tagOf(el: Element): string {
  const id = el.id && /^[\w-]{1,40}$/.test(el.id) ? `#${el.id}` : "";
  const cls = !id && el.classList.length && /^[\w-]{1,40}$/.test(el.classList[0]!) ? `.${el.classList[0]}` : "";
  return `<${el.localName}${id}${cls}>`;
}

function shownName(el: Element, role: string): string {
  if (el === document.body || el === document.documentElement) return "";
  const s = nameOf(el, role) || (WIDGETS.has(role) && role !== "textbox" && role !== "iframe" || !/^(body|html|main|form|table|ul|ol|section)$/.test(el.localName) && el.childElementCount < 12 && !isEditingHost(el) && !/^(input|select|textarea)$/.test(el.localName) ? contentOf(el) : "");
  const c = cut(mask(squeeze(s)), 60);
  return sound(c.left ? c.text + "…" : c.text);
}

/** What kind of control an element is, for choosing how to act on it. */
export function kindOf(el: Element): string {
  switch (el.localName) {
    case "select": return "select";
    case "option": return "option";
    case "a": case "area": return el.hasAttribute("href") ? "link" : "other";
    case "iframe": case "frame": return "iframe";
    case "summary": return "summary";
    case "textarea": return "field";
    case "button": return "button";
    case "input": switch ((el as HTMLInputElement).type) {
      case "file": return "file";
      case "checkbox": return "checkbox";
      case "radio": return "radio";
      case "button": case "submit": case "reset": case "image": return "button";
      case "date": case "time": case "datetime-local": case "month": case "week": case "color": case "range": return "typed";
      default: return "field";
    }
  }
  if ((el as HTMLElement).isContentEditable) return "field";
  switch (roleOf(el)) {
    case "button": return "button";
    case "link": return "link";
    case "checkbox": case "switch": case "menuitemcheckbox": return "checkbox";
    case "radio": case "menuitemradio": return "radio";
  }
  return "other";
}

/** What lies over an element: the part of the page that the covering element belongs to, and its buttons. */
export function describeCover(t: Element): { text: string; secret: boolean; el: Element } {
  loadMasks();
  let part: Element = t;
  for (let p: Element | null = t; p && p !== document.body && p !== document.documentElement; p = parentOf(p)) {
    const role = roleOf(p);
    if (role === "dialog" || role === "alertdialog" || p.localName === "dialog") { part = p; break; }
    const pos = getComputedStyle(p).position;
    if (pos === "fixed" || pos === "sticky") part = p;
  }
  let text = words(part) + buttonsOf(part);
  if (part !== t && t.localName !== "div" && WIDGETS.has(roleOf(t))) text += `, at its ${words(t)}`;
  const role = roleOf(part);
  if (role !== "dialog" && role !== "alertdialog") for (const d of document.querySelectorAll("dialog[open],[role=dialog],[role=alertdialog]")) {
    if (d.contains(part) || part.contains(d) || !isVisible(d)) continue;
    const b = d.getBoundingClientRect();
    if (b.width * b.height === 0 || b.top > innerHeight || b.bottom < 0) continue;
    text += `, under an open ${words(d)}${buttonsOf(d)}`;
    break;
  }
  return { text, secret: holdsSecret(part) || isSecret(t), el: part };
}

function buttonsOf(part: Element): string {
  const out: string[] = [];
  const visit = (el: Element, depth: number) => {
    if (out.length >= 5 || depth > 40) return;
    for (const n of childrenOf(el)) {
      if (n.nodeType !== 1) continue;
      const k = n as Element;
      const role = roleOf(k);
      if ((role === "button" || role === "link") && isVisible(k)) {
        const name = shownName(k, role);
        if (name && out.length < 5) out.push(`"${name}"`);
      } else visit(k, depth + 1);
    }
  };
  if (roleOf(part) !== "button" && roleOf(part) !== "link") visit(part, 0);
  return out.length ? ` with ${out.length > 1 ? "buttons" : "button"} ${out.join(", ")}` : "";
}

function holdsSecret(el: Element): boolean {
  for (const f of el.querySelectorAll("input,textarea,select")) if (isSecret(f)) return true;
  return false;
}

/** The element that a point of the viewport reaches. */
export function describeAt(a: { x: number; y: number }) {
  return facts(elementAt(a.x, a.y));
}

/** The element that has the focus in this document. */
export function describeFocus() {
  return facts(activeElement());
}

export function describeRef(a: { ref: number }) {
  return facts(element(a.ref) ?? null);
}

function facts(el: Element | null) {
  if (!el) return { gone: true, desc: "", role: "", name: "", tag: "", type: "", autocomplete: "", formHost: "", secret: false, box: { x: 0, y: 0, w: 0, h: 0 } };
  loadMasks();
  const role = roleOf(el);
  const form = (el as HTMLInputElement).form ?? el.closest("form");
  let formHost = "";
  if (form) try { formHost = new URL((form.getAttribute("action") || "") || location.href, document.baseURI).host; } catch { /* no address */ }
  return { gone: false, desc: words(el), role, name: shownName(el, role), tag: el.localName, type: el.getAttribute("type") ?? "", autocomplete: el.getAttribute("autocomplete") ?? "", formHost, secret: isSecret(el), box: boxOf(el) };
}
