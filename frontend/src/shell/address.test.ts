import { fireEvent, render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Core } from '../lib/core.svelte'
import { aTab, readyCore } from '../lib/test/core'
import { type FakeSocket, tick } from '../lib/test/fake'
import type { Place, Tab } from '../lib/wire'
import AddressBar from './AddressBar.svelte'
import WithCore from './test/WithCore.svelte'

let core: Core
let socket: FakeSocket
let bar: HTMLInputElement
let rev = 0
const focusPage = vi.fn()
const asked = (call: string) => socket.calls(call).map((m) => m.args)
const page = (part: Partial<Tab> = {}): Tab => aTab({ url: 'https://a.example/long/path', ...part })
const place = (url: string, title: string): Place => ({ id: 1, last: 0, url, title })
const type = async (text: string, inputType = 'insertText') => {
  bar.value = text
  await fireEvent(bar, new InputEvent('input', { inputType, bubbles: true }))
}
const selected = () => bar.value.slice(bar.selectionStart ?? 0, bar.selectionEnd ?? 0)

beforeEach(async () => {
  focusPage.mockClear()
  ;({ core, socket } = await readyCore())
  socket.say({ event: 'tabs', rev: ++rev, data: [page(), page({ id: 't2', url: 'https://b.example/', title: 'B' })] })
  socket.say({ event: 'recents', rev: ++rev, data: [place('https://www.example.com/docs', 'Docs')] })
  core.tabs.select('t1')
  core.desk.place('page', focusPage)
  render(WithCore, { props: { core, of: AddressBar as unknown as Component, given: {} } })
  await tick()
  bar = screen.getByRole('combobox')
})

test('the rest of a visited address is filled in and selected, and Enter goes there', async () => {
  bar.focus()
  await type('exam')
  expect(bar.value).toBe('exam')
  await vi.waitFor(() => expect(asked('history.suggest')).toHaveLength(1))
  socket.answer('history.suggest', [place('https://www.example.com/docs', 'Docs')])
  await vi.waitFor(() => expect(bar.value).toBe('example.com'))
  await tick()
  expect(selected()).toBe('ple.com')
  await fireEvent.keyDown(bar, { key: 'Enter' })
  expect(asked('tabs.navigate')).toEqual([{ tab: 't1', url: 'https://www.example.com/' }])
  expect(focusPage).toHaveBeenCalled()
})

test('what is deleted is not filled in again', async () => {
  bar.focus()
  await type('exam')
  await vi.waitFor(() => expect(asked('history.suggest')).toHaveLength(1))
  await type('exa', 'deleteContentBackward')
  await vi.waitFor(() => expect(asked('history.suggest')).toHaveLength(2))
  socket.answer('history.suggest', [place('https://www.example.com/docs', 'Docs')])
  await tick()
  await tick()
  expect(bar.value).toBe('exa')
  await fireEvent.keyDown(bar, { key: 'Enter' })
  expect(asked('tabs.navigate')).toEqual([{ tab: 't1', url: 'exa' }])
})

test('Escape brings the address back, and then gives the keyboard to the page', async () => {
  bar.focus()
  await type('something')
  await fireEvent.keyDown(bar, { key: 'Escape' })
  await tick()
  expect(bar.value).toBe('https://a.example/long/path')
  expect(selected()).toBe(bar.value)
  expect(focusPage).not.toHaveBeenCalled()
  await fireEvent.keyDown(bar, { key: 'Escape' })
  expect(focusPage).toHaveBeenCalled()
})

test('a first press selects all of it, a second places the caret', async () => {
  await fireEvent.mouseDown(bar)
  bar.focus()
  bar.setSelectionRange(3, 3)
  await fireEvent.mouseUp(bar)
  expect(selected()).toBe(bar.value)
  await fireEvent.mouseDown(bar)
  bar.setSelectionRange(3, 3)
  await fireEvent.mouseUp(bar)
  expect(selected()).toBe('')
})

test('keys go through what is offered, past the end to what was typed; a tab is switched to', async () => {
  bar.focus()
  expect(asked('address.servers')).toHaveLength(1)
  socket.answer('address.servers', { ports: [5173] })
  await type('b')
  await fireEvent.keyDown(bar, { key: 'ArrowDown' })
  expect(bar.value).toBe('b')
  await fireEvent.keyDown(bar, { key: 'ArrowDown' })
  expect(bar.value).toBe('b.example')
  await fireEvent.keyDown(bar, { key: 'ArrowDown' })
  expect(bar.value).toBe('b')
  await fireEvent.keyDown(bar, { key: 'ArrowUp' })
  await fireEvent.keyDown(bar, { key: 'Enter' })
  expect(core.tabs.active).toBe('t2')

  bar.focus()
  await type('517')
  expect(screen.getByText('localhost:5173')).toBeTruthy()
  expect(screen.getByText('On this computer')).toBeTruthy()
})

test('a paste is one line that runs no script', async () => {
  bar.focus()
  bar.select()
  const clipboardData = { getData: () => ' javascript:\nalert(1)\n' }
  await fireEvent.paste(bar, { clipboardData })
  expect(bar.value).toBe('alert(1)')
  await fireEvent.keyDown(bar, { key: 'Enter' })
  expect(asked('tabs.navigate')).toEqual([{ tab: 't1', url: 'alert(1)' }])
})

test('a name in other letters is shown in them, and copied as it is', async () => {
  socket.say({ event: 'tabs', rev: ++rev, data: [page({ url: 'https://xn--bcher-kva.example/a', host: 'bücher.example' })] })
  await tick()
  expect(document.querySelector('.text .shown b')?.textContent).toBe('bücher.example')
  bar.focus()
  expect(bar.value).toBe('https://bücher.example/a')
  bar.select()
  const setData = vi.fn()
  await fireEvent.copy(bar, { clipboardData: { setData } })
  expect(setData).toHaveBeenCalledWith('text/plain', 'https://xn--bcher-kva.example/a')
  // Enter without a change loads the same address.
  await fireEvent.keyDown(bar, { key: 'Enter' })
  expect(asked('tabs.navigate')).toEqual([{ tab: 't1', url: 'https://xn--bcher-kva.example/a' }])
})

test('the address of developer tools is none to go to', async () => {
  socket.say({ event: 'tabs', rev: ++rev, data: [page({ url: 'devtools://devtools/x.html', inspects: 't2' })] })
  await tick()
  expect(bar.value).toBe('')
  expect(bar.placeholder).toContain('only you see this tab')
})

test('an address that changes under the keyboard stays chosen, and the next key takes its place', async () => {
  bar.focus()
  await tick()
  expect(selected()).toBe('https://a.example/long/path')
  socket.say({ event: 'tabs', rev: ++rev, data: [page({ url: 'https://a.example/elsewhere' })] })
  await vi.waitFor(() => expect(bar.value).toBe('https://a.example/elsewhere'))
  await tick()
  expect(selected()).toBe('https://a.example/elsewhere')
})

test('an address that changes while the person types loses nothing', async () => {
  bar.focus()
  await type('half')
  socket.say({ event: 'tabs', rev: ++rev, data: [page({ url: 'https://a.example/elsewhere' })] })
  await tick()
  await tick()
  expect(bar.value).toBe('half')
})

test('what is typed while a new tab is on its way belongs to it', async () => {
  core.run('tab.new')
  await tick()
  expect(document.activeElement).toBe(bar)
  expect(bar.value).toBe('')
  await type('half')
  await fireEvent.keyDown(bar, { key: 'Enter' })
  expect(asked('tabs.navigate')).toEqual([])
  expect(focusPage).not.toHaveBeenCalled() // it is still the page before
  socket.answer('tabs.open', { tab: 't3' })
  socket.say({ event: 'tabs', rev: ++rev, data: [page(), page({ id: 't3', url: 'about:blank', title: '' })] })
  await vi.waitFor(() => expect(asked('tabs.navigate')).toEqual([{ tab: 't3', url: 'half' }]))
  await vi.waitFor(() => expect(focusPage).toHaveBeenCalledOnce())

  core.run('tab.new')
  await tick()
  await type('rest')
  socket.answer('tabs.open', { tab: 't4' })
  socket.say({ event: 'tabs', rev: ++rev, data: [page(), page({ id: 't4', url: 'about:blank', title: '' })] })
  await vi.waitFor(() => expect(core.tabs.active).toBe('t4'))
  await tick()
  expect(bar.value).toBe('rest')
  expect(document.activeElement).toBe(bar)
})

test('a new tab that does not come leaves the page alone', async () => {
  core.run('tab.new')
  await tick()
  await type('half')
  await fireEvent.keyDown(bar, { key: 'Enter' })
  socket.say({ id: socket.calls('tabs.open').at(-1)?.id, error: { code: 'internal', message: 'no' } })
  await vi.waitFor(() => expect(asked('tabs.open')).toHaveLength(2))
  expect(asked('tabs.open')[1]).toEqual({ url: 'half' })
  expect(asked('tabs.navigate')).toEqual([])
})

test('a new tab that was chosen in a menu has the keyboard once the menu has given it back', async () => {
  core.run('tab.new')
  bar.blur()
  const before = document.body.appendChild(document.createElement('button'))
  before.focus()
  socket.answer('tabs.open', { tab: 't3' })
  await vi.waitFor(() => expect(document.activeElement).toBe(bar))
  before.remove()
})
