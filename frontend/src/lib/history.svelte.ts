// What the person visited, as the host keeps it.
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import type { Place } from './wire'

export class History {
  recents = $state.raw<Place[]>([])
  found = $state.raw<Place[]>([]) // for what is typed in the address bar

  servers = $state.raw<number[]>([]) // ports of this computer where a web server answers
  read = $state<'go' | 'search' | undefined>() // what the host makes of what is typed, once known

  private asked = ''
  private looked = -Infinity
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly host: Host,
    private readonly notices: Notices,
  ) {
    host.on('recents', (list) => (this.recents = list))
  }

  // suggest fills found for a text; the newest question counts.
  suggest(text: string): void {
    this.asked = text
    this.read = undefined
    clearTimeout(this.timer)
    if (!text.trim()) {
      this.found = this.recents
      return
    }
    this.timer = setTimeout(() => {
      this.host.call('history.suggest', { text, limit: 8 }).then(
        (list) => {
          if (this.asked === text) this.found = list
        },
        () => {},
      )
      this.host.call('address.read', { text }).then(
        (read) => {
          if (this.asked === text) this.read = read.search ? 'search' : 'go'
        },
        () => {},
      )
    }, 40)
  }

  // lookAround asks which web servers answer on this computer, now and then.
  lookAround(): void {
    const now = performance.now()
    if (now - this.looked < 5000) return
    this.looked = now
    this.host.call('address.servers').then(
      (list) => (this.servers = list.ports),
      () => {},
    )
  }

  list(text: string, before = 0, limit = 150): Promise<Place[] | undefined> {
    return this.notices.watch(this.host.call('history.list', { text, before, limit }))
  }

  forget(ids: number[]): Promise<unknown> {
    return this.notices.watch(this.host.call('history.forget', { ids }))
  }

  clear(since: number): Promise<unknown> {
    return this.notices.watch(this.host.call('history.clear', { since }))
  }
}
