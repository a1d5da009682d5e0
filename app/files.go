package app

import (
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"path"
	"strings"
	"time"
)

// cookie is the name of the session's cookie. Cookies know no ports, so the
// name holds it: two hosts on one computer do not sign each other out.
func cookie(r *http.Request) string {
	if a, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		if _, port, err := net.SplitHostPort(a.String()); err == nil {
			return "baton_" + port
		}
	}
	return "baton"
}

// session gives the session that a request carries.
func session(r *http.Request) string {
	c, err := r.Cookie(cookie(r))
	if err != nil {
		return ""
	}
	return c.Value
}

const (
	pageHead = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Baton</title>` +
		`<style>:root{color-scheme:light dark}body{display:grid;place-content:center;min-height:90vh;margin:0;padding:24px;background:light-dark(#fff,#1b1c20);color:light-dark(#4c515f,#bdc2ce);font:14px/1.5 system-ui,sans-serif}` +
		`main{max-width:46ch}h1{margin:0 0 8px;color:light-dark(#1a1c23,#eceef3);font-size:22px;font-weight:600}p{margin:0}code{font-family:ui-monospace,monospace}</style>`
	pageStart = pageHead + "<main>"
	pageEnd   = "</main>"
	signedIn  = pageHead + `<meta http-equiv="refresh" content="0;url=./"><main><p><a href="./">Open Baton</a></p>` + pageEnd
	strange   = pageStart + `<h1>Not signed in</h1><p>Open Baton with a new link: run <code>baton serve</code> and use the address that it prints.</p>` + pageEnd
	used      = pageStart + `<h1>This link no longer works</h1><p>Each link signs one browser in, once, within ten minutes. Run <code>baton serve</code> for a new one.</p>` + pageEnd
	tooMany   = pageStart + `<h1>Too many wrong links</h1><p>Run <code>baton serve</code> again for a new link.</p>` + pageEnd
	unbuilt   = pageStart + `<h1>The interface is missing from this build</h1><p>Run <code>go tool task build</code> and start Baton again.</p>` + pageEnd
)

func say(w http.ResponseWriter, status int, page string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, page)
}

// assets serves the interface to those who are signed in, and signs in those who
// bring a code.
func (s *Server) assets(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Only GET is answered here.", http.StatusMethodNotAllowed)
		return
	}
	if code := r.URL.Query().Get("code"); code != "" && r.URL.Path == "/" && r.Method == http.MethodGet {
		s.signIn(w, r, code)
		return
	}
	if !s.door.signedIn(session(r)) {
		say(w, http.StatusUnauthorized, strange)
		return
	}
	// Another site may lead to the front page, never take a file from here.
	if foreign(r) && !(r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Origin") == "") {
		say(w, http.StatusForbidden, strange)
		return
	}
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" || name == "index.html" {
		b, err := fs.ReadFile(s.cfg.Files, "index.html")
		if err != nil {
			say(w, http.StatusServiceUnavailable, unbuilt)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(b)
		return
	}
	b, err := fs.ReadFile(s.cfg.Files, name)
	if err != nil || strings.HasPrefix(path.Base(name), ".") {
		http.NotFound(w, r)
		return
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if kind == "" {
		kind = "application/octet-stream"
	}
	w.Header().Set("Content-Type", kind)
	if strings.HasPrefix(name, "assets/") { // named by their content
		w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	_, _ = w.Write(b)
}

// signIn uses a code up. The answer is a page of the same site that goes on to
// the interface: a redirect would count as coming from where the link stood,
// and the cookie would not go along.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request, code string) {
	session, how := s.door.enter(code, time.Now())
	switch how {
	case barred:
		say(w, http.StatusTooManyRequests, tooMany)
	case unknown:
		say(w, http.StatusUnauthorized, used)
	case entered:
		http.SetCookie(w, &http.Cookie{Name: cookie(r), Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		say(w, http.StatusOK, signedIn)
	}
}
