// Toasts: what the host tells the person, and refusals of what they asked for.
import type { PanelID } from '../panels'
import { HostError, type Host } from './host'
import type { Notice } from './wire'

export interface Toast extends Notice {
  id: number
  next?: string
  panel?: PanelID // says more
}

const shownAtOnce = 4

export class Notices {
  list = $state.raw<Toast[]>([])
  private lastID = 0

  constructor(host: Host) {
    host.on('notice', (notice) => this.add(notice))
  }

  add(notice: Omit<Toast, 'id'>): void {
    const same = this.list.find((toast) => toast.message === notice.message && toast.tab === notice.tab)
    const rest = this.list.filter((toast) => toast !== same)
    const id = ++this.lastID
    this.list = [...rest, { ...notice, id }].slice(-shownAtOnce)
    // Errors, and what is told only once, stay until read; the rest goes by
    // itself, later when it is longer.
    if (notice.kind !== 'error' && !notice.panel) setTimeout(() => this.dismiss(id), 4000 + notice.message.length * 50)
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id)
  }

  // watch gives a call's result, or shows why it failed and gives undefined.
  // A quiet call was not the person's wish: that the host is away goes unsaid.
  async watch<T>(call: Promise<T>, quiet?: 'quiet'): Promise<T | undefined> {
    try {
      return await call
    } catch (err) {
      if (!(err instanceof HostError)) throw err
      if (quiet && err.code === 'offline') return undefined
      this.add({ kind: err.code === 'offline' ? 'warning' : 'error', message: err.message, next: err.next })
      return undefined
    }
  }
}
