// What is open around the page, and where the keyboard may go.
import type { PanelID } from '../panels'

export type Region = 'tabs' | 'address' | 'panel' | 'page' | 'cards'

// Overlays that commands open.
export type Overlay = 'tabs' | 'palette' | 'keys'

const regionOrder: Region[] = ['address', 'tabs', 'page', 'cards', 'panel']

export class Desk {
  full = $state(false) // the person wants the page alone, on the whole screen
  panel = $state<PanelID | ''>('')
  over = $state<Overlay | ''>('') // what lies over everything
  wanted = false // the person opened the panel, so the keyboard goes there

  // Nothing is drawn from it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  private readonly focusers = new Map<Region, () => void>()

  // place registers how to move the keyboard into a region.
  place(region: Region, focus: () => void): () => void {
    this.focusers.set(region, focus)
    return () => {
      if (this.focusers.get(region) === focus) this.focusers.delete(region)
    }
  }

  focus(region: Region): void {
    this.focusers.get(region)?.()
  }

  // cycle moves from the region that has the keyboard to the next one.
  cycle(by: number): void {
    const here = (document.activeElement?.closest('[data-region]') as HTMLElement | null)?.dataset.region as Region | undefined
    const present = regionOrder.filter((region) => this.focusers.has(region))
    const at = here ? present.indexOf(here) : by > 0 ? -1 : 0
    const next = present[(at + by + present.length) % present.length]
    if (next) this.focus(next)
  }

  open(panel: PanelID): void {
    this.wanted = true
    if (this.panel === panel) this.focus('panel')
    this.panel = panel
  }

  // offer opens a panel that the person did not ask for: keys stay where they are.
  offer(panel: PanelID): void {
    this.wanted = false
    this.panel = panel
  }

  close(): void {
    this.panel = ''
  }

  // lay shows an overlay, or takes it away when it shows already.
  lay(over: Overlay): void {
    this.over = this.over === over ? '' : over
  }

  toggle(panel: PanelID): void {
    if (this.panel === panel) this.close()
    else this.open(panel)
  }
}
