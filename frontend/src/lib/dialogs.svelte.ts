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

  answer(tab: string, accept: boolean, text?: string): void {
    const args = text === undefined ? { tab, accept } : { tab, accept, text }
    void this.notices.watch(this.host.call('dialog.answer', args))
  }
}
