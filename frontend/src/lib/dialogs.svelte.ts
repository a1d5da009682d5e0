// Dialogs that pages have open, at most one a tab.
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import type { Dialog } from './wire'

export class Dialogs {
  open = $state.raw<Record<string, Dialog>>({})

  constructor(
    private readonly host: Host,
    private readonly notices: Notices,
    onopen: (dialog: Dialog) => void = () => {},
  ) {
    host.on('dialog', (dialog) => {
      const rest = { ...this.open }
      delete rest[dialog.tab]
      this.open = dialog.open ? { ...rest, [dialog.tab]: dialog } : rest
      if (dialog.open) onopen(dialog)
    })
  }

  // forget drops what was open before the connection was lost.
  forget(): void {
    this.open = {}
  }

  // quiet asks that the page show no more dialogs.
  answer(tab: string, accept: boolean, text?: string, quiet = false): void {
    const args = { tab, accept, ...(text === undefined ? {} : { text }), ...(quiet ? { quiet } : {}) }
    void this.notices.watch(this.host.call('dialog.answer', args))
  }
}
