// Keeps the keyboard somewhere: when what has it goes away, it goes back to
// where it was before.

const most = 12 // places that are remembered

// takes tells whether an element can have the keyboard now.
const takes = (el: HTMLElement): boolean => el.isConnected && !el.matches(':disabled') && !el.closest('[inert]') && (el.checkVisibility?.() ?? true)

// keepFocus watches the document until it is told to stop. What goes away in
// the page's own place leaves the keyboard to whatever comes there, which
// toPage gives it; so does what has no place of before.
export function keepFocus(toPage: () => void): () => void {
  let places: HTMLElement[] = []
  let inPage = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const note = (e: FocusEvent) => {
    const el = e.target as HTMLElement
    inPage = el.closest('[data-region]')?.getAttribute('data-region') === 'page'
    places = [...places.filter((other) => other !== el && other.isConnected), el].slice(-most)
  }
  const mend = () => {
    const here = document.activeElement
    if ((here && here !== document.body) || !places.length || takes(places.at(-1)!)) return
    const before = inPage ? undefined : places.findLast(takes)
    if (before) before.focus({ preventScroll: true })
    else toPage()
  }
  // Whoever closes something may give the keyboard away itself.
  const look = () => {
    clearTimeout(timer)
    timer = setTimeout(mend)
  }
  const observer = new MutationObserver(look)
  document.addEventListener('focusin', note)
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled', 'hidden', 'inert', 'class'] })
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    document.removeEventListener('focusin', note)
  }
}
