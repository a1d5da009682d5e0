// Generated from app/wire.go by build/gen: change it there.

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
  failed?: string // the same as a name: net::ERR_…, baton::SIGN_IN, baton::PROXY_SIGN_IN
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

// Download is a file that a page saved or saves.
export interface Download {
  id: number
  name: string
  url: string // where it came from, without credentials
  state: string // going on, finished, failed, cancelled
  received: number
  total: number // 0 when not known
  began: number // Unix milliseconds
  gone?: boolean
  risky?: boolean // opening it could run something: ask first
  again?: boolean // it can be asked for again
}

// DownloadArgs names a download. Sure is the person's word on a risky one.
export interface DownloadArgs {
  id: number
  sure?: boolean
}

// FileResult is a finished download: its path for the window of this computer,
// for a browser an address that gives it once.
export interface FileResult {
  path?: string
  url?: string
}

// Place is an address that the person visited.
export interface Place {
  id: number
  url: string
  title: string
  favicon?: string // data: URL
  last: number // Unix milliseconds
}

// PlacesArgs is for history.list and history.suggest: addresses that hold all
// words of Text, at most Limit. Before, in Unix milliseconds, gives older ones.
export interface PlacesArgs {
  text?: string
  before?: number
  limit?: number
}

// ForgetArgs is for history.forget: rows by ID.
export interface ForgetArgs {
  ids: number[]
}

// ClearArgs is for history.clear: what was visited since, Unix milliseconds; 0
// is all.
export interface ClearArgs {
  since: number
}

// FindArgs is for find.start: search a tab's page for a text.
export interface FindArgs {
  tab: string
  text: string
  matchCase?: boolean
}

// FindStepArgs is for find.step: so many matches on, or back.
export interface FindStepArgs {
  tab: string
  by: number
}

// Find is how the search in a tab's page stands.
export interface Find {
  tab: string
  text: string
  matchCase: boolean
  count: number
  active: number // from 1; 0 is none
  marks: FindMark[] // of the matches in view
}

// FindMark is a piece of a match, in CSS pixels of the page's viewport.
export interface FindMark {
  left: number
  top: number
  width: number
  height: number
  on?: boolean // of the active match
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

// ImageArgs is for image.save and image.copy: an image of a tab's page.
export interface ImageArgs {
  tab: string
  url: string
}

// ImageResult is an image as a data: address.
export interface ImageResult {
  data: string
}

// SavedResult names a file that was put into the download folder.
export interface SavedResult {
  name: string
}

// Agent is one agent with open connections.
export interface Agent {
  name: string
  connections: number
  tabs: number
}

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
  version: string
  host: string // "linux", "darwin", "windows"
  role: string // "owner"
  shell: string // "window" or "browser"
  connect: ConnectAgent
  devices: Device[] // presets of a page's size
}

// ConnectAgent is what the first-run panel shows to connect an agent.
export interface ConnectAgent {
  command: string // absolute path of the program
  args: string[]
  httpURL?: string // streamable HTTP endpoint; its token is in TokenFile
  token?: string
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

// Copied is text for the person's clipboard.
export interface Copied {
  tab: string
  text: string
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

// ClipResult is what clipboard.copy and clipboard.cut took, in every form that
// there is of it.
export interface ClipResult {
  text: string
  html?: string
  image?: string // a PNG in base64
}

// GiveArgs is for tabs.give: hand a held tab back, with an optional note.
export interface GiveArgs {
  tab: string
  note?: string
}

// WatchArgs is for view.watch: show a tab in this connection's view, at a size
// in CSS pixels and a pixel ratio. Watching another tab replaces it.
export interface WatchArgs {
  view: number // chosen by the client; one canvas, one number
  tab: string
  width: number
  height: number
  scale: number
  follow?: boolean // another view's size goes before this one's
}

// ViewArgs is for view.leave.
export interface ViewArgs {
  view: number
}

// ViewState says what a view shows.
export interface ViewState {
  view: number
  tab: string
}

// DialogArgs is for dialog.answer.
export interface DialogArgs {
  tab: string
  accept: boolean
  text?: string
  quiet?: boolean // and no more dialogs of this page
}

// Dialog is a page's alert, confirm, prompt or beforeunload.
export interface Dialog {
  tab: string
  open: boolean
  kind: string // alert, confirm, prompt, beforeunload
  message: string
  default?: string
  origin?: string
  for: string // "person", or the agent's name whose action opened it
  more?: boolean // the page has shown several: it may be kept from showing more
}

// Asks are what a page asks of the person beside dialogs.
export interface Asks {
  tab: string
  chooser?: Chooser
  signIn?: SignIn
}

// Chooser asks for files: files.choose or files.cancel answers it.
export interface Chooser {
  id: number
  multiple: boolean
  folder: boolean // a whole folder is asked for
  accept: string[] // as a page writes it: ".pdf", "image/*"
}

// SignIn asks for a site's or proxy's user name and password: signin.answer or
// signin.cancel answers it.
export interface SignIn {
  id: number
  origin: string
  realm: string
  scheme: string // basic, digest, …
  proxy: boolean
  wrong: boolean // the last answer was not taken
  for: string // the agent that was refused for want of it, or ""
  secure: boolean // the password goes over an encrypted connection
}

// AskArgs names a question of a tab's page: files.cancel, signin.cancel.
export interface AskArgs {
  tab: string
  id: number
}

// SignInArgs is for signin.answer.
export interface SignInArgs {
  tab: string
  id: number
  user: string
  password: string
}

// ChooseArgs is for files.choose: Upload names what files.begin began, Paths are
// files of the host's computer, from the window's own dialog alone.
export interface ChooseArgs {
  tab: string
  id: number
  upload?: string
  paths?: string[]
}

// DropArgs is for files.drop: files dropped at a point of the page's viewport,
// CSS pixels. Upload and Paths are as in ChooseArgs.
export interface DropArgs {
  tab: string
  x: number
  y: number
  upload?: string
  paths?: string[]
}

// UploadArgs is for files.begin: files that are sent for a tab, in parts.
export interface UploadArgs {
  tab: string
  files: UploadFile[]
}

// UploadFile is one of them. Its name is a path with slashes where it is in a
// folder.
export interface UploadFile {
  name: string
  size: number // bytes
}

// UploadResult names a batch.
export interface UploadResult {
  upload: string
}

// PartArgs is for files.part: the next bytes of a file, at most 1 MiB.
export interface PartArgs {
  upload: string
  index: number // of the file in the batch
  data: string // base64
}

// DropUploadArgs is for files.forget.
export interface DropUploadArgs {
  upload: string
}

// Site is what is known of the site that a tab shows: the result of site.info.
export interface Site {
  origin: string // "" where the page has none
  security: string // secure, insecure, neutral, "" unknown
  problem: string // with the certificate, that the person went past: a sentence
  protocol: string
  subject: string
  issuer: string
  from: number // of the certificate, Unix seconds; 0 unknown
  to: number
  cookies: number
  permissions: Permission[]
}

// Permission is what a site may do.
export interface Permission {
  name: string // geolocation, notifications, clipboard-read, camera, microphone
  setting: string // allow, deny; "" is the default, which refuses
  asked: boolean // the page was refused it
}

// PermitArgs is for site.permit. Origin is that of the site.info shown.
export interface PermitArgs {
  tab: string
  origin: string
  name: string
  setting: string
}

// PassResult says whether the person may open a page in spite of its
// certificate.
export interface PassResult {
  may: boolean
  why?: string // why not, a sentence
}

// Surface is what Chromium would draw outside a page and the interface draws
// for it. Kind: select, date, time, datetime-local, month, week, color, list
// (suggestions that go with what is typed), menu (a context menu), "" when it has
// gone.
export interface Surface {
  tab: string
  id: number
  kind: string
  left: number // of the field or point, CSS pixels of the page's viewport
  top: number
  width: number
  height: number
  size?: number // of the field's font, CSS pixels
  rtl?: boolean
  options?: SurfaceOption[]
  index?: number // the select's chosen option
  value?: string
  min?: string
  max?: string
  step?: string
  required?: boolean
  text?: string // what is selected, of a menu
  link?: string
  linkText?: string
  image?: string
  media?: string
  editable?: boolean
  secret?: boolean
  frame?: string // address of the frame under the pointer
}

// SurfaceOption is one line of a list.
export interface SurfaceOption {
  index: number
  label: string
  value?: string
  group?: string
  disabled?: boolean
  selected?: boolean
}

// SurfaceArgs is for surface.choose (a select's Index), surface.set (a Value)
// and surface.close.
export interface SurfaceArgs {
  tab: string
  id: number
  index?: number
  value?: string
}

// Card is a question to the person, with one answer. It is gone from the list
// once it is answered or no longer means the same.
export interface Card {
  id: string
  kind: string // approval, file, takeover
  agent: string
  tab: string
  until: number // Unix milliseconds, when it expires by itself
  action: CardAction // of an approval
  reason?: string // of a takeover: the agent's own words
  gone?: boolean // the page that was asked about is no longer there to open
  held?: boolean // the person has opened it and holds the tab
}

// CardAction is what an agent wants to do. It holds no value of any field.
export interface CardAction {
  verb: string // click, type, press, evaluate, …
  targets: CardTarget[]
  text?: string // what would be typed, pressed or chosen, or the code
  hidden?: boolean // the text is left out: the field holds a secret or could not be looked at
  files?: string[] // names of the files to give; of a file card whole paths
  url: string
  title: string
}

// CardTarget describes an element; its box is in CSS pixels of the page's
// viewport, all zero when unknown.
export interface CardTarget {
  role: string
  name: string
  tag: string
  type?: string
  autocomplete?: string
  formHost?: string // where its form is sent
  host?: string // of the document that it is in
  secret?: boolean
  unseen?: boolean // it could not be looked at
  left: number
  top: number
  width: number
  height: number
}

// CardArgs is for cards.answer.
export interface CardArgs {
  card: string
  approve: boolean
}

// DoneArgs is for cards.done: a takeover is done; the note goes to the agent.
export interface DoneArgs {
  card: string
  note?: string
}

// AgentAccess is what the person lets an agent do; it is also the argument of
// agents.access.
export interface AgentAccess {
  name: string
  access: string // "" follows the setting; full, ask, off
  bounded: boolean // no code, files, recordings or developer tools, and every action asks
  seen: number // Unix seconds of its last connection; not read in an argument
}

// Cursor is the page's cursor under a view's pointer.
export interface Cursor {
  view: number
  cursor: string // a CSS cursor keyword
  link?: string // the address of the link under the pointer
  title?: string
}

// Pointer is the agent's pointer, in CSS pixels of the page's viewport. The UI
// draws it over the page (I8).
export interface Pointer {
  tab: string
  x: number
  y: number
  state: string // move, down, up, type, gone
  agent: string
  label?: string // what it is about to do
}

// Notice is a toast.
export interface Notice {
  kind: string // info, warning, error
  message: string
  tab?: string
  print?: boolean // the tab's page can be saved as a PDF
  program?: string // an address that another program can open
}

// Input is a person's input on a view. It has no reply. Positions are CSS
// pixels of the page's viewport, worked out from the canvas box and the last
// frame's size, never from devicePixelRatio.
export interface Input {
  in: string // mouse, wheel, key, compose, commit, blur, paste, touch
  view: number
  type?: string // mouse: move, down, up; key: down, up; touch: start, move, end, cancel
  x?: number
  y?: number
  dx?: number // wheel, CSS pixels
  dy?: number
  button?: string // none, left, middle, right, back, forward
  buttons?: number // held buttons: 1 left, 2 right, 4 middle
  count?: number // clicks in a row
  mods?: number // 1 Alt, 2 Control, 4 Meta, 8 Shift
  key?: string // KeyboardEvent.key
  code?: string // KeyboardEvent.code
  keyCode?: number
  location?: number
  repeat?: boolean
  finger?: number // touch: tells fingers apart
  pointer?: string // mouse: "pen", or a mouse
  pressure?: number // of a pen or finger, 0..1; a finger that tells none has 0
  tiltX?: number // of a pen, degrees
  tiltY?: number
  twist?: number // of a pen, degrees
  text?: string // compose, commit, paste
  html?: string // paste
  image?: string // paste: a PNG in base64
  start?: number // compose: selection in Text
  end?: number
}

// Ack says that a frame has come and is drawn next: another may come meanwhile.
// One frame is in flight to a view.
export interface Ack {
  ack: number
  view: number
}

// FrameHeader opens a binary message; all numbers are little endian, 32 bytes:
//
// 	0  u8   version, 1
// 	1  u8   format: 1 JPEG, 2 PNG, 3 WebP
// 	2  u8   kind: 0 moving, 1 still at rest (full quality)
// 	3  u8   zoom of the page in fiftieths, rounded up; 0 is none
// 	4  u32  view
// 	8  u32  sequence, answered by Ack
// 	12 u32  tab number (the N of "tN")
// 	16 f32  page viewport width, CSS pixels
// 	20 f32  page viewport height, CSS pixels
// 	24 u32  image width, pixels
// 	28 u32  image height, pixels
export interface FrameHeader {
  format: number
  kind: number
  zoom: number
  view: number
  seq: number
  tab: number
  width: number
  height: number
  pixelW: number
  pixelH: number
}

// FrameHeaderSize is the length of an encoded FrameHeader.
export const FrameHeaderSize = 32
