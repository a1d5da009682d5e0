// What the address bar offers while the person types. Pure.
import type { Place, Tab } from './wire'

export interface Suggestion {
  kind: 'go' | 'search' | 'tab' | 'recent' | 'server'
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

// suggest gives what is offered. read is what the host makes of the text, once
// it has said so; servers are ports of this computer where a web server answers.
export function suggest(typed: string, tabs: Tab[], active: string, recents: Place[], servers: number[] = [], read?: 'go' | 'search'): Suggestion[] {
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
  for (const port of servers) {
    const url = `http://localhost:${port}/`
    const known = recents.find((place) => portOf(place.url) === port)
    const there = tabs.some((tab) => portOf(tab.url) === port) || found.some((s) => s.kind === 'recent' && portOf(s.value) === port)
    if (!there && matches(url, known?.title ?? '')) {
      found.push({ kind: 'server', text: known?.title || `localhost:${port}`, detail: known?.title ? `localhost:${port}` : '', value: url, favicon: known?.favicon })
    }
  }
  if (!query) return found.slice(0, most)
  const kind = read ?? (looksLikeAddress(query) ? 'go' : 'search')
  return [{ kind, text: query, detail: '', value: query } as Suggestion, ...found].slice(0, most)
}

// portOf is the port of an address on this computer, 0 of any other.
function portOf(url: string): number {
  const u = URL.parse(url)
  return u && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(u.hostname) ? Number(u.port || 80) : 0
}

export interface Completion {
  text: string // what was typed and the rest of it
  url: string // where it leads
}

// complete finds the place whose address goes on from what was typed: up to the
// end of its site, and once that is typed, all of it.
export function complete(typed: string, places: { url: string }[]): Completion | null {
  const [prefix, scheme, www] = /^(https?:\/\/)?(www\.)?/i.exec(typed)!
  const start = typed.slice(prefix.length).toLowerCase()
  if (!start || /\s/.test(start)) return null
  for (const { url } of places) {
    const u = URL.parse(url)
    if (!u || !/^https?:$/.test(u.protocol) || (scheme && scheme.toLowerCase() !== u.protocol + '//') || (www && !u.host.startsWith('www.'))) continue
    const site = u.host.replace(/^www\./, '')
    const whole = site + u.pathname + u.search
    if (site.startsWith(start)) return { text: typed + site.slice(start.length), url: u.origin + '/' }
    if (whole.length > site.length + 1 && whole.toLowerCase().startsWith(start)) return { text: typed + whole.slice(start.length), url }
  }
  return null
}

// pasted makes one line of a text as people copy it: an address that was broken
// over lines is whole again. What would run as a script in the page loses that
// meaning: people are talked into pasting it.
export function pasted(text: string): string {
  const trimmed = text.trim()
  const line = /^[^\S\r\n]*\S+([\r\n]+[^\S\r\n]*\S+)*$/.test(trimmed) ? trimmed.replace(/\s+/g, '') : trimmed.replace(/\s+/g, ' ')
  return line.replace(/^([\s\u0000-\u001f]*(java|vb)script[\s\u0000-\u001f]*:)+\s*/i, '')
}

export const bare = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')

export interface AddressParts {
  before: string // scheme, shown only when it is not http(s)
  host: string
  after: string
  secure: boolean | null // null where it has no meaning
}

// addressParts splits an address so that the host can stand out. shown is the
// host's name in letters, where nothing in it deceives.
export function addressParts(url: string, shown = ''): AddressParts {
  const u = URL.parse(url)
  if (u && (u.protocol === 'http:' || u.protocol === 'https:')) {
    const path = u.pathname === '/' && !u.search && !u.hash ? '' : u.pathname + u.search + u.hash
    const local = /^(localhost|127\.|\[::1\])/.test(u.host) || u.hostname.endsWith('.localhost')
    return { before: '', host: shown ? u.host.replace(u.hostname, shown) : u.host, after: path, secure: local ? null : u.protocol === 'https:' }
  }
  return { before: url, host: '', after: '', secure: null }
}

// readable is an address with its host's name in letters.
export function readable(url: string, shown = ''): string {
  const u = shown ? URL.parse(url) : null
  return u ? url.replace(u.hostname, shown) : url
}
