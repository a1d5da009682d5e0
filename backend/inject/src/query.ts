// Keeps what matches a query, with ancestors and contents.
import { seal, type Line } from "./line";
import { fold } from "./text";

/** Marks the matching lines; returns how many there are. */
export function find(top: Line, query: string): number {
  const q = fold(query);
  const role = query.trim().toLowerCase();
  if (!q) return 0;
  let n = 0;
  const visit = (l: Line): boolean => {
    const own = !!l.role && matches(l, q, role);
    if (own) { n++; l.whole = true; }
    let below = false;
    for (const k of l.kids) if (visit(k)) below = true;
    return l.hit = own || below;
  };
  visit(top);
  return n;
}

function matches(l: Line, q: string, role: string): boolean {
  if (l.role === role) return true;
  if (l.name && fold(l.name).includes(q)) return true;
  if (l.value !== undefined && fold(l.value).includes(q)) return true;
  if (l.extras?.some(x => fold(x.t).includes(q))) return true;
  return !!l.options?.some(o => fold(o.n).includes(q));
}

/** Drops what find did not mark. */
export function prune(l: Line): void {
  if (l.whole) {
    // Contents of a match stay, but where parts of them match too, a long container is not kept for a word in its name.
    return;
  }
  l.kids = l.kids.filter(k => k.hit);
  for (const k of l.kids) prune(k);
  seal(l);
}
