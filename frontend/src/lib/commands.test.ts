import { expect, test } from 'vitest'
import { allKeys, commands } from './commands'
import { commandFor, type KeyPress } from './keys'

// press makes the key press that a shortcut's text names, on a US keyboard.
function press(keys: string, mac: boolean): KeyPress {
  const names = keys.split('+')
  const last = names.at(-1)!
  const has = (name: string) => names.slice(0, -1).includes(name)
  const code = /^[A-Z]$/.test(last) ? `Key${last}` : /^\d$/.test(last) ? `Digit${last}` : last
  const key = /^[A-Z]$/.test(last) && !has('Shift') ? last.toLowerCase() : last
  return { key, code, altKey: has('Alt'), shiftKey: has('Shift'), ctrlKey: has('Ctrl') || (has('Mod') && !mac), metaKey: has('Mod') && mac }
}

test('every command that is listed has the keys that are shown for it', () => {
  for (const mac of [false, true]) {
    for (const listed of commands) {
      for (const k of allKeys(listed, mac)) if (!(mac && k.startsWith('Alt+'))) expect([k, commandFor(press(k, mac), mac)]).toEqual([k, listed.command])
    }
  }
})

test('no command is listed twice', () => {
  const names = commands.map((c) => c.command)
  expect(new Set(names).size).toBe(names.length)
})
