// The search in a page. The host keeps each up; the bar is for one tab at a time.
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import type { Find as State } from './wire'

export class Find {
  tab = $state('') // whose page is searched; "" is none
  text = $state('')
  matchCase = $state(false)
  wanted = $state(0) // grows when the field is to have the keyboard

  private states = $state.raw<Record<string, State>>({})
  state = $derived(this.states[this.tab])

  constructor(
    private readonly host: Host,
    private readonly notices: Notices,
  ) {
    host.on('find', (state) => {
      const rest = { ...this.states }
      delete rest[state.tab]
      this.states = state.text ? { ...rest, [state.tab]: state } : rest
    })
  }

  // open shows the bar for a tab, with the text that was searched for last.
  open(tab: string): void {
    if (!tab) return
    this.wanted++
    if (tab === this.tab) return
    if (this.tab) this.close()
    this.tab = tab
    if (this.text) this.search()
  }

  search(): void {
    if (!this.tab) return
    this.ask(this.host.call('find.start', { tab: this.tab, text: this.text, matchCase: this.matchCase }))
  }

  step(tab: string, by: number): void {
    if (tab !== this.tab) this.open(tab)
    else if (this.text) this.ask(this.host.call('find.step', { tab, by }))
  }

  // close leaves the page where it is.
  close(): void {
    if (this.tab) this.ask(this.host.call('find.stop', { tab: this.tab }))
    this.tab = ''
  }

  forget(): void {
    this.states = {}
    this.tab = ''
  }

  private ask(call: Promise<unknown>): void {
    void this.notices.watch(call, 'quiet')
  }
}
