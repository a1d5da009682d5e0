// Where a frame is drawn in the canvas box, and so how a point of the box maps
// to the page. One function decides both, so that they cannot disagree.

export interface Size {
  width: number
  height: number
}

// Fit places a page's viewport in the box: CSS pixels of the box are
// page pixels times scale, moved by x and y.
export interface Fit {
  x: number
  y: number
  scale: number
}

const room = 16 // CSS pixels about a page that has a size of its own: its edges can be dragged

export const noFit: Fit = { x: 0, y: 0, scale: 1 }

// fit keeps the page's shape. While the page still follows a new size of the
// box ("settling") an old frame stays at its own size at the top left; a page
// that has another size for good (set by an agent or another viewer) is shrunk
// to fit and centred, never enlarged.
//
// A zoomed page is laid out in fewer pixels, or more, and drawn as much larger
// or smaller; the zoom is told in coarse steps, the box says it exactly.
export function fit(page: Size, box: Size, settling: boolean, zoom = 1): Fit {
  if (zoom !== 1) {
    const exact = box.width / page.width
    if (Math.abs(exact - zoom) < 0.03 && Math.abs(page.height * exact - box.height) < 2 * Math.max(1, exact)) return { x: 0, y: 0, scale: exact }
    if (settling) return { x: 0, y: 0, scale: zoom }
    const scale = Math.min(zoom, box.width / page.width, box.height / page.height)
    const middle = (room: number, size: number) => Math.max(0, Math.round((room - size * scale) / 2))
    return { scale, x: middle(box.width, page.width), y: middle(box.height, page.height) }
  }
  const near = (a: number, b: number) => Math.abs(a - b) < 1.5
  if (settling || (near(page.width, box.width) && near(page.height, box.height))) return noFit
  const scale = Math.min(1, (box.width - 2 * room) / page.width, (box.height - 2 * room) / page.height)
  return {
    scale,
    x: Math.max(0, Math.round((box.width - page.width * scale) / 2)),
    y: Math.max(0, Math.round((box.height - page.height * scale) / 2)),
  }
}

// toPage maps a point of the box to CSS pixels of the page's viewport: inside
// its bounds, unless a drag goes on beyond them, which scrolls the page.
export function toPage(point: { x: number; y: number }, at: Fit, page: Size, beyond = false): { x: number; y: number } {
  const clamp = (v: number, max: number) => (beyond ? v : Math.min(Math.max(v, 0), Math.max(0, max - 0.01)))
  const tidy = (v: number) => Math.round(v * 100) / 100
  return {
    x: tidy(clamp((point.x - at.x) / at.scale, page.width)),
    y: tidy(clamp((point.y - at.y) / at.scale, page.height)),
  }
}

export function toBox(point: { x: number; y: number }, at: Fit): { x: number; y: number } {
  return { x: point.x * at.scale + at.x, y: point.y * at.scale + at.y }
}
