import { afterEach, expect, test, vi } from 'vitest'
import type { HostState } from './host'
import { FakeSocket, encodeFrame, fakeHost, readyHost, tick } from './test/fake'

afterEach(() => vi.useRealTimers())

test('answers are matched by number, whatever their order', async () => {
  const host = await readyHost()
  const first = host.call('tabs.open', { url: 'a' })
  const second = host.call('tabs.open', { url: 'b' })
  const [a, b] = FakeSocket.last.calls('tabs.open')
  FakeSocket.last.say({ id: b?.id, result: { tab: 't2' } })
  FakeSocket.last.say({ id: a?.id, error: { code: 'bad', message: 'No.', next: 'Try c.' } })
  expect(await second).toEqual({ tab: 't2' })
  await expect(first).rejects.toMatchObject({ code: 'bad', message: 'No.', next: 'Try c.' })
})

test('a call that is not answered fails at its deadline', async () => {
  const host = await readyHost({ deadline: 20 })
  await expect(host.call('tabs.close', { tab: 't1' })).rejects.toMatchObject({ code: 'timeout', message: 'tabs.close is late' })
})

test('events reach their listeners; an older revision is passed over', async () => {
  const host = await readyHost()
  const seen: unknown[] = []
  const off = host.on('agents', (list) => seen.push(list))
  FakeSocket.last.say({ event: 'agents', rev: 5, data: ['new'] })
  FakeSocket.last.say({ event: 'agents', rev: 4, data: ['old'] })
  FakeSocket.last.say({ event: 'tabs', rev: 1, data: [] })
  off()
  FakeSocket.last.say({ event: 'agents', rev: 6, data: ['later'] })
  expect(seen).toEqual([['new']])
})

test('frames are handed on, other binary is not', async () => {
  const host = await readyHost()
  const frames: number[] = []
  host.onframe = (frame) => frames.push(frame.seq)
  FakeSocket.last.say(encodeFrame({ seq: 9 }))
  FakeSocket.last.say(new ArrayBuffer(4))
  expect(frames).toEqual([9])
})

test('a lost connection fails what waits, then comes back by itself', async () => {
  vi.useFakeTimers()
  const host = fakeHost()
  const states: HostState[] = []
  host.onstate = (state) => states.push(state)
  host.start()
  await vi.advanceTimersByTimeAsync(0)
  const first = FakeSocket.last
  first.onopen?.()
  first.answer('hello', {})
  await vi.advanceTimersByTimeAsync(0)
  const call = host.call('tabs.close', { tab: 't1' })
  first.onclose?.({ code: 1006 })
  await expect(call).rejects.toMatchObject({ code: 'offline' })
  await expect(host.call('tabs.close', { tab: 't1' })).rejects.toMatchObject({ code: 'offline', message: 'away' })
  await vi.advanceTimersByTimeAsync(400)
  expect(FakeSocket.last).not.toBe(first)
  FakeSocket.last.onopen?.()
  FakeSocket.last.answer('hello', {})
  await vi.advanceTimersByTimeAsync(0)
  expect(states).toEqual(['connecting', 'ready', 'offline', 'connecting', 'ready'])
})

test('a used link is said to be used, and is not tried again', async () => {
  const host = fakeHost({ probe: async () => 401 })
  const states: HostState[] = []
  host.onstate = (state) => states.push(state)
  host.start()
  await tick()
  FakeSocket.last.onclose?.({ code: 1006 })
  await tick()
  host.retryNow()
  expect(states).toEqual(['connecting', 'refused'])
})

test('input is not kept for later while the host is away', async () => {
  const host = await readyHost()
  const socket = FakeSocket.last
  socket.onclose?.({ code: 1006 })
  const before = socket.sent.length
  host.input({ in: 'key', view: 1, type: 'down', key: 'a' })
  expect(socket.sent.length).toBe(before)
  host.stop()
})
