// A core whose host has said hello, for tests of what people see.
import { Core } from '../core.svelte'
import { FakeSocket, fakeHost, tick } from './fake'

export async function readyCore(): Promise<{ core: Core; socket: FakeSocket }> {
  const core = new Core(fakeHost())
  core.host.start()
  await tick()
  const socket = FakeSocket.last
  socket.onopen?.()
  socket.answer('hello', { host: 'linux' })
  await tick()
  return { core, socket }
}
