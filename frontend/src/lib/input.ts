// Browser events put into the host's words. Pure: nothing here knows the DOM
// beyond the fields it is handed.

export const Alt = 1
export const Control = 2
export const Meta = 4
export const Shift = 8

export const modifierBits: Record<string, number> = { Alt, Control, Meta, Shift }

export interface ModKeys {
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
}

export const mods = (e: ModKeys): number =>
  (e.altKey ? Alt : 0) | (e.ctrlKey ? Control : 0) | (e.metaKey ? Meta : 0) | (e.shiftKey ? Shift : 0)

// Buttons in the order of their bits in MouseEvent.buttons.
const buttonBits = [
  ['left', 1],
  ['right', 2],
  ['middle', 4],
  ['back', 8],
  ['forward', 16],
] as const

export type Button = (typeof buttonBits)[number][0]

export const buttonBit = (name: Button): number => buttonBits.find(([n]) => n === name)![1]

// heldButton names the button of a drag, or "none".
export const heldButton = (held: number): Button | 'none' => buttonBits.find(([, bit]) => held & bit)?.[0] ?? 'none'

// buttonChanges tells which buttons went down or up between two states.
// Pointer events report the second of two buttons as a move, so the bits are
// what counts, not the event's name.
export function buttonChanges(before: number, after: number): { button: Button; down: boolean }[] {
  const changes = []
  for (const [button, bit] of buttonBits) {
    if ((before & bit) !== (after & bit)) changes.push({ button, down: (after & bit) !== 0 })
  }
  return changes
}

// ClickCounter counts presses in a row: same button, near in time and place.
export class ClickCounter {
  private last = { button: '', x: 0, y: 0, time: -Infinity }
  private count = 0

  constructor(
    private readonly milliseconds = 500,
    private readonly pixels = 5,
  ) {}

  press(button: string, x: number, y: number, time: number): number {
    const near = Math.hypot(x - this.last.x, y - this.last.y) <= this.pixels
    const again = near && button === this.last.button && time - this.last.time <= this.milliseconds
    this.count = again ? this.count + 1 : 1
    this.last = { button, x, y, time }
    return this.count
  }

  get current(): number {
    return Math.max(1, this.count)
  }
}

export interface WheelLike {
  deltaX: number
  deltaY: number
  deltaMode: number // 0 pixels, 1 lines, 2 pages
  shiftKey: boolean
}

const lineHeight = 40 // what Chromium scrolls for one line of a wheel

// wheelPixels gives CSS pixels. Shift turns a plain wheel sideways.
export function wheelPixels(e: WheelLike, page: { width: number; height: number }): { dx: number; dy: number } {
  const unitX = e.deltaMode === 1 ? lineHeight : e.deltaMode === 2 ? page.width : 1
  const unitY = e.deltaMode === 1 ? lineHeight : e.deltaMode === 2 ? page.height : 1
  const dx = e.deltaX * unitX
  const dy = e.deltaY * unitY
  return e.shiftKey && dx === 0 ? { dx: dy, dy: 0 } : { dx, dy }
}

export interface KeyLike extends ModKeys {
  key: string
  code: string
  keyCode: number
  location: number
  repeat: boolean
  isComposing: boolean
  getModifierState(key: string): boolean
}

// nameKey gives Shift+Tab its name: WebKitGTK knows none for what X11 calls
// ISO_Left_Tab. The event itself is mended, for whoever hears it later.
export function nameKey(e: { key: string; code: string; keyCode: number }): void {
  if (e.key === 'Unidentified' && (e.code === 'Tab' || e.keyCode === 9)) Object.defineProperty(e, 'key', { value: 'Tab' })
}

// Platforms decides which modifier is the one for commands on each side.
export interface Platforms {
  viewerMac: boolean
  hostMac: boolean
}

export interface KeyFields {
  key: string
  code: string
  keyCode: number
  location: number
  mods: number
}

// keyFields describes one key for the page. AltGr and Option type characters,
// so they do not count as modifiers of what they typed; Command and Control
// trade places when the two computers differ.
export function keyFields(e: KeyLike, at: Platforms): KeyFields {
  const printable = [...e.key].length === 1
  let m = mods(e)
  if (printable && e.getModifierState('AltGraph')) m &= ~(Alt | Control)
  else if (printable && at.viewerMac && m === Alt) m = 0
  else if (printable && at.viewerMac && m === (Alt | Shift)) m = Shift
  let { key, code, keyCode } = e
  if (at.viewerMac && !at.hostMac) {
    if (m & Meta) m = (m & ~Meta) | Control
    if (key === 'Meta') [key, code, keyCode] = ['Control', code.replace(/^(Meta|OS)/, 'Control'), 17]
  } else if (!at.viewerMac && at.hostMac) {
    if (m & Control) m = (m & ~Control) | Meta
    if (key === 'Control') [key, code, keyCode] = ['Meta', code.replace(/^Control/, 'Meta'), 91]
  }
  return { key, code, keyCode, location: e.location, mods: m }
}

// inComposition is true for keys that belong to an input method or a dead key:
// the text comes later, as a composition.
export const inComposition = (e: KeyLike): boolean => e.isComposing || e.keyCode === 229 || e.key === 'Dead' || e.key === 'Process'
