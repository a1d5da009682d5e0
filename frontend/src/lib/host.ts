// The one file that talks to the core: a socket that comes back by itself,
// calls with a deadline, events with a revision, and the frames of live pages.
import type { CallArgs, CallName, Calls, EventName, Events } from './calls'
import { decodeFrame, type Frame } from './frame'
import type { Endpoint } from './shell'
import type * as wire from './wire'

// State of the connection. "refused" is final: the sign-in is no longer good.
export type HostState = 'connecting' | 'ready' | 'offline' | 'refused'

// HostError is a refusal in the person's words, from the host or from here.
export class HostError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly next = '',
  ) {
    super(message)
  }
}

export interface HostTexts {
  offline: string
  late(call: string): string
}

export interface HostOptions {
  endpoint(): Promise<Endpoint>
  texts: HostTexts
  deadline?: number // milliseconds that a call may take
  socket?: (url: string, protocols: string[]) => WebSocket
  probe?: (url: string) => Promise<number> // HTTP status, or a rejection when nobody answers
}

interface Waiting {
  resolve(result: unknown): void
  reject(err: HostError): void
  timer: ReturnType<typeof setTimeout>
}

const firstDelay = 250
const lastDelay = 5000
const signedOut = 4401 // close code: this sign-in was withdrawn

export class Host {
  onstate: (state: HostState, hello?: wire.Hello) => void = () => {}
  onframe: (frame: Frame) => void = () => {}

  private socket: WebSocket | null = null
  private ready = false
  private stopped = false
  private delay = firstDelay
  private retry: ReturnType<typeof setTimeout> | undefined
  private lastID = 0
  private waiting = new Map<number, Waiting>()
  private revs = new Map<string, number>()
  private listeners = new Map<string, Set<(data: never) => void>>()

  constructor(private readonly options: HostOptions) {}

  start(): void {
    this.stopped = false
    void this.connect()
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.retry)
    this.socket?.close()
  }

  // retryNow skips the rest of the wait between two tries.
  retryNow(): void {
    if (this.socket || this.stopped) return
    clearTimeout(this.retry)
    this.delay = firstDelay
    void this.connect()
  }

  on<E extends EventName>(event: E, fn: (data: Events[E]) => void): () => void {
    const set = this.listeners.get(event) ?? new Set()
    this.listeners.set(event, set.add(fn))
    return () => set.delete(fn)
  }

  call<M extends CallName>(method: M, ...args: CallArgs<M>): Promise<Calls[M]['result']> {
    if (!this.ready) return Promise.reject(new HostError('offline', this.options.texts.offline))
    return this.request(method, args[0])
  }

  // input goes out at once and has no reply; while the host is away it is lost,
  // since a key that arrives late would do something else.
  input(message: wire.Input): void {
    if (this.ready) this.socket?.send(JSON.stringify(message))
  }

  ack(message: wire.Ack): void {
    if (this.ready) this.socket?.send(JSON.stringify(message))
  }

  private async connect(): Promise<void> {
    this.onstate('connecting')
    let target: Endpoint
    try {
      target = await this.options.endpoint()
    } catch {
      return this.again()
    }
    if (this.stopped) return
    const open = this.options.socket ?? ((url, protocols) => new WebSocket(url, protocols))
    const socket = open(target.url, target.protocols)
    socket.binaryType = 'arraybuffer'
    this.socket = socket
    let opened = false
    socket.onopen = () => {
      opened = true
      void this.greet(socket)
    }
    socket.onmessage = (e: MessageEvent) => this.receive(e.data)
    socket.onclose = (e: CloseEvent) => void this.closed(socket, opened, e.code, target.probe)
  }

  private async greet(socket: WebSocket): Promise<void> {
    this.revs.clear()
    try {
      const hello = (await this.request('hello', undefined)) as wire.Hello
      if (socket !== this.socket) return
      this.ready = true
      this.delay = firstDelay
      this.onstate('ready', hello)
    } catch {
      socket.close()
    }
  }

  private async closed(socket: WebSocket, opened: boolean, code: number, probe: string | null): Promise<void> {
    if (socket !== this.socket) return
    this.socket = null
    this.ready = false
    for (const w of this.waiting.values()) {
      clearTimeout(w.timer)
      w.reject(new HostError('offline', this.options.texts.offline))
    }
    this.waiting.clear()
    if (this.stopped) return
    if (code === signedOut || (!opened && (await this.isRefused(probe)))) {
      this.stopped = true
      this.onstate('refused')
      return
    }
    this.again()
  }

  // A browser hides why a socket failed; a plain request to the same address
  // tells a used-up sign-in (401, 403) from a host that is gone.
  private async isRefused(probe: string | null): Promise<boolean> {
    if (!probe) return false
    const ask = this.options.probe ?? (async (url) => (await fetch(url, { cache: 'no-store' })).status)
    const status = await ask(probe).catch(() => 0)
    return status === 401 || status === 403
  }

  private again(): void {
    if (this.stopped) return
    this.onstate('offline')
    clearTimeout(this.retry)
    this.retry = setTimeout(() => void this.connect(), this.delay * (0.8 + Math.random() * 0.4))
    this.delay = Math.min(this.delay * 2, lastDelay)
  }

  private request(method: string, args: unknown): Promise<never> {
    const id = ++this.lastID
    const request: wire.Request = { id, call: method, args }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id)
        reject(new HostError('timeout', this.options.texts.late(method)))
      }, this.options.deadline ?? 15_000)
      this.waiting.set(id, { resolve: resolve as (r: unknown) => void, reject, timer })
      this.socket?.send(JSON.stringify(request))
    })
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      const frame = decodeFrame(data)
      if (frame) this.onframe(frame)
      return
    }
    const message = JSON.parse(data) as Partial<wire.Reply & wire.Event>
    if (message.event !== undefined) this.emit(message as wire.Event)
    else if (message.id !== undefined) this.settle(message as wire.Reply)
  }

  private emit(e: wire.Event): void {
    if (e.rev < (this.revs.get(e.event) ?? 0)) return
    this.revs.set(e.event, e.rev)
    for (const fn of this.listeners.get(e.event) ?? []) fn(e.data as never)
  }

  private settle(reply: wire.Reply): void {
    const w = this.waiting.get(reply.id)
    if (!w) return
    this.waiting.delete(reply.id)
    clearTimeout(w.timer)
    if (reply.error) w.reject(new HostError(reply.error.code, reply.error.message, reply.error.next))
    else w.resolve(reply.result ?? null) // undefined is left to mean "refused"
  }
}
