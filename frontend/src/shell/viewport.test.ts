import { fireEvent, render, screen } from '@testing-library/svelte'
import { beforeEach, expect, test } from 'vitest'
import { Core } from '../lib/core.svelte'
import { FakeSocket, fakeHost, tick } from '../lib/test/fake'
import type { Tab, Viewport } from '../lib/wire'
import ViewportBar from './ViewportBar.svelte'
import ViewportEdges from './ViewportEdges.svelte'
import WithCore from './test/WithCore.svelte'

let core: Core
let socket: FakeSocket
let rev = 0

async function tell(viewport?: Viewport): Promise<void> {
  const tab = { id: 't1', url: 'https://a.example/', title: 'A', state: 'ready', owner: 'person', control: { by: 'nobody' }, viewport } as Tab
  socket.say({ event: 'tabs', rev: ++rev, data: [tab] })
  await tick()
}

const asked = () => socket.calls('tabs.viewport').map((c) => c.args)

beforeEach(async () => {
  rev = 0
  core = new Core(fakeHost())
  core.host.start()
  await tick()
  socket = FakeSocket.last
  socket.onopen?.()
  socket.answer('hello', { host: 'linux', devices: [{ name: 'iPhone 15', width: 393, height: 852 }] })
  await tick()
})

test('a page in another size always says so, and one word brings it back', async () => {
  await tell()
  expect(core.viewports.shown).toBe(false)
  await tell({ width: 393, height: 852, device: 'iPhone 15', scheme: 'dark', fixed: true })
  expect(core.viewports.shown).toBe(true)
  render(WithCore, { props: { core, of: ViewportBar } })
  expect((screen.getByRole('combobox', { name: 'Device' }) as HTMLSelectElement).value).toBe('iPhone 15')
  expect((screen.getByRole('combobox', { name: 'Appearance' }) as HTMLSelectElement).value).toBe('dark')
  screen.getByRole('button', { name: 'Show as it comes' }).click()
  expect(asked()).toEqual([{ tab: 't1', fill: true, scheme: 'system' }])
})

test('presets, sizes and turning are asked for; a locked ratio is kept', async () => {
  await tell({ width: 400, height: 800, scheme: 'system', fixed: true })
  render(WithCore, { props: { core, of: ViewportBar } })
  const answered = async () => {
    socket.answer('tabs.viewport')
    await tick()
  }
  await fireEvent.change(screen.getByRole('combobox', { name: 'Device' }), { target: { value: 'iPhone 15' } })
  await answered()
  screen.getByRole('button', { name: 'Turn' }).click()
  await answered()
  screen.getByRole('button', { name: 'Keep the ratio' }).click()
  await fireEvent.change(screen.getByRole('spinbutton', { name: 'Width' }), { target: { value: '500' } })
  await answered()
  await fireEvent.change(screen.getByRole('spinbutton', { name: 'Height' }), { target: { value: '5' } })
  expect(asked()).toEqual([
    { tab: 't1', device: 'iPhone 15' },
    { tab: 't1', turn: 'landscape' },
    { tab: 't1', width: 500, height: 1000 },
    { tab: 't1', width: 100, height: 100 },
  ])
})

test('while one size is under way only the newest wish waits', async () => {
  await tell({ width: 400, height: 800, scheme: 'system', fixed: true })
  for (let width = 401; width < 440; width++) core.viewports.set({ width })
  expect(asked()).toEqual([{ tab: 't1', width: 401 }])
  socket.answer('tabs.viewport')
  await tick()
  expect(asked()).toEqual([
    { tab: 't1', width: 401 },
    { tab: 't1', width: 439 },
  ])
})

test('an edge is moved by keys', async () => {
  await tell({ width: 400, height: 800, scheme: 'system', fixed: true })
  core.view.painted = true
  render(WithCore, { props: { core, of: ViewportEdges } })
  await fireEvent.keyDown(screen.getByRole('slider', { name: 'Bottom edge of the page' }), { key: 'ArrowDown', shiftKey: true })
  expect(asked()).toEqual([{ tab: 't1', width: 400, height: 810 }])
})
