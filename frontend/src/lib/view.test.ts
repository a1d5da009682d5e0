import { beforeEach, expect, test, vi } from 'vitest'
import type { Host } from './host'
import { Notices } from './notices.svelte'
import { FakeSocket, encodeFrame, readyHost, tick } from './test/fake'
import { View } from './view.svelte'

let host: Host
let view: View
let socket: FakeSocket

const size = (width: number, height: number) => view.resize({ width, height }, { width, height }, 1)
const acks = () => socket.sent.filter((m) => m.ack !== undefined).map((m) => m.ack)

beforeEach(async () => {
  vi.stubGlobal('createImageBitmap', async () => ({ width: 800, height: 600, close: () => {} }))
  host = await readyHost()
  socket = FakeSocket.last
  view = new View(host, new Notices(host))
  const context = { fillRect: () => {}, drawImage: () => {} }
  const canvas = document.createElement('canvas')
  canvas.getContext = (() => context) as never
  view.attach(canvas)
  view.setOnline(true)
})

async function watch(tab: string): Promise<void> {
  size(800, 600)
  view.show(tab)
  socket.answer('view.watch')
  await tick()
}

test('watches a tab at the size of the box', async () => {
  await watch('t3')
  expect(socket.calls('view.watch').at(-1)?.args).toEqual({ view: 1, tab: 't3', width: 800, height: 600, scale: 1 })
})

test('sizes that come while the host is asked become one question', async () => {
  size(800, 600)
  view.show('t3')
  const before = socket.calls('view.watch').length
  for (let w = 700; w < 720; w++) size(w, 600)
  expect(socket.calls('view.watch').length).toBe(before)
  socket.answer('view.watch')
  await tick()
  expect(socket.calls('view.watch').length).toBe(before + 1)
  expect(socket.calls('view.watch').at(-1)?.args).toMatchObject({ width: 719 })
})

test('a frame is acknowledged when its drawing begins, once', async () => {
  await watch('t3')
  socket.say(encodeFrame({ tab: 3, seq: 8 }))
  expect(acks()).toEqual([8])
  expect(view.painted).toBe(false)
  socket.say(encodeFrame({ tab: 3, seq: 9 }))
  expect(acks()).toEqual([8])
  await tick()
  expect(acks()).toEqual([8, 9])
  expect(view.painted).toBe(true)
  size(700, 600)
  expect(acks()).toEqual([8, 9])
})

test('a frame of another tab is dropped but still acknowledged', async () => {
  await watch('t3')
  socket.say(encodeFrame({ tab: 2, seq: 8 }))
  await tick()
  expect(view.painted).toBe(false)
  expect(acks()).toEqual([8])
})

test('another tab starts blank, with no cursor or link of the one before', async () => {
  await watch('t3')
  socket.say(encodeFrame({ tab: 3, seq: 1 }))
  await tick()
  socket.say({ event: 'cursor', rev: 1, data: { view: 1, cursor: 'pointer', link: 'https://a.example/' } })
  expect(view.link).toBe('https://a.example/')
  view.show('t4')
  expect([view.painted, view.cursor, view.link]).toEqual([false, 'default', ''])
})

test('no input goes to a page that is not drawn yet', async () => {
  await watch('t3')
  view.input({ in: 'mouse', type: 'down', x: 1, y: 1 })
  expect(socket.sent.some((m) => m.in)).toBe(false)
  socket.say(encodeFrame({ tab: 3, seq: 1 }))
  await tick()
  view.input({ in: 'mouse', type: 'down', x: 1, y: 1 })
  expect(socket.sent.at(-1)).toEqual({ in: 'mouse', type: 'down', x: 1, y: 1, view: 1 })
})

test('a hidden page leaves the view and comes back', async () => {
  await watch('t3')
  view.setVisible(false)
  expect(socket.sent.at(-1)).toMatchObject({ call: 'view.leave', args: { view: 1 } })
  socket.answer('view.leave')
  await tick()
  view.setVisible(true)
  expect(socket.sent.at(-1)).toMatchObject({ call: 'view.watch', args: { tab: 't3' } })
})

test('the agent’s pointer shows only in the tab it is in', async () => {
  await watch('t3')
  const say = (tab: string, state: string, rev: number) =>
    socket.say({ event: 'pointer', rev, data: { tab, x: 5, y: 6, state, agent: 'claude' } })
  say('t9', 'move', 1)
  expect(view.agent).toBeNull()
  say('t3', 'move', 2)
  expect(view.agent).toMatchObject({ x: 5, y: 6 })
  say('t3', 'gone', 3)
  expect(view.agent).toBeNull()
})

test('back at a tab within one question, its last frame is asked for anew', async () => {
  await watch('t3')
  size(700, 600)
  view.show('t4')
  view.show('t3')
  socket.answer('view.watch')
  await tick()
  expect(socket.sent.at(-1)).toMatchObject({ call: 'view.leave' })
  socket.answer('view.leave')
  await tick()
  expect(socket.sent.at(-1)).toMatchObject({ call: 'view.watch', args: { tab: 't3' } })
})

test('the host’s word about our own wish is an echo, a later one is news', async () => {
  await watch('t3')
  expect(view.isEcho('t3')).toBe(true)
  expect(view.isEcho('t3')).toBe(false)
  view.show('t4')
  expect(view.isEcho('t3')).toBe(true)
})

test('while the window draws, a frame that was on its way is let go; once it does not, frames are drawn here', async () => {
  let gone = () => {}
  window.go = { app: { Window: { Underlay: async () => true, PlacePicture: async () => {} } as never } }
  window.runtime = { EventsOn: (event, fn) => ((gone = event === 'underlay.gone' ? (fn as () => void) : gone), () => {}) }
  vi.stubGlobal('matchMedia', () => ({ addEventListener: () => {}, removeEventListener: () => {} }))
  const canvas = document.createElement('canvas')
  canvas.getContext = (() => ({ fillRect: () => {}, drawImage: () => {} })) as never
  view.attach(canvas)
  await watch('t3')
  await view.lay('client')
  expect(document.documentElement.dataset.pictures).toBe('window')
  socket.say(encodeFrame({ tab: 3, seq: 8 }))
  await tick()
  expect(document.documentElement.dataset.pictures).toBe('window')
  expect(acks()).toEqual([8])
  gone()
  expect(document.documentElement.dataset.pictures).toBe('canvas')
  socket.say(encodeFrame({ tab: 3, seq: 9 }))
  await tick()
  expect(view.painted).toBe(true)
  expect(acks()).toEqual([8, 9])
  delete window.go
  delete window.runtime
})

test('a window that cannot draw them leaves them to the canvas', async () => {
  window.go = { app: { Window: { Underlay: async () => false } as never } }
  document.documentElement.dataset.pictures = 'window'
  await view.lay('client')
  expect(document.documentElement.dataset.pictures).toBe('canvas')
  delete window.go
})
