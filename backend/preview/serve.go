package preview

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"html"
	"io"
	"net/http"
	"path"
	"strings"
	"time"
	"unicode/utf8"
)

// types are the kinds of file by their ending; all others are bytes that a page
// may fetch and never shows as a document.
var types = map[string]string{
	".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".pdf": "application/pdf",
	".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json", ".map": "application/json",
	".webmanifest": "application/manifest+json", ".txt": "text/plain", ".md": "text/plain", ".csv": "text/csv", ".xml": "application/xml", ".vtt": "text/vtt",
	".svg": "image/svg+xml", ".png": "image/png", ".apng": "image/apng", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif",
	".webp": "image/webp", ".avif": "image/avif", ".ico": "image/x-icon", ".bmp": "image/bmp",
	".woff": "font/woff", ".woff2": "font/woff2", ".ttf": "font/ttf", ".otf": "font/otf",
	".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".wav": "audio/wav", ".m4a": "audio/mp4", ".mp4": "video/mp4", ".webm": "video/webm", ".wasm": "application/wasm",
}

// ServeHTTP answers the requests of granted tabs, and nobody else's.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("X-Frame-Options", "SAMEORIGIN")
	s.mu.Lock()
	g := s.grants[r.Host]
	s.mu.Unlock()
	switch {
	case g == nil: // another name that leads here (DNS rebinding), or a grant that has ended
		no(w, http.StatusForbidden, "This preview has ended", "Open the file again.")
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		no(w, http.StatusMethodNotAllowed, "Files are only read here", "")
	case !g.opens(r) && r.URL.Path == "/favicon.ico": // browsers ask for one by themselves
		w.WriteHeader(http.StatusNoContent)
	case !g.opens(r):
		no(w, http.StatusForbidden, "This preview belongs to another tab", "Open the file in this tab.")
	default:
		g.serve(w, r)
	}
}

// opens tells whether a request carries the grant's capability.
func (g *Grant) opens(r *http.Request) bool {
	return subtle.ConstantTimeCompare([]byte(r.Header.Get(header)), []byte(g.secret)) == 1 && !worker(r)
}

// worker tells whether a request is for a worker's script: those outlive and
// outreach the tab.
func worker(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "worker", "sharedworker", "serviceworker":
		return true
	}
	return r.Header.Get("Service-Worker") != ""
}

// serve gives one file of the grant.
func (g *Grant) serve(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if g.files[name] == nil {
		no(w, http.StatusForbidden, "This file is not part of the preview", "Only the opened file and what it needs are shown.")
		return
	}
	c := http.NewResponseController(w)
	if !g.enter(c) {
		no(w, http.StatusForbidden, "This preview has ended", "Open the file again.")
		return
	}
	defer g.leave(c)
	f, info, whole, err := g.read(name)
	if err != nil {
		if errors.Is(err, errChanged) {
			no(w, http.StatusConflict, "This file has changed since it was opened", "Open it again to see it as it is now.")
			return
		}
		g.s.log.Warn("a file of a preview cannot be read", "error", err)
		no(w, http.StatusInternalServerError, "This file cannot be read", "")
		return
	}
	defer f.Close()
	kind := types[strings.ToLower(path.Ext(name))]
	switch {
	case kind == "":
		kind = "application/octet-stream"
	case whole != nil && utf8.Valid(whole) && (strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+xml")):
		kind += "; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	var body io.ReadSeeker = f
	if whole != nil {
		body = bytes.NewReader(whole)
	}
	if kind == types[".pdf"] {
		// The viewer reads a PDF in one piece: what asks for more of it is not the
		// tab's own frame.
		w = plain{w}
		r.Header.Del("Range")
	}
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(at{body}, 0, info.Size()))
}

// plain leaves out the offer to read a file in parts.
type plain struct{ http.ResponseWriter }

func (p plain) WriteHeader(status int) {
	p.Header().Del("Accept-Ranges")
	p.ResponseWriter.WriteHeader(status)
}

// at reads at an offset, for one reader at a time.
type at struct{ io.ReadSeeker }

func (a at) ReadAt(b []byte, off int64) (int, error) {
	if _, err := a.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	return io.ReadFull(a, b)
}

// no refuses, with a page for whoever looks at it.
func no(w http.ResponseWriter, status int, title, next string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<!doctype html><meta charset=utf-8><meta name=color-scheme content='light dark'><title>"+html.EscapeString(title)+"</title>"+
		"<body style='font:16px system-ui;margin:4em auto;max-width:32em;padding:0 1em'><h1 style='font-size:1.3em'>"+html.EscapeString(title)+"</h1><p>"+html.EscapeString(next))
}
