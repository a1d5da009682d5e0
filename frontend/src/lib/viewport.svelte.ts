// The size and appearance that the page shown is shown in: asked for here, told
// by the host.
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import type { Tabs } from './tabs.svelte'
import type { Device, Viewport, ViewportArgs } from './wire'

export const least = 100 // CSS pixels of a side
export const most = 10_000

export class Viewports {
  open = $state(false) // the bar was asked for
  locked = $state(false) // a new width brings the height along
  devices = $state.raw<Device[]>([])

  private asking = false
  private next: ViewportArgs | null = null

  constructor(
    private readonly host: Host,
    private readonly notices: Notices,
    private readonly tabs: Tabs,
  ) {}

  get now(): Viewport | undefined {
    return this.tabs.current?.viewport
  }

  // shown tells whether the bar is: a page in another size always says so.
  get shown(): boolean {
    return this.tabs.current !== undefined && (this.open || this.now !== undefined)
  }

  // set asks for a change. While one is under way the newest wish waits: a
  // dragged edge wishes faster than a page lays itself out.
  set(wish: Omit<ViewportArgs, 'tab'>): void {
    const tab = this.tabs.active
    if (!tab) return
    this.next = this.next?.tab === tab ? { ...this.next, ...wish } : { ...wish, tab }
    if (!this.asking) void this.ask()
  }

  // size asks for a size, with the other side in its ratio when that is locked.
  size(side: 'width' | 'height', value: number, from: { width: number; height: number }): void {
    const clamp = (v: number) => Math.min(Math.max(Math.round(v), least), most)
    const next = { width: from.width, height: from.height, [side]: clamp(value) }
    if (this.locked && from.width > 0 && from.height > 0) {
      if (side === 'width') next.height = clamp((value * from.height) / from.width)
      else next.width = clamp((value * from.width) / from.height)
    }
    this.set(next)
  }

  // leave shows the page as it comes, and takes the bar away.
  leave(): void {
    this.open = false
    if (this.now) this.set({ fill: true, scheme: 'system' })
  }

  toggle(): void {
    if (this.shown) this.leave()
    else this.open = true
  }

  private async ask(): Promise<void> {
    this.asking = true
    while (this.next) {
      const wish = this.next
      this.next = null
      await this.notices.watch(this.host.call('tabs.viewport', wish))
    }
    this.asking = false
  }
}
