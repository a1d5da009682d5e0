// The wire types of the host, field for field as in app/wire.go.

export interface Request {
  id: number
  call: string
  args?: unknown
}

export interface Reply {
  id: number
  result?: unknown
  error?: Error
}

export interface Error {
  code: string
  message: string
  next?: string
}

export interface Event {
  event: string
  rev: number
  data: unknown
}

export const EventTabs = 'tabs'
export const EventAgents = 'agents'
export const EventSettings = 'settings'
export const EventDialog = 'dialog'
export const EventCursor = 'cursor'
export const EventPointer = 'pointer'
export const EventNotice = 'notice'
export const EventRaise = 'raise'
export const EventView = 'view'

export interface Tab {
  id: string
  url: string
  title: string
  favicon?: string
  state: string
  progress: number
  owner: string
  opener?: string
  profile: string
  audible?: boolean
  canBack: boolean
  canForward: boolean
  control: Control
  private?: boolean
  error?: string
}

export interface Control {
  by: string
  agent?: string
  action?: string
  held?: string
}

export interface Agent {
  name: string
  connections: number
  tabs: number
}

export interface Settings {
  theme: string
  revealAutomation: boolean
  searchURL: string
  homeURL: string
  agentAccess: string
  touchHoldSeconds: number
  showFirstRun: boolean
}

export interface Hello {
  version: string
  host: string
  role: string
  shell: string
  connect: ConnectAgent
}

export interface ConnectAgent {
  command: string
  args: string[]
  httpURL?: string
  token?: string
}

export interface TabArgs {
  tab: string
}

export interface OpenArgs {
  url?: string
  background?: boolean
  profile?: string
}

export interface NavigateArgs {
  tab: string
  url: string
}

export interface HistoryArgs {
  tab: string
  delta: number
}

export interface ReloadArgs {
  tab: string
  hard?: boolean
}

export interface MoveArgs {
  tab: string
  index: number
}

export interface PrivateArgs {
  tab: string
  private: boolean
}

export interface TabResult {
  tab: string
}

export interface TextResult {
  text: string
}

export interface GiveArgs {
  tab: string
  note?: string
}

export interface WatchArgs {
  view: number
  tab: string
  width: number
  height: number
  scale: number
}

export interface ViewArgs {
  view: number
}

export interface ViewState {
  view: number
  tab: string
}

export interface DialogArgs {
  tab: string
  accept: boolean
  text?: string
}

export interface Dialog {
  tab: string
  open: boolean
  kind: string
  message: string
  default?: string
  origin?: string
  for: string
}

export interface Cursor {
  view: number
  cursor: string
  link?: string
  title?: string
}

export interface Pointer {
  tab: string
  x: number
  y: number
  state: string
  agent: string
  label?: string
}

export interface Notice {
  kind: string
  message: string
  tab?: string
}

export interface Input {
  in: string
  view: number
  type?: string
  x?: number
  y?: number
  dx?: number
  dy?: number
  button?: string
  buttons?: number
  count?: number
  mods?: number
  key?: string
  code?: string
  keyCode?: number
  location?: number
  repeat?: boolean
  text?: string
  start?: number
  end?: number
}

export interface Ack {
  ack: number
  view: number
}

export interface FrameHeader {
  format: number
  kind: number
  view: number
  seq: number
  tab: number
  width: number
  height: number
  pixelW: number
  pixelH: number
}

export const FrameHeaderSize = 32
