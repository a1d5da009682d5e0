// Generated from app/wire_pages.go by build/gen: change it there.

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

// ImageArgs is for image.save and image.copy: an image of a tab's page.
export interface ImageArgs {
  tab: string
  url: string
}

// ImageResult is an image as a data: address.
export interface ImageResult {
  data: string
}

// Copied is text for the person's clipboard.
export interface Copied {
  tab: string
  text: string
}

// ClipResult is what clipboard.copy and clipboard.cut took, in every form that
// there is of it.
export interface ClipResult {
  text: string
  html?: string
  image?: string // a PNG in base64
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
