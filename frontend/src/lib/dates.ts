// The values of a page's date and time fields, as HTML writes them.
import { CalendarDate, parseDate } from '@internationalized/date'

// locale is the person's language for dates; some systems name one that is none.
export function locale(language = navigator.language): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([language])[0] ?? 'en'
  } catch {
    return 'en'
  }
}

// dateOf reads YYYY-MM-DD; undefined for what is none.
export function dateOf(value: string | undefined): CalendarDate | undefined {
  if (!value || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined
  try {
    return parseDate(value.slice(0, 10))
  } catch {
    return undefined
  }
}

// isoWeek gives a day's week of ISO 8601, as YYYY-Www.
export function isoWeek(day: CalendarDate): string {
  const date = new Date(Date.UTC(day.year, day.month - 1, day.day))
  const weekday = date.getUTCDay() || 7
  date.setUTCDate(date.getUTCDate() + 4 - weekday) // the week's Thursday decides its year
  const year = date.getUTCFullYear()
  const week = Math.ceil(((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7)
  return `${year}-W${String(week).padStart(2, '0')}`
}

// weekStart gives the Monday of a week written YYYY-Www.
export function weekStart(value: string | undefined): CalendarDate | undefined {
  const m = /^(\d{4})-W(\d\d)$/.exec(value ?? '')
  if (!m) return undefined
  const fourth = new CalendarDate(Number(m[1]), 1, 4) // always in week 1
  const weekday = new Date(Date.UTC(fourth.year, 0, 4)).getUTCDay() || 7
  return fourth.add({ days: 1 - weekday + (Number(m[2]) - 1) * 7 })
}

// monthOf reads the year and month of YYYY-MM.
export function monthOf(value: string | undefined): { year: number; month: number } | undefined {
  const m = /^(\d{4})-(\d\d)/.exec(value ?? '')
  return m ? { year: Number(m[1]), month: Number(m[2]) } : undefined
}

export const monthText = (year: number, month: number): string => `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`

// minutesOf reads HH:MM as minutes since midnight.
export function minutesOf(value: string | undefined): number | undefined {
  const m = /(?:^|T)(\d\d):(\d\d)/.exec(value ?? '')
  return m ? Number(m[1]) * 60 + Number(m[2]) : undefined
}

export function timeText(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
