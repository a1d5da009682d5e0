// What lies on a clipboard, in up to three forms, and how it is read from a
// paste event and written for the person. Pure but for the browser's own types.
import type { ClipResult } from './wire'

export interface Clip {
  text: string
  html?: string
  image?: string // a PNG in base64
}

export const clipMost = 4 << 20 // bytes of one form

export const isEmpty = (clip: Clip): boolean => !clip.text && !clip.html && !clip.image

// readPaste takes everything out of a paste event. Its data is gone once the
// event is over, so text is read before the image is waited for.
export async function readPaste(data: DataTransfer | null, plain = false): Promise<Clip> {
  if (!data) return { text: '' }
  const clip: Clip = { text: data.getData('text/plain') }
  if (plain) return clip
  const html = data.getData('text/html')
  if (html && html.length < clipMost) clip.html = html
  const file = [...data.files].find((f) => f.type.startsWith('image/'))
  if (file && file.size < clipMost) clip.image = await toBase64(file.type === 'image/png' ? file : await toPNG(file))
  return clip
}

// fitting leaves out the forms that are too large to be pasted.
export function fitting(clip: Clip): Clip {
  const fit = (s = '') => (s.length < clipMost ? s : '')
  return { text: fit(clip.text), html: fit(clip.html), image: (clip.image ?? '').length * 0.75 < clipMost ? clip.image : '' }
}

// Other kinds of image become a PNG, the one that every clipboard takes.
async function toPNG(image: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(image)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0)
  bitmap.close()
  return canvas.convertToBlob({ type: 'image/png' })
}

export function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(blob)
  })
}

// asHTML says plain text in HTML.
export function asHTML(text: string): string {
  const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' }
  return text.replace(/[&<>\n]/g, (c) => signs[c]!)
}

// blobs gives what is written to the person's clipboard, by type.
export function blobs(clip: ClipResult): Record<string, Blob> {
  const out: Record<string, Blob> = {}
  if (clip.text) out['text/plain'] = new Blob([clip.text], { type: 'text/plain' })
  if (clip.html) out['text/html'] = new Blob([clip.html], { type: 'text/html' })
  if (clip.image) out['image/png'] = new Blob([Uint8Array.from(atob(clip.image), (c) => c.charCodeAt(0))], { type: 'image/png' })
  return out
}
