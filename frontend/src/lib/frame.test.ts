import { expect, test } from 'vitest'
import { decodeFrame, tabNumber } from './frame'
import { encodeFrame } from './test/fake'

test('reads every field of the header and the image after it', () => {
  const frame = decodeFrame(
    encodeFrame({ format: 3, kind: 1, zoom: 63, view: 7, seq: 4_000_000_000, tab: 12, width: 1280.5, height: 720, pixelW: 2561, pixelH: 1440 }),
  )
  expect(frame).toMatchObject({
    format: 3,
    kind: 1,
    zoom: 63,
    view: 7,
    seq: 4_000_000_000,
    tab: 12,
    width: 1280.5,
    height: 720,
    pixelW: 2561,
    pixelH: 1440,
  })
  expect(frame?.image.type).toBe('image/webp')
  expect(frame?.image.size).toBe(3)
})

test('refuses what it does not know', () => {
  const future = encodeFrame({})
  new DataView(future).setUint8(0, 2)
  expect(decodeFrame(future)).toBeNull()
  expect(decodeFrame(encodeFrame({ format: 9 }))).toBeNull()
  expect(decodeFrame(new ArrayBuffer(32))).toBeNull()
})

test('knows the number of a tab', () => {
  expect(tabNumber('t31')).toBe(31)
  expect(tabNumber('')).toBe(-1)
  expect(tabNumber('tx')).toBe(-1)
})
