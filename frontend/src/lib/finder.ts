// What a search list offers, and how typed words choose from it. Pure.
import type { Component } from 'svelte'

export interface Found {
  id: string
  text: string
  detail?: string
  group?: string
  keys?: string
  favicon?: string | null // null is a page without an icon; undefined is no page
  icon?: Component<{ size?: number }>
  agent?: string
  current?: boolean
  removable?: boolean
}

// filter keeps what has all typed words, those whose name begins with them first.
export function filter(items: Found[], typed: string): Found[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return items
  const score = (item: Found): number => {
    const text = item.text.toLowerCase()
    const all = `${text} ${item.detail ?? ''} ${item.group ?? ''}`.toLowerCase()
    if (!words.every((w) => all.includes(w))) return 0
    if (text.startsWith(words[0]!)) return 3
    return words.every((w) => text.includes(w)) ? 2 : 1
  }
  return items
    .map((item, at) => ({ item, at, score: score(item) }))
    .filter((x) => x.score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .map((x) => x.item)
}
