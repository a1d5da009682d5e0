import { expect, test } from 'vitest'
import { clipboardKey, commandFor, shortcutText, type KeyPress } from './keys'

// press("ctrl+shift+t") makes a key press on a plain US keyboard.
function press(text: string, part: Partial<KeyPress> = {}): KeyPress {
  const names = text.split('+')
  const key = names.at(-1) ?? ''
  const code = /^[a-z]$/.test(key) ? 'Key' + key.toUpperCase() : /^\d$/.test(key) ? 'Digit' + key : key
  const has = (name: string) => names.includes(name)
  return { key, code, altKey: has('alt'), ctrlKey: has('ctrl'), metaKey: has('meta'), shiftKey: has('shift'), ...part }
}

test.each([
  ['ctrl+t', 'tab.new'],
  ['ctrl+w', 'tab.close'],
  ['ctrl+shift+t', 'tab.reopen'],
  ['ctrl+l', 'address'],
  ['ctrl+r', 'reload'],
  ['ctrl+shift+r', 'reload.hard'],
  ['F5', 'reload'],
  ['shift+F5', 'reload.hard'],
  ['ctrl+1', 'tab.1'],
  ['ctrl+9', 'tab.last'],
  ['ctrl+Tab', 'tab.next'],
  ['ctrl+shift+Tab', 'tab.previous'],
  ['ctrl+PageDown', 'tab.next'],
  ['ctrl+shift+PageUp', 'tab.moveLeft'],
  ['ctrl+shift+a', 'tab.list'],
  ['ctrl+shift+p', 'palette'],
  ['ctrl+/', 'keys'],
  ['alt+ArrowLeft', 'back'],
  ['F12', 'tools'],
  ['ctrl+shift+i', 'tools'],
  ['ctrl+shift+c', 'tools.pick'],
])('%s is %s', (text, command) => {
  expect(commandFor(press(text), false)).toBe(command)
})

test.each(['a', 'ctrl+a', 'ctrl+k', 'ctrl+b', 'ctrl+z', 'Tab', 'Escape', 'F9', 'alt+t', 'ctrl+alt+t', 'ctrl+ArrowLeft', 'shift+ArrowLeft'])(
  '%s belongs to the page',
  (text) => {
    expect(commandFor(press(text), false)).toBeNull()
  },
)

test('the shortcut to take over goes by the place of the key', () => {
  expect(commandFor(press('ctrl+shift+ ', { code: 'Space' }), false)).toBe('control')
})

test('on a Mac Command is the one, and Control stays the page’s', () => {
  expect(commandFor(press('meta+t'), true)).toBe('tab.new')
  expect(commandFor(press('ctrl+t'), true)).toBeNull()
  expect(commandFor(press('ctrl+Tab'), true)).toBe('tab.next')
  expect(commandFor(press('alt+ArrowLeft'), true)).toBeNull()
})

test('letters count on layouts without Latin letters', () => {
  expect(commandFor(press('ctrl+е', { code: 'KeyT' }), false)).toBe('tab.new')
  // On Dvorak the key at KeyT types y: the letter decides.
  expect(commandFor(press('ctrl+y', { code: 'KeyT' }), false)).toBeNull()
})

test('clipboard keys', () => {
  expect(clipboardKey(press('ctrl+c'), false)).toBe('copy')
  expect(clipboardKey(press('ctrl+x'), false)).toBe('cut')
  expect(clipboardKey(press('ctrl+v'), false)).toBe('paste')
  expect(clipboardKey(press('ctrl+shift+v'), false)).toBe('paste')
  expect(clipboardKey(press('shift+Insert'), false)).toBe('paste')
  expect(clipboardKey(press('ctrl+shift+c'), false)).toBeNull()
  expect(clipboardKey(press('meta+c'), true)).toBe('copy')
  expect(clipboardKey(press('ctrl+c'), true)).toBeNull()
})

test('shortcuts are written as on each computer', () => {
  expect(shortcutText('Mod+Shift+T', false)).toBe('Ctrl+Shift+T')
  expect(shortcutText('Mod+Shift+T', true)).toBe('⌘⇧T')
  expect(shortcutText('Alt+ArrowLeft', false)).toBe('Alt+←')
})
