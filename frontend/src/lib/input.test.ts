import { expect, test } from 'vitest'
import { Alt, ClickCounter, Control, Meta, Shift, buttonChanges, keyFields, mods, nameKey, wheelPixels, type KeyLike } from './input'

const key = (part: Partial<KeyLike> & { graph?: boolean }): KeyLike => ({
  key: 'a',
  code: 'KeyA',
  keyCode: 65,
  location: 0,
  repeat: false,
  isComposing: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  getModifierState: (name) => name === 'AltGraph' && part.graph === true,
  ...part,
})

const linux = { viewerMac: false, hostMac: false }

test('modifiers have the bits of the wire', () => {
  expect(mods({ altKey: true, ctrlKey: true, metaKey: true, shiftKey: true })).toBe(15)
  expect(mods({ altKey: false, ctrlKey: false, metaKey: true, shiftKey: true })).toBe(Meta | Shift)
})

test('a second button is seen although pointer events call it a move', () => {
  expect(buttonChanges(0, 1)).toEqual([{ button: 'left', down: true }])
  expect(buttonChanges(1, 3)).toEqual([{ button: 'right', down: true }])
  expect(buttonChanges(3, 2)).toEqual([{ button: 'left', down: false }])
  expect(buttonChanges(0, 24).map((c) => c.button)).toEqual(['back', 'forward'])
})

test('clicks count only near in time and place, with the same button', () => {
  const clicks = new ClickCounter()
  expect(clicks.press('left', 10, 10, 0)).toBe(1)
  expect(clicks.press('left', 12, 10, 300)).toBe(2)
  expect(clicks.press('left', 12, 10, 600)).toBe(3)
  expect(clicks.press('left', 40, 10, 700)).toBe(1)
  expect(clicks.press('right', 40, 10, 800)).toBe(1)
  expect(clicks.press('right', 40, 10, 1400)).toBe(1)
})

test('wheel turns become pixels', () => {
  const page = { width: 1000, height: 700 }
  expect(wheelPixels({ deltaX: 0, deltaY: 3, deltaMode: 1, shiftKey: false }, page)).toEqual({ dx: 0, dy: 120 })
  expect(wheelPixels({ deltaX: 0, deltaY: -1, deltaMode: 2, shiftKey: false }, page)).toEqual({ dx: 0, dy: -700 })
  expect(wheelPixels({ deltaX: 0, deltaY: 0.5, deltaMode: 0, shiftKey: false }, page)).toEqual({ dx: 0, dy: 0.5 })
  expect(wheelPixels({ deltaX: 0, deltaY: 90, deltaMode: 0, shiftKey: true }, page)).toEqual({ dx: 90, dy: 0 })
})

test('AltGr and Option type characters and are no modifiers of them', () => {
  expect(keyFields(key({ key: '@', code: 'KeyQ', altKey: true, ctrlKey: true, graph: true }), linux).mods).toBe(0)
  expect(keyFields(key({ key: 'å', altKey: true }), { viewerMac: true, hostMac: false }).mods).toBe(0)
  expect(keyFields(key({ key: 'a', altKey: true }), linux).mods).toBe(Alt)
  expect(keyFields(key({ key: 'ArrowLeft', altKey: true }), { viewerMac: true, hostMac: true }).mods).toBe(Alt)
})

test('Command and Control trade places between a Mac and another computer', () => {
  const cross = { viewerMac: true, hostMac: false }
  expect(keyFields(key({ metaKey: true }), cross)).toMatchObject({ key: 'a', mods: Control })
  expect(keyFields(key({ key: 'Meta', code: 'MetaLeft', keyCode: 91, metaKey: true }), cross)).toMatchObject({
    key: 'Control',
    code: 'ControlLeft',
    keyCode: 17,
    mods: Control,
  })
  expect(keyFields(key({ ctrlKey: true }), { viewerMac: false, hostMac: true }).mods).toBe(Meta)
  expect(keyFields(key({ ctrlKey: true }), linux).mods).toBe(Control)
})

test('Shift+Tab has its name where WebKitGTK gives it none', () => {
  const key = (init: KeyboardEventInit) => {
    const e = new KeyboardEvent('keydown', init)
    nameKey(e)
    return e.key
  }
  expect(key({ key: 'Unidentified', code: 'Tab', shiftKey: true })).toBe('Tab')
  expect(key({ key: 'Unidentified', code: 'KeyA' })).toBe('Unidentified')
  expect(key({ key: 'Tab', code: 'Tab' })).toBe('Tab')
})
