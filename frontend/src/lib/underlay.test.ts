import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PicturePlace, PictureShape } from './shell'
import { Underlay } from './underlay'

const shape: PictureShape = { tab: 3, width: 400, height: 300, zoom: 0, pixelW: 800, pixelH: 600 }

let placed: PicturePlace[]
let heard: Record<string, (data: unknown) => void>
let drawn: { width: number; x: number; scale: number }[]
let canvas: HTMLCanvasElement
let under: Underlay

beforeEach(() => {
  placed = []
  heard = {}
  drawn = []
  window.go = { app: { Window: { PlacePicture: (p: PicturePlace) => Promise.resolve(void placed.push(p)) } as never } }
  window.runtime = {
    EventsOn: (event, fn) => {
      heard[event] = fn as (data: unknown) => void
      return () => delete heard[event]
    },
  }
  vi.stubGlobal('matchMedia', () => ({ addEventListener: () => {}, removeEventListener: () => {} }))
  canvas = document.createElement('canvas')
  canvas.style.backgroundColor = 'rgb(27, 28, 32)'
  canvas.style.outlineColor = 'rgb(23, 24, 28)'
  canvas.style.caretColor = 'rgb(22, 26, 40)'
  canvas.getBoundingClientRect = () => new DOMRect(10, 84, 400, 300)
  document.body.append(canvas)
  under = new Underlay(canvas, {
    tab: () => 3,
    drawn: (page, at) => drawn.push({ width: page.width, x: at.x, scale: at.scale }),
  })
  under.resize({ width: 400, height: 300 }, { width: 800, height: 600 }, false)
})

afterEach(() => {
  under.end()
  canvas.remove()
  delete window.go
  delete window.runtime
  vi.unstubAllGlobals()
})

test('a picture of a new shape gets its place, in pixels of the display, and the colours about it', () => {
  heard['underlay.picture']!(shape)
  expect(placed.at(-1)).toEqual({
    n: placed.at(-2)!.n + 1,
    tab: 3,
    shape,
    at: { x: 20, y: 168, width: 800, height: 600 },
    well: { x: 20, y: 168, width: 800, height: 600 },
    ground: 0x1b1c20,
    chrome: 0x17181c,
    shade: 0x161a28,
  })
  expect(drawn).toEqual([{ width: 400, x: 0, scale: 1 }])
})

test('pictures of another tab get none', () => {
  const before = placed.length
  heard['underlay.picture']!({ ...shape, tab: 4 })
  expect(placed.length).toBe(before)
  expect(drawn).toEqual([])
})

test('a page of another size is shrunk and centred once the window has its size', () => {
  heard['underlay.picture']!({ ...shape, width: 800, height: 300, pixelW: 1600, pixelH: 600 })
  expect(placed.at(-1)!.at).toEqual({ x: 52, y: 330, width: 736, height: 276 })
  under.resize({ width: 300, height: 300 }, { width: 600, height: 600 }, true)
  expect(placed.at(-1)!.at).toMatchObject({ x: 20, y: 168, width: 1600 })
  under.settle()
  expect(placed.at(-1)!.at.width).toBe(536)
})

test('another theme is told at once', async () => {
  heard['underlay.picture']!(shape)
  canvas.style.backgroundColor = 'rgb(255, 255, 255)'
  document.documentElement.dataset.theme = 'light'
  await vi.waitFor(() => expect(placed.at(-1)!.ground).toBe(0xffffff))
})

test('another tab shows no picture of the last one', () => {
  heard['underlay.picture']!(shape)
  under.clear()
  expect(placed.at(-1)!.shape.tab).toBe(0)
})
