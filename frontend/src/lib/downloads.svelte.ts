// What pages saved, as the host lists it, and what the person does with it.
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import { openFile, saveFile, showFile } from './shell'
import type { Download } from './wire'

export class Downloads {
  list = $state.raw<Download[]>([])
  open = $state(false) // the shelf
  fresh = $state(false) // something was saved that the person has not looked at

  going = $derived(this.list.filter((d) => d.state === 'going on'))
  // progress of all that goes on, 0..1; null while some size is not known.
  progress = $derived.by(() => {
    if (this.going.length === 0 || this.going.some((d) => !d.total)) return null
    const sum = (of: (d: Download) => number) => this.going.reduce((n, d) => n + of(d), 0)
    return Math.min(1, sum((d) => d.received) / sum((d) => d.total))
  })

  private known = -1 // the newest that was listed before; -1 until the first list

  constructor(
    private readonly host: Host,
    private readonly notices: Notices,
  ) {
    host.on('downloads', (list) => this.replace(list))
  }

  toggle(): void {
    this.show(!this.open)
  }

  show(open: boolean): void {
    this.open = open
    if (open) this.fresh = false
  }

  // openIt opens a finished file where the person is: in its program, or saved
  // by the browser that shows this page.
  async openIt(d: Download, sure = false): Promise<void> {
    const file = await this.notices.watch(this.host.call('downloads.open', { id: d.id, sure }))
    if (file?.path) this.native(openFile(file.path))
    else if (file?.url) saveFile(file.url, d.name)
  }

  async showIt(d: Download): Promise<void> {
    const file = await this.notices.watch(this.host.call('downloads.show', { id: d.id }))
    if (file?.path) this.native(showFile(file.path))
  }

  // saveIt has the browser that shows this page save the file.
  async saveIt(d: Download): Promise<void> {
    const file = await this.notices.watch(this.host.call('downloads.show', { id: d.id }))
    if (file?.url) saveFile(file.url, d.name)
  }

  cancel(d: Download): void {
    void this.notices.watch(this.host.call('downloads.cancel', { id: d.id }))
  }

  retry(d: Download): void {
    void this.notices.watch(this.host.call('downloads.retry', { id: d.id }))
  }

  forget(d: Download): void {
    void this.notices.watch(this.host.call('downloads.forget', { id: d.id }))
  }

  clear(): void {
    void this.notices.watch(this.host.call('downloads.clear'))
  }

  // print saves a tab's page as a PDF, and image an image of it.
  async print(tab: string): Promise<void> {
    if (tab && (await this.notices.watch(this.host.call('page.print', { tab })))) this.show(true)
  }

  async saveImage(tab: string, url: string): Promise<void> {
    if (await this.notices.watch(this.host.call('image.save', { tab, url }))) this.show(true)
  }

  // copyImage gives an image that is still on its way, for the clipboard.
  async copyImage(tab: string, url: string): Promise<Blob> {
    const { data } = await this.host.call('image.copy', { tab, url })
    const [head, body] = data.split(',', 2) as [string, string]
    return new Blob([Uint8Array.from(atob(body), (c) => c.charCodeAt(0))], { type: /^data:([^;]+)/.exec(head)?.[1] })
  }

  private native(call: Promise<void>): void {
    call.catch((err: unknown) => this.notices.add({ kind: 'error', message: String(err) }))
  }

  private replace(list: Download[]): void {
    const newest = list[0]?.id ?? 0
    if (this.known >= 0 && newest > this.known && !this.open) this.fresh = true
    this.known = Math.max(this.known, newest)
    this.list = list
  }
}

const units = ['B', 'KB', 'MB', 'GB', 'TB']

// bytes writes a size as people read it.
export function bytes(n: number): string {
  let at = 0
  while (n >= 1000 && at < units.length - 1) {
    n /= 1000
    at++
  }
  return `${at === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)} ${units[at]}`
}
