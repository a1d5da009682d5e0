// What is open around the page, and where the keyboard may go.
import type { PanelID } from '../panels'

export type Region = 'tabs' | 'address' | 'viewport' | 'panel' | 'page' | 'find' | 'cards' | 'notices'

// Overlays that commands open.
export type Overlay = 'tabs' | 'palette' | 'keys'

const regionOrder: Region[] = ['address', 'tabs', 'viewport', 'page', 'find', 'cards', 'panel', 'notices']

const regionNow = () => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset.region as Region | undefined

export class Desk {
  full = $state(false) // the person wants the page alone, on the whole screen
  panel = $state<PanelID | ''>('')
  over = $state<Overlay | ''>('') // what lies over everything
  wanted = false // the person opened the panel, so the keyboard goes there

  private from: HTMLElement | null = null // had the keyboard before the panel

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
    const here = regionNow()
    const present = regionOrder.filter((region) => this.focusers.has(region))
    let at = here ? present.indexOf(here) : by > 0 ? -1 : 0
    // A region where nothing takes the keyboard now is passed over.
    for (let i = 0; i < present.length; i++) {
      at = (at + by + present.length) % present.length
      this.focus(present[at]!)
      if (regionNow() === present[at]) return
    }
  }

  open(panel: PanelID): void {
    if (regionNow() !== 'panel') this.from = document.activeElement as HTMLElement | null
    this.wanted = true
    if (this.panel === panel) this.focus('panel')
    this.panel = panel
  }

  // offer opens a panel that the person did not ask for: keys stay where they are.
  offer(panel: PanelID): void {
    this.from = null
    this.wanted = false
    this.panel = panel
  }

  // close gives the keyboard back to what had it before the panel.
  close(): void {
    const mine = regionNow() === 'panel' || regionNow() === undefined
    this.panel = ''
    if (!mine) return
    if (this.from?.isConnected && this.from !== document.body) this.from.focus({ preventScroll: true })
    else this.focus('page')
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
