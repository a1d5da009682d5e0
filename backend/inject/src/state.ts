// States, values and options: what stands after a line's name.
import { isEditingHost } from "./roles";
import { isSecret, mask } from "./secret";
import { cut, squeeze } from "./text";
import type { Extra, Option } from "./wire";
import { descriptionOf } from "./names";

export interface State {
  words: string[];
  value: string | undefined;
  extras: Extra[] | undefined;
  options: Option[] | undefined;
}

const NONE: State = { words: [], value: undefined, extras: undefined, options: undefined };
const OFF: State = { ...NONE, words: ["disabled"] };
const VALUE_LENGTH = 200;

const CHECK = new Set("checkbox radio switch menuitemcheckbox menuitemradio".split(" "));
const SELECT = new Set("option tab treeitem row gridcell columnheader rowheader".split(" "));
const TYPED = new Set("date time datetime-local month week color number range email tel url".split(" "));

/** States of an element with a role; elements without attributes only have native ones. */
export function stateOf(el: Element, role: string, name: string): State {
  const tag = el.localName;
  const control = tag === "input" || tag === "select" || tag === "textarea" || tag === "button" || tag === "option" || tag === "fieldset";
  if (!control && !el.hasAttributes()) {
    return role === "heading" ? { ...NONE, words: ["level=" + (tag[1] ?? "2")] } : tag === "summary" ? { ...NONE, words: [open(el)] } : NONE;
  }
  if (tag === "button" && !el.hasAttributes()) return el.matches(":disabled") ? OFF : NONE;
  const words: string[] = [];
  let value: string | undefined;
  let extras: Extra[] | undefined;
  let options: Option[] | undefined;
  const aria = (k: string) => el.getAttribute("aria-" + k);

  if (role === "heading") words.push("level=" + (aria("level") ?? (/^h[1-6]$/.test(tag) ? tag[1] : "2")));
  const secret = (control || isEditingHost(el)) && isSecret(el);
  if (secret) words.push("secret");
  if (tag === "input") {
    const i = el as HTMLInputElement;
    if (i.type === "file") {
      words.push("file");
      if (i.multiple) words.push("multiple");
      if (i.files?.length) value = [...i.files].map(f => f.name).join(", ");
    } else if (TYPED.has(i.type)) {
      if (!/^(number|range|email|tel|url)$/.test(i.type)) words.push("type=" + i.type);
      if (!secret) value = i.value;
      if (i.type === "range" || i.type === "number") {
        if (i.min) words.push("min=" + bare(i.min));
        if (i.max) words.push("max=" + bare(i.max));
        if (i.step && i.step !== "any" && i.step !== "1") words.push("step=" + bare(i.step));
      }
    } else if (/^(text|search|password)$/.test(i.type) && !secret) value = i.value;
  } else if (tag === "textarea") {
    if (!secret) value = (el as HTMLTextAreaElement).value;
  } else if (tag === "select") {
    if (!secret) options = optionsOf(el as HTMLSelectElement);
    if ((el as HTMLSelectElement).multiple) words.push("multiple");
  } else if (isEditingHost(el)) value = secret ? undefined : (el as HTMLElement).innerText.trim();
  else if (tag === "progress") value = (el as HTMLProgressElement).position >= 0 ? String((el as HTMLProgressElement).value) : undefined;
  else if (tag === "meter") value = String((el as HTMLMeterElement).value);
  else if (role === "slider" || role === "progressbar" || role === "meter" || role === "spinbutton" || role === "scrollbar") value = aria("valuetext") ?? aria("valuenow") ?? undefined;
  if (value === "") value = undefined;
  if (value !== undefined) value = mask(value);
  if (value !== undefined && value.length > VALUE_LENGTH + 40) {
    const c = cut(value, VALUE_LENGTH);
    value = c.text + "… (" + c.left + " more)";
  }

  if (CHECK.has(role) || role === "option" && aria("checked")) {
    const c = checkedOf(el);
    if (c === "true") words.push("checked");
    else if (c === "mixed") words.push("checked=mixed");
  }
  if (SELECT.has(role) && (aria("selected") === "true" || tag === "option" && (el as HTMLOptionElement).selected)) words.push("selected");
  const pressed = role === "button" ? aria("pressed") : null;
  if (pressed === "true") words.push("pressed");
  else if (pressed === "mixed") words.push("pressed=mixed");
  const expanded = aria("expanded");
  if (expanded === "true") words.push("expanded");
  else if (expanded === "false") words.push("collapsed");
  else if (tag === "summary" && role === "button") words.push(open(el));
  if (isDisabled(el)) words.push("disabled");
  if ((el as HTMLInputElement).required && control || aria("required") === "true") words.push("required");
  if (isReadonly(el)) words.push("readonly");
  const invalid = aria("invalid");
  if (invalid && invalid !== "false") words.push("invalid");
  const current = aria("current");
  if (current && current !== "false") words.push(current === "true" ? "current" : "current=" + bare(current));
  const sort = aria("sort");
  if (sort && sort !== "none") words.push("sort=" + bare(sort));
  if (aria("busy") === "true") words.push("busy");
  if (role === "listbox" && aria("multiselectable") === "true") words.push("multiple");

  if (control || el.hasAttribute("tabindex") || role === "link" || isEditingHost(el)) {
    const description = descriptionOf(el, name);
    if (description) extras = [{ k: "description", t: short(description) }];
    if (value === undefined && !secret) {
      const hint = squeeze(el.getAttribute("placeholder") ?? "");
      if (hint && hint !== name) (extras ??= []).push({ k: "placeholder", t: short(hint) });
    }
  }
  return { words, value, extras, options };
}

const bare = (s: string) => s.trim().replace(/[^\w.+:-]+/g, "").slice(0, 24) || "?";
const open = (summary: Element) => (summary.parentElement as HTMLDetailsElement).open ? "expanded" : "collapsed";

function short(s: string): string {
  const c = cut(mask(s), 80);
  return c.left ? c.text + "…" : c.text;
}

export function checkedOf(el: Element): string {
  if (el.localName === "input") {
    const i = el as HTMLInputElement;
    if (i.type === "checkbox" || i.type === "radio") return i.indeterminate && i.type === "checkbox" ? "mixed" : String(i.checked);
  }
  const c = el.getAttribute("aria-checked");
  return c === "true" || c === "mixed" ? c : "false";
}

export function isDisabled(el: Element): boolean {
  return el.matches(":disabled") || el.getAttribute("aria-disabled") === "true";
}

export function isReadonly(el: Element): boolean {
  const tag = el.localName;
  if (tag === "textarea" || tag === "input" && !/^(checkbox|radio|range|color|file|button|submit|reset|image|hidden)$/.test((el as HTMLInputElement).type)) {
    if ((el as HTMLInputElement).readOnly) return true;
  }
  return el.getAttribute("aria-readonly") === "true";
}

/** Every option with its label; the walker bounds how many are shown. */
export function optionsOf(el: HTMLSelectElement): Option[] {
  const out: Option[] = [];
  for (const o of el.options) {
    const item: Option = { n: mask(squeeze(o.label)) };
    if (o.selected) item.s = true;
    if (o.disabled) item.d = true;
    out.push(item);
  }
  return out;
}
