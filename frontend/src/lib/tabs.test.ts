import { beforeEach, expect, test } from 'vitest'
import type { Host } from './host'
import { Notices } from './notices.svelte'
import { Settings } from './settings.svelte'
import { titleOf } from './tabline'
import { Tabs, isStart } from './tabs.svelte'
import { aTab } from './test/core'
import { FakeSocket, readyHost, tick } from './test/fake'
import type { Tab } from './wire'

let host: Host
let socket: FakeSocket
let tabs: Tabs
let notices: Notices
let echo = false
let rev = 0

const tab = (id: string, part: Partial<Tab> = {}): Tab => ({
  id,
  url: `https://${id}.example/`,
  title: id,
  state: 'ready',
  progress: 1,
  owner: 'person',
  profile: 'shared',
  canBack: false,
  canForward: false,
  control: { by: 'nobody' },
  ...part,
})

const list = (...ids: string[]) => socket.say({ event: 'tabs', rev: ++rev, data: ids.map((id) => tab(id)) })

beforeEach(async () => {
  echo = false
  rev = 0
  host = await readyHost()
  socket = FakeSocket.last
  notices = new Notices(host)
  tabs = new Tabs(host, notices, new Settings(host, notices), () => echo)
})

test('the first list shows its first tab', () => {
  list('t1', 't2')
  expect(tabs.active).toBe('t1')
  expect(tabs.current?.title).toBe('t1')
  expect(socket.calls('tabs.activate').at(-1)?.args).toEqual({ tab: 't1' })
})

test('when the shown tab closes, the one that took its place is shown', () => {
  list('t1', 't2', 't3')
  tabs.select('t2')
  list('t1', 't3')
  expect(tabs.active).toBe('t3')
  list('t1')
  expect(tabs.active).toBe('t1')
  list()
  expect(tabs.active).toBe('')
})

test('when the shown tab closes, the one that opened it is shown again', () => {
  const three = [tab('t1'), tab('t2'), { ...tab('t3'), opener: 't1' }]
  socket.say({ event: 'tabs', rev: ++rev, data: three })
  tabs.select('t3')
  list('t1', 't2')
  expect(tabs.active).toBe('t1')
})

test('another tab that closes changes nothing', () => {
  list('t1', 't2', 't3')
  tabs.select('t2')
  list('t2', 't3')
  expect(tabs.active).toBe('t2')
})

test('a tab opened here is shown, whether its answer or the list comes first', async () => {
  list('t1')
  void tabs.open()
  socket.answer('tabs.open', { tab: 't2' })
  await tick()
  expect(tabs.active).toBe('t2')
  list('t1')
  expect(tabs.active).toBe('t2')
  list('t1', 't2')
  expect(tabs.current?.id).toBe('t2')
})

test('a tab that an agent opens takes no place of the person', () => {
  list('t1')
  list('t1', 't9')
  expect(tabs.active).toBe('t1')
})

test('the host may show another tab, but not against a newer wish', () => {
  list('t1', 't2', 't3')
  echo = true
  socket.say({ event: 'view', rev: 1, data: { view: 1, tab: 't2' } })
  expect(tabs.active).toBe('t1')
  echo = false
  socket.say({ event: 'view', rev: 2, data: { view: 1, tab: 't2' } })
  expect(tabs.active).toBe('t2')
})

test('steps go round the strip', () => {
  list('t1', 't2', 't3')
  tabs.step(-1)
  expect(tabs.active).toBe('t3')
  tabs.step(1)
  expect(tabs.active).toBe('t1')
  tabs.selectAt(-1)
  expect(tabs.active).toBe('t3')
})

test('a moved tab is shown moved at once', () => {
  list('t1', 't2', 't3')
  tabs.move('t1', 2)
  expect(tabs.list.map((t) => t.id)).toEqual(['t2', 't3', 't1'])
  expect(socket.calls('tabs.move').at(-1)?.args).toEqual({ tab: 't1', index: 2 })
})

test('what the host refuses is told with its next step', async () => {
  list('t1')
  tabs.close('t1')
  socket.say({ id: socket.calls('tabs.close').at(-1)?.id, error: { code: 'held', message: 'The tab is held.', next: 'Give it back first.' } })
  await tick()
  expect(notices.list).toMatchObject([{ kind: 'error', message: 'The tab is held.', next: 'Give it back first.' }])
})

test('typed text goes to the shown tab, or to a new one when there is none', () => {
  list()
  void tabs.go(' cats ')
  expect(socket.calls('tabs.open').at(-1)?.args).toEqual({ url: 'cats' })
  list('t1')
  void tabs.go('dogs')
  expect(socket.calls('tabs.navigate').at(-1)?.args).toEqual({ tab: 't1', url: 'dogs' })
  void tabs.go('   ')
  expect(socket.calls('tabs.navigate')).toHaveLength(1)
})

test('the start page is for an empty tab of the person’s only', () => {
  expect(isStart(undefined)).toBe(true)
  expect(isStart(tab('t1', { url: 'about:blank', title: '' }))).toBe(true)
  expect(isStart(tab('t1', { url: 'about:blank', title: '', opener: 't0' }))).toBe(false)
  expect(isStart(tab('t1', { url: 'about:blank', title: 'Report' }))).toBe(false)
  expect(isStart(tab('t1', { url: 'about:blank', title: '', owner: 'claude' }))).toBe(false)
  expect(isStart(tab('t1'))).toBe(false)
})

test('a page that failed is called by its site', () => {
  expect(titleOf(aTab({ url: 'https://shed.example/plots', title: 'Privacy error', state: 'failed', failed: 'net::ERR_CERT_AUTHORITY_INVALID' }))).toBe('shed.example')
  expect(titleOf(aTab({ title: 'Plots' }))).toBe('Plots')
})
