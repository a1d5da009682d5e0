package app

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// proxy is a small HTTP proxy that wants a user name and password. Every name
// leads to one site.
type proxy struct {
	password string
	secure   string // host:port of what CONNECT leads to

	mu    sync.Mutex
	asked []string // what it let through
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	login := http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}
	if _, got, _ := login.BasicAuth(); got != p.password {
		w.Header().Set("Proxy-Authenticate", `Basic realm="Office"`)
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	p.mu.Lock()
	p.asked = append(p.asked, r.Method+" "+r.Host)
	p.mu.Unlock()
	if r.Method != http.MethodConnect {
		fmt.Fprint(w, "<title>Plain</title>through the proxy")
		return
	}
	there, err := net.Dial("tcp", p.secure)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer there.Close()
	here, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
	go func() { _, _ = io.Copy(there, here) }()
	_, _ = io.Copy(here, there)
}

func (p *proxy) let(what string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.asked {
		if strings.HasPrefix(a, what) {
			return true
		}
	}
	return false
}

func TestThePersonSignsInToAProxy(t *testing.T) {
	for _, scheme := range []string{"http", "https"} {
		t.Run(scheme, func(t *testing.T) {
			site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<title>Secure</title>") }))
			defer site.Close()
			p := &proxy{password: "cAnary-407-word", secure: site.Listener.Addr().String()}
			server := httptest.NewServer(p)
			defer server.Close()
			h := newHostBehind(t, server.URL)
			c := h.connect()
			id := c.open(scheme + "://shop.example/")
			c.watch(id, 800, 600)
			a := c.asked(func(a Asks) bool { return a.Tab == id && a.SignIn != nil })
			if !a.SignIn.Proxy || a.SignIn.Realm != "Office" || !strings.HasPrefix(a.SignIn.Origin, server.URL) || a.SignIn.Wrong {
				t.Fatalf("asked: %+v", a.SignIn)
			}
			if p.let("") {
				t.Error("something went through before")
			}
			// A wrong password is asked for again, and says so.
			c.must("signin.answer", SignInArgs{Tab: id, ID: a.SignIn.ID, User: "ann", Password: "wrong"}, nil)
			b := c.asked(func(b Asks) bool { return b.SignIn != nil && b.SignIn.ID > a.SignIn.ID })
			if !b.SignIn.Wrong || !b.SignIn.Proxy {
				t.Fatalf("asked again: %+v", b.SignIn)
			}
			// Without one the page says that the proxy wants it.
			c.must("signin.cancel", AskArgs{Tab: id, ID: b.SignIn.ID}, nil)
			c.settled("the refusal", func(l []Tab) bool {
				return len(l) == 1 && l[0].State == "failed" && l[0].Failed == "baton::PROXY_SIGN_IN"
			})
			c.must("signin.ask", TabArgs{Tab: id}, nil)
			d := c.asked(func(d Asks) bool { return d.SignIn != nil && d.SignIn.ID > b.SignIn.ID })
			c.must("signin.answer", SignInArgs{Tab: id, ID: d.SignIn.ID, User: "ann", Password: p.password}, nil)
			if scheme == "http" {
				c.settled("the page", func(l []Tab) bool { return len(l) == 1 && l[0].Title == "Plain" && l[0].State == "ready" })
				return
			}
			// The tunnel stands: now it is the site's own certificate that is asked about.
			c.settled("the certificate", func(l []Tab) bool { return len(l) == 1 && strings.HasPrefix(l[0].Failed, "net::ERR_CERT_") })
			if !p.let("CONNECT shop.example") {
				t.Error("no tunnel was made")
			}
			c.must("site.open", TabArgs{Tab: id}, nil)
			c.settled("the page", func(l []Tab) bool { return len(l) == 1 && l[0].Title == "Secure" && l[0].State == "ready" })
		})
	}
}
