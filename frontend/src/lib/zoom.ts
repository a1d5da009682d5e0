// The steps of the person's zoom. Pure.
export const levels = [0.25, 0.33, 0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5]

// nextZoom gives the step above or below a zoom, which may lie between two.
export function nextZoom(now: number, by: 1 | -1): number {
  const near = 0.005
  return by > 0 ? (levels.find((l) => l > now + near) ?? levels.at(-1)!) : (levels.findLast((l) => l < now - near) ?? levels[0]!)
}

// WheelSteps turns wheel distances into steps: a notch is one, and so is as
// much of a finer wheel's turning.
export class WheelSteps {
  private sum = 0
  private last = 0

  turn(dy: number, at: number): 1 | -1 | 0 {
    if (at - this.last > 400 || Math.sign(dy) !== Math.sign(this.sum)) this.sum = 0
    this.last = at
    this.sum += dy
    if (Math.abs(this.sum) < 40) return 0
    const by = this.sum < 0 ? 1 : -1
    this.sum = 0
    return by
  }
}
