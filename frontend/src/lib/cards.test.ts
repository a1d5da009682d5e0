import { expect, test } from 'vitest'
import { Cards, site, wish } from './cards.svelte'
import { Notices } from './notices.svelte'
import { FakeSocket, readyHost } from './test/fake'
import type { Card } from './wire'

const card = (id: string, tab = 't1'): Card => ({
  id,
  kind: 'approval',
  agent: 'claude-code',
  tab,
  until: Date.now() + 55_000,
  action: { verb: 'click', targets: [], url: 'https://shop.example/cart', title: 'Cart' },
})

async function cards(onask?: (card: Card) => void): Promise<Cards> {
  const host = await readyHost()
  return new Cards(host, new Notices(host), onask)
}

const say = (list: Card[], rev = 1) => FakeSocket.last.say({ event: 'cards', rev, data: list })

test('a card is asked about once, however often the list comes', async () => {
  const asked: string[] = []
  await cards((c) => asked.push(c.id))
  say([card('c1')])
  say([card('c1'), card('c2')], 2)
  expect(asked).toEqual(['c1', 'c2'])
})

test('an answered card is gone at once and is answered once', async () => {
  const all = await cards()
  say([card('c1'), card('c2', 't2')])
  all.answer('c1', true)
  expect(all.open.map((c) => c.id)).toEqual(['c2'])
  expect(FakeSocket.last.calls('cards.answer').map((m) => m.args)).toEqual([{ card: 'c1', approve: true }])
  expect(all.on('t2')).toHaveLength(1)
  expect(all.on('t1')).toHaveLength(0)
})

test('words say what the agent wants and where', () => {
  expect(wish(card('c1'), 'Claude Code')).toBe('Claude Code wants to click')
  expect(site(card('c1'))).toBe('shop.example')
})
