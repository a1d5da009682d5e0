import { render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { beforeEach, expect, test } from 'vitest'
import type { Core } from '../lib/core.svelte'
import { aTab, readyCore } from '../lib/test/core'
import { type FakeSocket, tick } from '../lib/test/fake'
import type { Dialog, Tab } from '../lib/wire'
import WithCore from './test/WithCore.svelte'
import ControlBadge from './ControlBadge.svelte'
import ControlStatus from './ControlStatus.svelte'
import PageDialog from './PageDialog.svelte'
import TabStrip from './TabStrip.svelte'

let core: Core
let socket: FakeSocket
let rev = 0

const show = (of: Component<never>, given = {}) => render(WithCore, { props: { core, of: of as Component, given } })

const tab = (part: Partial<Tab> = {}): Tab => aTab({ title: 'Page A', ...part })

beforeEach(async () => {
  rev = 0
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  Element.prototype.scrollIntoView = () => {}
  ;({ core, socket } = await readyCore())
})

async function tell(...tabs: Tab[]): Promise<void> {
  socket.say({ event: 'tabs', rev: ++rev, data: tabs })
  await tick()
}

test('an agent at work is named with its action, and can be taken from', async () => {
  await tell(tab({ control: { by: 'agent', agent: 'claude', action: 'Clicking Save' } }))
  const { container } = show(ControlBadge)
  expect(container.textContent).toContain('Claude is working: Clicking Save')
  screen.getByRole('button', { name: 'Take over' }).click()
  expect(socket.calls('tabs.take').at(-1)?.args).toEqual({ tab: 't1' })
})

test('a held tab says who waits and can be given back', async () => {
  await tell(tab({ control: { by: 'person', agent: 'claude', held: 'button' } }))
  const { container } = show(ControlBadge)
  expect(container.textContent).toMatch(/You are in control\s*Claude waits/)
  screen.getByRole('button', { name: 'Give back' }).click()
  expect(socket.calls('tabs.give').at(-1)?.args).toEqual({ tab: 't1' })
})

test('nobody in control says nothing', async () => {
  await tell(tab())
  const { container } = show(ControlBadge)
  expect(container.querySelector('.badge')).toBeNull()
})

test('a change of control is said aloud once, a new step is not', async () => {
  show(ControlStatus)
  await tell(tab({ control: { by: 'agent', agent: 'claude', action: 'One' } }))
  const status = screen.getByRole('status')
  expect(status.textContent).toBe('Claude is in control of this page')
  const node = status.firstChild
  await tell(tab({ control: { by: 'agent', agent: 'claude', action: 'Two' } }))
  expect(status.firstChild).toBe(node)
  await tell(tab({ control: { by: 'person', agent: 'claude' } }))
  expect(status.textContent).toBe('You are in control of this page')
})

test('the strip is a tablist whose shown tab alone takes the Tab key', async () => {
  await tell(tab(), tab({ id: 't2', title: 'Page B', owner: 'codex', audible: true }))
  show(TabStrip)
  const [a, b] = screen.getAllByRole('tab')
  expect(a?.getAttribute('aria-selected')).toBe('true')
  expect([a?.tabIndex, b?.tabIndex]).toEqual([0, -1])
  expect(b?.getAttribute('aria-label')).toBe('Page B, Opened by Codex, Playing audio')
})

test('the middle button closes a tab, arrows walk and Enter shows', async () => {
  await tell(tab(), tab({ id: 't2', title: 'Page B' }))
  show(TabStrip)
  const [a, b] = screen.getAllByRole('tab')
  a?.focus()
  a?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
  await tick()
  expect(document.activeElement).toBe(b)
  expect(core.tabs.active).toBe('t1')
  b?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  expect(core.tabs.active).toBe('t2')
  a?.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true }))
  expect(socket.calls('tabs.close').at(-1)?.args).toEqual({ tab: 't1' })
})

const dialog = (part: Partial<Dialog> = {}): Dialog => ({ tab: 't1', open: true, kind: 'confirm', message: 'Sure?', for: 'person', ...part })

test('a confirm is answered by the person', async () => {
  show(PageDialog, { tab: tab(), dialog: dialog() })
  screen.getByRole('button', { name: 'Cancel' }).click()
  expect(socket.calls('dialog.answer').at(-1)?.args).toEqual({ tab: 't1', accept: false })
})

test('a prompt starts with the page’s text and sends what is there', async () => {
  show(PageDialog, { tab: tab(), dialog: dialog({ kind: 'prompt', default: 'Ann' }) })
  screen.getByRole('button', { name: 'OK' }).click()
  expect(socket.calls('dialog.answer').at(-1)?.args).toEqual({ tab: 't1', accept: true, text: 'Ann' })
})

test('what an agent’s action opened is the agent’s, until the person is in control', async () => {
  const props = { tab: tab({ control: { by: 'agent', agent: 'claude' } }), dialog: dialog({ for: 'claude' }) }
  const { unmount } = show(PageDialog, props)
  expect(screen.queryByRole('button', { name: 'OK' })).toBeNull()
  expect(screen.getByRole('alertdialog').textContent).toContain('Claude is answering this dialog')
  unmount()
  show(PageDialog, { ...props, tab: tab({ control: { by: 'person' } }) })
  screen.getByRole('button', { name: 'Answer myself' }).click()
  await tick()
  screen.getByRole('button', { name: 'OK' }).click()
  expect(socket.calls('dialog.answer').at(-1)?.args).toEqual({ tab: 't1', accept: true })
})
