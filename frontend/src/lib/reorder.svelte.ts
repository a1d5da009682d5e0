// Dragging a tab along the strip. While it is dragged nothing moves in the
// list: tabs are shifted on screen, and the drop names the new index.

const threshold = 6 // pixels before a press becomes a drag

// dropIndex tells where a tab would land: it has passed a neighbour when it
// covers more than half of it. Tabs are equally wide.
export function dropIndex(from: number, dx: number, width: number, count: number): number {
  return Math.min(Math.max(from + Math.round(dx / width), 0), count - 1)
}

export class Reorder {
  id = $state('')
  dragging = $state(false)
  moved = false // the press that just ended was a drag, not a click

  private order: string[] = []
  private from = 0
  private to = $state(0)
  private dx = $state(0)
  private width = 1

  constructor(private readonly drop: (id: string, index: number) => void) {}

  start(e: PointerEvent, id: string, order: string[], item: HTMLElement): void {
    this.moved = false
    this.id = id
    this.order = order
    this.from = this.to = order.indexOf(id)
    this.dx = 0
    const box = item.getBoundingClientRect()
    const next = item.nextElementSibling ?? item.previousElementSibling
    this.width = next ? Math.abs(next.getBoundingClientRect().left - box.left) : box.width
    const origin = e.clientX
    // A quick hand has left the tab before its first move is told: the window
    // hears of it wherever it is.
    const move = (m: PointerEvent) => {
      if (!this.dragging && Math.abs(m.clientX - origin) < threshold) return
      if (!this.dragging) item.setPointerCapture(e.pointerId)
      this.dragging = this.moved = true
      const left = -this.from * this.width
      const right = (this.order.length - 1 - this.from) * this.width
      this.dx = Math.min(Math.max(m.clientX - origin, left), right)
      this.to = dropIndex(this.from, this.dx, this.width, this.order.length)
    }
    const done = (m: Event) => {
      if (m instanceof KeyboardEvent && m.key !== 'Escape') return
      if (m.type === 'pointerup') move(m as PointerEvent)
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', done)
      window.removeEventListener('pointercancel', done)
      window.removeEventListener('keydown', done, true)
      const landed = this.dragging && m.type === 'pointerup' && this.to !== this.from
      this.dragging = false
      if (landed) this.drop(id, this.to)
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', done)
    window.addEventListener('pointercancel', done)
    window.addEventListener('keydown', done, true)
  }

  // shift is how far a tab is drawn from its place, in pixels.
  shift(id: string): number {
    if (!this.dragging) return 0
    if (id === this.id) return this.dx
    const at = this.order.indexOf(id)
    if (at > this.from && at <= this.to) return -this.width
    if (at < this.from && at >= this.to) return this.width
    return 0
  }
}
