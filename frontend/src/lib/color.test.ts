import { expect, test } from 'vitest'
import { fromHSV, toHSV } from './color'

test('a colour comes back as it was', () => {
  for (const hex of ['#000000', '#ffffff', '#ff0000', '#336699', '#0b5cff', '#808080', '#fedcba']) {
    const there = fromHSV(toHSV(hex))
    const far = [1, 3, 5].map((i) => Math.abs(parseInt(there.slice(i, i + 2), 16) - parseInt(hex.slice(i, i + 2), 16)))
    expect(Math.max(...far)).toBeLessThanOrEqual(2) // hue is kept in whole degrees
  }
})

test('what is no colour is black', () => {
  expect(toHSV('red')).toEqual({ h: 0, s: 0, v: 0 })
})
