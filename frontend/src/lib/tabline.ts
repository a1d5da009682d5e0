// How a tab reads as one line of a list, and the colour of its profile. Pure.
import type { Found } from './finder'
import { bare } from './suggest'
import { isStart, personOwner } from './tabs.svelte'
import { t } from './text'
import type { Tab } from './wire'

// titleOf gives a page's title; where it failed, its site, and not what
// Chromium's own error page is called.
export function titleOf(tab: Tab): string {
  if (isStart(tab)) return t('tabs.start')
  return (tab.failed ? bare(tab.url).split('/')[0] : tab.title) || bare(tab.url) || t('tabs.untitled')
}

export function pageOf(tab: Tab): Found {
  return {
    id: tab.id,
    text: titleOf(tab),
    detail: tab.title && !isStart(tab) && !tab.inspects ? bare(tab.url) : '',
    favicon: tab.favicon ?? null,
    agent: tab.owner === personOwner ? '' : tab.owner,
  }
}

export const sharedProfile = 'shared'

const colours = 8 // --profile-1 … in tokens.css

// profileColour gives a profile's colour by its name, "" for the shared one.
export function profileColour(profile: string): string {
  if (!profile || profile === sharedProfile) return ''
  let sum = 0
  for (const c of profile) sum = (sum * 31 + c.codePointAt(0)!) >>> 0
  return `var(--profile-${(sum % colours) + 1})`
}
