import { expect, test } from 'vitest'
import { asHTML, blobs, isEmpty, readPaste } from './clip'

const data = (forms: Record<string, string>, files: File[] = []) => ({ getData: (type: string) => forms[type] ?? '', files }) as unknown as DataTransfer

test('a paste is read in every form', async () => {
  const image = new File([new Uint8Array([1, 2, 3])], 'a.png', { type: 'image/png' })
  expect(await readPaste(data({ 'text/plain': 'a', 'text/html': '<b>a</b>' }, [image]))).toEqual({ text: 'a', html: '<b>a</b>', image: 'AQID' })
})

test('pasting without format takes the text alone', async () => {
  expect(await readPaste(data({ 'text/plain': 'a', 'text/html': '<b>a</b>' }), true)).toEqual({ text: 'a' })
})

test('what was copied is written in the forms that it has', () => {
  expect(Object.keys(blobs({ text: 'a', html: '<b>a</b>' }))).toEqual(['text/plain', 'text/html'])
  expect(blobs({ text: '', image: 'AQID' })['image/png']!.size).toBe(3)
  expect(isEmpty({ text: '' })).toBe(true)
  expect(asHTML('a < b &\nc')).toBe('a &lt; b &amp;<br>c')
})
