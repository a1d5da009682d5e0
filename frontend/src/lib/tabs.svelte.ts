// The tab strip's state: the host's list, and which tab this page shows.
import { isDark } from './shell'
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import type { Settings } from './settings.svelte'
import { t } from './text'
import type * as wire from './wire'
import type { Tab, ViewState } from './wire'

export const personOwner = 'person'

const blankTitles = ['', 'about:blank', 'New Tab', 'New tab']

// isStart is true where Baton's own start page is shown: an empty tab of the
// person's, or no tab at all. A popup may be written into, so it is a page.
export const isStart = (tab: Tab | undefined): boolean =>
  !tab ||
  ((tab.url === '' || tab.url === 'about:blank') &&
    tab.owner === personOwner &&
    !tab.opener &&
    blankTitles.includes(tab.title) &&
    (tab.state === 'ready' || tab.state === 'asleep'))

export class Tabs {
  list = $state.raw<Tab[]>([])
  active = $state('') // id, "" when there is no tab
  current = $derived(this.list.find((tab) => tab.id === this.active))
  loaded = $state(false) // the host has told the list
  coming = $state(0) // new tabs on their way: what the person types already is for the last of them
  came = Promise.resolve(true) // the last of them did
  went = false // what was typed for it was entered already

  private only = '' // the one tab that this page shows
  private wanted = '' // opened here, not yet in the list
  private order: string[] = [] // strip order of the last list, to find a neighbour

  constructor(
    private readonly host: Host,
    private readonly notices: Notices,
    private readonly settings: Settings,
    private readonly isEcho: (tab: string) => boolean = () => false,
  ) {
    host.on('tabs', (list) => this.replace(list))
    host.on('view', (state) => this.shown(state))
  }

  // follow keeps to one tab, whatever else is shown elsewhere.
  follow(id: string): void {
    this.only = id
    this.active = id
  }

  select(id: string): void {
    if (!id || id === this.active) return
    this.active = id
    this.do(this.host.call('tabs.activate', { tab: id }))
  }

  // step selects the tab so many places to the right, around the end.
  step(by: number): void {
    const at = this.list.findIndex((tab) => tab.id === this.active)
    const next = this.list[(at + by + this.list.length) % this.list.length]
    if (next) this.select(next.id)
  }

  selectAt(index: number): void {
    const tab = index < 0 ? this.list.at(-1) : this.list[index]
    if (tab) this.select(tab.id)
  }

  // open is true once the tab is there.
  async open(url = this.settings.value.homeURL): Promise<boolean> {
    const result = await this.do(this.host.call('tabs.open', url ? { url } : {}))
    if (result) this.adopt(result.tab)
    return result !== undefined
  }

  // openNew opens a tab for what the person types next.
  async openNew(): Promise<void> {
    this.coming++
    this.went = false
    this.came = this.open()
    try {
      await this.came
    } finally {
      this.coming--
    }
  }

  // openBehind opens an address in a tab that is not shown, unless it is wanted in front.
  openBehind(url: string, profile: string, front = false): void {
    const opened = this.do(this.host.call('tabs.open', { url, profile, background: !front }))
    if (front) void opened.then((result) => result && this.adopt(result.tab))
  }

  // go loads what was typed: in the tab shown, or in a new one.
  async go(text: string): Promise<void> {
    const typed = text.trim()
    if (!typed) return
    if (this.coming) this.went = true
    const there = !this.coming || (await this.came)
    if (there && this.active) await this.do(this.host.call('tabs.navigate', { tab: this.active, url: typed }))
    else await this.open(typed)
  }

  close(id: string): void {
    if (id) this.do(this.host.call('tabs.close', { tab: id }))
  }

  // closeOthers and closeRight leave pinned tabs alone.
  closeOthers(id: string): void {
    for (const tab of this.list) if (tab.id !== id && !tab.pinned) this.close(tab.id)
  }

  closeRight(id: string): void {
    for (const tab of this.rightOf(id)) this.close(tab.id)
  }

  rightOf(id: string): Tab[] {
    const at = this.list.findIndex((tab) => tab.id === id)
    return at < 0 ? [] : this.list.slice(at + 1).filter((tab) => !tab.pinned)
  }

  pin(id: string, pinned: boolean): void {
    this.do(this.host.call('tabs.pin', { tab: id, pinned }))
  }

  mute(id: string, muted: boolean): void {
    this.do(this.host.call('tabs.mute', { tab: id, muted }))
  }

  // nudge moves a tab by so many places, on its side of the pinned tabs.
  nudge(id: string, by: number): void {
    const tab = this.list.find((tab) => tab.id === id)
    const side = this.list.filter((other) => !other.pinned === !tab?.pinned)
    const at = side.findIndex((other) => other.id === id)
    const next = side[at + by]
    if (next) this.move(id, this.list.indexOf(next))
  }

  async reopen(): Promise<void> {
    const result = await this.do(this.host.call('tabs.reopen'))
    if (result) this.adopt(result.tab)
  }

  async duplicate(id: string): Promise<void> {
    const result = await this.do(this.host.call('tabs.duplicate', { tab: id }))
    if (result) this.adopt(result.tab)
  }

  // move shows the new order at once; the host's next list is what counts.
  move(id: string, index: number): void {
    const from = this.list.findIndex((tab) => tab.id === id)
    if (from < 0 || from === index) return
    const list = [...this.list]
    list.splice(index, 0, ...list.splice(from, 1))
    this.list = list
    this.do(this.host.call('tabs.move', { tab: id, index }))
  }

  history(delta: number): void {
    if (this.active) this.do(this.host.call('tabs.history', { tab: this.active, delta }))
  }

  reload(hard = false, id = this.active): void {
    if (id) this.do(this.host.call('tabs.reload', { tab: id, hard }))
  }

  // steps gives where the shown tab can go to.
  async steps(): Promise<wire.Steps | undefined> {
    return this.active ? this.do(this.host.call('tabs.steps', { tab: this.active })) : undefined
  }

  // zoom shows the factor at once, so that quick presses add up.
  zoom(factor: number): void {
    this.list = this.list.map((tab) => (tab.id === this.active ? { ...tab, zoom: factor } : tab))
    if (this.active) this.do(this.host.call('tabs.zoom', { tab: this.active, factor }))
  }

  unfull(): void {
    if (this.active) this.do(this.host.call('tabs.unfull', { tab: this.active }))
  }

  // inspect opens the developer tools of a tab and shows them, unless an element
  // is to be picked in the page first.
  async inspect(how: { menu?: number; pick?: boolean } = {}, tab = this.active): Promise<void> {
    const result = tab && (await this.do(this.host.call('tabs.inspect', { tab, dark: isDark(), ...how })))
    if (result && !how.pick) this.adopt(result.tab)
  }

  // source opens the source of the shown page, beside it.
  async source(): Promise<void> {
    const result = this.active && (await this.do(this.host.call('tabs.source', { tab: this.active })))
    if (result) this.adopt(result.tab)
  }

  stop(): void {
    if (this.active) this.do(this.host.call('tabs.stop', { tab: this.active }))
  }

  setPrivate(id: string, on: boolean): void {
    this.do(this.host.call('tabs.private', { tab: id, private: on }))
  }

  take(): void {
    if (this.active) this.do(this.host.call('tabs.take', { tab: this.active }))
  }

  give(note = ''): void {
    if (this.active) this.do(this.host.call('tabs.give', note ? { tab: this.active, note } : { tab: this.active }))
  }

  // toggleControl takes from an agent, or gives back what the person holds.
  toggleControl(): void {
    if (this.current?.control.by === 'person') this.give()
    else this.take()
  }

  private do<T>(call: Promise<T>): Promise<T | undefined> {
    return this.notices.watch(call)
  }

  private adopt(id: string): void {
    this.wanted = this.list.some((tab) => tab.id === id) ? '' : id
    this.active = id
  }

  private replace(list: Tab[]): void {
    const before = this.order
    const opener = this.list.find((tab) => tab.id === this.active)?.opener ?? ''
    this.list = list.map((tab) => (tab.inspects ? { ...tab, title: t('tools.title', { title: list.find((of) => of.id === tab.inspects)?.title ?? '' }) } : tab))
    this.order = list.map((tab) => tab.id)
    this.loaded = true
    if (this.order.includes(this.wanted)) this.wanted = ''
    if (this.only || this.order.includes(this.active) || (this.wanted && this.wanted === this.active)) return
    const next = this.order.includes(opener) ? opener : this.neighbour(before)
    this.active = ''
    if (next) this.select(next)
  }

  // When the shown tab is gone, the one that opened it is shown again; without
  // that, the tab that took its place, or the one before it.
  private neighbour(before: string[]): string {
    const place = before.indexOf(this.active)
    if (place < 0) return this.order[0] ?? ''
    const left = before.slice(0, place).filter((id) => this.order.includes(id)).length
    return this.order[left] ?? this.order[left - 1] ?? ''
  }

  // The host may show another tab here: one that an agent was asked to show,
  // or a popup. What it says about an older wish of ours is passed over.
  private shown(state: ViewState): void {
    if (this.only || this.isEcho(state.tab) || !state.tab || state.tab === this.active) return
    this.active = state.tab
    if (!this.order.includes(state.tab)) this.wanted = state.tab
  }
}
