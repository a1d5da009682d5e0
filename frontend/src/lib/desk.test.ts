import { beforeEach, expect, test } from 'vitest'
import { Desk, type Region } from './desk.svelte'

let desk: Desk
const here = () => document.activeElement?.id ?? ''

beforeEach(() => {
  document.body.innerHTML = (['address', 'tabs', 'page', 'cards', 'panel'] as const)
    .map((region) => `<div data-region="${region}"><button id="${region}"></button></div>`)
    .join('')
  desk = new Desk()
  for (const region of ['address', 'tabs', 'page', 'cards', 'panel'] as Region[]) desk.place(region, () => document.getElementById(region)?.focus())
})

test('F6 walks the parts of the window and passes over empty ones', () => {
  document.getElementById('cards')!.remove()
  const seen: string[] = []
  for (let i = 0; i < 5; i++) {
    desk.cycle(1)
    seen.push(here())
  }
  expect(seen).toEqual(['address', 'tabs', 'page', 'panel', 'address'])
  desk.cycle(-1)
  expect(here()).toBe('panel')
})

test('a panel that closes gives the keyboard back to what had it', () => {
  desk.focus('tabs')
  desk.open('settings')
  desk.focus('panel')
  desk.open('history')
  desk.close()
  expect(here()).toBe('tabs')
})

test('a panel whose opener is gone leaves the keyboard to the page, and one without it leaves it alone', () => {
  desk.focus('cards')
  desk.open('settings')
  desk.focus('panel')
  document.getElementById('cards')!.remove()
  desk.close()
  expect(here()).toBe('page')
  desk.focus('address')
  desk.offer('connect')
  desk.close()
  expect(here()).toBe('address')
})
