// The person's hand on the page: turns pointer, wheel, key and input-method
// events into messages. Moves and wheel turns are folded into one a display
// frame; anything else first sends what was folded, so a flood of moves never
// delays a click or a key.
import { isEmpty, type Clip } from './clip'
import {
  ClickCounter,
  buttonBit,
  buttonChanges,
  heldButton,
  inComposition,
  keyFields,
  modifierBits,
  mods,
  wheelPixels,
  type KeyFields,
  type KeyLike,
  type ModKeys,
  type Platforms,
  type WheelLike,
} from './input'
import type { Input } from './wire'

type Message = Omit<Input, 'view'>

export interface HandOptions {
  send(message: Message): void
  // Beyond the page's edge is a place too for a mouse that drags.
  toPage(clientX: number, clientY: number, beyond: boolean): { x: number; y: number }
  pageSize(): { width: number; height: number }
  platforms(): Platforms
  nextFrame(fn: () => void): void
}

export interface PointerLike extends ModKeys {
  type: string
  pointerType: string
  pointerId: number
  clientX: number
  clientY: number
  buttons: number
  pressure: number
  tiltX: number
  tiltY: number
  twist: number
  timeStamp: number
}

// A key without a place on a known keyboard goes by its name.
const keyID = (e: KeyLike) => (e.code && e.code !== 'Unidentified' ? e.code : e.key)

// pen gives what a pen tells beside its place.
function pen(e: PointerLike): Partial<Message> {
  if (e.pointerType !== 'pen') return {}
  return { pointer: 'pen', pressure: e.pressure, tiltX: e.tiltX, tiltY: e.tiltY, twist: e.twist }
}

const emptiedFor = 200 // milliseconds that an empty composition waits for its text

export class Hand {
  private held = 0 // bits of the buttons that are down
  private keys = new Map<string, KeyFields>() // keys that are down, by code
  private clicks = new ClickCounter()
  private folded: Message | null = null
  private waiting = false // for the next display frame
  private fingers = new Set<number>() // that touch
  private composing = false
  private shown = '' // of the composition
  private emptied: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly options: HandOptions) {}

  pointer(e: PointerLike): void {
    if (e.pointerType === 'touch') return this.touch(e)
    const at = { ...this.options.toPage(e.clientX, e.clientY, this.held !== 0), ...pen(e) }
    const after = e.type === 'pointercancel' ? 0 : e.buttons
    const changes = buttonChanges(this.held, after)
    if (changes.length === 0) {
      const button = heldButton(this.held)
      this.fold({ in: 'mouse', type: 'move', ...at, button, buttons: this.held, mods: mods(e) })
      return
    }
    for (const { button, down } of changes) {
      this.held = down ? this.held | buttonBit(button) : this.held & ~buttonBit(button)
      const count = down ? this.clicks.press(button, e.clientX, e.clientY, e.timeStamp) : this.clicks.current
      this.now({ in: 'mouse', type: down ? 'down' : 'up', ...at, button, buttons: this.held, count, mods: mods(e) })
    }
  }

  wheel(e: WheelLike & ModKeys & { clientX: number; clientY: number }): void {
    const at = this.options.toPage(e.clientX, e.clientY, false)
    const turn = wheelPixels(e, this.options.pageSize())
    if (turn.dx === 0 && turn.dy === 0) return
    this.fold({ in: 'wheel', ...at, ...turn, mods: mods(e) })
  }

  // keyDown gives false for keys that an input method or a dead key will turn
  // into text: the browser must go on with those. The page hears of the text
  // alone: WebKit tells of such a key several times, and never of its release.
  keyDown(e: KeyLike): boolean {
    if (inComposition(e)) return false
    const fields = keyFields(e, this.options.platforms())
    this.keys.set(keyID(e), fields)
    this.now({ in: 'key', type: 'down', ...fields, repeat: e.repeat })
    return true
  }

  keyUp(e: KeyLike): void {
    if (!this.keys.delete(keyID(e))) return
    const fields = keyFields(e, this.options.platforms())
    // Some browsers still count a modifier while it is being released.
    const mods = fields.mods & ~(modifierBits[fields.key] ?? 0)
    this.now({ in: 'key', type: 'up', ...fields, mods })
    // A Mac tells nothing of keys released while Command is down.
    if (e.key === 'Meta') this.releaseKeys()
  }

  compose(text: string): void {
    this.goOn()
    if (this.composing && text === this.shown) return // it is told once more as it ends
    this.composing = true
    if (text === '') this.empty()
    else this.composed(text)
  }

  commit(text: string): void {
    this.goOn()
    if (text === '') {
      if (this.composing) this.empty()
      return
    }
    this.composing = false
    this.now({ in: 'commit', text })
  }

  // paste gives what the person's clipboard holds; keys are the modifiers of the
  // shortcut that asked for it.
  paste(clip: Clip, keys = 0): void {
    if (!isEmpty(clip)) this.now({ in: 'paste', ...clip, mods: keys })
  }

  // blur lets go of everything: the keyboard went elsewhere.
  blur(): void {
    this.held = 0
    this.keys.clear()
    this.fingers.clear()
    this.composing = false
    this.goOn()
    this.now({ in: 'blur' })
  }

  // empty ends a composition without its text. WebKit empties one, and ends it,
  // before the text comes that it became: told so, the page would see one that
  // was called off, and text from nowhere.
  private empty(): void {
    this.emptied = setTimeout(() => this.callOff(), emptiedFor)
  }

  private callOff(): void {
    this.goOn()
    this.composing = false
    this.composed('')
  }

  private goOn(): void {
    clearTimeout(this.emptied)
    this.emptied = undefined
  }

  private composed(text: string): void {
    this.shown = text
    this.now({ in: 'compose', text, start: text.length, end: text.length })
  }

  private touch(e: PointerLike): void {
    const finger = e.pointerId
    const at = { ...this.options.toPage(e.clientX, e.clientY, false), finger, pressure: e.pressure, mods: mods(e) }
    if (e.type === 'pointermove') {
      if (this.fingers.has(finger)) this.fold({ in: 'touch', type: 'move', ...at })
      return
    }
    const type = e.type === 'pointerdown' ? 'start' : e.type === 'pointerup' ? 'end' : 'cancel'
    if (type !== 'start' && !this.fingers.has(finger)) return
    if (type === 'start') this.fingers.add(finger)
    else if (type === 'cancel')
      this.fingers.clear() // the system took all of them
    else this.fingers.delete(finger)
    this.now({ in: 'touch', type, ...at })
  }

  private releaseKeys(): void {
    for (const fields of this.keys.values()) this.now({ in: 'key', type: 'up', ...fields })
    this.keys.clear()
  }

  private now(message: Message): void {
    if (this.emptied && message.in !== 'compose' && message.in !== 'commit') this.callOff()
    this.flush()
    this.options.send(message)
  }

  // fold sends the first of a run at once and keeps the newest of the rest for
  // the next display frame.
  private fold(message: Message): void {
    const before = this.folded
    if (before && (before.in !== message.in || before.mods !== message.mods || before.finger !== message.finger || before.pointer !== message.pointer)) this.flush()
    if (!this.waiting) {
      this.options.send(message)
      this.wait()
      return
    }
    const same = this.folded
    if (same && message.in === 'wheel') {
      message.dx = (message.dx ?? 0) + (same.dx ?? 0)
      message.dy = (message.dy ?? 0) + (same.dy ?? 0)
    }
    this.folded = message
  }

  private wait(): void {
    this.waiting = true
    this.options.nextFrame(() => {
      this.waiting = false
      if (!this.folded) return
      this.flush()
      this.wait()
    })
  }

  private flush(): void {
    const message = this.folded
    this.folded = null
    if (message) this.options.send(message)
  }
}
