// A core whose host has said hello, for tests of what people see.
import { Core } from '../core.svelte'
import type { Hello, Tab } from '../wire'
import { FakeSocket, fakeHost, tick } from './fake'

// aTab is a loaded tab of the person's, but for what is given.
export const aTab = (part: Partial<Tab> = {}): Tab => ({
  id: 't1',
  url: 'https://a.example/',
  title: 'A',
  state: 'ready',
  progress: 1,
  owner: 'person',
  profile: 'shared',
  canBack: false,
  canForward: false,
  control: { by: 'nobody' },
  ...part,
})

export async function readyCore(hello: Partial<Hello> = {}): Promise<{ core: Core; socket: FakeSocket }> {
  const core = new Core(fakeHost())
  core.host.start()
  await tick()
  const socket = FakeSocket.last
  socket.onopen?.()
  socket.answer('hello', { host: 'linux', ...hello })
  await tick()
  return { core, socket }
}
