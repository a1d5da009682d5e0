import { expect, test } from 'vitest'
import { dateOf, isoWeek, locale, minutesOf, monthOf, monthText, timeText, weekStart } from './dates'

test('weeks are those of ISO 8601, at the turn of the year too', () => {
  expect(isoWeek(dateOf('2027-01-01')!)).toBe('2026-W53')
  expect(isoWeek(dateOf('2024-12-30')!)).toBe('2025-W01')
  expect(isoWeek(dateOf('2027-02-28')!)).toBe('2027-W08')
  for (const week of ['2026-W53', '2025-W01', '2027-W08', '2020-W53']) expect(isoWeek(weekStart(week)!)).toBe(week)
})

test('values are read as HTML writes them', () => {
  expect(dateOf('2027-02-03')?.toString()).toBe('2027-02-03')
  expect(dateOf('2027-02-03T10:15')?.toString()).toBe('2027-02-03')
  expect(dateOf('2027-02-31')).toBeUndefined()
  expect(dateOf('soon')).toBeUndefined()
  expect(monthOf('2027-11')).toEqual({ year: 2027, month: 11 })
  expect(monthText(2027, 3)).toBe('2027-03')
  expect(minutesOf('2027-02-03T10:15')).toBe(615)
  expect(timeText(615)).toBe('10:15')
})

test('a language that is none gives English', () => {
  expect(locale('C')).toBe('en')
  expect(locale('de-CH')).toBe('de-CH')
})
