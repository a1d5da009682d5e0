// Draws frames on a canvas: one decode at a time, the newest frame next, never
// a queue. Without this a slow computer falls seconds behind.
import { fit, noFit, type Fit, type Size } from './fit'
import type { Frame } from './frame'

// place says where a picture of a page stands in the box, in device pixels.
export function place(page: Size & { zoom: number }, image: Size, box: Size, ratio: number, settling: boolean) {
  const at = fit(page, box, settling, page.zoom ? page.zoom / 50 : 1)
  const snap = (css: number, pixels: number) => {
    const want = Math.round(css * at.scale * ratio)
    return Math.abs(want - pixels) <= 1 ? pixels : want // one image pixel on one device pixel
  }
  return {
    at,
    x: Math.round(at.x * ratio),
    y: Math.round(at.y * ratio),
    width: snap(page.width, image.width),
    height: snap(page.height, image.height),
  }
}

export interface PainterOptions {
  taken(frame: Frame): void // it waits no longer: the next one may come while it is decoded
  drawn(frame: Frame, at: Fit): void // after a frame is on the canvas
  ground(): string // the colour where no frame is
  decode?: (image: Blob) => Promise<ImageBitmap>
}

export class Painter {
  private context: CanvasRenderingContext2D | null = null
  private box: Size = { width: 0, height: 0 }
  private ratio = 1
  private settling = false
  private busy = false
  private next: Frame | null = null
  private last: { frame: Frame; image: ImageBitmap } | null = null
  private epoch = 0

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly options: PainterOptions,
  ) {
    this.context = canvas.getContext('2d', { alpha: false })
  }

  // resize sets the box in CSS pixels and its device pixels, and draws the
  // last frame again, since a new size empties the canvas.
  resize(box: Size, device: Size, settling: boolean): void {
    this.box = box
    this.settling = settling
    this.ratio = box.width > 0 ? device.width / box.width : 1
    if (this.canvas.width !== device.width) this.canvas.width = device.width
    if (this.canvas.height !== device.height) this.canvas.height = device.height
    if (this.last) this.redraw()
    else this.erase()
  }

  // settle ends a resize: a frame that still has another size is shrunk to fit.
  settle(): void {
    this.settling = false
    this.redraw()
  }

  push(frame: Frame): void {
    if (this.next) this.options.taken(this.next)
    this.next = frame
    if (!this.busy) void this.run()
  }

  // clear forgets everything, for another tab. Decodes under way are dropped.
  clear(): void {
    this.epoch++
    if (this.next) this.options.taken(this.next)
    this.next = null
    this.last?.image.close()
    this.last = null
    this.erase()
  }

  // The canvas is opaque, which spares blending it with what is behind.
  private erase(): void {
    if (!this.context) return
    this.context.fillStyle = this.options.ground()
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height)
  }

  private async run(): Promise<void> {
    this.busy = true
    const decode = this.options.decode ?? createImageBitmap
    while (this.next) {
      const frame = this.next
      const epoch = this.epoch
      this.next = null
      this.options.taken(frame)
      let image: ImageBitmap
      try {
        image = await decode(frame.image)
      } catch {
        continue
      }
      if (epoch !== this.epoch) {
        image.close()
        continue
      }
      this.last?.image.close()
      this.last = { frame, image }
      this.options.drawn(frame, this.draw())
    }
    this.busy = false
  }

  private redraw(): void {
    if (this.last) this.options.drawn(this.last.frame, this.draw())
  }

  private draw(): Fit {
    const { context, last, canvas } = this
    if (!context || !last) return noFit
    const { at, x, y, width, height } = place(last.frame, last.image, this.box, this.ratio, this.settling)
    if (x > 0 || y > 0 || width < canvas.width || height < canvas.height) this.erase()
    const exact = width === last.image.width && height === last.image.height
    // Smoothing is asked for only where it shows: WebKit pays for it even at
    // the image's own size, and "high" quality doubles the cost of a frame.
    context.imageSmoothingEnabled = !exact
    if (exact) context.drawImage(last.image, x, y)
    else context.drawImage(last.image, x, y, width, height)
    return at
  }
}
