// Generated from app/wire_tabs.go by build/gen: change it there.

// Tab is one tab as the strip shows it.
export interface Tab {
  id: string // "t3", never reused
  url: string
  host?: string // the URL's host in letters, where it has some and none of them deceives
  title: string
  favicon?: string // data: URL
  state: string // loading, ready, asleep, crashed, failed
  progress: number // 0..1 while loading
  owner: string // "person" or the agent's name
  opener?: string
  inspects?: string // the tab whose developer tools it is; for the owner alone
  profile: string
  audible?: boolean // a media element plays; Web Audio is not known
  muted?: boolean
  pinned?: boolean
  viewport?: Viewport // where the page is not shown as it comes
  canBack: boolean
  canForward: boolean
  control: Control
  private?: boolean // agents may not see it
  error?: string // why a load failed, a sentence
  failed?: string // the same as a name: net::ERR_…, baton::SIGN_IN, baton::PROXY_SIGN_IN, baton::NO_ENGINE
  asked?: string[] // permissions that the page was refused
  security?: string // of the connection: secure, insecure (a bad certificate), neutral (none), "" unknown
  zoom?: number // 1 is none; 0 is not known, of a tab that sleeps
  full?: boolean // an element of the page fills the screen
}

// Control says who is in control of a tab now (O6).
export interface Control {
  by: string // "nobody", "agent", "person"
  agent?: string // the agent's name when By is "agent", or whom the person took it from
  action?: string // what the agent is doing, a few words
  held?: string // "", "touch" (ends by Give back or idle), "button" (ends by Give back only), "card" (ends with its card)
}

// ZoomArgs is for tabs.zoom.
export interface ZoomArgs {
  tab: string
  factor: number // 1 is none
}

// Steps are the entries that a tab can go to, the nearest first.
export interface Steps {
  back: Step[]
  forward: Step[]
}

// Step is one of them.
export interface Step {
  delta: number // for tabs.history
  url: string
  title: string
  favicon?: string
}

// TabArgs names a tab.
export interface TabArgs {
  tab: string
}

// OpenArgs is for tabs.open. An empty URL opens the start page.
export interface OpenArgs {
  url?: string // as typed: an address or a search
  background?: boolean
  profile?: string
}

// NavigateArgs is for tabs.navigate: text as typed in the address bar.
export interface NavigateArgs {
  tab: string
  url: string
}

// InspectArgs is for tabs.inspect: developer tools of a tab. Menu is the context
// menu whose element they show; Pick lets the person point at one.
export interface InspectArgs {
  tab: string
  menu?: number
  pick?: boolean
  dark?: boolean // they are drawn dark
}

// TextArgs is for address.read: text as typed in the address bar.
export interface TextArgs {
  text: string
}

// ReadResult says what a text would do: search, or open an address.
export interface ReadResult {
  search: boolean
}

// ServersResult lists the ports of this computer where a web server answers.
export interface ServersResult {
  ports: number[]
}

// HistoryArgs is for tabs.history: go back or forward by Delta (-1, 1, …).
export interface HistoryArgs {
  tab: string
  delta: number
}

// ReloadArgs is for tabs.reload.
export interface ReloadArgs {
  tab: string
  hard?: boolean
}

// MoveArgs is for tabs.move: the tab's new index in the strip.
export interface MoveArgs {
  tab: string
  index: number
}

// PrivateArgs is for tabs.private.
export interface PrivateArgs {
  tab: string
  private: boolean
}

// Viewport is what a page is shown in where that is not the view's size and the
// person's own appearance.
export interface Viewport {
  width: number // CSS pixels
  height: number
  device?: string // a name of Hello.Devices
  scheme: string // light, dark, system
  fixed: boolean // the size was asked for; else it is the view's
}

// Device is a preset of a viewport's size, CSS pixels in portrait.
export interface Device {
  name: string
  width: number
  height: number
}

// ViewportArgs is for tabs.viewport; what is left out stays as it is.
export interface ViewportArgs {
  tab: string
  width?: number // CSS pixels, 100 to 10000
  height?: number
  device?: string
  turn?: string // portrait or landscape
  scheme?: string // light, dark, system
  fill?: boolean // the view's own size again
}

// PinArgs is for tabs.pin.
export interface PinArgs {
  tab: string
  pinned: boolean
}

// MuteArgs is for tabs.mute.
export interface MuteArgs {
  tab: string
  muted: boolean
}

// TabResult names the tab that tabs.open, tabs.reopen and tabs.duplicate made.
export interface TabResult {
  tab: string
}

// GiveArgs is for tabs.give: hand a held tab back, with an optional note.
export interface GiveArgs {
  tab: string
  note?: string
}
