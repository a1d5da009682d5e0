import { fireEvent, render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Core } from '../lib/core.svelte'
import { aTab, readyCore } from '../lib/test/core'
import { type FakeSocket, tick } from '../lib/test/fake'
import type { Tab } from '../lib/wire'
import AddressBar from './AddressBar.svelte'
import FindBar from './FindBar.svelte'
import StepButton from './StepButton.svelte'
import Toasts from './Toasts.svelte'
import WithCore from './test/WithCore.svelte'

let core: Core
let socket: FakeSocket
let rev = 0
const asked = (call: string) => socket.calls(call).map((m) => m.args)
const show = (of: Component<never>, given = {}) => render(WithCore, { props: { core, of: of as Component, given } })
const page = (part: Partial<Tab> = {}): Tab => aTab({ canBack: true, ...part })

beforeEach(async () => {
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  Element.prototype.scrollIntoView = () => {}
  ;({ core, socket } = await readyCore())
  socket.say({ event: 'tabs', rev: ++rev, data: [page(), page({ id: 't2' })] })
  core.tabs.select('t1')
  await tick()
})

test('the find bar searches as text is typed, steps, and ends with Escape', async () => {
  core.run('find')
  show(FindBar)
  await tick()
  const field = screen.getByRole('textbox', { name: 'Find in page' })
  expect(document.activeElement).toBe(field)
  await fireEvent.input(field, { target: { value: 'fox' } })
  expect(asked('find.start')).toEqual([{ tab: 't1', text: 'fox', matchCase: false }])
  socket.say({ event: 'find', rev: ++rev, data: { tab: 't1', text: 'fox', matchCase: false, count: 17, active: 3, marks: [] } })
  await tick()
  expect(screen.getByText('3 of 17')).toBeTruthy()
  await fireEvent.keyDown(field, { key: 'Enter' })
  await fireEvent.keyDown(field, { key: 'Enter', shiftKey: true })
  core.run('find.next')
  expect(asked('find.step').map((a) => (a as { by: number }).by)).toEqual([1, -1, 1])
  await fireEvent.click(screen.getByRole('button', { name: 'Match case' }))
  expect(asked('find.start').at(-1)).toEqual({ tab: 't1', text: 'fox', matchCase: true })
  socket.say({ event: 'find', rev: ++rev, data: { tab: 't1', text: 'fox', matchCase: true, count: 0, active: 0, marks: [] } })
  await tick()
  expect(screen.getByText('No matches')).toBeTruthy()
  await fireEvent.keyDown(field, { key: 'Escape' })
  expect(asked('find.stop')).toEqual([{ tab: 't1' }])
  expect(core.find.tab).toBe('')
})

test('the zoom shows in the address bar and goes by steps', async () => {
  show(AddressBar)
  expect(screen.queryByRole('button', { name: /Zoom/ })).toBeNull()
  socket.say({ event: 'tabs', rev: ++rev, data: [page({ zoom: 1.25 }), page({ id: 't2' })] })
  await tick()
  core.run('zoom.in')
  core.run('zoom.in')
  core.run('zoom.reset')
  socket.say({ event: 'tabs', rev: ++rev, data: [page({ zoom: 1.25 }), page({ id: 't2' })] })
  await tick()
  core.run('zoom.out')
  socket.say({ event: 'tabs', rev: ++rev, data: [page({ zoom: 1.25 }), page({ id: 't2' })] })
  await tick()
  await fireEvent.click(screen.getByRole('button', { name: 'Zoom 125 %. Press for actual size.' }))
  expect(asked('tabs.zoom')).toEqual([1.5, 1.75, 1, 1.1, 1].map((factor) => ({ tab: 't1', factor })))
})

test('a page that asks to be printed offers a PDF', async () => {
  show(Toasts)
  socket.say({ event: 'notice', rev: ++rev, data: { kind: 'info', message: 'This page asks to be printed.', tab: 't1', print: true } })
  await tick()
  await fireEvent.click(screen.getByRole('button', { name: 'Save as PDF' }))
  expect(asked('page.print')).toEqual([{ tab: 't1' }])
  expect(screen.queryByText('This page asks to be printed.')).toBeNull()
})

test('what another program opens is offered to the person', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  show(Toasts)
  const message = 'This page asks another program to open a mailto: address.'
  socket.say({ event: 'notice', rev: ++rev, data: { kind: 'info', message, tab: 't1', program: 'mailto:ada@example.org' } })
  await tick()
  expect(open).not.toHaveBeenCalled()
  await fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  expect(open).toHaveBeenCalledWith('mailto:ada@example.org', '_self')
  expect(screen.queryByText(message)).toBeNull()
})

test('a right press on back lists where it can go', async () => {
  show(StepButton as Component<never>, { way: 'back' })
  const back = screen.getByRole('button', { name: 'Back' })
  await fireEvent.contextMenu(back)
  expect(asked('tabs.steps')).toEqual([{ tab: 't1' }])
  const steps = [1, 2, 3].map((n) => ({ delta: -n, url: `https://a.example/${n}`, title: n === 2 ? '' : `Page ${n}` }))
  socket.answer('tabs.steps', { back: steps, forward: [] })
  await tick()
  await tick()
  expect(screen.getAllByRole('menuitem', { hidden: true }).map((m) => m.textContent?.trim())).toEqual(['Page 1', 'a.example/2', 'Page 3', 'Show all history'])
  await fireEvent.pointerUp(screen.getByText('Page 3'))
  await fireEvent.click(screen.getByText('Page 3'))
  await tick()
  expect(asked('tabs.history').at(-1)).toEqual({ tab: 't1', delta: -3 })
})
