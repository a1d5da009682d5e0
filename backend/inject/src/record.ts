// What was last seen of each element, so that later readings can tell what is new or different.
import type { Line } from "./line";

export interface Seen {
  role: string;
  name: string;
  sign: string;
  /** Texts directly inside that have lines of their own. */
  texts: string[] | undefined;
  /** What it stood in, and as which line there, so that a line that moved can be told; order is -1 when that is not known. */
  under: Seen | undefined;
  order: number;
  /** The reading in which it was seen last. */
  at: number;
  gone: boolean;
}

const seen = new WeakMap<Element, Seen>();
/** Number of the present reading, and of the last one of the whole document. */
let reading = 0;
let whole = 0;

/** Fields whose values are compared without a mutation to tell. */
export const fields = new Set<WeakRef<Element>>();
const listed = new WeakSet<Element>();
const MOST_FIELDS = 500;

export function begin(all: boolean): number {
  reading++;
  if (all) whole = reading;
  return reading;
}
export function everRead(): boolean {
  return whole > 0;
}

/** What is known of an element that was on the page at the last reading of its part. */
export function known(el: Element): Seen | undefined {
  const s = seen.get(el);
  return s && !s.gone && s.at >= whole ? s : undefined;
}

export function anyRecord(el: Element): Seen | undefined {
  return seen.get(el);
}

export function signOf(l: Line): string {
  let s = l.role + "\u0001" + l.name + "\u0001" + l.words.join(" ");
  if (l.value !== undefined) s += "\u0001" + l.value;
  if (l.options) for (const o of l.options) if (o.s) s += "\u0002" + o.n;
  if (l.extras && l.role === "generic") for (const x of l.extras) if (x.k === "hint") s += "\u0001" + x.t;
  return s;
}

interface Place { s: Seen | undefined; n: number }

/** Notes a tree of lines as seen now; place is where it stands, null when that is not known. */
export function record(l: Line, place: Place | null = { s: undefined, n: 0 }): void {
  const el = l.el;
  if (el && l.role !== "text") {
    const old = seen.get(el);
    let texts: string[] | undefined;
    for (const k of l.kids) if (k.role === "text" && k.el === el) (texts ??= []).push(k.name);
    if (l.role || texts) {
      const sign = l.role ? signOf(l) : "";
      const s = old ?? { role: "", name: "", sign: "", texts: undefined, under: undefined, order: -1, at: 0, gone: false };
      s.role = l.role; s.name = l.name; s.sign = sign; s.texts = texts; s.at = reading; s.gone = false;
      if (place) { s.under = place.s; s.order = place.n++; }
      if (!old) seen.set(el, s);
      place = { s, n: 0 };
      if (l.act && fields.size < MOST_FIELDS && !listed.has(el) && /^(input|select|textarea)$/.test(el.localName)) { listed.add(el); fields.add(new WeakRef(el)); }
    }
  }
  for (const k of l.kids) {
    if (k.role === "text" && k.el && k.el !== el) text(k.el, k.name);
    record(k, place);
  }
}

// A text line that took its wrapper's place.
function text(el: Element, name: string): void {
  const old = seen.get(el);
  if (!old) seen.set(el, { role: "", name: "", sign: "", texts: [name], under: undefined, order: -1, at: reading, gone: false });
  else {
    if (old.at === reading && old.texts && !old.gone) { if (!old.texts.includes(name)) old.texts.push(name); } else old.texts = [name];
    if (old.at !== reading) { old.role = ""; old.name = ""; old.sign = ""; }
    old.at = reading;
    old.gone = false;
  }
}
