// Folding and budget: which lines are shown, which stand as a count.
import { shownOptions, type Line } from "./line";
import { Numbering } from "./refs";
import { cut, quotedLength, sound } from "./text";
import type { Node, Option } from "./wire";

/** How hard repeated and long parts are pressed together. */
interface Level { run: number; keep: number; room: number; cut: number; prose: number; actions?: boolean }
const LEVELS: Level[] = [
  { run: Infinity, keep: 0, room: 0, cut: 300, prose: 0 },
  // Of most rows only what can be acted on, where its names tell the rows apart.
  { run: 8, keep: 3, room: 900, cut: 120, prose: 1, actions: true },
  { run: 8, keep: 10, room: 1800, cut: 160, prose: 3 },
  { run: 6, keep: 5, room: 1000, cut: 100, prose: 1 },
  { run: 5, keep: 3, room: 500, cut: 70, prose: 1 },
];
/** Part of the budget above which repeated parts fold. */
const COMFORT = 0.45;
const COMFORT_ACTIONS = 0.6;
const PROSE = 80;
const GAP = 28;

interface Item { line: Line | null; gap: number; size: number }

export interface Shape {
  budget: number;
  /** Fold only when the budget forces it (a query, or one subtree). */
  roomy?: boolean;
  numbering: Numbering;
  active: Element | null;
  wanted?: ((o: Option) => boolean) | undefined;
  onNode?: (l: Line, n: Node) => void;
}

export function shape(top: Line, s: Shape): Node[] {
  const b = new Fitter(s, top);
  const aim = s.roomy ? s.budget : Math.floor(s.budget * COMFORT);
  for (let i = 0; i < LEVELS.length; i++) {
    b.level = LEVELS[i]!;
    b.plans.clear();
    b.reduced = false;
    const items = b.plan(top, 0);
    const size = total(items);
    if (b.level.actions && !(b.reduced && size <= s.budget * COMFORT_ACTIONS)) continue;
    if (size <= aim || b.level.actions || i === LEVELS.length - 1 || s.roomy && i === 0 && size <= s.budget) return b.fit(items, 0, s.budget);
    // Far too much for anything but folding.
    if (i === 0 && size > aim * 20) i = 1;
  }
  return [];
}

function total(items: Item[]): number {
  let n = 0;
  for (const i of items) n += i.size;
  return n;
}

class Fitter {
  level: Level = LEVELS[0]!;
  /** Some rows were reduced to their actions. */
  reduced = false;
  plans = new Map<Line, Item[]>();
  private refLength: number;

  constructor(private s: Shape, top: Line) {
    this.refLength = 4 + String(s.numbering.next + top.count).length;
  }

  /** What stands below a line when nothing is cut for the budget: lines and gaps, wrappers dissolved. */
  plan(l: Line, depth: number): Item[] {
    const done = this.plans.get(l);
    if (done) return done;
    const out: Item[] = [];
    this.add(l.kids, depth, out);
    this.plans.set(l, out);
    return out;
  }

  private add(kids: Line[], depth: number, out: Item[]): void {
    const v = this.level;
    for (let i = 0; i < kids.length;) {
      const end = v.run === Infinity ? i + 1 : runEnd(kids, i);
      const n = end - i;
      if (n < 4 || n < v.run && !(n > v.prose + 2 && prose(kids, i, end))) {
        this.one(kids[i]!, depth, out);
        i++;
        continue;
      }
      let keep = v.prose;
      if (!prose(kids, i, end)) {
        const probe: Item[] = [];
        for (let k = i; k < i + 3; k++) this.one(kids[k]!, depth, probe);
        keep = Math.max(2, Math.min(v.keep, Math.floor(v.room / (total(probe) / 3))));
      }
      keep = Math.max(1, keep);
      if (n - keep - 1 < 2) keep = n;
      let k = i;
      let shown = 0;
      let hidden = 0;
      if (v.actions && keep < n && this.actions(kids, i, end, keep, depth, out)) { i = end; continue; }
      for (; k < end; k++) {
        const must = this.must(kids[k]!);
        if (shown < keep || k === end - 1 || must) {
          if (hidden) { out.push(this.gap(hidden, depth)); hidden = 0; }
          this.one(kids[k]!, depth, out);
          shown++;
        } else hidden++;
      }
      i = end;
    }
  }

  // A run as its first rows, then the actions of the others, then the last row. False when their names do not tell them apart.
  private actions(kids: Line[], from: number, end: number, keep: number, depth: number, out: Item[]): boolean {
    const acts: Line[] = [];
    const names = new Set<string>();
    let lines = 0;
    for (let k = from + keep; k < end - 1; k++) {
      lines += kids[k]!.count;
      collect(kids[k]!, acts);
      if (acts.length > 400) return false;
    }
    for (const a of acts) if (a.name) names.add(a.role + a.name);
    if (!acts.length || names.size < acts.length * 0.95) return false;
    for (let k = from; k < from + keep; k++) this.one(kids[k]!, depth, out);
    for (const a of acts) { this.one(a, depth, out); lines -= a.count; }
    if (lines > 0) out.push({ line: null, gap: -lines, size: depth * 2 + GAP });
    this.one(kids[end - 1]!, depth, out);
    this.reduced = true;
    return true;
  }

  // The focused element is never folded away.
  private must(l: Line): boolean {
    const a = this.s.active;
    return !!a && (l.el === a || !!l.el?.contains(a));
  }

  private gap(n: number, depth: number): Item {
    return { line: null, gap: n, size: depth * 2 + GAP };
  }

  private one(l: Line, depth: number, out: Item[]): void {
    if (!l.role) { this.add(l.kids, depth, out); return; }
    let size = this.own(l, depth);
    if (l.kids.length) size += total(this.plan(l, depth + 1));
    out.push({ line: l, gap: 0, size });
  }

  private own(l: Line, depth: number): number {
    let n = depth * 2 + l.rest;
    if (l.name) {
      if (l.name.length > this.level.cut) { const c = cut(l.name, this.level.cut); n += 1 + quotedLength(c.text) + (c.left ? 16 : 0); }
      else n += 1 + quotedLength(l.name);
    }
    if (l.act) n += this.refLength;
    if (l.el === this.s.active) n += 8;
    return n;
  }

  fit(items: Item[], depth: number, budget: number): Node[] {
    if (total(items) <= budget) return items.map(i => this.node(i, depth, i.size));
    const least = items.map(i => i.line ? Math.min(i.size, this.own(i.line, depth) + 16) : i.size);
    let sum = 0;
    for (const m of least) sum += m;
    if (sum > budget) {
      const last = items.length - 1;
      const room = budget - least[last]! - (depth * 2 + GAP);
      let h = 0;
      let used = 0;
      const limit = room * (depth < 2 ? 0.7 : 0.85);
      while (h < last && used + least[h]! <= (h === 0 ? room : limit)) used += least[h++]!;
      if (room < 0 || h === 0) return budget >= depth * 2 + GAP ? [{ g: unitsOf(items) }] : [];
      const kept = items.slice(0, h);
      const left = items.slice(h, last);
      if (left.length) kept.push({ line: null, gap: -unitsOf(left), size: depth * 2 + GAP });
      kept.push(items[last]!);
      return this.share(kept, kept.map(i => i.line ? Math.min(i.size, this.own(i.line, depth) + 16) : i.size), depth, budget);
    }
    return this.share(items, least, depth, budget);
  }

  // Max-min fair: small parts whole first, large ones get equal shares of what is left.
  private share(items: Item[], least: number[], depth: number, budget: number): Node[] {
    let rest = budget;
    for (const m of least) rest -= m;
    const allow = least.slice();
    const order = items.map((_, i) => i).filter(i => items[i]!.size > least[i]!).sort((a, b) => items[a]!.size - least[a]! - (items[b]!.size - least[b]!));
    let n = order.length;
    for (const i of order) {
      const give = Math.max(0, Math.min(items[i]!.size - least[i]!, Math.floor(rest / n--)));
      allow[i]! += give;
      rest -= give;
    }
    return items.map((it, i) => this.node(it, depth, allow[i]!));
  }

  private node(i: Item, depth: number, allow: number): Node {
    const l = i.line;
    if (!l) return i.gap < 0 ? { g: -i.gap } : { g: i.gap, l: true };
    const n: Node = { r: l.role };
    if (l.name) {
      const c = l.name.length > this.level.cut ? cut(l.name, this.level.cut) : { text: l.name, left: 0 };
      n.n = sound(c.text);
      if (c.left) n.c = c.left;
    }
    if (l.act && l.el) n.e = this.s.numbering.of(l.el);
    if (l.value !== undefined) n.v = sound(l.value);
    if (l.words.length) n.s = l.words;
    if (l.el && l.el === this.s.active && l.act) n.s = [...(n.s ?? []), "focused"];
    if (l.extras) n.x = l.extras.map(x => ({ k: x.k, t: sound(x.t) }));
    if (l.options) {
      const o = shownOptions(l.options, this.s.wanted);
      n.o = o.map(x => ({ ...x, n: sound(x.n) }));
      if (o.length < l.options.length) n.om = l.options.length - o.length;
    }
    if (l.url) n.u = sound(l.url);
    if (l.mark) n.m = l.mark;
    if (l.folded) n.h = l.folded;
    this.s.onNode?.(l, n);
    if (l.kids.length) {
      if (i.size <= allow) n.k = this.plan(l, depth + 1).map(k => this.node(k, depth + 1, k.size));
      else {
        const inner = allow - this.own(l, depth);
        const below = this.plan(l, depth + 1);
        if (inner >= (depth + 1) * 2 + GAP + 30) {
          const k = this.fit(below, depth + 1, inner);
          if (k.length === 1 && !k[0]!.r) n.h = l.count - 1;
          else n.k = k;
        } else n.h = l.count - 1;
      }
      if (n.k && !n.k.length) delete n.k;
    }
    return n;
  }
}

function unitsOf(items: Item[]): number {
  let n = 0;
  for (const i of items) n += i.line ? 1 : Math.abs(i.gap);
  return n;
}

// A run is a stretch of siblings of one tag with much the same inside.
function runEnd(kids: Line[], i: number): number {
  const first = kids[i]!;
  let prev = first;
  let k = i + 1;
  for (; k < kids.length; k++) {
    const l = kids[k]!;
    if (l.unit !== first.unit || !(alike(l.mask, prev.mask) || alike(l.mask, first.mask))) break;
    prev = l;
  }
  return k;
}

function alike(a: number, b: number): boolean {
  if (a === b) return true;
  return ones(a & b) * 2 >= ones(a | b);
}

function collect(l: Line, out: Line[]): void {
  if (l.act) { out.push(l); return; }
  for (const k of l.kids) collect(k, out);
}

function ones(n: number): number {
  let c = 0;
  for (; n; n &= n - 1) c++;
  return c;
}

// Mostly running text: what browser_read is for.
function prose(kids: Line[], i: number, end: number): boolean {
  let text = 0;
  let acts = 0;
  for (let k = i; k < end; k++) {
    const l = kids[k]!;
    if (l.role === "text") text += l.name.length;
    else if (!l.role) for (const x of l.kids) { if (x.role === "text") text += x.name.length; else acts++; }
    else return false;
  }
  return text / (end - i) >= PROSE && acts * 2 <= end - i;
}
