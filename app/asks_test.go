package app

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// asked waits for what a page asks.
func (c *client) asked(fits func(Asks) bool) (out Asks) {
	c.t.Helper()
	c.event(EventAsks, patience, func(raw json.RawMessage) bool {
		out = Asks{}
		return json.Unmarshal(raw, &out) == nil && fits(out)
	})
	return out
}

// send sends files as a browser does.
func (c *client) send(tab string, files map[string]string) string {
	c.t.Helper()
	a := UploadArgs{Tab: tab}
	var texts []string
	for name, text := range files {
		a.Files, texts = append(a.Files, UploadFile{Name: name, Size: int64(len(text))}), append(texts, text)
	}
	var r UploadResult
	c.must("files.begin", a, &r)
	for i, text := range texts {
		for len(text) > 0 {
			n := min(len(text), 3)
			c.must("files.part", PartArgs{Upload: r.Upload, Index: i, Data: base64.StdEncoding.EncodeToString([]byte(text[:n]))}, nil)
			text = text[n:]
		}
	}
	return r.Upload
}

func watchUploads(t *testing.T) (*host, *client, string) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/upload.html")
	c.watch(id, 800, 600)
	c.until(0, patience, "at rest", func(f frame) bool { return f.Kind == 1 })
	h.eventually(id, "document.readyState", "complete")
	return h, c, id
}

func TestFilesGoToAPageThatAsksForThem(t *testing.T) {
	h, c, id := watchUploads(t)
	c.click(60, 25)
	a := c.asked(func(a Asks) bool { return a.Tab == id && a.Chooser != nil })
	if !a.Chooser.Multiple || strings.Join(a.Chooser.Accept, " ") != ".txt" {
		t.Fatalf("asked: %+v", a.Chooser)
	}
	upload := c.send(id, map[string]string{"note.txt": "hello you"})
	c.must("files.choose", ChooseArgs{Tab: id, ID: a.Chooser.ID, Upload: upload}, nil)
	h.eventually(id, "out", "note.txt:hello you")
	c.asked(func(a Asks) bool { return a.Tab == id && a.Chooser == nil })

	t.Run("a path from the window's dialog", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "here.txt")
		if err := os.WriteFile(path, []byte("here"), 0o600); err != nil {
			t.Fatal(err)
		}
		c.click(60, 25)
		b := c.asked(func(b Asks) bool { return b.Chooser != nil && b.Chooser.ID != a.Chooser.ID })
		browser := h.browser()
		if err := browser.call("files.choose", ChooseArgs{Tab: id, ID: b.Chooser.ID, Paths: []string{path}}, nil); err == nil || !strings.Contains(err.Error(), "unsupported") {
			t.Fatalf("a browser's path gave %v", err)
		}
		c.must("files.choose", ChooseArgs{Tab: id, ID: b.Chooser.ID, Paths: []string{path}}, nil)
		h.eventually(id, "out", "here.txt:here")
	})
	t.Run("dropped ones", func(t *testing.T) {
		upload := c.send(id, map[string]string{"drop.txt": "dropped"})
		c.must("files.drop", DropArgs{Tab: id, X: 60, Y: 100, Upload: upload}, nil)
		h.eventually(id, "out", "drop.txt:dropped")
		if err := h.browser().call("files.drop", DropArgs{Tab: id, X: 60, Y: 100, Paths: []string{"/etc/hostname"}}, nil); err == nil || !strings.Contains(err.Error(), "unsupported") {
			t.Errorf("a browser's path gave %v", err)
		}
	})
	t.Run("the tab takes them along", func(t *testing.T) {
		if list, _ := os.ReadDir(h.uploads); len(list) != 2 {
			t.Fatalf("%d batches are kept", len(list))
		}
		c.must("tabs.close", TabArgs{Tab: id}, nil)
		for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
			list, _ := os.ReadDir(h.uploads)
			if len(list) == 0 {
				return
			}
			if time.Now().After(end) {
				t.Fatal("the files stay without their tab")
			}
		}
	})
}

func TestACancelledRequestForFilesLeavesThePageUsable(t *testing.T) {
	h, c, id := watchUploads(t)
	last := 0
	for range 2 {
		c.click(60, 25)
		a := c.asked(func(a Asks) bool { return a.Chooser != nil && a.Chooser.ID > last })
		last = a.Chooser.ID
		c.must("files.cancel", AskArgs{Tab: id, ID: last}, nil)
	}
	h.eventually(id, "1+1", "2")
}

func TestASignInGoesFromTheCardToTheSite(t *testing.T) {
	const password = "cAnary-77-word"
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, p, _ := r.BasicAuth(); p != password {
			w.Header().Set("WWW-Authenticate", `Basic realm="Staff"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, "<title>Staff</title>welcome")
	}))
	defer site.Close()
	h := newHost(t)
	c := h.connect()
	id := c.open(site.URL)
	c.watch(id, 800, 600)
	a := c.asked(func(a Asks) bool { return a.Tab == id && a.SignIn != nil })
	if a.SignIn.Origin != site.URL || a.SignIn.Realm != "Staff" || a.SignIn.Secure {
		t.Fatalf("asked: %+v", a.SignIn)
	}
	c.must("signin.cancel", AskArgs{Tab: id, ID: a.SignIn.ID}, nil)
	c.event(EventTabs, patience, func(raw json.RawMessage) bool {
		var list []Tab
		return json.Unmarshal(raw, &list) == nil && len(list) == 1 && list[0].State == "failed" && list[0].Failed == "baton::SIGN_IN" && strings.Contains(list[0].Error, "user name and password")
	})
	c.must("signin.ask", TabArgs{Tab: id}, nil)
	b := c.asked(func(b Asks) bool { return b.SignIn != nil && b.SignIn.ID > a.SignIn.ID })
	c.must("signin.answer", SignInArgs{Tab: id, ID: b.SignIn.ID, User: "demo", Password: password}, nil)
	h.eventually(id, "document.title", "Staff")
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.events {
		if strings.Contains(string(e.Data), password) {
			t.Errorf("the event %s holds the password", e.Event)
		}
	}
}

func TestABadCertificateIsGonePastByThePersonAlone(t *testing.T) {
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<title>Inside</title>") }))
	defer site.Close()
	h := newHost(t)
	c := h.connect()
	id := c.open(site.URL)
	c.watch(id, 800, 600)
	tabIs := func(fits func(Tab) bool) {
		t.Helper()
		c.event(EventTabs, patience, func(raw json.RawMessage) bool {
			var list []Tab
			return json.Unmarshal(raw, &list) == nil && len(list) > 0 && fits(list[0])
		})
	}
	tabIs(func(x Tab) bool {
		return x.State == "failed" && x.Failed == "net::ERR_CERT_AUTHORITY_INVALID" && strings.Contains(x.Error, "issuer")
	})
	var pass PassResult
	c.must("site.pass", TabArgs{Tab: id}, &pass)
	if !pass.May {
		t.Fatalf("no way past: %+v", pass)
	}
	c.must("site.open", TabArgs{Tab: id}, nil)
	tabIs(func(x Tab) bool { return x.Title == "Inside" && x.State == "ready" && x.Security == "insecure" })
}

func TestASiteIsAllowedWhatThePersonSays(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/upload.html")
	c.watch(id, 800, 600)
	c.until(0, patience, "at rest", func(f frame) bool { return f.Kind == 1 })
	h.eventually(id, "document.readyState", "complete")
	var s Site
	c.must("site.info", TabArgs{Tab: id}, &s)
	if s.Origin != h.pages || s.Security == "insecure" || len(s.Permissions) != 5 || s.Permissions[0].Name != "geolocation" || s.Permissions[0].Setting != "" {
		t.Fatalf("the site is %+v", s)
	}
	const now = "navigator.permissions.query({name:'notifications'}).then(s=>s.state)"
	for _, x := range []struct{ setting, state string }{{"allow", "granted"}, {"deny", "denied"}} {
		c.must("site.permit", PermitArgs{Tab: id, Origin: s.Origin, Name: "notifications", Setting: x.setting}, nil)
		var got string
		h.js(id, now, &got)
		if got != x.state {
			t.Errorf("%s: the page is told %q", x.setting, got)
		}
		c.must("site.info", TabArgs{Tab: id}, &s)
		if s.Permissions[1].Setting != x.setting {
			t.Errorf("kept: %+v", s.Permissions)
		}
	}
	for _, a := range []PermitArgs{
		{Tab: id, Origin: "https://other.example", Name: "camera", Setting: "allow"},
		{Tab: id, Origin: s.Origin, Name: "midi", Setting: "allow"},
		{Tab: id, Origin: s.Origin, Name: "camera", Setting: "always"},
	} {
		if err := c.call("site.permit", a, nil); err == nil {
			t.Errorf("%+v was taken", a)
		}
	}
	c.must("site.clear", TabArgs{Tab: id}, nil)
}
