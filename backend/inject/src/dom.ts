// The tree as it is drawn: shadow roots in place of their hosts' children, slots filled.

const closed = new WeakMap<Element, ShadowRoot>();
/** Roots met so far, open and closed, for observers and sweeps. */
export const roots = new Set<WeakRef<ShadowRoot>>();
const met = new WeakSet<ShadowRoot>();
let onRoot: ((r: ShadowRoot) => void) | undefined;

/** Calls f for every shadow root met from now on; undefined stops it. */
export function tellRoots(f: ((r: ShadowRoot) => void) | undefined): void {
  onRoot = f;
}

export function noteRoot(r: ShadowRoot): void {
  if (met.has(r)) return;
  met.add(r);
  roots.add(new WeakRef(r));
  onRoot?.(r);
}

export function addClosedRoot(r: ShadowRoot): boolean {
  if (r.mode !== "closed" || closed.has(r.host)) return false;
  closed.set(r.host, r);
  noteRoot(r);
  return true;
}

export function shadowOf(el: Element): ShadowRoot | null {
  const r = el.shadowRoot ?? closed.get(el) ?? null;
  if (r) noteRoot(r);
  return r;
}

/** All live scopes: the document and the shadow roots met so far. */
export function scopes(): (Document | ShadowRoot)[] {
  const out: (Document | ShadowRoot)[] = [document];
  for (const w of roots) {
    const r = w.deref();
    if (!r) roots.delete(w);
    else if (r.isConnected) out.push(r);
  }
  return out;
}

/** All but the elements that can hold no shadow root and that big pages are made of. */
export const HOSTS = ":not(td,tr,th,tbody,thead,tfoot,table,col,colgroup,caption,button,input,select,option,optgroup,textarea,label,a,li,ul,ol,dl,dt,dd,b,i,em,strong,small,code,pre,br,hr,img,picture,source,video,audio,svg,g,path,use,rect,circle,line,text,script,style,link,meta,iframe,form,fieldset,legend,time,sup,sub)";

/** Meets the shadow roots that no walk has met yet, nested ones too. */
export function discover(): void {
  for (let todo = scopes(), done = new Set<Node>(); todo.length; todo = scopes().filter(s => !done.has(s))) {
    for (const s of todo) {
      done.add(s);
      for (const el of s.querySelectorAll(HOSTS)) shadowOf(el);
    }
  }
}

/** The parent as drawn: a slot for slotted nodes, the host for a shadow root's children. */
export function parentOf(n: Node): Element | null {
  const slot = (n as Element).assignedSlot;
  if (slot) return slot;
  const p = n.parentNode;
  if (!p) return null;
  if (p.nodeType === 11) return (p as ShadowRoot).host ?? null;
  return p.nodeType === 1 ? p as Element : null;
}

export function contains(outer: Node, inner: Node | null): boolean {
  for (let n: Node | null = inner; n; n = parentOf(n)) {
    if (n === outer) return true;
    if (outer.nodeType === 1 && n.parentNode === outer) return true;
  }
  return false;
}

/** The focused element, through shadow roots. */
export function activeElement(): Element | null {
  let el = document.activeElement;
  for (;;) {
    const inner = el && shadowOf(el)?.activeElement;
    if (!inner) break;
    el = inner;
  }
  return el && el !== document.body && el !== document.documentElement ? el : el?.matches?.("[contenteditable]") ? el : null;
}

/** The deepest element at a point, through shadow roots. */
export function elementAt(x: number, y: number): Element | null {
  let el = document.elementFromPoint(x, y);
  for (;;) {
    const r = el && shadowOf(el);
    const inner = r ? r.elementFromPoint(x, y) : null;
    if (!inner || inner === el) return el;
    el = inner;
  }
}

/** Children as drawn. */
export function* childrenOf(el: Element): Iterable<Node> {
  const root = shadowOf(el);
  if (root) { yield* root.childNodes; return; }
  if (el.localName === "slot") {
    const given = (el as HTMLSlotElement).assignedNodes?.() ?? [];
    if (given.length) { yield* given; return; }
  }
  yield* el.childNodes;
}

export function scopeOf(el: Element): Document | ShadowRoot {
  const r = el.getRootNode();
  return r.nodeType === 9 || r.nodeType === 11 ? r as Document | ShadowRoot : document;
}

export function byId(el: Element, id: string): Element | null {
  return id ? scopeOf(el).getElementById?.(id) ?? null : null;
}

export function isVisible(el: Element): boolean {
  if (!el.isConnected) return false;
  if (el.checkVisibility({ visibilityProperty: true })) return true;
  const cs = getComputedStyle(el);
  if (cs.display !== "contents" || cs.visibility !== "visible") return false;
  for (const k of childrenOf(el)) {
    if (k.nodeType === 1 && isVisible(k as Element)) return true;
    if (k.nodeType === 3 && k.nodeValue!.trim()) return true;
  }
  return false;
}
