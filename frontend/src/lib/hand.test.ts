import { beforeEach, expect, test, vi } from 'vitest'
import { Hand, type PointerLike } from './hand'
import type { KeyLike } from './input'
import type { Input } from './wire'

let sent: Omit<Input, 'view'>[]
let frame: (() => void) | null
let hand: Hand

beforeEach(() => {
  sent = []
  frame = null
  hand = new Hand({
    send: (m) => sent.push(m),
    toPage: (x, y) => ({ x, y }),
    pageSize: () => ({ width: 1000, height: 700 }),
    platforms: () => ({ viewerMac: false, hostMac: false }),
    nextFrame: (fn) => (frame = fn),
  })
})

const nextFrame = () => {
  const fn = frame
  frame = null
  fn?.()
}

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }

const pointer = (type: string, x: number, buttons = 0, part: Partial<PointerLike> = {}): PointerLike => ({
  type,
  pointerType: 'mouse',
  pointerId: 1,
  pressure: 0,
  tiltX: 0,
  tiltY: 0,
  twist: 0,
  clientX: x,
  clientY: 5,
  buttons,
  timeStamp: 0,
  ...none,
  ...part,
})

const key = (name: string, part: Partial<KeyLike> = {}): KeyLike => ({
  key: name,
  code: 'Key' + name.toUpperCase(),
  keyCode: 0,
  location: 0,
  repeat: false,
  isComposing: false,
  getModifierState: () => false,
  ...none,
  ...part,
})

test('a hundred moves in one display frame are two messages', () => {
  for (let x = 0; x < 100; x++) hand.pointer(pointer('pointermove', x))
  expect(sent.map((m) => m.x)).toEqual([0])
  nextFrame()
  expect(sent.map((m) => m.x)).toEqual([0, 99])
})

test('a press is sent at once, right after the newest move', () => {
  for (let x = 0; x < 100; x++) hand.pointer(pointer('pointermove', x))
  hand.pointer(pointer('pointerdown', 99, 1))
  expect(sent.map((m) => [m.type, m.x])).toEqual([
    ['move', 0],
    ['move', 99],
    ['down', 99],
  ])
  nextFrame()
  expect(sent).toHaveLength(3)
})

test('a key does not wait for a display frame either', () => {
  hand.pointer(pointer('pointermove', 1))
  hand.pointer(pointer('pointermove', 2))
  hand.keyDown(key('a'))
  expect(sent.map((m) => m.type)).toEqual(['move', 'move', 'down'])
})

test('wheel turns of one display frame add up', () => {
  const turn = (deltaY: number) => hand.wheel({ deltaX: 0, deltaY, deltaMode: 0, clientX: 3, clientY: 4, ...none })
  turn(10)
  turn(20)
  turn(30)
  nextFrame()
  expect(sent.map((m) => m.dy)).toEqual([10, 50])
})

test('a drag carries its button, a second button is a press', () => {
  hand.pointer(pointer('pointerdown', 1, 1))
  hand.pointer(pointer('pointermove', 2, 1))
  hand.pointer(pointer('pointermove', 2, 3))
  hand.pointer(pointer('pointerup', 2, 0))
  expect(sent.map((m) => [m.type, m.button, m.buttons])).toEqual([
    ['down', 'left', 1],
    ['move', 'left', 1],
    ['down', 'right', 3],
    ['up', 'left', 2],
    ['up', 'right', 0],
  ])
})

test('a button released outside the window is let go at the next move', () => {
  hand.pointer(pointer('pointerdown', 1, 1))
  hand.pointer(pointer('pointermove', 9, 0))
  expect(sent.at(-1)).toMatchObject({ type: 'up', button: 'left' })
})

test('keys of an input method are left to the browser', () => {
  expect(hand.keyDown(key('a', { isComposing: true }))).toBe(false)
  expect(hand.keyDown(key('Dead', { code: 'BracketLeft' }))).toBe(false)
  expect(hand.keyDown(key('a', { keyCode: 229 }))).toBe(false)
  expect(sent).toEqual([])
})

test('composing, then its text; a cancelled one is cleared', () => {
  vi.useFakeTimers()
  hand.compose('に')
  hand.commit('日')
  hand.compose('x')
  hand.commit('')
  vi.advanceTimersByTime(300)
  vi.useRealTimers()
  expect(sent).toEqual([
    { in: 'compose', text: 'に', start: 1, end: 1 },
    { in: 'commit', text: '日' },
    { in: 'compose', text: 'x', start: 1, end: 1 },
    { in: 'compose', text: '', start: 0, end: 0 },
  ])
})

test('a composition that is emptied just before its end is not called off', () => {
  vi.useFakeTimers()
  hand.compose('´')
  hand.compose('')
  hand.commit('')
  hand.commit('é')
  hand.compose('x')
  hand.compose('') // erased
  vi.advanceTimersByTime(300)
  hand.compose('y')
  hand.compose('')
  hand.keyDown(key('a')) // what comes next comes after it
  vi.useRealTimers()
  expect(sent.map((m) => [m.in, m.text])).toEqual([
    ['compose', '´'],
    ['commit', 'é'],
    ['compose', 'x'],
    ['compose', ''],
    ['compose', 'y'],
    ['compose', ''],
    ['key', undefined],
  ])
})

test('after a blur nothing is held: a late key-up is not sent', () => {
  hand.keyDown(key('Shift', { code: 'ShiftLeft', shiftKey: true }))
  hand.pointer(pointer('pointerdown', 1, 1))
  hand.blur()
  hand.keyUp(key('Shift', { code: 'ShiftLeft' }))
  hand.pointer(pointer('pointermove', 2, 0))
  expect(sent.map((m) => m.type ?? m.in)).toEqual(['down', 'down', 'blur', 'move'])
})

test('a key whose press the shell kept sends no release', () => {
  hand.keyUp(key('t'))
  expect(sent).toEqual([])
})

test('a modifier is not held by its own release', () => {
  hand.keyDown(key('Shift', { code: 'ShiftLeft', shiftKey: true }))
  hand.keyUp(key('Shift', { code: 'ShiftLeft', shiftKey: true, ctrlKey: true }))
  expect(sent.map((m) => m.mods)).toEqual([8, 2])
})

test('releasing Command releases the keys a Mac says nothing about', () => {
  hand.keyDown(key('Meta', { code: 'MetaLeft' }))
  hand.keyDown(key('a', { metaKey: true }))
  hand.keyUp(key('Meta', { code: 'MetaLeft' }))
  expect(sent.map((m) => [m.type, m.key])).toEqual([
    ['down', 'Meta'],
    ['down', 'a'],
    ['up', 'Meta'],
    ['up', 'a'],
  ])
})

test('touch is told as touch, each finger by its own name', () => {
  const touch = (type: string, x: number, pointerId: number) => hand.pointer(pointer(type, x, 1, { pointerType: 'touch', pointerId }))
  touch('pointerdown', 1, 7)
  touch('pointerdown', 50, 8)
  touch('pointermove', 2, 7)
  touch('pointermove', 51, 8)
  touch('pointermove', 90, 9) // that never came down
  touch('pointerup', 2, 7)
  touch('pointerup', 51, 8)
  expect(sent.map((m) => [m.in, m.type, m.x, m.finger])).toEqual([
    ['touch', 'start', 1, 7],
    ['touch', 'start', 50, 8],
    ['touch', 'move', 2, 7],
    ['touch', 'move', 51, 8],
    ['touch', 'end', 2, 7],
    ['touch', 'end', 51, 8],
  ])
})

test('a pen tells more than a place', () => {
  hand.pointer(pointer('pointerdown', 1, 1, { pointerType: 'pen', pressure: 0.5, tiltX: 10, tiltY: -5, twist: 90 }))
  expect(sent[0]).toMatchObject({ in: 'mouse', type: 'down', pointer: 'pen', pressure: 0.5, tiltX: 10, tiltY: -5, twist: 90 })
})
