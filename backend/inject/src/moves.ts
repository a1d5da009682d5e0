// Lines that stand elsewhere than at the last reading: dragged, sorted, moved to another list.
import type { Line } from "./line";
import { known, type Seen } from "./record";

export class Moves {
  /** What stands before and after a line that moved: without them nobody could say where to. */
  readonly beside = new Set<Line>();
  private again = new Set<Element>();

  /** Takes an element that was taken out of the document and put in again. */
  add(el: Element): void {
    this.again.add(el);
  }

  /** Marks the lines of a tree that moved. before is what was known of each line until now. */
  note(l: Line, before: Map<Line, Seen | undefined>): void {
    if (!this.again.size) return;
    const lines: Line[] = [];
    const visit = (at: Line) => {
      for (const k of at.kids) {
        if (k.role === "text") continue;
        if (k.role && k.el) {
          lines.push(k);
          this.note(k, before);
        } else visit(k);
      }
    };
    visit(l);
    const moved = this.among(lines, before, l.el);
    lines.forEach((k, i) => {
      if (!moved.has(k)) return;
      k.mark = "moved";
      for (const b of [lines[i - 1], lines[i + 1]]) if (b?.name) this.beside.add(b);
    });
  }

  // Those that came from elsewhere, and those out of order: all but the longest run that kept its order.
  private among(lines: Line[], before: Map<Line, Seen | undefined>, top: Element | null): Set<Line> {
    const out = new Set<Line>();
    const stayed: { line: Line; order: number }[] = [];
    let any = false;
    for (const k of lines) {
      const was = before.get(k);
      const is = known(k.el!);
      if (!was?.role || was.order < 0 || !is) continue;
      const put = this.put(k.el!, top);
      any ||= put;
      if (was.under === is.under) stayed.push({ line: k, order: was.order });
      else if (put) out.add(k);
    }
    if (!any) return out;
    const run = longest(stayed.map(s => s.order));
    stayed.forEach((s, i) => { if (!run.has(i)) out.add(s.line); });
    return out;
  }

  private put(el: Element, top: Element | null): boolean {
    for (let p: Element | null = el; p && p !== top; p = p.parentElement) if (this.again.has(p)) return true;
    return false;
  }
}

/** The places of a longest rising run of numbers. */
function longest(list: number[]): Set<number> {
  const ends: number[] = []; // where the best run of each length ends
  const from: number[] = [];
  list.forEach((n, i) => {
    let lo = 0;
    let hi = ends.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (list[ends[mid]!]! < n) lo = mid + 1;
      else hi = mid;
    }
    from[i] = lo ? ends[lo - 1]! : -1;
    ends[lo] = i;
  });
  const out = new Set<number>();
  for (let i = ends.at(-1) ?? -1; i >= 0; i = from[i]!) out.add(i);
  return out;
}
