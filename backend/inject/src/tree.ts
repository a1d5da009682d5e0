// The walker: one pass over the document as drawn, into lines.
import { areaBox } from "./area";
import { childrenOf, shadowOf } from "./dom";
import { hintOf } from "./hint";
import { line, seal, type Line } from "./line";
import { DISSOLVE, DISSOLVE_UNNAMED, NAMED_BY_CONTENT, WIDGETS, isEditingHost, roleOf } from "./roles";
import { isInline, isSilent, nameOf } from "./names";
import { squeeze } from "./text";
import { mask } from "./secret";
import { stateOf } from "./state";
import { marked } from "./mark";

const DEEPEST = 900;
const PRESSABLE_TEXT = 160;
const CELL_TEXT = 160;
const MEANING = /[\p{L}\p{N}\p{S}\p{Extended_Pictographic}]/u;
/** Unnamed containers that take a single text as their name. */
const TAKES_TEXT = new Set("listitem cell gridcell columnheader rowheader term definition status alert tooltip log caption treeitem menuitem timer marquee note tabpanel generic article group figure region contentinfo banner complementary".split(" "));
/** Shown only with something inside. */
const CELLS = new Set("cell gridcell columnheader rowheader".split(" "));
const OWN_TREE = new Set("treeitem menuitem".split(" "));

export interface WalkOptions { urls: boolean; root: Element; modal: boolean }

export class Walker {
  /** Frames met, in order. */
  private shown = new Set<Element>();
  private urls: boolean;

  constructor(o: { urls?: boolean } = {}) {
    this.urls = !!o.urls;
  }

  /** The lines of an element's subtree, itself included, under a wrapper. */
  tree(roots: Element[]): Line {
    const top = line(null, "", "", "");
    for (const r of roots) {
      const p = r.parentElement;
      this.element(r, top, !!p && getComputedStyle(p).cursor === "pointer", false, 0);
    }
    this.flush(top);
    seal(top);
    return top;
  }

  private kids(el: Element, into: Line, pointer: boolean, mute: boolean, depth: number): void {
    const plain = !shadowOf(el) && el.localName !== "slot";
    if (plain) {
      for (let n = el.firstChild; n; n = n.nextSibling) {
        const t = n.nodeType;
        if (t === 1) this.element(n as Element, into, pointer, mute, depth);
        else if (t === 3 && !mute) into.buf += n.nodeValue;
      }
      return;
    }
    for (const n of childrenOf(el)) {
      if (n.nodeType === 1) this.element(n as Element, into, pointer, mute, depth);
      else if (n.nodeType === 3 && !mute) into.buf += n.nodeValue;
    }
  }

  private flush(into: Line): void {
    const raw = into.buf;
    if (!raw) return;
    into.buf = "";
    const s = squeeze(raw);
    if (!s || s.length < 4 && !MEANING.test(s)) return;
    const t = line(into.el, "text", s, "#text");
    seal(t);
    into.kids.push(t);
  }

  private push(into: Line, l: Line): void {
    this.flush(into);
    into.kids.push(l);
  }

  private element(el: Element, into: Line, parentPointer: boolean, mute: boolean, depth: number): void {
    const tag = el.localName;
    if (isSilent(tag) && tag !== "map" && tag !== "iframe" && tag !== "video" && tag !== "audio" && tag !== "object" && tag !== "embed") return;
    if (tag === "area") { if (areaBox(el) && !this.shown.has(el)) { this.shown.add(el); this.control(el, roleOf(el), into, true); } return; }
    if (tag === "br") { if (!mute) into.buf += " "; return; }
    const attrs = el.hasAttributes();
    if (attrs && (el.getAttribute("aria-hidden") === "true" || el.hasAttribute("inert"))) return;
    const cs = getComputedStyle(el);
    if (cs.display === "none") return;
    const visible = cs.visibility === "visible";
    if (attrs && cs.contentVisibility === "hidden") return;
    if (depth > DEEPEST) { if (!mute) into.buf += " " + (el.textContent ?? "").slice(0, 2000); return; }
    const pointer = cs.cursor === "pointer";
    if (!visible) { this.kids(el, into, pointer, true, depth + 1); return; }

    if (tag === "label" && this.label(el as HTMLLabelElement, into, pointer, mute, depth)) return;
    let role = roleOf(el);
    const editing = attrs && isEditingHost(el);
    if (editing && !WIDGETS.has(role)) role = "textbox";
    if (tag === "details" && !(el as HTMLDetailsElement).open) {
      const s = el.querySelector(":scope > summary");
      if (s) this.element(s, into, pointer, mute, depth + 1);
      return;
    }
    if (attrs && tag === "svg" && role !== "img") role = el.getAttribute("role") ? role : "img";

    const pressed = marked(el);
    let act = WIDGETS.has(role) || pressed || pointer && !parentPointer || attrs && (el.hasAttribute("onclick") || tabbable(el) || CELLS.has(role) && el.hasAttribute("tabindex") || el.getAttribute("draggable") === "true");
    if (act && (tag === "body" || tag === "html")) act = false;

    if (this.leaf(el, tag, role, act, editing, into, pointer, mute, depth)) return;

    if (mute && !act) { this.kids(el, into, pointer, mute, depth + 1); return; }
    let name = "";
    if (attrs || tag === "fieldset" || tag === "table" || tag === "figure") name = DISSOLVE.has(role) && !act || OWN_TREE.has(role) && !labelled(el) ? "" : nameOf(el, role);
    const wrapper = DISSOLVE.has(role) || !name && DISSOLVE_UNNAMED.has(role);
    if (wrapper && !act) {
      if (isInline(tag)) {
        // Boxes of a flex or grid container are words apart, though no space is between them.
        const apart = !mute && cs.display !== "inline" && cs.display !== "contents";
        if (apart) into.buf += " ";
        this.kids(el, into, pointer, mute, depth + 1);
        if (apart) into.buf += " ";
        return;
      }
      this.flush(into);
      const w = line(el, "", "", tag);
      const quiet = mute || captions(el, tag);
      this.kids(el, w, pointer, quiet, depth + 1);
      this.flush(w);
      if (!w.kids.length) return;
      if (w.kids.length === 1) {
        const k = w.kids[0]!;
        k.unit = tag;
        into.kids.push(k);
        return;
      }
      seal(w);
      into.kids.push(w);
      return;
    }
    const l = line(el, wrapper ? "generic" : role, name, tag);
    l.act = act || role === "listbox";
    const s = attrs ? stateOf(el, role, name) : undefined;
    if (s) { l.words = s.words; l.value = s.value; l.extras = s.extras; }
    if ((role === "dialog" || role === "alertdialog") && (el.matches(":modal") || el.getAttribute("aria-modal") === "true")) l.words = [...l.words, "modal"];
    // What is written in a part of a drawing that can be pressed is that part's name.
    this.kids(el, l, pointer, mute && !(act && el instanceof SVGElement), depth + 1);
    this.flush(l);
    this.finish(l, into, tag, wrapper, pressed && !(pointer && !parentPointer) && !(attrs && (el.hasAttribute("onclick") || tabbable(el))));
  }

  // Decides what a container becomes once its contents are known.
  private finish(l: Line, into: Line, tag: string, wrapper: boolean, onlyListener: boolean): void {
    const kids = l.kids;
    if (l.act && (wrapper || TAKES_TEXT.has(l.role)) && l.value === undefined) {
      const inner = kids.some(hasAct);
      // A listener round other controls mostly serves them, unless the box has a name of its own.
      if (onlyListener && (inner || textLength(l) > PRESSABLE_TEXT) && !(l.name && labelled(l.el!))) l.act = false;
      else if (!inner && !l.name) {
        // A sign that says nothing in running text, as - or |, does on a control.
        const t = squeeze(texts(l, []).join(" ")) || sign(l);
        if (t && t.length <= PRESSABLE_TEXT) { l.name = t; l.kids = []; }
      } else if (!inner && l.name && kids.every(k => k.role === "text" && l.name.includes(k.name))) l.kids = [];
    }
    if (!l.act && wrapper) {
      l.role = "";
      if (!l.kids.length) return;
      if (l.kids.length === 1) { l.kids[0]!.unit = tag; this.push(into, l.kids[0]!); return; }
      seal(l);
      this.push(into, l);
      return;
    }
    if (!l.name && l.kids.length === 1 && l.kids[0]!.role === "text" && TAKES_TEXT.has(l.role)) {
      l.name = l.kids[0]!.name;
      l.kids = [];
    }
    if (OWN_TREE.has(l.role) && !l.name) {
      const first = l.kids.findIndex(k => k.role === "text");
      if (first >= 0) { l.name = l.kids[first]!.name; l.kids.splice(first, 1); }
    }
    if (l.role === "row") this.row(l);
    if (!l.act && !l.kids.length) {
      const bare = !l.name || !TAKES_TEXT.has(l.role) && l.role !== "row" && l.role !== "img";
      if (bare && l.role !== "dialog" && l.role !== "alertdialog") return;
      if (bare && l.role === "dialog") return;
    }
    if (l.act && !l.name && !l.kids.length && l.role === "generic" && (!sized(l.el!) || onlyListener && backdrop(l.el!))) return;
    if (!l.act && !l.name && !l.words.length && l.kids.length === 1 && (l.role === "listitem" || CELLS.has(l.role))) {
      l.kids[0]!.unit = tag;
      this.push(into, l.kids[0]!);
      return;
    }
    if (l.role === "list" && l.act) for (const k of l.kids) if (k.role === "listitem" && !hasAct(k)) { k.act = true; seal(k); } // it listens for them
    hint(l);
    if (l.name && l.kids.length) {
      const f = l.kids.filter(k => k.name !== l.name || k.role !== "text" && (k.role !== "heading" || k.act || k.kids.length > 0));
      if (f.length !== l.kids.length) l.kids = f;
    }
    seal(l);
    this.push(into, l);
  }

  // A row of simple cells is one line: the cells' texts, and below it what can be acted on.
  private row(l: Line): void {
    const parts: string[] = [];
    const kids: Line[] = [];
    const own = !!l.name;
    for (const c of l.kids) {
      if (c.role === "" && c.kids.length > 8 || tooRich(c)) return;
      const t = c.role === "text" ? c.name : squeeze(texts(c, []).join(" "));
      if (t.length > CELL_TEXT) return;
      if (t) parts.push(t);
      if (CELLS.has(c.role) && (c.act || c.words.length)) kids.push(c);
      else collectActs(c, kids);
    }
    const joined = parts.join(" | ");
    if (!own || joined.includes(l.name) || l.name.length < joined.length) l.name = joined || l.name;
    l.kids = kids.length === 1 && kids[0]!.name === l.name && !l.act && !CELLS.has(kids[0]!.role) ? kids : kids;
  }

  private label(el: HTMLLabelElement, into: Line, pointer: boolean, mute: boolean, depth: number): boolean {
    const c = el.control;
    if (!c) return false;
    if (!drawn(c) && (c as HTMLInputElement).type !== "hidden" && !this.shown.has(c)) {
      this.shown.add(c);
      this.control(c, roleOf(c), into, true);
      this.kids(el, into, pointer, true, depth + 1);
      return true;
    }
    if (c.getAttribute("aria-label") || c.getAttribute("aria-labelledby")) this.kids(el, into, pointer, mute, depth + 1);
    else this.kids(el, into, pointer, true, depth + 1);
    return true;
  }

  private control(el: Element, role: string, into: Line, act: boolean): Line {
    const name = nameOf(el, role);
    const l = line(el, role, name, el.localName);
    l.act = act;
    const s = stateOf(el, role, name);
    l.words = s.words; l.value = s.value; l.extras = s.extras; l.options = s.options;
    hint(l);
    if (this.urls && role === "link") l.url = mask((el as HTMLAnchorElement).href || el.getAttribute("href") || "") || undefined;
    seal(l);
    this.push(into, l);
    return l;
  }

  // Elements whose contents are no lines of their own. True when el was one.
  private leaf(el: Element, tag: string, role: string, act: boolean, editing: boolean, into: Line, pointer: boolean, mute: boolean, depth: number): boolean {
    switch (tag) {
      case "input": case "select": case "textarea":
        if (role === "none") return true;
        if (!this.shown.has(el)) { this.shown.add(el); this.control(el, role, into, true); }
        return true;
      case "iframe": case "frame": {
        const b = el.getBoundingClientRect();
        if (b.width < 3 || b.height < 3) return true;
        const l = this.control(el, "iframe", into, true);
        if (crossSite(el as HTMLIFrameElement)) { l.words = [...l.words, "cross-site"]; seal(l); }
        return true;
      }
      case "video": case "audio": {
        if (role === "generic") return true;
        const l = this.control(el, role, into, true);
        l.words = [...l.words, (el as HTMLMediaElement).paused ? "paused" : "playing"];
        seal(l);
        return true;
      }
      case "object": case "embed": case "canvas": {
        const name = nameOf(el, role) || (tag === "canvas" ? "" : squeeze(el.getAttribute("type") ?? ""));
        const b = el.getBoundingClientRect();
        if (!name && b.width * b.height < 2500) return true;
        const l = line(el, tag === "canvas" && role !== "generic" ? role : tag, name, tag);
        l.act = true;
        hint(l);
        seal(l);
        this.push(into, l);
        return true;
      }
      case "img": case "svg": {
        if (role !== "img" && DISSOLVE.has(role) && !act) return true;
        const name = nameOf(el, role);
        // A drawing as large as a chart may have parts to press.
        const chart = tag === "svg" && !!el.firstElementChild && large(el);
        if (!name && !act || mute && !act) { if (chart) this.kids(el, into, pointer, true, depth + 1); return true; }
        if (act && !name && !sized(el)) return true;
        const l = this.control(el, role === "presentation" || role === "none" ? "img" : role, into, act);
        if (tag === "svg" && !name && act) l.role = "img";
        if (chart) this.under(el, l, pointer, depth);
        return true;
      }
    }
    if (editing) { this.control(el, role, into, true); return true; }
    switch (role) {
      case "separator":
        if (act) this.control(el, role, into, true);
        return true;
      case "progressbar": case "meter": case "slider": case "scrollbar": case "spinbutton": case "searchbox":
        if (mute && !act) return true;
        this.control(el, role, into, act);
        return true;
      case "math": { const name = nameOf(el, role) || squeeze(el.textContent ?? ""); if (!mute && name) { const l = line(el, role, name, tag); seal(l); this.push(into, l); } return true; }
    }
    if (!NAMED_BY_CONTENT.has(role) || OWN_TREE.has(role) && el.querySelector("[role=group],[role=menu],[role=tree],ul")) {
      if (role === "textbox" || role === "combobox") {
        const l = this.control(el, role, into, true);
        if (role === "combobox") this.under(el, l, pointer, depth);
        return true;
      }
      return false;
    }
    if (mute && !act) return false;
    if (role === "tooltip" && !act && !nameOf(el, role)) return true;
    this.flush(into);
    const l = this.control(el, role, into, act);
    if (!l.act && !l.name) { into.kids.pop(); this.kids(el, into, pointer, mute, depth + 1); return true; }
    if (tag !== "button" && tag !== "option" && el.firstElementChild) this.under(el, l, pointer, depth);
    return true;
  }

  // What can be acted on inside a line that already says its text.
  private under(el: Element, l: Line, pointer: boolean, depth: number): void {
    this.kids(el, l, pointer, true, depth + 1);
    l.buf = "";
    if (l.kids.length) seal(l);
  }
}

/** An element with a box, or whose contents may have one. */
export function drawn(el: Element): boolean {
  return el.checkVisibility({ visibilityProperty: true });
}

// Says more of what can be acted on and has no name.
function hint(l: Line): void {
  if (!l.act || l.name || l.kids.length || !l.el || l.role === "iframe" || l.extras) return;
  const t = hintOf(l.el);
  if (t) l.extras = [{ k: "hint", t }];
}

function sign(l: Line): string {
  const t = l.kids.length ? "" : squeeze(l.el?.textContent ?? "");
  return t.length < 4 ? t : "";
}

function sized(el: Element): boolean {
  const b = el.getBoundingClientRect();
  return b.width >= 6 && b.height >= 6 || b.width + b.height > 0 && awaited(el);
}

// A picture that has not come yet has no size yet.
function awaited(el: Element): boolean {
  return el.localName === "img" ? !(el as HTMLImageElement).complete : getComputedStyle(el).content.startsWith("url(");
}

function large(el: Element): boolean {
  const b = el.getBoundingClientRect();
  return b.width * b.height >= 64 * 64;
}

// A layer that only takes presses beside what lies over it.
function backdrop(el: Element): boolean {
  const b = el.getBoundingClientRect();
  return b.width * b.height > innerWidth * innerHeight / 3;
}

function labelled(el: Element): boolean {
  return el.hasAttribute("aria-label") || el.hasAttribute("aria-labelledby");
}

function tabbable(el: Element): boolean {
  const t = el.getAttribute("tabindex");
  return t !== null && parseInt(t, 10) >= 0;
}

// Legends, captions and figure captions are their parents' names.
function captions(el: Element, tag: string): boolean {
  if (tag !== "legend" && tag !== "caption" && tag !== "figcaption") return false;
  const p = el.parentElement;
  return !!p && (p.localName === "fieldset" || p.localName === "table" || p.localName === "figure") && !p.hasAttribute("aria-label") && !p.hasAttribute("aria-labelledby");
}

function hasAct(l: Line): boolean {
  return l.act || l.kids.some(hasAct);
}

function textLength(l: Line): number {
  let n = l.name.length;
  for (const k of l.kids) n += textLength(k);
  return n;
}

function texts(l: Line, out: string[]): string[] {
  if (l.name) {
    out.push(l.name);
    if (NAMED_BY_CONTENT.has(l.role)) return out;
  }
  if (l.value !== undefined) out.push(l.value);
  for (const k of l.kids) texts(k, out);
  return out;
}

const RICH = new Set("table grid treegrid list heading form region article figure tree dialog iframe listbox radiogroup tablist".split(" "));
function tooRich(l: Line): boolean {
  return RICH.has(l.role) || l.kids.length > 10 || l.kids.some(tooRich);
}

function collectActs(l: Line, out: Line[]): void {
  if (l.act || l.role === "img" && l.name) { out.push(l); return; }
  for (const k of l.kids) collectActs(k, out);
}

function crossSite(f: HTMLIFrameElement): boolean {
  try { if (f.contentDocument) return false; } catch { /* another origin */ }
  try {
    const h = new URL(f.src, document.baseURI).hostname;
    const site = (x: string) => /^[\d.]+$|:/.test(x) ? x : x.split(".").slice(-2).join(".");
    return site(h) !== site(location.hostname);
  } catch { return true; }
}
