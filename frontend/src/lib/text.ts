// Every text that the person reads. Another language is another table with
// the same keys; what it lacks is shown in English.
import { page } from './english/page'
import { panels } from './english/panels'
import { shell } from './english/shell'

const english = { ...shell, ...page, ...panels } as const

export type TextKey = keyof typeof english
export type Params = Record<string, string | number>

const tables: Record<string, Partial<Record<TextKey, string>>> = { en: english }
let table = tables[navigator.language.split('-')[0] ?? ''] ?? english

// setLanguage chooses a table; an unknown one is English.
export function setLanguage(language: string): void {
  table = tables[language] ?? english
}

// t gives the text of a key, with {name} replaced from params.
export function t(key: TextKey, params: Params = {}): string {
  const text = table[key] ?? english[key]
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(params[name] ?? all))
}
