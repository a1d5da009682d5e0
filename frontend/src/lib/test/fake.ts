// Stand-ins for tests: a socket that a test speaks through, and a host that
// answers as it is told.
import { Host, type HostOptions } from '../host'
import type { FrameHeader } from '../wire'

export class FakeSocket {
  static last: FakeSocket
  binaryType = ''
  sent: Record<string, unknown>[] = []
  onopen: (() => void) | null = null
  onmessage: ((e: { data: unknown }) => void) | null = null
  onclose: ((e: { code: number }) => void) | null = null

  constructor() {
    FakeSocket.last = this
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  close(): void {
    this.onclose?.({ code: 1000 })
  }

  say(message: unknown): void {
    this.onmessage?.({ data: message instanceof ArrayBuffer ? message : JSON.stringify(message) })
  }

  calls(name: string): Record<string, unknown>[] {
    return this.sent.filter((m) => m.call === name)
  }

  answer(name: string, result: unknown = {}): void {
    const request = this.calls(name).at(-1)
    this.say({ id: request?.id, result })
  }
}

export const tick = () => new Promise((resolve) => setTimeout(resolve))

const texts = { offline: 'away', late: (call: string) => `${call} is late` }

export function fakeHost(options: Partial<HostOptions> = {}): Host {
  return new Host({
    endpoint: async () => ({ url: 'ws://here/ws', protocols: ['baton'], probe: 'http://here/ws' }),
    socket: () => new FakeSocket() as unknown as WebSocket,
    probe: async () => 426,
    texts,
    ...options,
  })
}

// readyHost is a host after its hello.
export async function readyHost(options: Partial<HostOptions> = {}): Promise<Host> {
  const host = fakeHost(options)
  host.start()
  await tick()
  FakeSocket.last.onopen?.()
  FakeSocket.last.answer('hello', { version: '1', host: 'linux' })
  await tick()
  return host
}

export function encodeFrame(header: Partial<FrameHeader>, image = new Uint8Array([1, 2, 3])): ArrayBuffer {
  const buffer = new ArrayBuffer(32 + image.length)
  const view = new DataView(buffer)
  view.setUint8(0, 1)
  view.setUint8(1, header.format ?? 1)
  view.setUint8(2, header.kind ?? 0)
  view.setUint8(3, header.zoom ?? 0)
  view.setUint32(4, header.view ?? 1, true)
  view.setUint32(8, header.seq ?? 1, true)
  view.setUint32(12, header.tab ?? 1, true)
  view.setFloat32(16, header.width ?? 800, true)
  view.setFloat32(20, header.height ?? 600, true)
  view.setUint32(24, header.pixelW ?? 800, true)
  view.setUint32(28, header.pixelH ?? 600, true)
  new Uint8Array(buffer, 32).set(image)
  return buffer
}
