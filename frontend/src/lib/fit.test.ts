import { expect, test } from 'vitest'
import { fit, noFit, toBox, toPage } from './fit'

const box = { width: 1000, height: 700 }

test('a page of the box’s size is drawn as it is', () => {
  expect(fit({ width: 1000, height: 700 }, box, false)).toEqual(noFit)
  expect(fit({ width: 1001, height: 699 }, box, false)).toEqual(noFit)
})

test('while a resize settles an old frame keeps its size at the top left', () => {
  expect(fit({ width: 1400, height: 900 }, box, true)).toEqual(noFit)
  expect(fit({ width: 300, height: 200 }, box, true)).toEqual(noFit)
})

test('a larger page is shrunk and centred, a smaller one is never enlarged', () => {
  expect(fit({ width: 2000, height: 1000 }, box, false)).toEqual({ scale: 0.484, x: 16, y: 108 })
  expect(fit({ width: 390, height: 600 }, box, false)).toEqual({ scale: 1, x: 305, y: 50 })
})

test('points map to the page and back, and stay inside it', () => {
  const page = { width: 2000, height: 1000 }
  const at = fit(page, box, false)
  expect(toPage({ x: 500, y: 350 }, at, page)).toEqual({ x: 1000, y: 500 })
  expect(toBox({ x: 1000, y: 500 }, at)).toEqual({ x: 500, y: 350 })
  expect(toPage({ x: -40, y: 50 }, at, page)).toEqual({ x: 0, y: 0 })
  expect(toPage({ x: 4000, y: 4000 }, at, page)).toEqual({ x: 1999.99, y: 999.99 })
  expect(toPage({ x: 500, y: -50 }, at, page, true).y).toBeLessThan(0) // a drag goes on
})

test('a zoomed page fills the box again, whatever the rounding', () => {
  const box = { width: 1000, height: 700 }
  for (const zoom of [0.25, 0.67, 0.9, 1.1, 1.25, 2, 5]) {
    const page = { width: Math.round(box.width / zoom), height: Math.round(box.height / zoom) }
    const at = fit(page, box, false, Math.ceil(zoom * 50) / 50)
    expect([at.x, at.y, Math.abs(at.scale - zoom) < 0.01]).toEqual([0, 0, true])
    const middle = toPage({ x: 500, y: 350 }, at, page)
    expect(Math.abs(middle.x - page.width / 2)).toBeLessThan(0.6)
  }
})

test('a zoomed page of another size is drawn at its zoom, or shrunk to fit', () => {
  const box = { width: 1000, height: 700 }
  expect(fit({ width: 200, height: 300 }, box, false, 2)).toEqual({ scale: 2, x: 300, y: 50 })
  expect(fit({ width: 1000, height: 300 }, box, false, 2)).toEqual({ scale: 1, x: 0, y: 200 })
})
