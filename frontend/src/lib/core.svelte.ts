// Everything the page knows, put together once and handed down by context.
import { createContext } from 'svelte'
import { Agents, agentTitle } from './agents.svelte'
import { Asks } from './asks.svelte'
import { Cards, wish } from './cards.svelte'
import { Desk } from './desk.svelte'
import { Dialogs } from './dialogs.svelte'
import { Downloads } from './downloads.svelte'
import { Editing } from './editing'
import { Find } from './find.svelte'
import { History } from './history.svelte'
import { Host, type HostState } from './host'
import type { Command } from './keys'
import { Notices } from './notices.svelte'
import { Settings } from './settings.svelte'
import { endpoint, isMac, notify, openExternal, openPip, raise, writeClipboard } from './shell'
import { Surfaces } from './surfaces.svelte'
import { isStart, Tabs } from './tabs.svelte'
import { t } from './text'
import { View } from './view.svelte'
import { Viewports } from './viewport.svelte'
import type * as wire from './wire'
import { nextZoom } from './zoom'

export class Core {
  state = $state<HostState>('connecting')
  hello = $state.raw<wire.Hello | null>(null)
  wasReady = $state(false)

  readonly desk = new Desk()
  readonly notices: Notices
  readonly settings: Settings
  readonly agents: Agents
  readonly view: View
  readonly tabs: Tabs
  readonly viewports: Viewports
  readonly dialogs: Dialogs
  readonly cards: Cards
  readonly surfaces: Surfaces
  readonly asks: Asks
  readonly editing: Editing
  readonly history: History
  readonly find: Find
  readonly downloads: Downloads

  constructor(readonly host: Host) {
    this.notices = new Notices(host)
    this.settings = new Settings(host, this.notices)
    this.agents = new Agents(host, this.notices)
    this.view = new View(host, this.notices)
    this.tabs = new Tabs(host, this.notices, this.settings, (tab) => this.view.isEcho(tab))
    this.viewports = new Viewports(host, this.notices, this.tabs)
    this.dialogs = new Dialogs(host, this.notices, (dialog) => {
      if (document.hidden && dialog.for === 'person') notify(t('dialog.notifyTitle'), dialog.message)
    })
    this.cards = new Cards(host, this.notices, (card) => {
      if (document.hidden || !document.hasFocus()) notify(t('card.notifyTitle'), wish(card, agentTitle(card.agent)))
    })
    this.surfaces = new Surfaces(host, this.notices)
    this.asks = new Asks(host, this.notices, (asks) => {
      const site = URL.parse(asks.signIn?.origin ?? '')?.host ?? ''
      const title = t(asks.signIn?.proxy ? 'signIn.proxyTitle' : 'signIn.title', { site })
      if (document.hidden || !document.hasFocus()) notify(t('signIn.notify'), title)
      if (asks.tab !== this.tabs.active) this.notices.add({ kind: 'info', message: title, tab: asks.tab })
    })
    this.editing = new Editing(host, this.view, this.notices, () => this.platforms.hostMac)
    this.find = new Find(host, this.notices)
    this.history = new History(host, this.notices)
    this.downloads = new Downloads(host, this.notices)
    host.on('raise', () => raise())
    host.on('copied', ({ text }) => {
      writeClipboard(text).catch(() => this.notices.add({ kind: 'warning', message: t('clipboard.failed') }))
    })
    host.onstate = (state, hello) => this.changed(state, hello)
  }

  // platforms tells which modifier is the one for commands on each side.
  get platforms(): { viewerMac: boolean; hostMac: boolean } {
    return { viewerMac: isMac, hostMac: this.hello?.host === 'darwin' }
  }

  run(command: Command): void {
    const { tabs, desk } = this
    if (command === 'tab.new') void this.newTab()
    else if (command === 'tab.close') tabs.close(tabs.active)
    else if (command === 'tab.reopen') void tabs.reopen()
    else if (command === 'tab.next') tabs.step(1)
    else if (command === 'tab.previous') tabs.step(-1)
    else if (command === 'tab.last') tabs.selectAt(-1)
    else if (command === 'tab.moveLeft') tabs.nudge(tabs.active, -1)
    else if (command === 'tab.moveRight') tabs.nudge(tabs.active, 1)
    else if (command === 'tab.list') desk.lay('tabs')
    else if (command === 'palette') desk.lay('palette')
    else if (command === 'keys') desk.lay('keys')
    else if (command.startsWith('tab.') && !/\d$/.test(command)) this.toTab(command)
    else if (command === 'stop') tabs.stop()
    else if (command === 'address.copy') void this.copyAddress()
    else if (command === 'viewport') this.viewports.toggle()
    else if (command === 'external') this.external()
    else if (command === 'pip') {
      if (tabs.active) openPip(tabs.active)
    }
    else if (command === 'connect') desk.open('connect')
    else if (command === 'address') desk.focus('address')
    else if (command === 'reload') tabs.reload()
    else if (command === 'reload.hard') tabs.reload(true)
    else if (command === 'back') tabs.history(-1)
    else if (command === 'forward') tabs.history(1)
    else if (command === 'control') tabs.toggleControl()
    else if (command === 'find') this.find.open(tabs.active)
    else if (command === 'find.next') this.find.step(tabs.active, 1)
    else if (command === 'find.previous') this.find.step(tabs.active, -1)
    else if (command === 'zoom.in') this.zoom(1)
    else if (command === 'zoom.out') this.zoom(-1)
    else if (command === 'zoom.reset') tabs.zoom(1)
    else if (command === 'source') void tabs.source()
    else if (command === 'tools') this.tools()
    else if (command === 'tools.pick') this.pick()
    else if (command === 'print') void this.downloads.print(tabs.active)
    else if (command === 'full') desk.full = !desk.full
    else if (command === 'history') desk.toggle('history')
    else if (command === 'downloads') this.downloads.toggle()
    else if (command === 'settings') desk.toggle('settings')
    else if (command === 'region.next') desk.cycle(1)
    else if (command === 'region.previous') desk.cycle(-1)
    else tabs.selectAt(Number(command.slice('tab.'.length)) - 1)
  }

  // toTab does a command to the tab shown.
  private toTab(command: Command): void {
    const { tabs } = this
    const tab = tabs.current
    if (!tab) return
    if (command === 'tab.pin') tabs.pin(tab.id, !tab.pinned)
    else if (command === 'tab.mute') tabs.mute(tab.id, !tab.muted)
    else if (command === 'tab.duplicate') void tabs.duplicate(tab.id)
    else if (command === 'tab.private') tabs.setPrivate(tab.id, !tab.private)
    else if (command === 'tab.closeOthers') tabs.closeOthers(tab.id)
    else if (command === 'tab.closeRight') tabs.closeRight(tab.id)
  }

  // tools opens the developer tools of the page shown; from there, closes them
  // and goes back to it.
  private tools(): void {
    const { tabs, desk } = this
    const tab = tabs.current
    if (!tab || isStart(tab)) return
    if (tab.inspects) {
      tabs.select(tab.inspects)
      tabs.close(tab.id)
    } else void tabs.inspect().then(() => desk.focus('page'))
  }

  // pick lets the person point at an element of the page to inspect.
  private pick(): void {
    const tab = this.tabs.current
    if (!tab || isStart(tab)) return
    void this.tabs.inspect({ pick: true }, tab.inspects || tab.id)
    if (tab.inspects) this.tabs.select(tab.inspects)
    this.desk.focus('page')
  }

  // copyAddress puts an address on the person's clipboard and says so.
  async copyAddress(url = this.tabs.current?.url ?? ''): Promise<void> {
    if (!/^https?:/.test(url)) return
    try {
      await writeClipboard(url)
      this.notices.add({ kind: 'info', message: t('clipboard.addressCopied') })
    } catch {
      this.notices.add({ kind: 'warning', message: t('clipboard.failed') })
    }
  }

  // external opens the page's address in the system's own browser.
  external(url = this.tabs.current?.url ?? ''): void {
    if (/^https?:/.test(url)) openExternal(url)
  }

  zoom(by: 1 | -1): void {
    const now = this.tabs.current?.zoom
    if (now) this.tabs.zoom(nextZoom(now, by))
  }

  async newTab(): Promise<void> {
    const opened = this.tabs.openNew()
    this.desk.focus('address') // at once: what is typed now is never the page's
    await opened
    // A menu that this was chosen in has given the keyboard back meanwhile.
    if (!this.tabs.went && !document.activeElement?.closest('[data-region="address"]')) this.desk.focus('address')
  }

  // tellNews tells the person, once, that a newer Baton has started.
  async tellNews(): Promise<void> {
    if (this.hello?.role !== 'owner') return
    const unread = await this.notices.watch(this.host.call('news.take'), 'quiet')
    if (unread?.version) this.notices.add({ kind: 'info', message: t('news.told', { version: unread.version }), panel: 'news' })
  }

  private changed(state: HostState, hello?: wire.Hello): void {
    // The time between two tries still reads as "offline" once it was ready.
    this.state = state === 'connecting' && this.wasReady ? 'offline' : state
    if (hello) {
      this.hello = hello
      void this.view.lay(hello.client)
      this.viewports.devices = hello.devices ?? []
      this.wasReady = true
    }
    if (state !== 'ready') {
      this.dialogs.forget()
      this.cards.forget()
      this.surfaces.forget()
      this.find.forget()
      this.asks.forget()
    }
    this.view.setOnline(state === 'ready')
  }
}

export const [getCore, setCore] = createContext<Core>()

export function newCore(): Core {
  const texts = { offline: t('host.callOffline'), late: () => t('host.callLate') }
  return new Core(new Host({ endpoint, texts }))
}
