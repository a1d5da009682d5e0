import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepFocus } from './focus'

let stop = () => {}
const toPage = vi.fn(() => document.querySelector<HTMLElement>('#page')?.focus())
const el = (id: string) => document.getElementById(id)!

beforeEach(() => {
  document.body.innerHTML = `
    <button id="bar"></button>
    <div id="card"><button id="yes"></button></div>
    <section data-region="page"><textarea id="page"></textarea><button id="again"></button></section>`
  toPage.mockClear()
  stop = keepFocus(toPage)
})

afterEach(() => stop())

test('what goes away gives the keyboard back to where it was', async () => {
  el('bar').focus()
  el('yes').focus()
  el('card').remove()
  await vi.waitFor(() => expect(document.activeElement).toBe(el('bar')))
  expect(toPage).not.toHaveBeenCalled()
})

test('without a place of before, the page has it', async () => {
  el('yes').focus()
  el('card').remove()
  await vi.waitFor(() => expect(document.activeElement).toBe(el('page')))
})

test('what goes away in the page leaves it to the page', async () => {
  el('bar').focus()
  el('again').focus()
  el('again').remove()
  await vi.waitFor(() => expect(document.activeElement).toBe(el('page')))
})

test('whoever gives the keyboard away themselves is not gainsaid', async () => {
  el('yes').focus()
  el('card').remove()
  el('bar').focus()
  for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done))
  expect(document.activeElement).toBe(el('bar'))
  expect(toPage).not.toHaveBeenCalled()
})
