import { expect, test } from 'vitest'
import { quote, snippet } from './connect'
import { dropIndex } from './reorder.svelte'
import { addressParts, complete, looksLikeAddress, pasted, suggest } from './suggest'
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

test.each([
  ['exa', 'example.com', 'https://www.example.com/'],
  ['EXA', 'EXAmple.com', 'https://www.example.com/'],
  ['www.ex', 'www.example.com', 'https://www.example.com/'],
  ['https://ex', 'https://example.com', 'https://www.example.com/'],
  ['example.com/d', 'example.com/docs?a=1', 'https://www.example.com/docs?a=1'],
  ['localhost:3', 'localhost:3000', 'http://localhost:3000/'],
  ['localhost', 'localhost:3000', 'http://localhost:3000/'],
  ['http://exa', null, null],
  ['www.', null, null],
  ['https://', null, null],
  ['exa mple', null, null],
  ['ample', null, null],
  ['', null, null],
])('%s goes on as %s', (typed, text, url) => {
  const places = [{ url: 'file:///exa.html' }, { url: 'https://www.example.com/docs?a=1' }, { url: 'http://localhost:3000/a' }]
  expect(complete(typed, places)).toEqual(text === null ? null : { text, url })
})

test.each([
  ['https://a.example/\n  long/path\r\nend', 'https://a.example/long/pathend'],
  ['  two words \n and more ', 'two words and more'],
  ['javascript:alert(1)', 'alert(1)'],
  [' JavaScript : javascript:\nalert(1)', 'alert(1)'],
  ['java\nscript:alert(1)', 'alert(1)'],
  ['\u0001javascript:javascript:x', 'x'],
  ['a javascript: word', 'a javascript: word'],
])('%j is pasted as %j', (text, line) => {
  expect(pasted(text)).toBe(line)
})

test('servers of this computer are offered, each once, by the name that is known', () => {
  const known = [{ id: 1, last: 0, url: 'http://127.0.0.1:5173/', title: 'My app' }]
  const at = (typed: string, tabs: Tab[] = [], places = known) => suggest(typed, tabs, 't1', places, [3000, 5173]).map((s) => [s.kind, s.value])
  expect(at('')).toEqual([
    ['recent', 'http://127.0.0.1:5173/'],
    ['server', 'http://localhost:3000/'],
  ])
  expect(at('', [tab('t2', 'http://localhost:3000/x', 'App')], [])).toEqual([
    ['tab', 't2'],
    ['server', 'http://localhost:5173/'],
  ])
  expect(at('30', [], [])).toEqual([
    ['search', '30'],
    ['server', 'http://localhost:3000/'],
  ])
  expect(suggest('node.js', [], 't1', [], [], 'search')[0]!.kind).toBe('search')
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
