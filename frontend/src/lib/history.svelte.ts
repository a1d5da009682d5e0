// What the person visited, as the host keeps it.
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import type { Place } from './wire'

export class History {
  recents = $state.raw<Place[]>([])
  found = $state.raw<Place[]>([]) // for what is typed in the address bar

  private asked = ''
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
    }, 40)
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
