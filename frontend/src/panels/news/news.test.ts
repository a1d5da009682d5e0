import { fireEvent, render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { expect, test } from 'vitest'
import { readyCore } from '../../lib/test/core'
import { tick } from '../../lib/test/fake'
import Toasts from '../../shell/Toasts.svelte'
import WithCore from '../../shell/test/WithCore.svelte'
import News from './News.svelte'
import { releases } from './releases'

test('every release shows with its points', () => {
  render(News)
  for (const { version, points } of releases) {
    expect(screen.getByRole('region', { name: `Baton ${version}` })).toBeTruthy()
    for (const { what, more } of points) expect(screen.getByText(what).parentElement?.textContent).toContain(more)
  }
})

test('a newer version says so in a message that stays and leads to the notes', async () => {
  const { core, socket } = await readyCore({ role: 'owner' })
  render(WithCore, { props: { core, of: Toasts as Component } })
  void core.tellNews()
  socket.answer('news.take', { version: '0.2.0' })
  await tick()
  expect(screen.getByText('This is Baton 0.2.0 now.')).toBeTruthy()
  await fireEvent.click(screen.getByRole('button', { name: 'What is new' }))
  expect(core.desk.panel).toBe('news')
  expect(screen.queryByText('This is Baton 0.2.0 now.')).toBeNull()
})

test('without news nothing is said, and only the owner is asked about them', async () => {
  const owner = await readyCore({ role: 'owner' })
  void owner.core.tellNews()
  owner.socket.answer('news.take', {})
  await tick()
  expect(owner.core.notices.list).toEqual([])
  const guest = await readyCore({ role: 'member' })
  void guest.core.tellNews()
  await tick()
  expect(guest.socket.calls('news.take')).toEqual([])
})
