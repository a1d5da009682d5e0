package cli

import (
	_ "embed"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// witness is a page that notes the events it can trust, and its own site, over
// which the test reads what it noted. Nothing of Baton stands between the two.
type witness struct {
	t    *testing.T
	url  string
	ask  chan string
	over chan struct{}
	said chan string
}

//go:embed testdata/witness.html
var witnessPage string

func newWitness(t *testing.T) *witness {
	w := &witness{t: t, ask: make(chan string), said: make(chan string, 1), over: make(chan struct{})}
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ask":
			select {
			case text := <-w.ask:
				_, _ = io.WriteString(rw, text)
			case <-time.After(5 * time.Second):
				rw.WriteHeader(http.StatusNoContent)
			case <-r.Context().Done():
			case <-w.over:
			}
		case "/said":
			b, _ := io.ReadAll(r.Body)
			select {
			case w.said <- string(b):
			case <-w.over:
			}
		case "/staff":
			if user, password, _ := r.BasicAuth(); user != "demo" || password != "pass" {
				rw.Header().Set("WWW-Authenticate", `Basic realm="staff"`)
				rw.WriteHeader(http.StatusUnauthorized)
				return
			}
			_, _ = io.WriteString(rw, w.page("/colour/30a0a0"))
		default:
			rw.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(rw, w.page(r.URL.Path))
		}
	}))
	t.Cleanup(func() { close(w.over); site.CloseClientConnections(); site.Close() })
	w.url = site.URL
	return w
}

// page gives the witness, or for /colour/ a page of that colour alone, which its
// sign in the tab strip has too. /asking is a page that asks before it is there,
// /identity one that a press sends back to where it came from.
func (w *witness) page(path string) string {
	switch path {
	case "/asking":
		return `<!doctype html><body style="background: #c03020"><script>alert('tonight'); if (confirm('go on?')) document.body.style.background = '#20a040'</script>`
	case "/identity":
		return `<!doctype html><body style="background: #d0a000"><script>onclick = () => { location = '` + w.url + `/approved' }</script>`
	case "/approved":
		return `<!doctype html><script>opener.postMessage('approved', location.origin); close()</script>`
	}
	colour, ok := strings.CutPrefix(path, "/colour/")
	if !ok {
		return witnessPage
	}
	const sign = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='16' height='16'><rect width='16' height='16' fill='%23" // and the colour
	return `<!doctype html><title>colour ` + colour + `</title><link rel="icon" href="` + sign + colour + `'/></svg>"><body style="background: #` + colour + `">`
}

// js gives what an expression of the page is, as a string.
func (w *witness) js(expression string) string {
	w.t.Helper()
	late := time.After(20 * time.Second)
	select {
	case w.ask <- expression:
	case <-late:
		w.t.Fatalf("the page does not ask; %s", expression)
	}
	select {
	case s := <-w.said:
		return s
	case <-late:
		w.t.Fatalf("the page does not answer %s", expression)
	}
	return ""
}

// eventually waits until the page's expression gives want.
func (w *witness) eventually(expression, want string) {
	w.t.Helper()
	got := ""
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if got = w.js(expression); got == want {
			return
		}
	}
	w.t.Errorf("%s gives %q, want %q; the page noted %s", expression, got, want, w.js("log.join(' | ')"))
}

// noted gives the notes that begin with one of these words.
func (w *witness) noted(kinds ...string) string {
	return "log.filter(e => /^(untrusted |" + strings.Join(kinds, "|") + ")/.test(e)).join(' | ')"
}

// run is a part of a test with a page that has noted nothing yet.
func (w *witness) run(t *testing.T, name string, f func(t *testing.T)) {
	t.Run(name, func(t *testing.T) {
		outer := w.t
		w.t = t
		defer func() { w.t = outer }()
		w.eventually("reset()", "true")
		f(t)
	})
}
