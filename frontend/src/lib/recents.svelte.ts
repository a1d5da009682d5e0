// Pages the person saw since Baton opened, for suggestions. In memory only:
// what was visited is never written by this page.
import type { Host } from './host'
import { personOwner } from './tabs.svelte'

export interface Recent {
  url: string
  title: string
  favicon?: string
}

const kept = 60

export class Recents {
  list = $state.raw<Recent[]>([])

  constructor(host: Host) {
    host.on('tabs', (tabs) => {
      for (const tab of tabs) {
        if (tab.owner !== personOwner || tab.private || tab.state !== 'ready') continue
        if (/^https?:/.test(tab.url)) this.visit({ url: tab.url, title: tab.title, favicon: tab.favicon })
      }
    })
  }

  private visit(page: Recent): void {
    const known = this.list.find((r) => r.url === page.url)
    if (known && known.title === page.title && known.favicon === page.favicon) return
    const rest = this.list.filter((r) => r !== known)
    this.list = known ? this.list.map((r) => (r === known ? page : r)) : [page, ...rest].slice(0, kept)
  }
}
