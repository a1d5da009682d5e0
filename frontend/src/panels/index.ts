// The panels of the window. Each is a descriptor and code that is fetched when
// the panel is first shown. A panel never imports another.
import type { Component } from 'svelte'
import type { TextKey } from '../lib/text'

export interface Panel {
  title: TextKey
  load(): Promise<{ default: Component }>
}

// Panels at the side of the page.
export const panels = {
  connect: { title: 'connect.title', load: () => import('./connect/Connect.svelte') },
  history: { title: 'history.title', load: () => import('./history/History.svelte') },
  news: { title: 'news.title', load: () => import('./news/News.svelte') },
  settings: { title: 'settings.title', load: () => import('./settings/Settings.svelte') },
} satisfies Record<string, Panel>

export type PanelID = keyof typeof panels

// Panels in place of the page.
export const pagePanels = {
  start: { title: 'start.title', load: () => import('./start/Start.svelte') },
  trouble: { title: 'trouble.failed', load: () => import('./trouble/Trouble.svelte') },
} satisfies Record<string, Panel>

export type PagePanelID = keyof typeof pagePanels
