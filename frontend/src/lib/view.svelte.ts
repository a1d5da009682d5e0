// One live view: which tab is watched at what size, its frames, and the
// pointers shown over it.
import type { Fit, Size } from './fit'
import { noFit } from './fit'
import { tabNumber, type Frame } from './frame'
import type { Host } from './host'
import type { Notices } from './notices.svelte'
import { Painter } from './painter'
import { onNoPictures, underlay } from './shell'
import { Underlay } from './underlay'
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

  // layoutWidth is how wide the page is laid out, in CSS pixels, when it is shown
  // smaller than that; 0 follows the box.
  layoutWidth = 0

  private painter: Painter | Underlay | null = null
  private canvas: HTMLCanvasElement | null = null
  private client = '' // this connection, as the host names it
  private box: Size = { width: 0, height: 0 }
  private device: Size = { width: 0, height: 0 }
  private ratio = 1
  private visible = true
  private online = false
  private streaming = '' // the tab that the host streams to this view
  private stale = false // the canvas was emptied since, so its last frame is wanted again
  private echo = '' // a tab whose news of being shown is still to come
  private asking = false
  private dirty = false
  private settleTimer: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly host: Host,
    private readonly notices: Notices,
  ) {
    host.onframe = (frame) => this.frame(frame)
    host.on('cursor', (c) => this.moved(c))
    host.on('pointer', (p) => {
      if (p.tab === this.watched) this.agent = p.state === 'gone' ? null : p
    })
  }

  // isEcho is true for what the host says about this view because of a wish of
  // ours: one still under way, or one whose news come after its answer.
  isEcho(tab: string): boolean {
    const late = this.echo === tab
    if (late) this.echo = ''
    return late || this.asking
  }

  attach(canvas: HTMLCanvasElement): () => void {
    this.canvas = canvas
    this.paint(new Painter(canvas, this.painting(canvas)))
    if (this.client) void this.lay(this.client)
    const off = onNoPictures(() => this.onCanvas())
    return () => {
      off()
      this.paint(null)
      this.canvas = null
    }
  }

  // lay has the window draw the pictures, where it can.
  async lay(client: string): Promise<void> {
    this.client = client
    if (!this.canvas) return
    if (this.painter instanceof Underlay) this.onCanvas() // it was for the connection before
    const lies = await underlay(client)
    if (!this.canvas || client !== this.client) return
    if (!lies) return this.onCanvas()
    document.documentElement.dataset.pictures = 'window'
    this.paint(
      new Underlay(this.canvas, {
        tab: () => Math.max(0, tabNumber(this.watched)),
        drawn: (page, at) => this.drawn(page, at),
      }),
    )
  }

  // onCanvas has this page draw the pictures again.
  private onCanvas(): void {
    document.documentElement.dataset.pictures = 'canvas'
    if (this.canvas && this.painter instanceof Underlay) this.paint(new Painter(this.canvas, this.painting(this.canvas)))
  }

  private painting(canvas: HTMLCanvasElement) {
    return {
      ground: () => getComputedStyle(canvas).backgroundColor,
      drawn: (page: Size, at: Fit) => this.drawn(page, at),
      taken: (frame: Frame) => this.host.ack({ ack: frame.seq, view: viewNumber }),
    }
  }

  private paint(by: Painter | Underlay | null): void {
    if (this.painter instanceof Underlay) this.painter.end()
    else this.painter?.clear()
    this.painter = by
    by?.resize(this.box, this.device, this.painted)
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
    this.device = device
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
    this.streaming = ''
    this.echo = ''
    if (!online) this.client = ''
    if (online) this.sync()
  }

  input(message: Omit<Input, 'view'>): void {
    if (this.watched && this.painted) this.host.input({ ...message, view: viewNumber })
  }

  private blank(): void {
    this.stale = true
    this.painter?.clear()
    this.painted = false
    this.cursor = 'default'
    this.link = ''
    this.hint = ''
    this.agent = null
  }

  private frame(frame: Frame): void {
    if (frame.view !== viewNumber) return
    // One that was on its way while the window took over is no longer wanted.
    if (!(this.painter instanceof Painter) || frame.tab !== tabNumber(this.watched)) {
      this.host.ack({ ack: frame.seq, view: viewNumber })
      return
    }
    this.painter.push(frame)
  }

  private drawn({ width, height }: Size, at: Fit): void {
    this.at = at
    if (width !== this.page.width || height !== this.page.height) this.page = { width, height }
    this.painted = true
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
      const wanted = watched && this.visible && box.width > 0 && box.height > 0
      // A new size alone brings no frame of a page at rest, leaving does.
      if (this.streaming && (!wanted || (this.stale && this.streaming === watched))) await this.leave()
      if (wanted && !this.dirty) await this.watch(watched)
    } while (this.dirty && this.online)
    this.dirty = false
    this.asking = false
  }

  private async leave(): Promise<void> {
    this.streaming = ''
    await this.host.call('view.leave', { view: viewNumber }).catch(() => {})
  }

  private async watch(tab: string): Promise<void> {
    if (tab !== this.streaming) this.echo = tab
    this.streaming = tab
    this.stale = false
    const shrink = this.layoutWidth > this.box.width ? this.box.width / this.layoutWidth : 1
    const args: WatchArgs = {
      view: viewNumber,
      tab,
      width: Math.round(this.box.width / shrink),
      height: Math.round(this.box.height / shrink),
      scale: this.ratio * shrink,
    }
    if (this.layoutWidth) args.follow = true
    const seen = await this.notices.watch(this.host.call('view.watch', args), 'quiet')
    if (seen === undefined) this.streaming = this.echo = ''
  }
}
