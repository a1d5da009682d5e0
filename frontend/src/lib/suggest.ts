// What the address bar offers while the person types. Pure.
import type { Place, Tab } from './wire'

export interface Suggestion {
  kind: 'go' | 'search' | 'tab' | 'recent'
  text: string // shown first
  detail: string
  value: string // the address or query, or the tab's id
  favicon?: string
}

const most = 7

// looksLikeAddress is only for the label of the first line: the host decides.
export function looksLikeAddress(text: string): boolean {
  if (/\s/.test(text)) return false
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i
  const local = /^(localhost|\[[0-9a-f:]+\]|\d{1,3}(\.\d{1,3}){3})(:\d+)?(\/|$)/i
  const domain = /^[^/?#]+\.[a-z0-9-]{2,}(:\d+)?([/?#]|$)/i
  return scheme.test(text) || local.test(text) || domain.test(text)
}

export function suggest(typed: string, tabs: Tab[], active: string, recents: Place[]): Suggestion[] {
  const query = typed.trim()
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (...parts: string[]) => {
    const text = parts.join(' ').toLowerCase()
    return words.every((w) => text.includes(w))
  }
  const found: Suggestion[] = []
  const urls = new Set<string>()
  for (const tab of tabs) {
    if (tab.id === active) urls.add(tab.url)
    if (tab.id === active || !/^https?:/.test(tab.url) || !matches(tab.title, tab.url)) continue
    urls.add(tab.url)
    found.push({ kind: 'tab', text: tab.title || bare(tab.url), detail: tab.title ? bare(tab.url) : '', value: tab.id, favicon: tab.favicon })
  }
  for (const recent of recents) {
    if (urls.has(recent.url) || !matches(recent.title, recent.url)) continue
    found.push({ kind: 'recent', text: recent.title || bare(recent.url), detail: recent.title ? bare(recent.url) : '', value: recent.url, favicon: recent.favicon })
  }
  if (!query) return found.slice(0, most)
  const kind = looksLikeAddress(query) ? 'go' : 'search'
  return [{ kind, text: query, detail: '', value: query } as Suggestion, ...found].slice(0, most)
}

export const bare = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')

export interface AddressParts {
  before: string // scheme, shown only when it is not http(s)
  host: string
  after: string
  secure: boolean | null // null where it has no meaning
}

// addressParts splits an address so that the host can stand out.
export function addressParts(url: string): AddressParts {
  try {
    const u = new URL(url)
    if (u.protocol === 'http:' || u.protocol === 'https:') {
      const path = u.pathname === '/' && !u.search && !u.hash ? '' : u.pathname + u.search + u.hash
      const local = /^(localhost|127\.|\[::1\])/.test(u.host) || u.hostname.endsWith('.localhost')
      return { before: '', host: u.host, after: path, secure: local ? null : u.protocol === 'https:' }
    }
  } catch {
    // Not an address yet: shown as it is.
  }
  return { before: url, host: '', after: '', secure: null }
}
