import { expect, test } from 'vitest'
import { WheelSteps, nextZoom } from './zoom'

test('zoom goes by steps, from between two as well, and ends', () => {
  expect(nextZoom(1, 1)).toBe(1.1)
  expect(nextZoom(1, -1)).toBe(0.9)
  expect(nextZoom(1.3, 1)).toBe(1.5)
  expect(nextZoom(1.3, -1)).toBe(1.25)
  expect(nextZoom(5, 1)).toBe(5)
  expect(nextZoom(0.25, -1)).toBe(0.25)
})

test('a notch of the wheel is a step, and so is as much of a fine one', () => {
  const wheel = new WheelSteps()
  expect(wheel.turn(-120, 0)).toBe(1)
  expect([1, 2, 3, 4].map((n) => wheel.turn(12, n))).toEqual([0, 0, 0, -1])
  expect(wheel.turn(30, 10)).toBe(0)
  expect(wheel.turn(-30, 20)).toBe(0)
  expect(wheel.turn(-30, 1000)).toBe(0)
})
