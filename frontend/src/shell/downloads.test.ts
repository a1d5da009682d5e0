import { fireEvent, render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Core } from '../lib/core.svelte'
import { bytes } from '../lib/downloads.svelte'
import { readyCore } from '../lib/test/core'
import { type FakeSocket, tick } from '../lib/test/fake'
import type { Download } from '../lib/wire'
import DownloadShelf from './DownloadShelf.svelte'
import WithCore from './test/WithCore.svelte'

let core: Core
let socket: FakeSocket
let rev = 0
const opened = vi.fn(() => Promise.resolve())

const file = (part: Partial<Download>): Download => ({ id: 1, name: 'a.txt', url: 'https://a.example/a', state: 'finished', received: 2500, total: 2500, began: 0, ...part })
const list = (...data: Download[]) => socket.say({ event: 'downloads', rev: ++rev, data })
const asked = (call: string) => socket.calls(call).map((m) => m.args)

beforeEach(async () => {
  // The window's own methods; a test takes them away to be a browser.
  window.go = { app: { Window: { OpenFile: opened, ShowFile: opened, Endpoint: () => Promise.resolve({ url: 'ws://x', token: 't' }) } as never } }
  opened.mockClear()
  ;({ core, socket } = await readyCore())
})

afterEach(() => {
  delete window.go
})

const show = () => render(WithCore, { props: { core, of: DownloadShelf as Component } })

test('what goes on shows its progress and can be cancelled', async () => {
  list(file({ state: 'going on', received: 500, total: 2000 }))
  show()
  expect(screen.getByText('500 B of 2.0 KB')).toBeTruthy()
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25')
  expect(core.downloads.progress).toBe(0.25)
  await fireEvent.click(screen.getByRole('button', { name: 'Cancel a.txt' }))
  expect(asked('downloads.cancel')).toEqual([{ id: 1 }])
  expect(screen.queryByRole('button', { name: 'Clear list' })).toBeNull()
})

test('a file opens in the window, one that could run only when the person is sure', async () => {
  list(file({ id: 2, name: 'run.sh', risky: true }), file({}))
  show()
  await fireEvent.click(screen.getByText('a.txt'))
  expect(asked('downloads.open')).toEqual([{ id: 1, sure: false }])
  socket.answer('downloads.open', { path: '/home/x/a.txt' })
  await tick()
  expect(opened).toHaveBeenCalledWith('/home/x/a.txt')
  await fireEvent.click(screen.getByText('run.sh'))
  expect(asked('downloads.open')).toHaveLength(1)
  await fireEvent.click(screen.getByRole('button', { name: 'Open anyway' }))
  expect(asked('downloads.open')[1]).toEqual({ id: 2, sure: true })
})

test('what is gone or broken off does not open, and can be tried again', async () => {
  list(file({ id: 3, name: 'b.txt', gone: true, again: true }), file({ id: 4, name: 'c.txt', state: 'failed', again: true }), file({ id: 5, name: 'd.txt', state: 'cancelled' }))
  show()
  await fireEvent.click(screen.getByText('b.txt'))
  expect(asked('downloads.open')).toEqual([])
  await fireEvent.click(screen.getByRole('button', { name: 'Try c.txt again' }))
  expect(asked('downloads.retry')).toEqual([{ id: 4 }])
  expect(screen.queryByRole('button', { name: 'Try d.txt again' })).toBeNull()
  await fireEvent.click(screen.getByRole('button', { name: 'Take d.txt off the list' }))
  expect(asked('downloads.forget')).toEqual([{ id: 5 }])
})

test('the button tells of what came since the person looked', () => {
  list(file({}))
  expect(core.downloads.fresh).toBe(false)
  list(file({ id: 2 }), file({}))
  expect(core.downloads.fresh).toBe(true)
  core.downloads.show(true)
  expect(core.downloads.fresh).toBe(false)
})

test('sizes read as people write them', () => {
  expect([0, 999, 1000, 12_340_000, 123_400_000, 5e12].map(bytes)).toEqual(['0 B', '999 B', '1.0 KB', '12.3 MB', '123 MB', '5.0 TB'])
})
