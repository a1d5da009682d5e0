import { fireEvent, render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Core } from '../lib/core.svelte'
import { commandFor, toolsOwn } from '../lib/keys'
import { aTab, readyCore } from '../lib/test/core'
import { type FakeSocket, tick } from '../lib/test/fake'
import type { Tab } from '../lib/wire'
import PageMenu from './surface/PageMenu.svelte'
import TabItem from './TabItem.svelte'
import WithCore from './test/WithCore.svelte'

let core: Core
let socket: FakeSocket
let rev = 0
const asked = (call: string) => socket.calls(call).map((m) => m.args)
const page = aTab
const tools = page({ id: 't2', url: 'devtools://devtools/bundled/devtools_app.html', title: 'DevTools - a.example', inspects: 't1' })
const tell = (...list: Tab[]) => socket.say({ event: 'tabs', rev: ++rev, data: list })

beforeEach(async () => {
  globalThis.matchMedia = () => ({ matches: false }) as MediaQueryList
  ;({ core, socket } = await readyCore())
  tell(page())
  core.tabs.select('t1')
})

test('F12 opens the developer tools in front, and from there closes them', async () => {
  core.run('tools')
  expect(asked('tabs.inspect')).toEqual([{ tab: 't1', dark: false }])
  socket.answer('tabs.inspect', { tab: 't2' })
  await tick()
  tell(page(), tools)
  expect(core.tabs.active).toBe('t2')
  expect(core.tabs.current?.title).toBe('DevTools – A')
  core.run('tools')
  expect(core.tabs.active).toBe('t1')
  expect(asked('tabs.close')).toEqual([{ tab: 't2' }])
})

test('an element is picked in the page, which stays in front', async () => {
  tell(page(), tools)
  core.tabs.select('t2')
  core.run('tools.pick')
  expect(asked('tabs.inspect')).toEqual([{ tab: 't1', pick: true, dark: false }])
  socket.answer('tabs.inspect', { tab: 't2' })
  await tick()
  expect(core.tabs.active).toBe('t1')
})

test('a start page has no developer tools', () => {
  tell(page({ url: 'about:blank', title: '' }))
  core.run('tools')
  core.run('tools.pick')
  expect(asked('tabs.inspect')).toEqual([])
})

test('Inspect in the menu of the page names the menu; developer tools have none', async () => {
  const surface = { tab: 't1', id: 7, kind: 'menu', left: 1, top: 1, width: 0, height: 0 }
  const shown = render(WithCore, { props: { core, of: PageMenu as unknown as Component, given: { surface, tab: page() } } })
  await fireEvent.click(screen.getByText('Inspect'))
  expect(asked('tabs.inspect')).toEqual([{ tab: 't1', menu: 7, dark: false }])
  shown.unmount()
  render(WithCore, { props: { core, of: PageMenu as unknown as Component, given: { surface, tab: tools } } })
  expect(screen.queryByText('Inspect')).toBeNull()
})

test('keys that mean something to developer tools are left to them', () => {
  const press = (key: string, shiftKey = false) => commandFor({ key, code: '', altKey: false, ctrlKey: true, metaKey: false, shiftKey }, false)!
  for (const command of [press('f'), press('p'), press('P', true), press('g')]) expect(toolsOwn.has(command)).toBe(true)
  for (const command of [press('t'), press('w'), press('r'), press('Tab')]) expect(toolsOwn.has(command)).toBe(false)
})

test('what developer tools copy goes to the clipboard', async () => {
  const writeText = vi.fn().mockResolvedValue(undefined)
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  socket.say({ event: 'copied', rev: ++rev, data: { tab: 't2', text: '<body>' } })
  await tick()
  expect(writeText).toHaveBeenCalledWith('<body>')
  vi.unstubAllGlobals()
})

test('their tab says that only the person sees it', () => {
  const nothing = () => {}
  const given = { tab: tools, active: true, tabindex: 0, shift: 0, place: -1, waiting: false, dragged: false, sliding: false, onpointerdown: nothing, onclose: nothing, onmute: nothing }
  render(WithCore, { props: { core, of: TabItem as unknown as Component, given } })
  expect(screen.getByRole('tab').getAttribute('aria-label')).toContain('only you see this tab')
})
