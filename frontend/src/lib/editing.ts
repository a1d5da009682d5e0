// The editing commands of the page that is shown, and what they do to the
// person's clipboard.
import { isEmpty } from './clip'
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import { hasPrimary, readClipboard, readPrimary, writeClip, writePrimary } from './shell'
import { t } from './text'
import type { View } from './view.svelte'

export type EditCommand = 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'selectAll'

const keys: Record<EditCommand, { key: string; code: string; shift?: boolean }> = {
  undo: { key: 'z', code: 'KeyZ' },
  redo: { key: 'Z', code: 'KeyZ', shift: true },
  cut: { key: 'x', code: 'KeyX' },
  copy: { key: 'c', code: 'KeyC' },
  paste: { key: 'v', code: 'KeyV' },
  selectAll: { key: 'a', code: 'KeyA' },
}

export class Editing {
  private primary = '' // what was selected here last
  private soon: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly host: Host,
    private readonly view: View,
    private readonly notices: Notices,
    private readonly hostMac: () => boolean,
  ) {}

  // run does a command as its keys would.
  run(command: EditCommand, tab: string): void {
    if (command === 'paste') {
      void readClipboard().then((clip) => {
        if (clip && !isEmpty(clip)) this.view.input({ in: 'paste', ...clip })
        else if (clip === null) this.notices.add({ kind: 'info', message: t('clipboard.pasteByKeys') })
      })
      return
    }
    const { key, code, shift } = keys[command]
    const mods = (this.hostMac() ? 4 : 2) | (shift ? 8 : 0)
    const stroke = { in: 'key', key, code, keyCode: code.charCodeAt(3), mods }
    this.view.input({ ...stroke, type: 'down' })
    this.view.input({ ...stroke, type: 'up' })
    if (command === 'copy' || command === 'cut') void this.took(command, tab)
  }

  // selected makes what is selected what the middle button pastes, here and, from
  // the window, elsewhere. It is called after what the person does to the
  // selection.
  selected(tab: string): void {
    if (!hasPrimary()) return
    clearTimeout(this.soon)
    this.soon = setTimeout(() => {
      void this.host.call('clipboard.selection', { tab }).then(
        ({ text }) => {
          if (!text || text === this.primary) return
          this.primary = text
          void writePrimary(text).catch(() => {})
        },
        () => {}, // the page has gone; nobody asked for this
      )
    }, 120)
  }

  // middle pastes what was selected last: in any program, or here. The page has
  // had the button already, and may use it for something else.
  middle(): void {
    if (!hasPrimary()) return
    void readPrimary().then(
      (other) => {
        const text = other ?? this.primary
        if (text) this.view.input({ in: 'paste', type: 'primary', text })
      },
      () => {},
    )
  }

  // took puts on the person's clipboard what the page's copy or cut has taken.
  // The page has had the key already; nothing selected leaves the clipboard as
  // it was.
  async took(kind: 'copy' | 'cut', tab: string): Promise<void> {
    const asked = kind === 'copy' ? this.host.call('clipboard.copy', { tab }) : this.host.call('clipboard.cut', { tab })
    const taken = asked.then((r) => (isEmpty(r) ? Promise.reject(new Error('empty')) : r))
    let got = true
    const watched = this.notices.watch(asked)
    taken.catch(() => (got = false))
    try {
      await writeClip(taken)
    } catch {
      await watched
      if (got) this.notices.add({ kind: 'warning', message: t('clipboard.failed') })
    }
  }
}
