import { fireEvent, render, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Core } from '../../lib/core.svelte'
import { aTab, readyCore } from '../../lib/test/core'
import { type FakeSocket, tick } from '../../lib/test/fake'
import type { Chooser, SignIn, Site, Tab } from '../../lib/wire'
import Trouble from '../../panels/trouble/Trouble.svelte'
import SiteInfo from '../SiteInfo.svelte'
import WithCore from '../test/WithCore.svelte'
import FileSheet from './FileSheet.svelte'
import SignInSheet from './SignInSheet.svelte'

let core: Core
let socket: FakeSocket

const show = (of: Component<never>, given = {}) => render(WithCore, { props: { core, of: of as Component, given } })
const asked = (call: string) => socket.calls(call).map((m) => m.args)
const tab = (part: Partial<Tab> = {}): Tab => aTab({ url: 'https://a.example/in', canBack: true, ...part })
const chooser = (part: Partial<Chooser> = {}): Chooser => ({ id: 3, multiple: true, folder: false, accept: ['.txt'], ...part })
const signIn = (part: Partial<SignIn> = {}): SignIn => ({
  id: 5,
  origin: 'https://a.example',
  realm: 'Staff',
  scheme: 'basic',
  proxy: false,
  wrong: false,
  for: '',
  secure: true,
  ...part,
})

// settle lets promises, readers and answers go their way.
async function settle(): Promise<void> {
  for (let i = 0; i < 6; i++) await new Promise((resolve) => setTimeout(resolve, 5))
}

beforeEach(async () => {
  delete window.go
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  ;({ core, socket } = await readyCore())
})

test('files of this browser are sent part by part and then given', async () => {
  const big = new File([new Uint8Array(600 * 1024)], 'big.bin')
  const done = core.asks.send('t1', chooser(), [new File(['hello'], 'note.txt'), big])
  await settle()
  expect(asked('files.begin')).toEqual([
    {
      tab: 't1',
      files: [
        { name: 'note.txt', size: 5 },
        { name: 'big.bin', size: 600 * 1024 },
      ],
    },
  ])
  socket.answer('files.begin', { upload: 'u1' })
  for (let part = 0; part < 3; part++) {
    await vi.waitFor(() => expect(socket.calls('files.part').length).toBe(part + 1))
    expect(core.asks.sending?.tab).toBe('t1')
    socket.answer('files.part')
  }
  await vi.waitFor(() => expect(asked('files.choose')).toEqual([{ tab: 't1', id: 3, upload: 'u1' }]))
  socket.answer('files.choose')
  await done
  expect(asked('files.part')[0]).toEqual({ upload: 'u1', index: 0, data: btoa('hello') })
  expect(asked('files.part').map((a) => (a as { index: number }).index)).toEqual([0, 1, 1])
  expect(core.asks.sending).toBeNull()
})

test('the window asks with the system’s dialog, and a cancelled one ends the request', async () => {
  let answer: (paths: string[]) => void = () => {}
  const chosen = vi.fn(() => new Promise<string[]>((resolve) => (answer = resolve)))
  window.go = { app: { Window: { ChooseFiles: chosen } as never } }
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  const { unmount } = show(FileSheet, { tab: tab(), chooser: chooser() })
  await settle()
  expect(chosen).toHaveBeenCalledWith(expect.objectContaining({ multiple: true, folder: false, accept: ['.txt'] }))
  answer(['/home/me/note.txt'])
  await settle()
  expect(asked('files.choose')).toEqual([{ tab: 't1', id: 3, paths: ['/home/me/note.txt'] }])
  unmount()
  show(FileSheet, { tab: tab(), chooser: chooser({ id: 4 }) })
  await settle()
  answer([])
  await settle()
  expect(asked('files.cancel')).toEqual([{ tab: 't1', id: 4 }])
})

test('a folder is asked for as one', async () => {
  const { container } = show(FileSheet, { tab: tab(), chooser: chooser({ folder: true }) })
  const input = container.querySelector<HTMLInputElement>('input[type=file]')!
  expect(input.webkitdirectory).toBe(true)
  await fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(asked('files.cancel')).toEqual([{ tab: 't1', id: 3 }])
})

test('a user name and password go out once and stay nowhere', async () => {
  const { container } = show(SignInSheet, { tab: 't1', ask: signIn({ wrong: true, for: 'helper' }) })
  expect(screen.getByRole('dialog').textContent).toContain('a.example')
  expect(screen.getByRole('dialog').textContent).toContain('“Staff”')
  expect(screen.getByRole('alert').textContent).toContain('not accepted')
  const [user, password] = [...container.querySelectorAll('input')]
  await fireEvent.input(user!, { target: { value: 'demo' } })
  await fireEvent.input(password!, { target: { value: 'pass' } })
  const form = container.querySelector('form')!
  await fireEvent.submit(form)
  await fireEvent.submit(form)
  expect(asked('signin.answer')).toEqual([{ tab: 't1', id: 5, user: 'demo', password: 'pass' }])
  expect(password!.value).toBe('')
})

test('an unencrypted connection is said, a proxy is told apart, and Escape cancels', async () => {
  show(SignInSheet, { tab: 't1', ask: signIn({ proxy: true, secure: false, origin: 'http://proxy.example:3128' }) })
  const sheet = screen.getByRole('dialog')
  expect(sheet.textContent).toContain('the proxy proxy.example:3128')
  expect(sheet.textContent).toContain('not encrypted')
  await fireEvent.keyDown(sheet, { key: 'Escape' })
  expect(asked('signin.cancel')).toEqual([{ tab: 't1', id: 5 }])
})

test('a bad certificate offers the way back first, and the way past only after Advanced', async () => {
  socket.say({ event: 'tabs', rev: 1, data: [tab({ state: 'failed', failed: 'net::ERR_CERT_DATE_INVALID', error: 'The certificate has expired.' })] })
  await tick()
  core.tabs.select('t1')
  show(Trouble)
  await tick()
  expect(screen.getAllByRole('button')[0]!.textContent).toContain('Go back')
  expect(screen.queryByText(/Open anyway/)).toBeNull()
  await fireEvent.click(screen.getByRole('button', { name: /Advanced/ }))
  socket.answer('site.pass', { may: false, why: 'It has said no (HSTS).' })
  await settle()
  expect(screen.queryByText(/Open anyway/)).toBeNull()
  expect(screen.getByText(/HSTS/)).toBeTruthy()
  await fireEvent.click(screen.getByRole('button', { name: /Advanced/ }))
  await settle()
  await fireEvent.click(screen.getByRole('button', { name: /Advanced/ }))
  socket.answer('site.pass', { may: true })
  await settle()
  await fireEvent.click(screen.getByRole('button', { name: /Open anyway/ }))
  expect(asked('site.open')).toEqual([{ tab: 't1' }])
})

test('site information allows a permission and offers to reload', async () => {
  const site: Site = {
    origin: 'https://a.example',
    security: 'secure',
    problem: '',
    protocol: 'TLS 1.3',
    subject: 'a.example',
    issuer: 'Good CA',
    from: 1,
    to: 1893456000,
    cookies: 3,
    permissions: [{ name: 'geolocation', setting: '', asked: true }],
  }
  show(SiteInfo, { tab: tab({ asked: ['geolocation'] }), secure: true })
  const sign = screen.getByRole('button', { name: /refused: Location/ })
  await fireEvent.click(sign)
  await settle()
  expect(asked('site.info')).toEqual([{ tab: 't1' }])
  socket.answer('site.info', site)
  await settle()
  const panel = document.body // what floats is laid out by the browser, which is none here
  expect(panel.textContent).toContain('issued by Good CA')
  expect(panel.textContent).toContain('3 cookies')
  expect(panel.textContent).toContain('asked for')
  await fireEvent.click(screen.getByText('Allow').parentElement!.querySelector('input')!)
  expect(asked('site.permit')).toEqual([{ tab: 't1', origin: 'https://a.example', name: 'geolocation', setting: 'allow' }])
  socket.answer('site.permit')
  await settle()
  socket.answer('site.info', { ...site, permissions: [{ name: 'geolocation', setting: 'allow', asked: true }] })
  await settle()
  expect(screen.getByRole('status', { hidden: true }).textContent).toContain('loaded again')
})
