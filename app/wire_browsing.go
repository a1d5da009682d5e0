package app

// What the wire says of downloads and history.

// Download is a file that a page saved or saves.
type Download struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	URL      string `json:"url"`   // where it came from, without credentials
	State    string `json:"state"` // going on, finished, failed, cancelled
	Received int64  `json:"received"`
	Total    int64  `json:"total"` // 0 when not known
	Began    int64  `json:"began"` // Unix milliseconds
	Gone     bool   `json:"gone,omitempty"`
	Risky    bool   `json:"risky,omitempty"` // opening it could run something: ask first
	Again    bool   `json:"again,omitempty"` // it can be asked for again
}

// DownloadArgs names a download. Sure is the person's word on a risky one.
type DownloadArgs struct {
	ID   int64 `json:"id"`
	Sure bool  `json:"sure,omitempty"`
}

// FileResult is a finished download: its path for the window of this computer,
// for a browser an address that gives it once.
type FileResult struct {
	Path string `json:"path,omitempty"`
	URL  string `json:"url,omitempty"`
}

// Place is an address that the person visited.
type Place struct {
	ID      int64  `json:"id"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	Favicon string `json:"favicon,omitempty"` // data: URL
	Last    int64  `json:"last"`              // Unix milliseconds
}

// PlacesArgs is for history.list and history.suggest: addresses that hold all
// words of Text, at most Limit. Before, in Unix milliseconds, gives older ones.
type PlacesArgs struct {
	Text   string `json:"text,omitempty"`
	Before int64  `json:"before,omitempty"`
	Limit  int    `json:"limit,omitempty"`
}

// ForgetArgs is for history.forget: rows by ID.
type ForgetArgs struct {
	IDs []int64 `json:"ids"`
}

// ClearArgs is for history.clear: what was visited since, Unix milliseconds; 0
// is all.
type ClearArgs struct {
	Since int64 `json:"since"`
}

// SavedResult names a file that was put into the download folder.
type SavedResult struct {
	Name string `json:"name"`
}
