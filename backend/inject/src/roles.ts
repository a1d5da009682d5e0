// Roles by ARIA in HTML.
import { parentOf } from "./dom";

const VALID = new Set(("alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary " +
  "contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img image insertion link list " +
  "listbox listitem log main mark marquee math meter menu menubar menuitem menuitemcheckbox menuitemradio navigation none note option paragraph " +
  "presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong " +
  "subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem").split(" "));

const GLOBAL_ARIA = ["aria-label", "aria-labelledby", "aria-describedby", "aria-description", "aria-live", "aria-busy", "aria-current", "aria-controls", "aria-owns", "aria-atomic", "aria-flowto", "aria-details", "aria-keyshortcuts", "aria-roledescription"];

/** Roles whose name comes from their contents. */
export const NAMED_BY_CONTENT = new Set("button link heading checkbox radio switch option tab menuitem menuitemcheckbox menuitemradio treeitem tooltip".split(" "));
/** Roles that can be acted on. */
export const WIDGETS = new Set(("button link checkbox radio switch option tab menuitem menuitemcheckbox menuitemradio treeitem textbox searchbox combobox " +
  "listbox slider spinbutton scrollbar iframe video audio").split(" "));
/** Roles that mean nothing without a name. */
export const DISSOLVE = new Set(("generic none presentation paragraph strong emphasis code time subscript superscript insertion deletion mark blockquote " +
  "rowgroup document caption directory").split(" "));
export const DISSOLVE_UNNAMED = new Set("region form group figure note section address image img math".split(" "));

export function isFocusable(el: Element): boolean {
  switch (el.localName) {
    case "button": case "select": case "textarea": case "iframe": return true;
    case "input": return (el as HTMLInputElement).type !== "hidden";
    case "a": case "area": return el.hasAttribute("href");
    case "summary": return el.parentElement?.localName === "details";
  }
  return el.hasAttribute("tabindex") || isEditingHost(el);
}

export function isEditingHost(el: Element): boolean {
  const v = el.getAttribute("contenteditable");
  return v !== null && v.toLowerCase() !== "false";
}

export function roleOf(el: Element): string {
  if (!el.hasAttributes()) return implicitRole(el);
  const given = el.getAttribute("role");
  if (given) for (const t of given.trim().toLowerCase().split(/\s+/)) {
    if (!VALID.has(t)) continue;
    if ((t === "none" || t === "presentation") && (isFocusable(el) || GLOBAL_ARIA.some(a => el.hasAttribute(a)))) continue;
    if (t === "image") return "img";
    return t;
  }
  return implicitRole(el);
}

function inSection(el: Element): boolean {
  for (let p = parentOf(el); p; p = parentOf(p)) switch (p.localName) {
    case "article": case "aside": case "main": case "nav": case "section": return true;
  }
  return false;
}

const named = (el: Element) => el.hasAttribute("aria-label") || el.hasAttribute("aria-labelledby") || el.hasAttribute("title");

function implicitRole(el: Element): string {
  switch (el.localName) {
    case "a": case "area": return el.hasAttribute("href") ? "link" : "generic";
    case "article": return "article";
    case "aside": return "complementary";
    case "blockquote": return "blockquote";
    case "button": return "button";
    case "caption": return "caption";
    case "code": return "code";
    case "datalist": return "listbox";
    case "dd": return "definition";
    case "del": return "deletion";
    case "details": return "group";
    case "dialog": return "dialog";
    case "dt": case "dfn": return "term";
    case "em": return "emphasis";
    case "fieldset": case "optgroup": case "address": return "group";
    case "figure": return "figure";
    case "footer": return inSection(el) ? "generic" : "contentinfo";
    case "form": return named(el) ? "form" : "generic";
    case "h1": case "h2": case "h3": case "h4": case "h5": case "h6": return "heading";
    case "header": return inSection(el) ? "generic" : "banner";
    case "hr": return "separator";
    case "iframe": case "frame": return "iframe";
    case "img": return el.getAttribute("alt") === "" && !named(el) && !el.hasAttribute("tabindex") ? "presentation" : "img";
    case "input": return inputRole(el as HTMLInputElement);
    case "ins": return "insertion";
    case "li": { const p = parentOf(el); return p && /^(ul|ol|menu|slot)$/.test(p.localName) ? "listitem" : "generic"; }
    case "main": return "main";
    case "mark": return "mark";
    case "math": return "math";
    case "ul": case "ol": case "menu": return "list";
    case "meter": return "meter";
    case "nav": return "navigation";
    case "option": return "option";
    case "output": return "status";
    case "p": return "paragraph";
    case "progress": return "progressbar";
    case "search": return "search";
    case "section": return named(el) ? "region" : "generic";
    case "select": return (el as HTMLSelectElement).multiple || (el as HTMLSelectElement).size > 1 ? "listbox" : "combobox";
    case "strong": return "strong";
    case "sub": return "subscript";
    case "summary": return el.parentElement?.localName === "details" ? "button" : "generic";
    case "sup": return "superscript";
    case "svg": return "img";
    case "table": return "table";
    case "tbody": case "thead": case "tfoot": return "rowgroup";
    case "td": return inGrid(el) ? "gridcell" : "cell";
    case "textarea": return "textbox";
    case "th": return el.getAttribute("scope") === "row" || el.getAttribute("scope") === "rowgroup" ? "rowheader" : rowHeader(el) ? "rowheader" : "columnheader";
    case "time": return "time";
    case "tr": return "row";
    case "video": return "video";
    case "audio": return el.hasAttribute("controls") ? "audio" : "generic";
  }
  return "generic";
}

// A header cell without a scope heads its row when it is the row's only header and the row has data cells.
function rowHeader(el: Element): boolean {
  if (el.hasAttribute("scope")) return false;
  const row = el.parentElement;
  if (!row || row.parentElement?.localName === "thead") return false;
  for (let c = row.firstElementChild; c; c = c.nextElementSibling) if (c.localName === "td") return true;
  return false;
}

function inGrid(el: Element): boolean {
  const r = el.closest("table")?.getAttribute("role");
  return r === "grid" || r === "treegrid";
}

function inputRole(el: HTMLInputElement): string {
  switch (el.type) {
    case "button": case "submit": case "reset": case "image": case "file": return "button";
    case "checkbox": return "checkbox";
    case "radio": return "radio";
    case "range": return "slider";
    case "number": return "spinbutton";
    case "hidden": return "none";
    case "search": return el.hasAttribute("list") ? "combobox" : "searchbox";
    case "text": case "email": case "tel": case "url": return el.hasAttribute("list") ? "combobox" : "textbox";
  }
  return "textbox";
}
