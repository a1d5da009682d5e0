// Listeners on the window that outlive document.open(), which takes away all that a document had; the world goes on.

interface Listener { type: string; f: (e: Event) => void; options: AddEventListenerOptions }

const all: Listener[] = [];
let observing = false;

/** Listens on the window for as long as this world lives. */
export function listen(type: string, f: (e: Event) => void, options: AddEventListenerOptions): void {
  all.push({ type, f, options });
  addEventListener(type, f, options);
  if (observing) return;
  observing = true;
  // The observer stays when the document is emptied. What is there still is not added twice.
  new MutationObserver(() => {
    for (const l of all) addEventListener(l.type, l.f, l.options);
  }).observe(document, { childList: true });
}
