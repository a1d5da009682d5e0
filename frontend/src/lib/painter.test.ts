import { beforeEach, expect, test } from 'vitest'
import type { Frame } from './frame'
import { Painter } from './painter'
import { tick } from './test/fake'

interface Picture {
  seq: number
  width: number
  height: number
  closed: boolean
  close(): void
}

let drawn: { seq: number; x: number; y: number; w: number; h: number }[]
let told: number[]
let taken: number[]
let decoding: ((picture: Picture) => void)[]
let painter: Painter

const frame = (seq: number, part: Partial<Frame> = {}): Frame => ({
  format: 1,
  kind: 0,
  zoom: 0,
  view: 1,
  seq,
  tab: 1,
  width: 400,
  height: 300,
  pixelW: 400,
  pixelH: 300,
  image: new Blob(),
  ...part,
})

const picture = (seq: number, width = 400, height = 300): Picture => ({
  seq,
  width,
  height,
  closed: false,
  close() {
    this.closed = true
  },
})

beforeEach(() => {
  drawn = []
  told = []
  taken = []
  decoding = []
  const context = {
    fillRect: () => {},
    drawImage: (p: Picture, x: number, y: number, w = p.width, h = p.height) => drawn.push({ seq: p.seq, x, y, w, h }),
  }
  const canvas = { width: 0, height: 0, getContext: () => context }
  painter = new Painter(canvas as unknown as HTMLCanvasElement, {
    drawn: (f) => told.push(f.seq),
    taken: (f) => taken.push(f.seq),
    ground: () => 'white',
    decode: () => new Promise((resolve) => decoding.push(resolve as unknown as (p: Picture) => void)),
  })
  painter.resize({ width: 400, height: 300 }, { width: 400, height: 300 }, false)
})

test('one decode at a time, and the newest frame next', async () => {
  painter.push(frame(1))
  expect(taken).toEqual([1]) // another may travel while this one is decoded
  painter.push(frame(2))
  expect(taken).toEqual([1])
  painter.push(frame(3))
  expect(decoding).toHaveLength(1)
  decoding[0]?.(picture(1))
  await tick()
  expect(decoding).toHaveLength(2)
  decoding[1]?.(picture(3))
  await tick()
  expect(drawn.map((d) => d.seq)).toEqual([1, 3])
  expect(taken).toEqual([1, 2, 3])
})

test('a picture that was being decoded when the tab changed is never drawn', async () => {
  painter.push(frame(1))
  painter.clear()
  const late = picture(1)
  decoding[0]?.(late)
  await tick()
  expect(drawn).toEqual([])
  expect(told).toEqual([])
  expect(late.closed).toBe(true)
  expect(taken).toEqual([1])
})

test('a new size draws the last frame again, unstretched at the top left', async () => {
  painter.push(frame(1))
  decoding[0]?.(picture(1))
  await tick()
  painter.resize({ width: 900, height: 700 }, { width: 900, height: 700 }, true)
  expect(drawn.at(-1)).toEqual({ seq: 1, x: 0, y: 0, w: 400, h: 300 })
})

test('one image pixel on one device pixel at a fractional ratio', async () => {
  painter.resize({ width: 403, height: 301 }, { width: 504, height: 376 }, false)
  painter.push(frame(1, { width: 403, height: 301 }))
  decoding[0]?.(picture(1, 503, 377))
  await tick()
  expect(drawn.at(-1)).toMatchObject({ w: 503, h: 377 })
})

test('a frame of half the resolution fills the same box', async () => {
  painter.resize({ width: 400, height: 300 }, { width: 800, height: 600 }, false)
  painter.push(frame(1))
  decoding[0]?.(picture(1))
  await tick()
  expect(drawn.at(-1)).toMatchObject({ w: 800, h: 600 })
})
