package app

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// ask makes a request of the server by a name of the host.
func (h *host) ask(method, path, host string, header http.Header) *http.Response {
	h.t.Helper()
	r, err := http.NewRequest(method, "http://"+h.address+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	if host != "" {
		r.Host = host
	}
	for k, v := range header {
		r.Header[k] = v
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		h.t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, res.Body)
	res.Body.Close()
	return res
}

// signIn uses a new code up and gives the session's cookie.
func (h *host) signIn() http.Header {
	h.t.Helper()
	res := h.ask("GET", "/?code="+h.server.Code(), "", nil)
	if res.StatusCode != http.StatusOK || len(res.Cookies()) != 1 {
		h.t.Fatalf("signing in answers %s with %d cookies", res.Status, len(res.Cookies()))
	}
	c := res.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" {
		h.t.Errorf("the cookie is %s", c)
	}
	return http.Header{"Cookie": {c.Name + "=" + c.Value}}
}

func TestOneTimeCodeSignsInOnce(t *testing.T) {
	h := newHost(t)
	for _, path := range []string{"/", "/index.html", "/assets/main.js", "/ws"} {
		if res := h.ask("GET", path, "", nil); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s answers a stranger %s", path, res.Status)
		}
	}
	code := h.server.Code()
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar}
	get := func(path string) (int, string) {
		res, err := browser.Get("http://" + h.address + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		b, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(b)
	}
	if status, body := get("/?code=" + code); status != http.StatusOK || !strings.Contains(body, "refresh") {
		t.Errorf("the code answers %d: %s", status, body)
	}
	if status, body := get("/"); status != http.StatusOK || !strings.Contains(body, "<title>Baton") {
		t.Errorf("the front page answers %d: %s", status, body)
	}
	if status, _ := get("/assets/main.js"); status != http.StatusOK {
		t.Errorf("a file answers %d", status)
	}
	for _, path := range []string{"/.keep", "/assets/", "/../server.go", "/none"} {
		if status, _ := get(path); status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, status)
		}
	}
	if res := h.ask("GET", "/?code="+code, "", nil); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("the code used again answers %s", res.Status)
	}
}

func TestWrongCodesAreCounted(t *testing.T) {
	h := newHost(t)
	good := h.server.Code()
	for range codesWrong {
		if res := h.ask("GET", "/?code=guess", "", nil); res.StatusCode != http.StatusUnauthorized {
			t.Fatalf("a wrong code answers %s", res.Status)
		}
	}
	if res := h.ask("GET", "/?code="+good, "", nil); res.StatusCode != http.StatusTooManyRequests {
		t.Errorf("after too many wrong codes a good one answers %s", res.Status)
	}
	h.signIn() // a new code counts
}

func TestCodeIsGoodForTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDoor()
		early, late := d.code(time.Now()), d.code(time.Now())
		time.Sleep(9 * time.Minute)
		if _, how := d.enter(early, time.Now()); how != entered {
			t.Errorf("after nine minutes the code gives %v", how)
		}
		time.Sleep(2 * time.Minute)
		if _, how := d.enter(late, time.Now()); how != unknown {
			t.Errorf("after eleven minutes the code gives %v", how)
		}
	})
}

func TestOtherNamesAndSitesAreRefused(t *testing.T) {
	h := newHost(t)
	signed := h.signIn()
	for _, name := range []string{"evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.168.0.5", "localhost.evil.example"} {
		if res := h.ask("GET", "/", name, signed); res.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("the name %s answers %s", name, res.Status)
		}
	}
	if res := h.ask("GET", "/assets/main.js", "", http.Header{"Cookie": signed["Cookie"], "Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"no-cors"}}); res.StatusCode != http.StatusForbidden {
		t.Errorf("another site's request answers %s", res.Status)
	}
	res := h.ask("GET", "/", "", signed)
	for header, want := range map[string]string{
		"Content-Security-Policy": "frame-ancestors 'none'", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
	} {
		if got := res.Header.Get(header); !strings.Contains(got, want) {
			t.Errorf("%s is %q", header, got)
		}
	}
	if res.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("another origin is let in")
	}

	_, token := h.server.Endpoint()
	own := "http://" + h.address
	for _, c := range []struct {
		name, origin, protocols string
		signed                  bool
		want                    int // 0 connects
	}{
		{"own page", own, "baton", true, 0},
		{"own page, not signed in", own, "baton", false, 401},
		{"another site with the cookie", "https://evil.example", "baton", true, 403},
		{"another port with the cookie", "http://127.0.0.1:1", "baton", true, 403},
		{"no origin with the cookie", "", "baton", true, 403},
		{"sandboxed page with the cookie", "null", "baton", true, 403},
		{"the window", "wails://wails", "baton, " + token, false, 0},
		{"the window's origin without a token", "wails://wails", "baton", false, 401},
		{"the window's origin with the cookie alone", "wails://wails", "baton", true, 403},
		{"a wrong token", "wails://wails", "baton, guess", false, 401},
		{"another site with the token", "https://evil.example", "baton, " + token, false, 403},
	} {
		head := http.Header{}
		if c.signed {
			head = signed.Clone()
		}
		if c.origin != "" {
			head.Set("Origin", c.origin)
		}
		ws, res, err := websocket.Dial(context.Background(), "ws://"+h.address+"/ws", &websocket.DialOptions{HTTPHeader: head, Subprotocols: fields(c.protocols)})
		switch {
		case c.want == 0 && err != nil:
			t.Errorf("%s is refused: %v", c.name, err)
		case c.want != 0 && err == nil:
			t.Errorf("%s is let in", c.name)
		case c.want != 0 && res.StatusCode != c.want:
			t.Errorf("%s answers %s", c.name, res.Status)
		}
		if err == nil {
			ws.CloseNow()
		}
	}
}

func TestOwnAddressIsKnownInEveryNotation(t *testing.T) {
	h := newHost(t)
	port := h.address[strings.LastIndex(h.address, ":"):]
	for _, name := range []string{"127.0.0.1", "localhost", "LOCALHOST", "a.localhost", "localhost.", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.9.9.9", "0", "１２７.0.0.1", "127。0。0。1", "ⓛocalhost"} {
		if !h.server.Owns("http://" + name + port + "/x") {
			t.Errorf("%s%s is not known as the server's own", name, port)
		}
	}
	if !h.server.Owns("http://127.0.0.1:0" + port[1:]) {
		t.Error("a port with a zero before it is not known")
	}
	for _, other := range []string{"http://127.0.0.1:1/", "http://example.com" + port, "about:blank", "http://128.0.0.1" + port, "data:text/html,x"} {
		if h.server.Owns(other) {
			t.Errorf("%s is taken for the server's own", other)
		}
	}
	c := h.connect()
	if err := c.call("tabs.open", OpenArgs{URL: "localhost" + port}, nil); err == nil || !strings.HasPrefix(err.Error(), "scheme_not_allowed") {
		t.Errorf("opening Baton in a tab answers %v", err)
	}
}
