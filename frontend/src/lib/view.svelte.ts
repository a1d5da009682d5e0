// One live view: which tab is watched at what size, its frames, and the
// pointers shown over it.
import type { Fit, Size } from './fit'
import { noFit } from './fit'
import { tabNumber, type Frame } from './frame'
import type { Host } from './host'
import { Painter } from './painter'
import type { Cursor, Input, Pointer, WatchArgs } from './wire'

const viewNumber = 1
const settleTime = 700 // ms that a page may take to follow a new size

export class View {
  watched = $state('') // the tab whose picture may be drawn
  painted = $state(false) // a frame of that tab is on the canvas
  at = $state.raw<Fit>(noFit)
  page = $state.raw<Size>({ width: 0, height: 0 })
  cursor = $state('default')
  link = $state('')
  hint = $state('')
  agent = $state.raw<Pointer | null>(null)

  private painter: Painter | null = null
  private box: Size = { width: 0, height: 0 }
  private ratio = 1
  private visible = true
  private online = false
  private watching = false // the host streams to this view
  private asking = false
  private dirty = false
  private acked = -1 // sequence of the last frame acknowledged
  private settleTimer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly host: Host) {
    host.onframe = (frame) => this.frame(frame)
    host.on('cursor', (c) => this.moved(c))
    host.on('pointer', (p) => {
      if (p.tab === this.watched) this.agent = p.state === 'gone' ? null : p
    })
  }

  // busy while a watch has been asked for and not answered: what the host says
  // about this view meanwhile is about an older wish.
  get busy(): boolean {
    return this.asking || this.dirty
  }

  attach(canvas: HTMLCanvasElement): () => void {
    this.painter = new Painter(canvas, {
      ground: () => getComputedStyle(canvas).backgroundColor,
      drawn: (frame, at) => this.drawn(frame, at),
      failed: (frame) => this.host.ack({ ack: frame.seq, view: viewNumber }),
    })
    return () => {
      this.painter?.clear()
      this.painter = null
    }
  }

  // show watches a tab; an empty id shows none.
  show(tab: string): void {
    if (tab === this.watched) return
    this.watched = tab
    this.blank()
    this.sync()
  }

  resize(box: Size, device: Size, ratio: number): void {
    const changed = box.width !== this.box.width || box.height !== this.box.height || ratio !== this.ratio
    this.box = box
    this.ratio = ratio
    if (changed) {
      clearTimeout(this.settleTimer)
      this.settleTimer = setTimeout(() => this.painter?.settle(), settleTime)
    }
    this.painter?.resize(box, device, this.painted)
    if (changed) this.sync()
  }

  setVisible(visible: boolean): void {
    if (visible === this.visible) return
    this.visible = visible
    this.sync()
  }

  // setOnline is told when the host came or went; a host that came back knows
  // nothing of this view.
  setOnline(online: boolean): void {
    this.online = online
    this.acked = -1
    this.watching = false
    if (online) this.sync()
  }

  input(message: Omit<Input, 'view'>): void {
    if (this.watched && this.painted) this.host.input({ ...message, view: viewNumber })
  }

  private blank(): void {
    this.painter?.clear()
    this.painted = false
    this.cursor = 'default'
    this.link = ''
    this.hint = ''
    this.agent = null
  }

  private frame(frame: Frame): void {
    if (frame.view !== viewNumber) return
    if (!this.painter || frame.tab !== tabNumber(this.watched)) {
      this.host.ack({ ack: frame.seq, view: viewNumber })
      return
    }
    this.painter.push(frame)
  }

  private drawn(frame: Frame, at: Fit): void {
    this.at = at
    if (frame.width !== this.page.width || frame.height !== this.page.height) this.page = { width: frame.width, height: frame.height }
    this.painted = true
    if (frame.seq === this.acked) return
    this.acked = frame.seq
    this.host.ack({ ack: frame.seq, view: viewNumber })
  }

  private moved(c: Cursor): void {
    if (c.view !== viewNumber) return
    this.cursor = c.cursor || 'default'
    this.link = c.link ?? ''
    this.hint = c.title ?? ''
  }

  // sync tells the host the newest wish. One question at a time: sizes that
  // come meanwhile are folded into the next.
  private sync(): void {
    if (!this.online) return
    if (this.asking) {
      this.dirty = true
      return
    }
    void this.ask()
  }

  private async ask(): Promise<void> {
    this.asking = true
    do {
      this.dirty = false
      const { watched, box } = this
      if (watched && this.visible && box.width > 0 && box.height > 0) {
        this.watching = true
        const args: WatchArgs = { view: viewNumber, tab: watched, width: box.width, height: box.height, scale: this.ratio }
        await this.host.call('view.watch', args).catch(() => {})
      } else if (this.watching) {
        this.watching = false
        await this.host.call('view.leave', { view: viewNumber }).catch(() => {})
      }
    } while (this.dirty && this.online)
    this.dirty = false
    this.asking = false
  }
}
