// The shell's own shortcuts. Everything else belongs to the page.
import type { ModKeys } from './input'

export type Command =
  | 'tab.new'
  | 'tab.close'
  | 'tab.reopen'
  | 'tab.next'
  | 'tab.previous'
  | `tab.${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`
  | 'tab.last'
  | 'tab.moveLeft'
  | 'tab.moveRight'
  | 'tab.list'
  | 'tab.pin'
  | 'tab.mute'
  | 'tab.duplicate'
  | 'tab.private'
  | 'tab.closeOthers'
  | 'tab.closeRight'
  | 'address'
  | 'reload'
  | 'reload.hard'
  | 'stop'
  | 'address.copy'
  | 'external'
  | 'viewport'
  | 'pip'
  | 'back'
  | 'forward'
  | 'control'
  | 'settings'
  | 'connect'
  | 'palette'
  | 'keys'
  | 'find'
  | 'find.next'
  | 'find.previous'
  | 'zoom.in'
  | 'zoom.out'
  | 'zoom.reset'
  | 'source'
  | 'print'
  | 'tools'
  | 'tools.pick'
  | 'full'
  | 'history'
  | 'downloads'
  | 'region.next'
  | 'region.previous'

// toolsOwn are commands whose keys mean something to developer tools, which get
// them while they have the keyboard.
export const toolsOwn: ReadonlySet<Command> = new Set<Command>([
  'find',
  'find.next',
  'find.previous',
  'print',
  'source',
  'palette',
  'viewport',
  'history',
  'downloads',
  'keys',
  'tab.list',
])

export interface KeyPress extends ModKeys {
  key: string
  code: string
}

// commandFor names the command of a key press, or null when the page gets it.
// "Mod" is Command on a Mac and Control elsewhere.
export function commandFor(e: KeyPress, mac: boolean): Command | null {
  const mod = mac ? e.metaKey && !e.ctrlKey : e.ctrlKey && !e.metaKey
  if (mod && !e.altKey) return modCommand(e, mac)
  if (mac && mod && e.altKey && !e.shiftKey) {
    // Option changes what a letter types.
    if (e.code === 'KeyI') return 'tools'
    if (e.code === 'KeyC') return 'tools.pick'
  }
  if (e.ctrlKey && !e.altKey && !e.metaKey && e.key === 'Tab') return e.shiftKey ? 'tab.previous' : 'tab.next'
  if (e.ctrlKey || e.metaKey) return null
  if (e.key === 'F3') return e.shiftKey ? 'find.previous' : 'find.next'
  if (e.key === 'F5') return e.shiftKey ? 'reload.hard' : 'reload'
  if (e.key === 'F11') return 'full'
  if (e.key === 'F12') return 'tools'
  if (e.key === 'F6') return e.shiftKey ? 'region.previous' : 'region.next'
  if (e.altKey && !e.shiftKey && !mac) {
    if (e.key === 'ArrowLeft') return 'back'
    if (e.key === 'ArrowRight') return 'forward'
  }
  return null
}

function modCommand(e: KeyPress, mac: boolean): Command | null {
  if (e.shiftKey) {
    if (e.code === 'Space') return 'control'
    if (e.key === 'PageUp') return 'tab.moveLeft'
    if (e.key === 'PageDown') return 'tab.moveRight'
    if (isLetter(e, 'a')) return 'tab.list'
    if (isLetter(e, 'p')) return 'palette'
    if (isLetter(e, 'm')) return 'viewport'
    if (isLetter(e, 'i') && !mac) return 'tools'
    if (isLetter(e, 'c')) return 'tools.pick'
    if (e.code === 'Slash') return 'keys' // where a layout has it on Shift
    if (isLetter(e, 'g')) return 'find.previous'
    if (e.key === '+' || e.code === 'Equal') return 'zoom.in'
    if (e.key === 'Tab') return 'tab.previous'
    if (isLetter(e, 't')) return 'tab.reopen'
    if (isLetter(e, 'r')) return 'reload.hard'
    return null
  }
  if (e.key === 'Tab' || e.key === 'PageDown') return 'tab.next'
  if (e.key === 'PageUp') return 'tab.previous'
  if (e.key === 'F5') return 'reload.hard'
  if (e.key === ',') return 'settings'
  if (e.key === '/') return 'keys'
  if (isLetter(e, mac ? 'y' : 'h')) return 'history'
  if (isLetter(e, 'f')) return 'find'
  if (isLetter(e, 'g')) return 'find.next'
  if (e.key === '+' || e.key === '=' || e.code === 'NumpadAdd') return 'zoom.in'
  if (e.key === '-' || e.code === 'NumpadSubtract') return 'zoom.out'
  if (e.code === 'Digit0' || e.code === 'Numpad0') return 'zoom.reset'
  if (isLetter(e, 'u')) return 'source'
  if (isLetter(e, 'p')) return 'print'
  if (isLetter(e, 'j')) return 'downloads'
  if (isLetter(e, 't')) return 'tab.new'
  if (isLetter(e, 'w')) return 'tab.close'
  if (isLetter(e, 'l')) return 'address'
  if (isLetter(e, 'r')) return 'reload'
  const digit = /^Digit([1-9])$/.exec(e.code)?.[1]
  if (digit === '9') return 'tab.last'
  if (digit) return `tab.${digit}` as Command
  return null
}

// On a layout without Latin letters the key's place decides.
function isLetter(e: KeyPress, letter: string): boolean {
  const latin = /^[a-z]$/i.test(e.key)
  return latin ? e.key.toLowerCase() === letter : e.code === 'Key' + letter.toUpperCase()
}

export type ClipboardKey = 'copy' | 'cut' | 'paste'

// clipboardKey recognises what reaches the person's clipboard.
export function clipboardKey(e: KeyPress, mac: boolean): ClipboardKey | null {
  const mod = mac ? e.metaKey && !e.ctrlKey : e.ctrlKey && !e.metaKey
  if (e.altKey) return null
  if (!mod) return e.shiftKey && !e.ctrlKey && e.key === 'Insert' ? 'paste' : null
  if (isLetter(e, 'v')) return 'paste'
  if (e.shiftKey) return null
  if (isLetter(e, 'c') || e.key === 'Insert') return 'copy'
  return isLetter(e, 'x') ? 'cut' : null
}

// shortcutText writes a shortcut as people read it on their computer.
export function shortcutText(keys: string, mac: boolean): string {
  keys = keys.replace(/Arrow(Left|Right|Up|Down)/, (_, way: string) => ({ Left: '←', Right: '→', Up: '↑', Down: '↓' })[way]!)
  if (!mac) return keys.replace('Mod', 'Ctrl')
  const signs: Record<string, string> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Ctrl: '⌃' }
  return keys
    .split('+')
    .map((k) => signs[k] ?? k)
    .join('')
}
