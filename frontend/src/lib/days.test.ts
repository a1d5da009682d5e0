import { expect, test } from 'vitest'
import { byDay } from './days'

const words = { today: 'Today', yesterday: 'Yesterday' }
const at = (day: number, hour: number) => ({ id: day * 100 + hour, url: 'https://a.example/', title: 'A', last: new Date(2027, 2, day, hour).getTime() })

test('visits stand under their days, newest first', () => {
  const days = byDay([at(10, 9), at(10, 0), at(9, 23), at(2, 12)], new Date(2027, 2, 10, 10), words, 'en-GB')
  expect(days.map((d) => [d.title, d.places.length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    ['Tuesday 2 March', 1],
  ])
})

test('another year is named', () => {
  expect(byDay([at(10, 9)], new Date(2028, 0, 1), words, 'en-GB')[0]?.title).toContain('10 March 2027')
})
