import { fireEvent, render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { beforeEach, expect, test } from 'vitest'
import type { Core } from '../lib/core.svelte'
import { filter } from '../lib/finder'
import { profileColour } from '../lib/tabline'
import { aTab, readyCore } from '../lib/test/core'
import { type FakeSocket, tick } from '../lib/test/fake'
import type { Card, Tab } from '../lib/wire'
import TabStrip from './TabStrip.svelte'
import KeySheet from './over/KeySheet.svelte'
import Palette from './over/Palette.svelte'
import TabFinder from './over/TabFinder.svelte'
import WithCore from './test/WithCore.svelte'

let core: Core
let socket: FakeSocket
let rev = 0

const show = (of: Component) => render(WithCore, { props: { core, of, given: {} } })

const tab = (id: string, part: Partial<Tab> = {}): Tab => aTab({ id, url: `https://${id}.example/`, title: `Page ${id}`, ...part })

async function tell(...tabs: Tab[]): Promise<void> {
  socket.say({ event: 'tabs', rev: ++rev, data: tabs })
  await tick()
}

beforeEach(async () => {
  rev = 0
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  Element.prototype.scrollIntoView = () => {}
  ;({ core, socket } = await readyCore())
})

const names = () => screen.getAllByRole('tab').map((el) => el.getAttribute('aria-label'))

test('a tab says all that its look says', async () => {
  await tell(
    tab('t1', { pinned: true, audible: true }),
    tab('t2', { muted: true, audible: true, profile: 'work' }),
    tab('t3', { state: 'asleep' }),
    tab('t4', { state: 'crashed' }),
  )
  socket.say({ event: 'cards', rev: ++rev, data: [{ id: 'c1', kind: 'approval', agent: 'claude', tab: 't3', until: 0, action: { verb: 'click', targets: [], url: '', title: '' } } as Card] })
  show(TabStrip as Component)
  expect(names()).toEqual([
    'Page t1, Pinned, Playing audio',
    'Page t2, Muted, Profile: work',
    'Page t3, Asleep, An agent waits for your answer',
    'Page t4, Crashed',
  ])
})

test('sound is muted at its sign, and a middle click closes and does nothing else', async () => {
  await tell(tab('t1', { audible: true }), tab('t2'))
  show(TabStrip as Component)
  screen.getByTitle('Mute Page t1').click()
  expect(socket.calls('tabs.mute').at(-1)?.args).toEqual({ tab: 't1', muted: true })
  const second = screen.getAllByRole('tab')[1]!
  expect(await fireEvent.mouseDown(second, { button: 1 })).toBe(false) // nothing is pasted
  await fireEvent(second, new MouseEvent('auxclick', { button: 1, bubbles: true }))
  expect(socket.calls('tabs.close').map((c) => c.args)).toEqual([{ tab: 't2' }])
})

test('closing others or those to the right leaves pinned tabs', async () => {
  await tell(tab('t1', { pinned: true }), tab('t2'), tab('t3'), tab('t4'))
  core.tabs.closeRight('t2')
  expect(socket.calls('tabs.close').map((c) => (c.args as { tab: string }).tab)).toEqual(['t3', 't4'])
  core.tabs.closeOthers('t4')
  expect(socket.calls('tabs.close').map((c) => (c.args as { tab: string }).tab)).toEqual(['t3', 't4', 't2', 't3'])
})

test('a tab moves by keys on its own side of the pinned ones', async () => {
  await tell(tab('t1', { pinned: true }), tab('t2'), tab('t3'))
  core.tabs.select('t2')
  core.run('tab.moveLeft')
  expect(socket.calls('tabs.move')).toEqual([])
  core.run('tab.moveRight')
  expect(socket.calls('tabs.move').at(-1)?.args).toEqual({ tab: 't2', index: 2 })
})

test('the list of all tabs is searched, chosen from and closed from by keys', async () => {
  await tell(tab('t1', { title: 'Green tea' }), tab('t2', { title: 'Black tea' }), tab('t3', { title: 'Coffee' }))
  core.tabs.select('t1')
  core.run('tab.list')
  show(TabFinder as Component)
  const field = screen.getByRole('combobox', { name: 'Search tabs' })
  expect(document.activeElement).toBe(field)
  await fireEvent.keyDown(field, { key: 'Delete' })
  expect(socket.calls('tabs.close').at(-1)?.args).toEqual({ tab: 't1' })
  await fireEvent.input(field, { target: { value: 'bl te' } })
  expect(screen.getAllByRole('option').map((o) => o.querySelector('.text')!.textContent)).toEqual(['Black tea'])
  await fireEvent.keyDown(field, { key: 'Enter' })
  expect(core.tabs.active).toBe('t2')
  expect(core.desk.over).toBe('')
  await fireEvent.input(field, { target: { value: 'cocoa' } })
  expect(screen.queryAllByRole('option')).toEqual([])
  screen.getByText('No tab fits.')
})

test('the palette runs commands, changes settings and finds tabs', async () => {
  await tell(tab('t1', { title: 'Green tea' }))
  core.desk.over = 'palette'
  show(Palette as Component)
  const field = screen.getByRole('combobox')
  const choose = async (text: string) => {
    await fireEvent.input(field, { target: { value: text } })
    await fireEvent.keyDown(field, { key: 'Enter' })
  }
  await choose('duplicate')
  expect(socket.calls('tabs.duplicate')).toHaveLength(1)
  await choose('theme dark')
  expect(core.settings.value.theme).toBe('dark')
  await choose('green')
  expect(core.tabs.active).toBe('t1')
  expect(core.desk.over).toBe('')
})

test('Escape leaves an overlay', async () => {
  core.desk.over = 'keys'
  show(KeySheet as Component)
  expect(screen.getByRole('dialog', { name: 'Keyboard shortcuts' }).textContent).toContain('Ctrl+Shift+T')
  await fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  expect(core.desk.over).toBe('')
})

test('what begins with the typed words comes first', () => {
  const items = ['All tabs', 'New tab', 'Tabs'].map((text) => ({ id: text, text }))
  expect(filter(items, 'tab').map((i) => i.text)).toEqual(['Tabs', 'All tabs', 'New tab'])
})

test('a profile keeps its colour, and the shared one has none', () => {
  expect(profileColour('shared')).toBe('')
  expect(profileColour('work')).toBe(profileColour('work'))
  expect(profileColour('work')).toMatch(/^var\(--profile-[1-8]\)$/)
})
