import { fireEvent, render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { expect, test } from 'vitest'
import { readyCore } from '../../lib/test/core'
import WithCore from '../../shell/test/WithCore.svelte'
import Settings from './Settings.svelte'

test('the version shows, and what is new is always reached from it', async () => {
  const { core } = await readyCore({ version: '0.1.0' })
  render(WithCore, { props: { core, of: Settings as Component } })
  expect(screen.getByText('0.1.0')).toBeTruthy()
  await fireEvent.click(screen.getByRole('button', { name: 'What is new' }))
  expect(core.desk.panel).toBe('news')
})
