// A line of the outline before budget and folding. Wrappers (role "") have no line of their own but hold their children
// together, so that repeated groups can be recognised.
import type { Extra, Option } from "./wire";
import { mask } from "./secret";
import { quotedLength } from "./text";

export interface Line {
  el: Element | null;
  role: string;
  name: string;
  /** It can be acted on, so it gets a ref. */
  act: boolean;
  words: string[];
  value: string | undefined;
  extras: Extra[] | undefined;
  options: Option[] | undefined;
  url: string | undefined;
  kids: Line[];
  /** Tag of the outermost element that this line stands for: like units fold together. */
  unit: string;
  /** Which roles are inside, one bit a role (hashed). */
  mask: number;
  /** Lines in this subtree, this one included. */
  count: number;
  /** Text not yet made into a line. */
  buf: string;
  /** "new", "changed" or "moved", in an outline of changes. */
  mark: string;
  /** Lines left out below this one whatever the budget. */
  folded: number;
  /** Query: this line or one below matches; whole: it is kept with all its contents. */
  hit: boolean;
  whole: boolean;
  /** The length of everything but name, ref and indent. */
  rest: number;
}

const NOTHING: string[] = [];
const NO_KIDS: Line[] = [];

export function line(el: Element | null, role: string, name: string, unit: string): Line {
  return { el, role, name: name && mask(name), act: false, words: NOTHING, value: undefined, extras: undefined, options: undefined, url: undefined, kids: role === "text" ? NO_KIDS : [], unit, mask: 0, count: 0, buf: "", mark: "", folded: 0, hit: false, whole: false, rest: 0 };
}

const bits = new Map<string, number>();
function bit(role: string): number {
  let b = bits.get(role);
  if (b === undefined) {
    b = 1 << bits.size % 31;
    bits.set(role, b);
  }
  return b;
}

export const OPTIONS_SHOWN = 10;

/** Fills in what depends on the contents; call once, children first. */
export function seal(l: Line): void {
  let mask = l.role ? bit(l.role) : 0;
  let count = l.role ? 1 : 0;
  for (const k of l.kids) {
    mask |= k.mask;
    count += k.count;
  }
  l.mask = mask;
  l.count = count;
  let rest = l.role.length + 3;
  for (const w of l.words) rest += w.length + 1;
  if (l.value !== undefined) rest += 7 + quotedLength(l.value);
  if (l.extras) for (const x of l.extras) rest += x.k.length + 2 + quotedLength(x.t);
  if (l.options) rest += optionsLength(l.options);
  if (l.url) rest += 6 + quotedLength(l.url);
  if (l.folded) rest += 16;
  if (l.mark) rest += l.mark.length + 1;
  l.rest = rest;
}

/** The options that are shown: chosen ones, and the first ones. */
export function shownOptions(all: Option[], wanted?: (o: Option) => boolean): Option[] {
  if (all.length <= OPTIONS_SHOWN + 2) return all;
  const chosen = all.filter(o => o.s || wanted?.(o)).slice(0, OPTIONS_SHOWN);
  const out: Option[] = [];
  let room = OPTIONS_SHOWN - chosen.length;
  for (const o of all) {
    if (chosen.includes(o)) out.push(o);
    else if (room-- > 0) out.push(o);
    if (out.length >= OPTIONS_SHOWN && chosen.every(c => out.includes(c))) break;
  }
  return out;
}

function optionsLength(all: Option[]): number {
  const shown = shownOptions(all);
  let n = 9 + (all.length > shown.length ? 16 : 0);
  for (const o of shown) n += quotedLength(o.n) + 2 + (o.s ? 9 : 0) + (o.d ? 9 : 0);
  return n;
}
