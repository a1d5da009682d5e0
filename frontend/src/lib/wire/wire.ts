// Generated from app/wire.go by build/gen: change it there.
import type { ConnectAgent } from './agents'
import type { Device } from './tabs'

// Request calls a method. Calls are answered in any order, matched by ID.
export interface Request {
  id: number
  call: string // "tabs.open", "view.watch", …; see bind.go
  args?: unknown // the method's argument struct
}

// Reply answers one Request. Exactly one of Result and Error is set.
export interface Reply {
  id: number
  result?: unknown
  error?: Error
}

// Error is a refusal in the person's terms: one sentence of what is wrong and
// one of what to do next.
export interface Error {
  code: string
  message: string
  next?: string
}

// Event tells a change. The first event of a kind after hello is the present
// state; Rev grows by every change of that kind.
export interface Event {
  event: string // one of the Event constants
  rev: number
  data: unknown
}

// Event kinds and what their Data holds.
export const EventTabs = 'tabs' // []Tab, in strip order
export const EventAgents = 'agents' // []Agent connected now
export const EventSettings = 'settings' // Settings
export const EventDialog = 'dialog' // Dialog: opened (Open true) or closed
export const EventCursor = 'cursor' // Cursor: CSS cursor and link under the pointer, for one view
export const EventPointer = 'pointer' // Pointer: the agent's pointer in a watched tab
export const EventNotice = 'notice' // Notice for the person (a toast)
export const EventRaise = 'raise' // nothing: the window should come to the front
export const EventView = 'view' // ViewState: what one view shows now
export const EventSurface = 'surface' // Surface of a tab: opened, changed, or gone (kind "")
export const EventCards = 'cards' // []Card that wait for the person, oldest first
export const EventAsks = 'asks' // Asks of a tab: what its page asks of the person now
export const EventAccess = 'access' // []AgentAccess of every agent that has connected, by name
export const EventDownloads = 'downloads' // []Download, the newest first
export const EventFind = 'find' // Find of a tab: it changed, or ended (text "")
export const EventCopied = 'copied' // Copied: developer tools copied something
export const EventRecents = 'recents' // []Place that the person visited last, the newest first

// Settings are what a person can change here. Changes apply at once.
export interface Settings {
  theme: string // system, light, dark
  revealAutomation: boolean // show a tab that an agent opens with show:true
  searchURL: string // %s is the query
  homeURL: string // new tabs; empty is Baton's own start page
  agentAccess: string // full, ask, off: for agents without a choice of their own; off is off for all
  touchHoldSeconds: number // a hold by touch ends after so long without input
  showFirstRun: boolean // the connect-an-agent panel
}

// Hello is the result of the first call, "hello". The state events follow it.
export interface Hello {
  client: string // tells this connection from others, for view.paint
  version: string
  host: string // "linux", "darwin", "windows"
  role: string // "owner"
  shell: string // "window" or "browser"
  connect: ConnectAgent
  devices: Device[] // presets of a page's size
}

// Unread is a version whose notes the person has not been told of.
export interface Unread {
  version?: string // empty: nothing is new
}

// Notice is a toast.
export interface Notice {
  kind: string // info, warning, error
  message: string
  tab?: string
  print?: boolean // the tab's page can be saved as a PDF
  program?: string // an address that another program can open
}
