import { expect, test } from 'vitest'
import { quote, snippet } from './connect'
import { dropIndex } from './reorder.svelte'
import { addressParts, looksLikeAddress, suggest } from './suggest'
import type { Tab } from './wire'

const tab = (id: string, url: string, title: string) => ({ id, url, title }) as Tab

test.each(['example.com', 'https://a', 'localhost:3000', '127.0.0.1/x', '[::1]:80', 'a.example/path?q=1'])('%s is an address', (text) => {
  expect(looksLikeAddress(text)).toBe(true)
})

test.each(['cats', 'what is go 1.22', 'node.js tutorial', 'a/b', '3.'])('%s is a search', (text) => {
  expect(looksLikeAddress(text)).toBe(false)
})

test('offers what was typed first, then open tabs, then pages seen, each once', () => {
  const tabs = [tab('t1', 'https://shop.example/', 'Shop'), tab('t2', 'https://news.example/', 'News shop talk')]
  const recents = [
    { id: 1, last: 0, url: 'https://news.example/', title: 'News shop talk' },
    { id: 1, last: 0, url: 'https://old.example/shop', title: 'Old' },
  ]
  const list = suggest('shop', tabs, 't1', recents)
  expect(list.map((s) => [s.kind, s.value])).toEqual([
    ['search', 'shop'],
    ['tab', 't2'],
    ['recent', 'https://old.example/shop'],
  ])
})

test('the host stands out, a plain connection is told', () => {
  expect(addressParts('https://www.a.example/b?c')).toEqual({ before: '', host: 'www.a.example', after: '/b?c', secure: true })
  expect(addressParts('http://a.example/')).toMatchObject({ host: 'a.example', after: '', secure: false })
  expect(addressParts('http://localhost:8080/')).toMatchObject({ host: 'localhost:8080', secure: null })
  expect(addressParts('chrome://version')).toMatchObject({ before: 'chrome://version', host: '' })
})

test('commands survive spaces and quotes in the path', () => {
  const connect = { command: "/opt/my apps/it's/baton", args: ['mcp'] }
  expect(snippet('claude', connect, 'linux')).toBe(`claude mcp add baton -- '/opt/my apps/it'\\''s/baton' mcp`)
  expect(snippet('gemini', { command: '/usr/bin/baton', args: ['mcp'] }, 'linux')).toBe('gemini mcp add baton /usr/bin/baton mcp')
  expect(JSON.parse(snippet('cursor', connect, 'linux'))).toEqual({ mcpServers: { baton: connect } })
  expect(quote('C:\\Program Files\\baton.exe', 'windows')).toBe('"C:\\Program Files\\baton.exe"')
})

test('a dragged tab lands where it covers more than half', () => {
  expect(dropIndex(0, 99, 200, 4)).toBe(0)
  expect(dropIndex(0, 101, 200, 4)).toBe(1)
  expect(dropIndex(2, -700, 200, 4)).toBe(0)
  expect(dropIndex(2, 900, 200, 4)).toBe(3)
})
