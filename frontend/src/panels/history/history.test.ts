import { fireEvent, render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { beforeEach, expect, test } from 'vitest'
import type { Core } from '../../lib/core.svelte'
import { readyCore } from '../../lib/test/core'
import { type FakeSocket, tick } from '../../lib/test/fake'
import WithCore from '../../shell/test/WithCore.svelte'
import History from './History.svelte'

let core: Core
let socket: FakeSocket
const asked = (call: string) => socket.calls(call).map((m) => m.args)
const place = (id: number, title: string) => ({ id, url: `https://${title}.example/`, title, last: Date.now() - id * 60_000 })

beforeEach(async () => {
  ;({ core, socket } = await readyCore())
  render(WithCore, { props: { core, of: History as Component } })
  await tick()
})

test('the history is listed, and follows what is visited meanwhile', async () => {
  expect(asked('history.list')).toEqual([{ text: '', before: 0, limit: 150 }])
  socket.answer('history.list', [place(1, 'alpha'), place(2, 'beta')])
  await tick()
  expect(screen.getByText('alpha')).toBeTruthy()
  socket.say({ event: 'recents', rev: 1, data: [place(3, 'gamma')] })
  await tick()
  socket.answer('history.list', [place(3, 'gamma'), place(1, 'alpha')])
  await tick()
  expect(screen.getByText('gamma')).toBeTruthy()
  expect(screen.queryByText('beta')).toBeNull()
})

test('one entry, a day, or all of it is forgotten', async () => {
  socket.answer('history.list', [place(1, 'alpha'), place(2, 'beta')])
  await tick()
  await fireEvent.click(screen.getByRole('button', { name: 'Forget alpha' }))
  expect(asked('history.forget')).toEqual([{ ids: [1] }])
  await fireEvent.click(screen.getByRole('button', { name: 'Clear…' }))
  await fireEvent.click(screen.getByRole('button', { name: 'Everything' }))
  expect(asked('history.clear')).toEqual([{ since: 0 }])
})
