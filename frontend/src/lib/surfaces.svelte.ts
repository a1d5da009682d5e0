// What Chromium would draw outside a page and this page draws instead: lists,
// pickers, menus and messages, at most one a tab.
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import type { Surface } from './wire'

export class Surfaces {
  open = $state.raw<Record<string, Surface>>({})

  constructor(
    private readonly host: Host,
    private readonly notices: Notices,
  ) {
    host.on('surface', (surface) => {
      const rest = { ...this.open }
      delete rest[surface.tab]
      this.open = surface.kind ? { ...rest, [surface.tab]: surface } : rest
    })
  }

  forget(): void {
    this.open = {}
  }

  choose(s: Surface, index: number): void {
    this.drop(s)
    void this.notices.watch(this.host.call('surface.choose', { tab: s.tab, id: s.id, index }))
  }

  set(s: Surface, value: string): void {
    this.drop(s)
    void this.notices.watch(this.host.call('surface.set', { tab: s.tab, id: s.id, value }))
  }

  close(s: Surface): void {
    this.drop(s)
    void this.notices.watch(this.host.call('surface.close', { tab: s.tab, id: s.id }), 'quiet')
  }

  // drop takes it away here at once; the host's word comes later.
  private drop(s: Surface): void {
    if (this.open[s.tab]?.id !== s.id) return
    const rest = { ...this.open }
    delete rest[s.tab]
    this.open = rest
  }
}

// typeAhead finds the option that typed letters mean: the next that begins with
// them, from the one after `from` when a single letter is repeated.
export function typeAhead(labels: string[], enabled: (index: number) => boolean, from: number, typed: string): number {
  const want = typed.toLowerCase()
  const same = [...want].every((c) => c === want[0])
  const find = same ? want.slice(0, 1) : want
  const start = same ? from + 1 : from
  for (let i = 0; i < labels.length; i++) {
    const at = (Math.max(start, 0) + i) % labels.length
    if (enabled(at) && labels[at]!.trim().toLowerCase().startsWith(find)) return at
  }
  return -1
}
