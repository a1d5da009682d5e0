// The person's settings, as the host keeps them. Changes apply at once.
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import type * as wire from './wire'

const defaults: wire.Settings = {
  theme: 'system',
  revealAutomation: true,
  searchURL: '',
  homeURL: '',
  agentAccess: 'full',
  touchHoldSeconds: 30,
  showFirstRun: false,
}

export class Settings {
  value = $state.raw<wire.Settings>(defaults)
  loaded = $state(false)

  constructor(
    private readonly host: Host,
    private readonly notices: Notices,
  ) {
    host.on('settings', (value) => {
      this.value = value
      this.loaded = true
    })
  }

  // change shows the new value at once and takes it back if the host refuses.
  async change(part: Partial<wire.Settings>): Promise<void> {
    const before = this.value
    const wish = { ...before, ...part }
    this.value = wish
    const result = await this.notices.watch(this.host.call('settings.set', wish))
    if (result) this.value = result
    else if (this.value === wish) this.value = before
  }
}
