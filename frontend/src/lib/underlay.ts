// Has the window draw frames under this page, through its ground there: what
// WebKit's canvas takes for them is four times as much. Stands in the painter's
// place; frames themselves never come here, only their shape when it is new.
import type { Fit, Size } from './fit'
import { place } from './painter'
import { onPicture, pictures, type PictureShape } from './shell'

export interface UnderlayOptions {
  drawn(page: Size, at: Fit): void // a picture of another shape shows, or it shows elsewhere
  tab(): number // whose pictures are wanted; 0 is nobody's
}

let count = 0 // of places told, also by an underlay before this one

export class Underlay {
  private box: Size = { width: 0, height: 0 }
  private ratio = 1
  private settling = false
  private shape: PictureShape | null = null
  private readonly ends: (() => void)[]

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly options: UnderlayOptions,
  ) {
    const root = document.documentElement
    const colours = new MutationObserver(() => this.lay())
    colours.observe(root, { attributeFilter: ['data-theme'] })
    colours.observe(canvas, { attributeFilter: ['class'] })
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const change = () => this.lay()
    dark.addEventListener('change', change)
    this.ends = [
      onPicture((shape) => this.picture(shape)),
      () => colours.disconnect(),
      () => dark.removeEventListener('change', change),
    ]
  }

  resize(box: Size, device: Size, settling: boolean): void {
    this.box = box
    this.ratio = box.width > 0 ? device.width / box.width : 1
    this.settling = settling
    this.lay()
  }

  settle(): void {
    this.settling = false
    this.lay()
  }

  // clear forgets the picture, for another tab.
  clear(): void {
    this.shape = null
    this.lay()
  }

  // end gives the pictures back to the canvas.
  end(): void {
    this.clear()
    for (const end of this.ends) end()
  }

  private picture(shape: PictureShape): void {
    if (shape.tab !== this.options.tab()) return
    this.shape = shape
    this.lay()
  }

  // lay says where the picture is and what colours are about it.
  private lay(): void {
    const style = getComputedStyle(this.canvas)
    const well = this.canvas.getBoundingClientRect()
    const left = Math.round(well.left * this.ratio)
    const top = Math.round(well.top * this.ratio)
    const shape = this.shape ?? { tab: 0, width: 0, height: 0, zoom: 0, pixelW: 0, pixelH: 0 }
    const { at, x, y, width, height } = place(shape, { width: shape.pixelW, height: shape.pixelH }, this.box, this.ratio, this.settling)
    void pictures()?.PlacePicture({
      n: ++count,
      tab: this.options.tab(),
      shape,
      at: { x: left + x, y: top + y, width, height },
      well: { x: left, y: top, width: Math.round(well.width * this.ratio), height: Math.round(well.height * this.ratio) },
      ground: colour(style.backgroundColor),
      chrome: colour(style.outlineColor),
      shade: colour(style.caretColor),
    })
    if (this.shape) this.options.drawn(shape, at)
  }
}

// colour reads what a style computes, rgb(1, 2, 3), as 0xRRGGBB.
function colour(css: string): number {
  const [r = 0, g = 0, b = 0] = (css.match(/\d+/g) ?? []).map(Number)
  return (r << 16) | (g << 8) | b
}
