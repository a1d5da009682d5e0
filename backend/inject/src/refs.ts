// Numbers for elements. A number names one element for the life of its document and is never given again.

const numbers = new WeakMap<Element, number>();
const elements = new Map<number, WeakRef<Element>>();

export class Numbering {
  constructor(public next: number) {}

  of(el: Element): number {
    let n = numbers.get(el);
    if (n === undefined) {
      n = this.next++;
      numbers.set(el, n);
      elements.set(n, new WeakRef(el));
    }
    return n;
  }
}

// Elements that a reading would have numbered, in order.
let waiting: Element[] = [];

/** Numbers nothing until number says from where on: documents that are read side by side share one numbering. */
export class Later extends Numbering {
  private readonly first: number;
  private readonly seen = new Map<Element, number>();

  constructor(next: number) {
    super(next);
    this.first = next;
    waiting = [];
  }

  override of(el: Element): number {
    let n = numbers.get(el) ?? this.seen.get(el);
    if (n === undefined) {
      n = this.next++;
      this.seen.set(el, n);
      waiting[n - this.first] = el;
    }
    return n;
  }
}

/** Gives the elements that wait their numbers. */
export function number(a: { from: number }): void {
  const numbering = new Numbering(a.from);
  for (const el of waiting.splice(0)) numbering.of(el);
}

export function numberOf(el: Element): number {
  return numbers.get(el) ?? 0;
}

/** The element of a ref, while it is in the document; null afterwards. */
export function element(ref: number): Element | null {
  const el = elements.get(ref)?.deref();
  return el && el.isConnected && el.ownerDocument === document ? el : null;
}
