// What a query by role and name is asked of: all but what can have neither, so that names of a whole page need not be worked out.
import { HOSTS } from "./dom";
import { labelsOf } from "./labels";

/** The elements that have a role without saying so; a role that is missing here may be any element's. */
const TAGS: Record<string, string> = {
  button: "button,input", link: "a,area", heading: "h1,h2,h3,h4,h5,h6", textbox: "input,textarea", searchbox: "input", checkbox: "input", radio: "input", slider: "input", spinbutton: "input",
  combobox: "input,select", listbox: "select,datalist", option: "option", img: "img,svg", image: "img,svg", list: "ul,ol,menu", listitem: "li", row: "tr", cell: "td", gridcell: "td",
  columnheader: "th", rowheader: "th", table: "table", dialog: "dialog", article: "article", navigation: "nav", main: "main", paragraph: "p",
};
for (const r of "alertdialog alert menu menubar menuitem menuitemcheckbox menuitemradio switch tab tablist tabpanel tree treeitem toolbar tooltip grid treegrid radiogroup".split(" ")) TAGS[r] = "";

/** Roles named by what is in them, whose elements most of a big page's are. */
const NAMED = new Set("button link heading option cell gridcell columnheader rowheader tab menuitem".split(" "));
const NAMING = ["aria-label", "aria-labelledby", "title", "alt", "placeholder", "aria-owns", "role"];

/** Stands in for the document where a query goes through all of its elements. */
export function candidates(role: string, name: string | undefined): { querySelectorAll(): Element[] } {
  return { querySelectorAll: () => collect(role, name) };
}

function collect(role: string, name: string | undefined): Element[] {
  const tags = Object.hasOwn(TAGS, role) ? TAGS[role] : undefined;
  const selector = tags === undefined ? "*" : tags ? tags + ",[role]" : "[role]";
  const want = name && NAMED.has(role) ? tight(name) : "";
  const out: Element[] = [];
  const visit = (root: Document | ShadowRoot) => {
    for (const el of root.querySelectorAll(selector)) if (!want || tight(el.textContent ?? "").includes(want) || !named(el)) out.push(el);
    for (const el of root.querySelectorAll(HOSTS)) if (el.shadowRoot) visit(el.shadowRoot);
  };
  visit(document);
  return out;
}

const tight = (s: string) => s.replace(/[\s\u00ad\u200b-\u200f\u2060\ufeff]+/g, "").toUpperCase();

/** Whether an element's name can be nothing but its one text. */
function named(el: Element): boolean {
  const t = el.firstChild;
  if (!t || t.nodeType !== 3 || t !== el.lastChild || el.shadowRoot || el.localName === "input" || el.localName === "option") return false;
  if (el.hasAttributes()) for (const a of NAMING) if (el.hasAttribute(a)) return false;
  if (labelsOf(el).length) return false;
  return ["", "::before", "::after"].every(p => /^(?:none|normal|)$/.test(getComputedStyle(el, p).content));
}
