package app

import (
	"context"
	"crypto/sha256"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"baton/backend/download"
)

// Downloads are the files that pages saved.
type Downloads struct{ s *Server }

// Open gives a finished file to be opened. One that could run something is
// refused unless the person is sure.
func (d Downloads) Open(ctx context.Context, a DownloadArgs) (FileResult, error) {
	path, err := d.s.cfg.Downloads.File(a.ID, a.Sure)
	if err != nil {
		return FileResult{}, err
	}
	return d.give(ctx, path), nil
}

// Show gives a finished file to be shown where it lies: nothing opens it.
func (d Downloads) Show(ctx context.Context, a DownloadArgs) (FileResult, error) {
	path, err := d.s.cfg.Downloads.File(a.ID, true)
	if err != nil {
		return FileResult{}, err
	}
	return d.give(ctx, path), nil
}

// give hands a file on: to the window, which is on this computer, as a path; to
// a browser as an address.
func (d Downloads) give(ctx context.Context, path string) FileResult {
	if caller(ctx).shell == "window" {
		return FileResult{Path: path}
	}
	return FileResult{URL: handoutPath + d.s.files.add(path, time.Now())}
}

// Cancel breaks a download off.
func (d Downloads) Cancel(ctx context.Context, a DownloadArgs) error {
	return d.s.cfg.Downloads.Cancel(ctx, a.ID)
}

// Retry asks for a file again.
func (d Downloads) Retry(ctx context.Context, a DownloadArgs) error {
	return d.s.cfg.Downloads.Retry(ctx, a.ID)
}

// Forget takes a download off the list.
func (d Downloads) Forget(ctx context.Context, a DownloadArgs) error {
	return d.s.cfg.Downloads.Forget(ctx, a.ID)
}

// Clear takes all that are over off the list.
func (d Downloads) Clear(ctx context.Context, _ nothing) error { return d.s.cfg.Downloads.Clear(ctx) }

func wireDownloads(list []download.Item) []Download {
	out := make([]Download, 0, len(list))
	for _, i := range list {
		out = append(out, Download{
			ID: i.ID, Name: i.Name, URL: i.URL, State: i.State, Received: i.Received, Total: i.Total, Began: i.Began.UnixMilli(),
			Gone: i.Gone, Risky: i.Risky, Again: i.Again,
		})
	}
	return out
}

const (
	handoutPath  = "/download/"
	handoutLife  = time.Minute
	handoutsMost = 64
)

// handouts are files that were promised to a signed-in browser, each once.
type handouts struct {
	mu    sync.Mutex
	files map[[sha256.Size]byte]handout
}

type handout struct {
	path  string
	until time.Time
}

// add promises a file and gives the word for it.
func (h *handouts) add(path string, now time.Time) (token string) {
	token = secret()
	h.mu.Lock()
	defer h.mu.Unlock()
	for k, f := range h.files {
		if now.After(f.until) || len(h.files) >= handoutsMost {
			delete(h.files, k)
		}
	}
	if h.files == nil {
		h.files = map[[sha256.Size]byte]handout{}
	}
	h.files[sum(token)] = handout{path, now.Add(handoutLife)}
	return token
}

// take uses a word up.
func (h *handouts) take(token string, now time.Time) (path string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, ok := h.files[sum(token)]
	delete(h.files, sum(token))
	return f.path, ok && !now.After(f.until)
}

// handOut sends a promised file to the browser that is signed in, to be saved:
// no browser shows it as a page of this server's.
func (s *Server) handOut(w http.ResponseWriter, r *http.Request, token string) {
	if r.Method != http.MethodGet || !s.door.signedIn(session(r)) || foreign(r) {
		say(w, http.StatusForbidden, strange)
		return
	}
	path, ok := s.files.take(token, time.Now())
	if !ok {
		say(w, http.StatusGone, spent)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		say(w, http.StatusGone, spent)
		return
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		say(w, http.StatusGone, spent)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": filepath.Base(path)}))
	w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
	http.ServeContent(w, r, "", st.ModTime(), f)
}

const spent = pageStart + `<h1>This link was used</h1><p>Each link gives the file once. Choose it again in Baton's downloads.</p>` + pageEnd
