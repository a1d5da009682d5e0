import { fireEvent, render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { expect, test } from 'vitest'
import { Core } from '../../lib/core.svelte'
import { FakeSocket, fakeHost, tick } from '../../lib/test/fake'
import WithCore from '../../shell/test/WithCore.svelte'
import { checkSearch } from './checks'
import { engines } from './engines'
import Settings from './Settings.svelte'

test('a search engine is chosen by name, and every one has a place for the words', async () => {
  for (const engine of engines) expect(checkSearch(engine.value)).toBe(true)
  const core = new Core(fakeHost())
  core.host.start()
  await tick()
  const socket = FakeSocket.last
  socket.onopen?.()
  socket.answer('hello', { host: 'linux' })
  await tick()
  socket.say({ event: 'settings', rev: 1, data: { ...core.settings.value, searchURL: engines[0]!.value } })
  render(WithCore, { props: { core, of: Settings as unknown as Component, given: {} } })
  await tick()
  expect((screen.getByRole('radio', { name: 'DuckDuckGo' }) as HTMLInputElement).checked).toBe(true)
  await fireEvent.click(screen.getByRole('radio', { name: 'Bing' }))
  expect((socket.calls('settings.set').at(-1)?.args as { searchURL: string }).searchURL).toBe(engines[2]!.value)
})
