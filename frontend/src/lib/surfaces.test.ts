import { expect, test } from 'vitest'
import { Notices } from './notices.svelte'
import { Surfaces, typeAhead } from './surfaces.svelte'
import { FakeSocket, readyHost } from './test/fake'

const fruit = ['Apple', 'Apricot', 'Banana', 'Cherry']
const all = () => true

test('letters find the option that begins with them', () => {
  expect(typeAhead(fruit, all, 0, 'ban')).toBe(2)
  expect(typeAhead(fruit, all, 0, 'apr')).toBe(1)
  expect(typeAhead(fruit, all, 0, 'x')).toBe(-1)
})

test('a repeated letter goes round', () => {
  expect(typeAhead(fruit, all, 0, 'a')).toBe(1)
  expect(typeAhead(fruit, all, 1, 'aa')).toBe(0)
})

test('what cannot be chosen is not found', () => {
  expect(typeAhead(fruit, (i) => i !== 1, 0, 'a')).toBe(0)
})

test('a surface goes when it is answered, and when the host says so', async () => {
  const host = await readyHost()
  const surfaces = new Surfaces(host, new Notices(host))
  const say = (data: object, rev: number) => FakeSocket.last.say({ event: 'surface', rev, data })
  say({ tab: 't1', id: 1, kind: 'select', left: 0, top: 0, width: 9, height: 9 }, 1)
  say({ tab: 't2', id: 4, kind: 'menu', left: 0, top: 0, width: 0, height: 0 }, 2)
  surfaces.choose(surfaces.open.t1!, 3)
  expect(Object.keys(surfaces.open)).toEqual(['t2'])
  expect(FakeSocket.last.calls('surface.choose')[0]!.args).toEqual({ tab: 't1', id: 1, index: 3 })
  say({ tab: 't2', id: 4, kind: '' }, 3)
  expect(surfaces.open).toEqual({})
})
