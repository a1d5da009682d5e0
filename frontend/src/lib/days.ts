// Visits by the days of this computer's calendar. Pure.
import { locale } from './dates'
import type { Place } from './wire'

export interface Day {
  key: string
  title: string
  places: Place[]
}

// byDay puts places, newest first, under the days of this computer's calendar.
export function byDay(places: Place[], now: Date, words: { today: string; yesterday: string }, language: string | undefined = locale()): Day[] {
  const days: Day[] = []
  const key = (d: Date) => `${d.getFullYear()}-${d.getMonth() + 1}-${d.getDate()}`
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  for (const place of places) {
    const at = new Date(place.last)
    const k = key(at)
    let day = days.at(-1)
    if (day?.key !== k) {
      const long = at.toLocaleDateString(language, { weekday: 'long', day: 'numeric', month: 'long', year: at.getFullYear() === now.getFullYear() ? undefined : 'numeric' })
      day = { key: k, title: k === key(now) ? words.today : k === key(yesterday) ? words.yesterday : long, places: [] }
      days.push(day)
    }
    day.places.push(place)
  }
  return days
}
