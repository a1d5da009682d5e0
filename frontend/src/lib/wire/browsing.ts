// Generated from app/wire_browsing.go by build/gen: change it there.

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

// SavedResult names a file that was put into the download folder.
export interface SavedResult {
  name: string
}
