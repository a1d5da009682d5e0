// Every command with its name and keys: what the palette offers and the sheet
// of keys shows. keys.ts decides which press means which command; a test holds
// the two together.
import type { Command } from './keys'
import { isMac } from './shell'
import type { TextKey } from './text'

export interface Listed {
  command: Command
  text: TextKey
  group: 'command.tabs' | 'command.page' | 'command.window'
  mac?: string[] // instead of keys on a Mac
  keys?: string[] // as shortcutText takes them; the first is shown where there is room for one
}

export const commands: Listed[] = [
  { command: 'tab.new', text: 'tabs.new', group: 'command.tabs', keys: ['Mod+T'] },
  { command: 'tab.close', text: 'command.close', group: 'command.tabs', keys: ['Mod+W'] },
  { command: 'tab.reopen', text: 'menu.reopen', group: 'command.tabs', keys: ['Mod+Shift+T'] },
  { command: 'tab.list', text: 'tabs.list', group: 'command.tabs', keys: ['Mod+Shift+A'] },
  { command: 'tab.next', text: 'command.next', group: 'command.tabs', keys: ['Ctrl+Tab', 'Mod+PageDown'] },
  { command: 'tab.previous', text: 'command.previous', group: 'command.tabs', keys: ['Ctrl+Shift+Tab', 'Mod+PageUp'] },
  { command: 'tab.last', text: 'command.last', group: 'command.tabs', keys: ['Mod+9'] },
  { command: 'tab.moveLeft', text: 'command.moveLeft', group: 'command.tabs', keys: ['Mod+Shift+PageUp'] },
  { command: 'tab.moveRight', text: 'command.moveRight', group: 'command.tabs', keys: ['Mod+Shift+PageDown'] },
  { command: 'tab.pin', text: 'command.pin', group: 'command.tabs' },
  { command: 'tab.mute', text: 'command.mute', group: 'command.tabs' },
  { command: 'tab.duplicate', text: 'command.duplicate', group: 'command.tabs' },
  { command: 'tab.private', text: 'command.private', group: 'command.tabs' },
  { command: 'tab.closeOthers', text: 'menu.closeOthers', group: 'command.tabs' },
  { command: 'tab.closeRight', text: 'menu.closeRight', group: 'command.tabs' },

  { command: 'address', text: 'command.address', group: 'command.page', keys: ['Mod+L'] },
  { command: 'back', text: 'nav.back', group: 'command.page', keys: ['Alt+ArrowLeft'] },
  { command: 'forward', text: 'nav.forward', group: 'command.page', keys: ['Alt+ArrowRight'] },
  { command: 'reload', text: 'menu.reload', group: 'command.page', keys: ['Mod+R', 'F5'] },
  { command: 'reload.hard', text: 'command.hard', group: 'command.page', keys: ['Mod+Shift+R', 'Shift+F5'] },
  { command: 'find', text: 'find.title', group: 'command.page', keys: ['Mod+F'] },
  { command: 'find.next', text: 'find.next', group: 'command.page', keys: ['Mod+G', 'F3'] },
  { command: 'find.previous', text: 'find.previous', group: 'command.page', keys: ['Mod+Shift+G', 'Shift+F3'] },
  { command: 'zoom.in', text: 'zoom.in', group: 'command.page', keys: ['Mod+='] },
  { command: 'zoom.out', text: 'zoom.out', group: 'command.page', keys: ['Mod+-'] },
  { command: 'zoom.reset', text: 'zoom.reset', group: 'command.page', keys: ['Mod+0'] },
  { command: 'print', text: 'command.print', group: 'command.page', keys: ['Mod+P'] },
  { command: 'source', text: 'command.source', group: 'command.page', keys: ['Mod+U'] },
  { command: 'tools', text: 'tools.open', group: 'command.page', keys: ['F12', 'Mod+Shift+I'], mac: ['F12', 'Mod+Alt+I'] },
  { command: 'tools.pick', text: 'tools.pick', group: 'command.page', keys: ['Mod+Shift+C'] },
  { command: 'stop', text: 'nav.stop', group: 'command.page' },
  { command: 'address.copy', text: 'menu.copyAddress', group: 'command.page' },
  { command: 'pip', text: 'pip.open', group: 'command.page' },
  { command: 'viewport', text: 'viewport.label', group: 'command.page', keys: ['Mod+Shift+M'] },
  { command: 'external', text: 'menu.external', group: 'command.page' },

  { command: 'control', text: 'command.control', group: 'command.window', keys: ['Mod+Shift+Space'] },
  { command: 'palette', text: 'command.palette', group: 'command.window', keys: ['Mod+Shift+P'] },
  { command: 'keys', text: 'command.keys', group: 'command.window', keys: ['Mod+/'] },
  { command: 'full', text: 'command.full', group: 'command.window', keys: ['F11'] },
  { command: 'history', text: 'history.title', group: 'command.window', keys: ['Mod+H'], mac: ['Mod+Y'] },
  { command: 'downloads', text: 'downloads.title', group: 'command.window', keys: ['Mod+J'] },
  { command: 'settings', text: 'settings.title', group: 'command.window', keys: ['Mod+,'] },
  { command: 'connect', text: 'connect.title', group: 'command.window' },
  { command: 'region.next', text: 'command.regionNext', group: 'command.window', keys: ['F6'] },
  { command: 'region.previous', text: 'command.regionPrevious', group: 'command.window', keys: ['Shift+F6'] },
]

// allKeys gives a command's keys on this computer.
export const allKeys = (c: Listed, mac = isMac): string[] => (mac && c.mac) || c.keys || []

// keysOf gives the first of them.
export const keysOf = (command: Command): string => {
  const listed = commands.find((c) => c.command === command)
  return (listed && allKeys(listed)[0]) ?? ''
}
