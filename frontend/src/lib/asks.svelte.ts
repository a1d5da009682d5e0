// What pages ask of the person beside dialogs: files, and a user name and
// password. At most one of each a tab.
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import { t } from './text'
import type { Asks as TabAsks, Chooser, UploadFile } from './wire'

const partSize = 512 * 1024 // bytes
const mostSize = 2 * 1024 ** 3

export interface Sending {
  tab: string
  name: string
  percent: number
}

export class Asks {
  open = $state.raw<Record<string, TabAsks>>({})
  sending = $state.raw<Sending | null>(null)

  constructor(
    private readonly host: Host,
    private readonly notices: Notices,
    onask: (asks: TabAsks) => void = () => {},
  ) {
    host.on('asks', (asks) => {
      const before = this.open[asks.tab]
      const rest = { ...this.open }
      delete rest[asks.tab]
      this.open = asks.chooser || asks.signIn ? { ...rest, [asks.tab]: asks } : rest
      if (asks.signIn && asks.signIn.id !== before?.signIn?.id) onask(asks)
    })
  }

  forget(): void {
    this.open = {}
    this.sending = null
  }

  signIn(tab: string, id: number, user: string, password: string): Promise<unknown> {
    return this.notices.watch(this.host.call('signin.answer', { tab, id, user, password }))
  }

  cancelSignIn(tab: string, id: number): void {
    void this.notices.watch(this.host.call('signin.cancel', { tab, id }), 'quiet')
  }

  askSignIn(tab: string): void {
    void this.notices.watch(this.host.call('signin.ask', { tab }))
  }

  cancelFiles(tab: string, chooser: Chooser): void {
    void this.notices.watch(this.host.call('files.cancel', { tab, id: chooser.id }), 'quiet')
  }

  // give answers with files of the host's own computer.
  give(tab: string, chooser: Chooser, paths: string[]): void {
    if (paths.length === 0) return this.cancelFiles(tab, chooser)
    void this.notices.watch(this.host.call('files.choose', { tab, id: chooser.id, paths }))
  }

  // send answers with files of this browser's computer.
  async send(tab: string, chooser: Chooser, files: File[]): Promise<void> {
    if (files.length === 0) return this.cancelFiles(tab, chooser)
    const upload = await this.upload(tab, files)
    if (upload) await this.notices.watch(this.host.call('files.choose', { tab, id: chooser.id, upload }))
    else this.cancelFiles(tab, chooser)
  }

  // drop gives files that were dropped at a point of the page.
  async drop(tab: string, at: { x: number; y: number }, files: File[]): Promise<void> {
    const upload = files.length > 0 ? await this.upload(tab, files) : undefined
    if (upload) await this.notices.watch(this.host.call('files.drop', { tab, ...at, upload }))
  }

  // dropPaths gives files of the host's computer, which the window names.
  async dropPaths(tab: string, at: { x: number; y: number }, paths: string[]): Promise<void> {
    await this.notices.watch(this.host.call('files.drop', { tab, ...at, paths }))
  }

  // upload sends files part by part, each once the one before is kept.
  private async upload(tab: string, files: File[]): Promise<string | undefined> {
    const list: UploadFile[] = files.map((f) => ({ name: f.webkitRelativePath || f.name, size: f.size }))
    const total = list.reduce((sum, f) => sum + f.size, 0)
    if (total > mostSize) {
      this.notices.add({ kind: 'error', message: t('files.tooLarge') })
      return undefined
    }
    const begun = await this.notices.watch(this.host.call('files.begin', { tab, files: list }))
    if (!begun) return undefined
    let sent = 0
    try {
      for (const [index, file] of files.entries()) {
        for (let at = 0; at < file.size; at += partSize) {
          this.sending = { tab, name: file.name, percent: total ? Math.floor((sent / total) * 100) : 0 }
          const bytes = await read(file.slice(at, at + partSize))
          if (!bytes) {
            this.notices.add({ kind: 'error', message: t('files.unreadable', { name: file.name }) })
            void this.host.call('files.forget', { upload: begun.upload }).catch(() => {})
            return undefined
          }
          const kept = await this.notices.watch(this.host.call('files.part', { upload: begun.upload, index, data: base64(bytes) }))
          if (kept === undefined) return undefined
          sent += bytes.length
        }
      }
    } finally {
      this.sending = null
    }
    return begun.upload
  }
}

// read gives a piece's bytes, or nothing where the file has gone meanwhile.
function read(piece: Blob): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(new Uint8Array(reader.result as ArrayBuffer))
    reader.onerror = () => resolve(undefined)
    reader.readAsArrayBuffer(piece)
  })
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
