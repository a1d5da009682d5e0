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

export function numberOf(el: Element): number {
  return numbers.get(el) ?? 0;
}

/** The element of a ref, while it is in the document; null afterwards. */
export function element(ref: number): Element | null {
  const el = elements.get(ref)?.deref();
  return el && el.isConnected && el.ownerDocument === document ? el : null;
}
