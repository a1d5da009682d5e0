// What differs between the two homes of this page: the desktop window, which
// offers native methods, and a browser tab, which has only its own.

import { asHTML, blobs, fitting, toBase64, type Clip } from './clip'
import type { ClipResult } from './wire'

export interface Endpoint {
  url: string // of the host's socket
  protocols: string[]
  probe: string | null // answers 401 when this browser is not signed in; null in the window
}

interface NativeWindow {
  Endpoint(): Promise<{ url: string; token: string }>
  Clip(): Promise<Clip>
  SetClip(clip: Clip): Promise<void>
  Primary(): Promise<string>
  SetPrimary(text: string): Promise<void>
  Notify(title: string, body: string): Promise<void>
  OpenExternal(url: string): Promise<void>
  OpenProgram(url: string): Promise<void>
  Underlay?(client: string): Promise<boolean>
  PlacePicture?(place: PicturePlace): Promise<void>
  Raise?(): Promise<void>
  Pip?(): Promise<string>
  OpenPip?(tab: string): Promise<void>
  ShowMain?(): Promise<void>
  Close?(): Promise<void>
  FillScreen?(on: boolean): Promise<void>
  OpenFile?(path: string): Promise<void>
  ShowFile?(path: string): Promise<void>
  ChooseFiles?(ask: FileAsk): Promise<string[] | null>
}

export interface FileAsk {
  title: string
  multiple: boolean
  folder: boolean
  accept: string[]
  kinds: string
  all: string
}

// PictureShape tells pictures apart that stand at different places.
export interface PictureShape {
  tab: number // the N of "tN"
  width: number // of the page's viewport, CSS pixels
  height: number
  zoom: number // in fiftieths; 0 is none
  pixelW: number // of the picture
  pixelH: number
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

// PicturePlace is where pictures of a shape stand in the window, in device
// pixels, and the colours about them, 0xRRGGBB.
export interface PicturePlace {
  n: number // counts them: they may arrive in another order
  tab: number // whose pictures are wanted; 0 is nobody's
  shape: PictureShape
  at: Box
  well: Box
  ground: number
  chrome: number
  shade: number // of shadows and scrims
}

declare global {
  interface Window {
    go?: Record<string, { Window?: NativeWindow } | undefined>
    runtime?: { EventsOn?(event: string, fn: (...data: never[]) => void): () => void }
  }
}

const native = (): NativeWindow | undefined => window.go?.app?.Window ?? window.go?.main?.Window

export const inWindow = (): boolean => native() !== undefined

export const isMac = /Mac|iP(hone|ad)/.test(navigator.platform)

// isDark tells whether this page is drawn dark.
export const isDark = (): boolean => (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')) === 'dark'

// endpoint says where the host's socket is and what signs this page in: a
// token in the window, the cookie of the same origin in a browser.
export async function endpoint(): Promise<Endpoint> {
  const shell = native()
  if (shell) {
    const { url, token } = await shell.Endpoint()
    return { url, protocols: ['baton', token], probe: null }
  }
  const url = new URL('ws', location.href)
  url.search = ''
  url.hash = ''
  const probe = url.href
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return { url: url.href, protocols: ['baton'], probe }
}

// readClipboard gives what is on the clipboard in the window. In a browser it is
// null: there only a paste event may read it.
export async function readClipboard(): Promise<Clip | null> {
  const clip = await native()?.Clip()
  return clip ? fitting(clip) : null
}

// pasteText gives the clipboard's text for a menu: in a browser where the person
// lets this page read it.
export const pasteText = async (): Promise<string> => (await readClipboard())?.text ?? navigator.clipboard.readText()

// writeClipboard puts text that may still be on its way on the clipboard. The
// promise is handed on as it is, since some browsers only allow a write that
// began during the person's key press.
export async function writeClipboard(text: string | Promise<string>): Promise<void> {
  const shell = native()
  if (shell) return shell.SetClip({ text: await text })
  if (typeof text === 'string') return navigator.clipboard.writeText(text)
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text)
  const blob = text.then((s) => new Blob([s], { type: 'text/plain' }))
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}

// openExternal opens a web address in the system's own browser: in a browser
// tab, that is the one that shows this page.
export function openExternal(url: string): void {
  const shell = native()
  if (shell) void shell.OpenExternal(url)
  else window.open(url, '_blank', 'noopener')
}

// openProgram has another program open an address such as mailto:. A browser
// asks by itself.
export function openProgram(url: string): void {
  const shell = native()
  if (shell) void shell.OpenProgram(url)
  else window.open(url, '_self')
}

// writeClip puts what was copied on the clipboard in every form that there is of
// it. Which forms there are is not known while the person's key press still
// counts, so text and HTML are promised; an image is added where nothing else was
// taken.
export async function writeClip(clip: Promise<ClipResult>): Promise<void> {
  const shell = native()
  if (shell) return shell.SetClip(await clip)
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText((await clip).text)
  // An empty HTML would be what a rich editor pastes, so plain text is told as both.
  const form = (type: string) => clip.then((c) => blobs({ ...c, html: c.html || asHTML(c.text) })[type] ?? new Blob([''], { type }))
  const both = { 'text/plain': form('text/plain'), 'text/html': form('text/html') }
  await navigator.clipboard.write([new ClipboardItem(both)])
  const { text, image } = await clip
  if (image && !text) await navigator.clipboard.write([new ClipboardItem({ 'image/png': form('image/png') })])
}

// writeImage puts an image that may still be on its way on the clipboard.
export async function writeImage(image: Promise<Blob>): Promise<void> {
  const shell = native()
  if (shell) return shell.SetClip({ text: '', image: await toBase64(await image) })
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })])
}

const isLinux = /Linux/.test(navigator.platform)

// readsClipboard tells whether the clipboard can be read here in every form,
// without a paste event.
export const readsClipboard = (): boolean => isLinux && inWindow()

// hasPrimary tells whether the middle button pastes what is selected, as it does
// on Linux.
export const hasPrimary = (): boolean => isLinux

// readPrimary gives what is selected in any program; null in a browser, which
// does not know. writePrimary makes it that.
export const readPrimary = async (): Promise<string | null> => (await native()?.Primary()) ?? null
export const writePrimary = async (text: string): Promise<void> => native()?.SetPrimary(text)

// fillScreen gives the window the whole screen, or its place again.
export async function fillScreen(on: boolean): Promise<void> {
  const shell = native()
  if (shell?.FillScreen) return shell.FillScreen(on)
  if (on && !document.fullscreenElement) await document.documentElement.requestFullscreen()
  else if (!on && document.fullscreenElement) await document.exitFullscreen()
}

// notify tells the person something while Baton is not in front. In a browser
// it does so only where notifications were already allowed.
export function notify(title: string, body: string): void {
  const shell = native()
  if (shell) void shell.Notify(title, body)
  else if (typeof Notification !== 'undefined' && Notification.permission === 'granted') new Notification(title, { body })
}

// openFile opens a file in the program that the system has for it; showFile
// shows it in its folder. Both are the window's alone.
export const openFile = async (path: string): Promise<void> => native()?.OpenFile?.(path)
export const showFile = async (path: string): Promise<void> => native()?.ShowFile?.(path)

// saveFile has the browser that shows this page save what the host hands out.
export function saveFile(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

// chooseFiles asks by the system's own dialog, in the window: the paths, none
// when the person cancels. In a browser there is no such dialog: null.
export async function chooseFiles(ask: FileAsk): Promise<string[] | null> {
  const shell = native()
  if (!shell?.ChooseFiles) return null
  return (await shell.ChooseFiles(ask)) ?? []
}

export interface DroppedFiles {
  x: number // of the window, CSS pixels
  y: number
  paths: string[]
}

// onDropped hears of files that are dropped on the window, where its web view
// keeps them from scripts.
export function onDropped(fn: (files: DroppedFiles) => void): () => void {
  return window.runtime?.EventsOn?.('files.dropped', (x: number, y: number, paths: string[]) => fn({ x, y, paths })) ?? (() => {})
}

// mayDrawPictures tells whether the window draws pictures under this page, unless
// the host is in the way.
export const mayDrawPictures = (): boolean => isLinux && inWindow()

// underlay has the window draw the frames of this connection's views under the
// page. It is false where it does not: in browsers, and on systems whose web view
// draws quickly by itself.
export const underlay = async (client: string): Promise<boolean> => (await native()?.Underlay?.(client)) ?? false

// pictures is what draws them.
export function pictures(): { PlacePicture(place: PicturePlace): void } | null {
  const shell = native()
  return shell?.PlacePicture ? { PlacePicture: (place) => void shell.PlacePicture?.(place) } : null
}

// onPicture hears of pictures of a new shape, onNoPictures of the window drawing
// none any more.
const listen = <T>(event: string, fn: (data: T) => void): (() => void) => window.runtime?.EventsOn?.(event, fn as (...data: never[]) => void) ?? (() => {})
export const onPicture = (fn: (shape: PictureShape) => void): (() => void) => listen('underlay.picture', fn)
export const onNoPictures = (fn: () => void): (() => void) => listen('underlay.gone', fn)

// holdsFiles tells whether a drag holds files. The window's web view on Linux
// tells only that it holds addresses.
export const holdsFiles = (data: DataTransfer): boolean => data.types.includes('Files') || (isLinux && inWindow() && data.types.includes('text/uri-list'))

// raise brings the window, or this browser tab, to the front if it may.
export function raise(): void {
  const shell = native()
  if (shell?.Raise) void shell.Raise()
  else window.focus()
}

// pipTab is the tab that this page shows in a small window of its own, or "".
export async function pipTab(): Promise<string> {
  const own = await native()?.Pip?.()
  return own ?? new URLSearchParams(location.search).get('pip') ?? ''
}

// openPip shows a tab in a small window of its own.
export function openPip(tab: string): void {
  const shell = native()
  if (shell?.OpenPip) void shell.OpenPip(tab)
  else window.open(`?pip=${encodeURIComponent(tab)}`, `pip-${tab}`, 'popup,width=480,height=330')
}

// showMain leaves the small window for the one that it came from.
export function showMain(): void {
  const shell = native()
  if (shell?.ShowMain) void shell.ShowMain()
  else (window.opener as Window | null)?.focus()
  closeWindow()
}

export function closeWindow(): void {
  const shell = native()
  if (shell?.Close) void shell.Close()
  else window.close()
}
