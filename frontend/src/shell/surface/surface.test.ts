import { fireEvent, render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { beforeEach, expect, test } from 'vitest'
import type { Core } from '../../lib/core.svelte'
import { aTab, readyCore } from '../../lib/test/core'
import { type FakeSocket, tick } from '../../lib/test/fake'
import type { Surface, Tab } from '../../lib/wire'
import WithCore from '../test/WithCore.svelte'
import ColorPicker from './ColorPicker.svelte'
import DatePicker from './DatePicker.svelte'
import PageMenu from './PageMenu.svelte'
import SelectList from './SelectList.svelte'
import SuggestList from './SuggestList.svelte'
import TimePicker from './TimePicker.svelte'

let core: Core
let socket: FakeSocket

const show = (of: Component<never>, given = {}) => render(WithCore, { props: { core, of: of as Component, given } })
const surface = (part: Partial<Surface>): Surface => ({ tab: 't1', id: 7, kind: 'select', left: 0, top: 0, width: 100, height: 20, ...part })
const page = (part: Partial<Tab> = {}): Tab => aTab({ canBack: true, ...part })
const asked = (call: string) => socket.calls(call).map((m) => m.args)

beforeEach(async () => {
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  Element.prototype.scrollIntoView = () => {}
  ;({ core, socket } = await readyCore())
})

const fruit = surface({
  options: [
    { index: 0, label: 'Apple', selected: true },
    { index: 1, label: 'Banana', disabled: true },
    { index: 4, label: 'Cherry', group: 'More' },
  ],
})

test('a list is gone through with keys, past what cannot be chosen', async () => {
  show(SelectList, { surface: fruit, scale: 1 })
  await tick()
  const list = screen.getByRole('listbox')
  expect(document.activeElement).toBe(list)
  await fireEvent.keyDown(list, { key: 'ArrowDown' })
  await fireEvent.keyDown(list, { key: 'Enter' })
  expect(asked('surface.choose')).toEqual([{ tab: 't1', id: 7, index: 4 }])
})

test('letters find an option, and Escape changes nothing', async () => {
  show(SelectList, { surface: fruit, scale: 1 })
  const list = screen.getByRole('listbox')
  await fireEvent.keyDown(list, { key: 'c' })
  expect(list.getAttribute('aria-activedescendant')).toBe('option-7-2')
  await fireEvent.keyDown(list, { key: 'Escape' })
  expect(asked('surface.close')).toEqual([{ tab: 't1', id: 7 }])
  expect(asked('surface.choose')).toEqual([])
})

test('a suggestion is taken with the keys of the page’s own field', async () => {
  show(SuggestList, { surface: surface({ kind: 'list', options: [{ index: 0, label: '', value: 'Bath' }, { index: 0, label: 'Norway', value: 'Bergen' }] }) })
  await fireEvent.keyDown(window, { key: 'ArrowUp' })
  await fireEvent.keyDown(window, { key: 'Enter' })
  expect(asked('surface.set')).toEqual([{ tab: 't1', id: 7, value: 'Bergen' }])
})

test('a day is picked', async () => {
  const { container } = show(DatePicker, { surface: surface({ kind: 'date', value: '2027-02-03' }) })
  await tick()
  const day = [...container.querySelectorAll<HTMLElement>('.cal-day')].find((el) => el.textContent?.trim() === '14')
  day?.click()
  await tick()
  expect(asked('surface.set')).toEqual([{ tab: 't1', id: 7, value: '2027-02-14' }])
})

test('a week, a month and a time are written as the page’s field wants them', async () => {
  const { container, unmount } = show(DatePicker, { surface: surface({ kind: 'week', value: '2027-W08' }) })
  await tick()
  ;[...container.querySelectorAll<HTMLElement>('.cal-day')].find((el) => el.textContent?.trim() === '10')?.click()
  unmount()
  const month = show(DatePicker, { surface: surface({ kind: 'month', value: '2027-02', max: '2027-06' }) })
  const names = [...month.container.querySelectorAll<HTMLButtonElement>('.months button')]
  expect(names.map((b) => b.disabled).indexOf(true)).toBe(6)
  names[4]!.click()
  month.unmount()
  show(TimePicker, { surface: surface({ kind: 'time', value: '10:15' }) })
  const [hours] = screen.getAllByRole('listbox')
  await fireEvent.keyDown(hours!, { key: 'ArrowDown' })
  await fireEvent.keyDown(hours!, { key: 'Enter' })
  expect(asked('surface.set').map((a) => (a as { value: string }).value)).toEqual(['2027-W06', '2027-05', '11:15'])
})

test('a colour is typed', async () => {
  show(ColorPicker, { surface: surface({ kind: 'color', value: '#336699' }) })
  const field = screen.getByLabelText('Color as text')
  await fireEvent.change(field, { target: { value: '#ff8000' } })
  screen.getByRole('button', { name: 'OK' }).click()
  expect(asked('surface.set')).toEqual([{ tab: 't1', id: 7, value: '#ff8000' }])
})

test('a menu offers what is under the pointer', async () => {
  const items = (part: Partial<Surface>) => {
    const { unmount } = show(PageMenu, { surface: surface({ kind: 'menu', ...part }), tab: page() })
    const found = screen.getAllByRole('menuitem').map((el) => (el.getAttribute('aria-disabled') === 'true' ? '-' : '') + el.firstChild?.textContent)
    unmount()
    return found
  }
  expect(items({ link: 'https://b.example/x' })).toEqual(['Open link in new tab', 'Copy link address', 'Inspect'])
  expect(items({ link: 'javascript:alert(1)' })).toEqual(['Back', '-Forward', 'Reload', 'Copy address', 'Open in the system’s browser', 'Select all', 'Save as PDF', 'View page source', 'Inspect'])
  expect(items({ text: 'green tea' })).toEqual(['Copy', 'Search for “green tea”', 'Inspect'])
  expect(items({ editable: true, secret: true })).toEqual(['Undo', 'Redo', '-Cut', '-Copy', 'Paste', 'Select all', 'Inspect'])
  expect(items({})).toEqual(['Back', '-Forward', 'Reload', 'Copy address', 'Open in the system’s browser', 'Select all', 'Save as PDF', 'View page source', 'Inspect'])
  expect(items({ image: 'data:image/png;base64,AA' })).toEqual(['Save image', 'Copy image', 'Inspect'])
  expect(items({ image: 'https://b.example/p.png' })).toEqual(['Open image in new tab', 'Save image', 'Copy image', 'Copy image address', 'Inspect'])
})

test('a menu is used with keys', async () => {
  show(PageMenu, { surface: surface({ kind: 'menu', link: 'https://b.example/x' }), tab: page() })
  const menu = screen.getByRole('menu')
  await fireEvent.keyDown(menu, { key: 'ArrowDown' })
  await fireEvent.keyDown(menu, { key: 'Enter' })
  expect(asked('tabs.open')).toEqual([{ url: 'https://b.example/x', profile: 'shared', background: true }])
  expect(asked('surface.close')).toEqual([{ tab: 't1', id: 7 }])
})
