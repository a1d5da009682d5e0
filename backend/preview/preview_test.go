package preview

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// folder makes files below a new folder, each with its parents.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func server(t *testing.T) *Server {
	t.Helper()
	s := New(slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func grant(t *testing.T, r Request) *Grant {
	t.Helper()
	g, err := server(t).Open(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ask sends one raw request line with the grant's Host and header, changed by
// edit, and gives the status and body.
func ask(t *testing.T, g *Grant, target string, edit func(h http.Header)) (status int, body string) {
	t.Helper()
	c, err := net.Dial("tcp", "127.0.0.1:"+g.s.port)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	name, secret := g.Header()
	h := http.Header{"Host": {g.host}, name: {secret}}
	method := "GET"
	if edit != nil {
		edit(h)
	}
	if m := h.Get("Method"); m != "" {
		method = m
	}
	h.Del("Method")
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", method, target)
	_ = h.Write(&b)
	b.WriteString("Connection: close\r\n\r\n")
	if _, err := io.WriteString(c, b.String()); err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(string(raw), "HTTP/1.1 %d", &status); err != nil {
		t.Fatalf("%q: %v", raw, err)
	}
	_, body, _ = strings.Cut(string(raw), "\r\n\r\n")
	return status, body
}

func TestOnlyTheEntryAndItsAssetsAreServed(t *testing.T) {
	dir := folder(t, map[string]string{"site/a b.html": "<p>entry", "site/x.css": "p{}", "site/secret.txt": "no", "top.txt": "no"})
	g := grant(t, Request{Root: dir, Entry: dir + "/site/a b.html", Assets: []string{dir + "/site/x.css"}})
	for target, want := range map[string]int{
		"/site/a%20b.html": 200, "/site/a%20b.html?q=1": 200, "/site/x.css": 200,
		"/site/secret.txt": 403, "/top.txt": 403, "/": 403, "/site/": 403, "/site": 403,
		"/site/../top.txt": 403, "/site/..%2ftop.txt": 403, "/site/%2e%2e/top.txt": 403, "/..%2f..%2f..%2f..%2fetc/passwd": 403, "//etc/passwd": 403,
		"/site/./x.css": 403, "/site//x.css": 403, "/site/x.css/": 403, "/site%5cx.css": 403, "/site/x.css%00": 403, "/etc/passwd": 403, dir + "/site/x.css": 403,
	} {
		if got, body := ask(t, g, target, nil); got != want || (want != 200 && strings.Contains(body, "no\n")) {
			t.Errorf("%s: %d, want %d", target, got, want)
		}
	}
	if _, body := ask(t, g, "/site/a%20b.html", nil); body != "<p>entry" {
		t.Errorf("the entry is %q", body)
	}
}

func TestRequestsWithoutTheCapabilityAreRefused(t *testing.T) {
	dir := folder(t, map[string]string{"a.html": "<p>entry", "b.html": "<p>other"})
	s := server(t)
	open := func(name string) *Grant {
		g, err := s.Open(context.Background(), Request{Root: dir, Entry: filepath.Join(dir, name)})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	g, other := open("a.html"), open("b.html")
	if g.Origin() == other.Origin() {
		t.Fatal("two grants share an origin")
	}
	_, foreign := other.Header()
	for what, edit := range map[string]func(h http.Header){
		"no header":                func(h http.Header) { h.Del(header) },
		"another grant's":          func(h http.Header) { h.Set(header, foreign) },
		"a part of it":             func(h http.Header) { h.Set(header, h.Get(header)[:20]) },
		"another grant's host":     func(h http.Header) { h["Host"] = []string{other.host} },
		"a rebound name":           func(h http.Header) { h["Host"] = []string{"evil.example:" + s.port} },
		"loopback's number":        func(h http.Header) { h["Host"] = []string{"127.0.0.1:" + s.port} },
		"the host without a port":  func(h http.Header) { h["Host"] = []string{strings.TrimSuffix(g.host, ":"+s.port)} },
		"a worker":                 func(h http.Header) { h.Set("Sec-Fetch-Dest", "worker") },
		"a service worker":         func(h http.Header) { h.Set("Service-Worker", "script") },
		"a cookie in place of it":  func(h http.Header) { h.Del(header); h.Set("Cookie", header+"="+g.secret) },
		"the secret in the header": func(h http.Header) { h.Del(header); h.Set("Authorization", "Bearer "+g.secret) },
	} {
		if got, body := ask(t, g, "/a.html", edit); got != 403 || strings.Contains(body, "entry") {
			t.Errorf("with %s: %d %q", what, got, body)
		}
	}
	if got, _ := ask(t, g, "/a.html", func(h http.Header) { h.Set("Method", "POST") }); got != 405 {
		t.Errorf("POST: %d", got)
	}
	for _, word := range []string{fmt.Sprint(g), fmt.Sprintf("%v %+v %#v", g, g, g), g.URL(""), g.LogValue().String()} {
		if strings.Contains(word, g.secret) {
			t.Errorf("the capability shows in %q", word)
		}
	}
}

func TestChangedFilesAreRefused(t *testing.T) {
	past := time.Now().Add(-time.Hour)
	for what, change := range map[string]func(dir, path string) error{
		"written again": func(_, p string) error { return os.WriteFile(p, []byte("<p>other"), 0o600) },
		"changed in place, with its time and size kept": func(_, p string) error {
			if err := os.WriteFile(p, []byte("<p>evil!"), 0o600); err != nil {
				return err
			}
			return os.Chtimes(p, past, past)
		},
		"touched":  func(_, p string) error { return os.Chtimes(p, time.Now(), time.Now()) },
		"replaced": func(d, p string) error { return os.Rename(d+"/twin.html", p) },
		"removed":  func(_, p string) error { return os.Remove(p) },
		"swapped for a link inside": func(d, p string) error {
			_ = os.Remove(p)
			return os.Symlink(d+"/twin.html", p)
		},
		"swapped for a link outside": func(_, p string) error {
			_ = os.Remove(p)
			return os.Symlink("/etc/passwd", p)
		},
		"swapped for a pipe": func(_, p string) error {
			_ = os.Remove(p)
			return syscall.Mkfifo(p, 0o600)
		},
		"its folder swapped for a link": func(d, _ string) error {
			if err := os.Rename(d+"/in", d+"/was"); err != nil {
				return err
			}
			return os.Symlink("/etc", d+"/in")
		},
	} {
		dir := folder(t, map[string]string{"in/a.html": "<p>entry", "twin.html": "<p>twins"})
		path := dir + "/in/a.html"
		for _, p := range []string{path, dir + "/twin.html"} {
			if err := os.Chtimes(p, past, past); err != nil {
				t.Fatal(err)
			}
		}
		g := grant(t, Request{Root: dir, Entry: path})
		if got, _ := ask(t, g, "/in/a.html", nil); got != 200 {
			t.Fatalf("before: %d", got)
		}
		if err := change(dir, path); err != nil {
			t.Fatal(err)
		}
		if got, body := ask(t, g, "/in/a.html", nil); got != 409 {
			t.Errorf("%s: %d %q", what, got, body)
		}
		again, err := g.Again()
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := ask(t, again, "/in/a.html", nil); got != 409 {
			t.Errorf("%s, granted again: %d", what, got)
		}
	}
}

func TestGrantsEnd(t *testing.T) {
	dir := folder(t, map[string]string{"a.html": "<p>entry"})
	g := grant(t, Request{Root: dir, Entry: dir + "/a.html"})
	g.Close()
	g.Close()
	if got, body := ask(t, g, "/a.html", nil); got != 403 || strings.Contains(body, "entry") {
		t.Errorf("after its end: %d %q", got, body)
	}
	n, err := g.Revive()
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := ask(t, g, "/a.html", nil); got != 403 {
		t.Errorf("the old capability opens it again: %d", got)
	}
	if got, _ := ask(t, n, "/a.html", nil); got != 200 {
		t.Errorf("had back: %d", got)
	}
	if _, err := n.Revive(); err == nil {
		t.Error("a grant that lives is had back")
	}
}

func TestFilesThatAPageNamesAreFound(t *testing.T) {
	dir := folder(t, map[string]string{
		"p/a.html": `<!doctype html><link rel=stylesheet href="css/x.css?v=2"><link rel=canonical href=other.html><script type=module src="m.js"></script>
			<img srcset="s1.png 1x, s2.png 2x"><div style="background:url('bg.png')"></div><style>@import "y.css";</style><img src="/root.png"><img src="../up.png">
			<img src="none.png"><a href="linked.html">x</a><img src="https://e.example/z.png"><script>import("./lazy.mjs"); import React from "react"; import(name)</script><img src="link.png">
			<iframe src="f/frame.html"></iframe>`,
		"p/css/x.css": "@import url(z.css); /* url(comment.png) */ .a{background:url( ../img.png )}", "p/css/z.css": "", "p/img.png": "", "p/m.js": "import {a} from './deep/n.js'\nexport * from \"./o.js\"",
		"p/deep/n.js": "import '../up2.js'", "p/up2.js": "", "p/o.js": "", "p/lazy.mjs": "", "p/s1.png": "", "p/s2.png": "", "p/bg.png": "", "p/y.css": "", "p/root.png": "",
		"up.png": "", "p/comment.png": "", "p/linked.html": "", "p/other.html": "", "p/f/frame.html": "<base href='in/'><img src=q.png>", "p/f/in/q.png": "",
	})
	if err := os.Symlink(dir+"/up.png", dir+"/p/link.png"); err != nil {
		t.Fatal(err)
	}
	g := grant(t, Request{Root: dir + "/p", Entry: dir + "/p/a.html", Find: true})
	var got []string
	for name := range g.files {
		got = append(got, name)
	}
	slices.Sort(got)
	want := []string{"a.html", "bg.png", "css/x.css", "css/z.css", "deep/n.js", "f/frame.html", "f/in/q.png", "img.png", "lazy.mjs", "m.js", "o.js", "root.png", "s1.png", "s2.png", "up2.js", "y.css"}
	if !slices.Equal(got, want) {
		t.Errorf("found %v\nwant  %v", got, want)
	}
	told := fmt.Sprint(g.Blocked)
	for _, w := range []string{"../up.png it is outside", "none.png there is no such file", "link.png it leads out"} {
		if !strings.Contains(told, w) {
			t.Errorf("%q is not told: %s", w, told)
		}
	}

	strict := grant(t, Request{Root: dir + "/p", Entry: dir + "/p/a.html", Assets: []string{dir + "/p/m.js"}})
	if len(strict.files) != 2 {
		t.Errorf("declared: %d files", len(strict.files))
	}
	if u := strict.Undeclared(); !slices.Contains(u, "css/x.css") || !slices.Contains(u, "deep/n.js") || slices.Contains(u, "none.png") {
		t.Errorf("undeclared are %v", u)
	}
}

func TestFindingIsBounded(t *testing.T) {
	files := map[string]string{}
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "<img src=i%d.png>", i)
		files[fmt.Sprintf("i%d.png", i)] = ""
		files[fmt.Sprintf("c%d.css", i)] = fmt.Sprintf("@import 'c%d.css';", i+1)
	}
	files["many.html"] = many.String()
	files["deep.html"] = "<link rel=stylesheet href=c0.css>"
	files["wide.html"] = "<link rel=stylesheet href=b1.css><link rel=stylesheet href=b2.css><link rel=stylesheet href=b3.css><link rel=stylesheet href=b4.css><link rel=stylesheet href=b5.css><link rel=stylesheet href=big.css>"
	for i := range 5 {
		files[fmt.Sprintf("b%d.css", i+1)] = strings.Repeat("/**/", 240<<10)
	}
	files["big.css"] = strings.Repeat(" ", mostSource+1)
	dir := folder(t, files)
	count := func(name string) (*Grant, int) {
		g := grant(t, Request{Root: dir, Entry: filepath.Join(dir, name), Find: true})
		return g, len(g.files)
	}
	if g, n := count("many.html"); n != mostFiles || !strings.Contains(fmt.Sprint(g.Blocked), "more than 64") {
		t.Errorf("many: %d files, %v", n, g.Blocked)
	}
	if g, n := count("deep.html"); n != mostLevels+1 || !strings.Contains(fmt.Sprint(g.Blocked), "nested too deep") {
		t.Errorf("deep: %d files, %v", n, g.Blocked)
	}
	if g, _ := count("wide.html"); !strings.Contains(fmt.Sprint(g.Blocked), "too much was looked through") || !strings.Contains(fmt.Sprint(g.Blocked), "big.css it is too large") {
		t.Errorf("wide: %v", g.Blocked)
	}
	if _, err := server(t).Open(context.Background(), Request{Root: dir, Entry: dir + "/many.html", Assets: make([]string, mostFiles)}); err == nil {
		t.Error("64 assets beside the entry are granted")
	}
}

func TestAddresses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of a Unix")
	}
	for in, want := range map[string]string{
		"file:///a/b%20c.html#p": "/a/b c.html p", "file:/a/x.pdf": "/a/x.pdf ", "FILE://localhost/a/../x.pdf": "/x.pdf ",
		"file://server/share/x.pdf": "", "file:x.pdf": "", "https://a/b.pdf": "", "/a.pdf": "", "file:///a%00b": "", "file:": "",
	} {
		name, frag, ok := Path(in)
		if got := name + " " + frag; ok != (want != "") || (ok && got != want) {
			t.Errorf("%s: %q %v", in, got, ok)
		}
	}
	dir := folder(t, map[string]string{"d/a b#.html": ""})
	g := grant(t, Request{Root: dir, Entry: dir + "/d/a b#.html"})
	if got, _, _ := Path(g.Shown(g.URL("sec"))); got != g.Entry() {
		t.Errorf("%s is shown as %s", g.URL("sec"), g.Shown(g.URL("sec")))
	}
	if g.Has(g.Origin()+".evil.example/") || g.Has(g.Origin()+"0/") || !g.Has(g.URL("")) {
		t.Error("the origin is not told from others")
	}
	if !g.s.Owns(g.URL("")) || !g.s.Owns("http://127.0.0.1:"+g.s.port) || g.s.Owns("https://example.com/") {
		t.Error("the server does not know its own addresses")
	}
}

// A request under way when its grant ends may be read to its end at once; one
// that stays is cut off.
func TestRequestsUnderWayDrain(t *testing.T) {
	dir := folder(t, map[string]string{"a.html": "<p>entry"})
	const size = 48 << 20 // more than the system keeps for a connection
	write(t, dir+"/big.bin", strings.Repeat("x", size))
	for what, quick := range map[string]bool{"read at once": true, "left": false} {
		g := grant(t, Request{Root: dir, Entry: dir + "/a.html", Assets: []string{dir + "/big.bin"}})
		c, err := net.Dial("tcp", "127.0.0.1:"+g.s.port)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(30 * time.Second))
		name, secret := g.Header()
		fmt.Fprintf(c, "GET /big.bin HTTP/1.1\r\nHost: %s\r\n%s: %s\r\nConnection: close\r\n\r\n", g.host, name, secret)
		if _, err := io.ReadFull(c, make([]byte, 1024)); err != nil {
			t.Fatal(err)
		}
		g.Close()
		if !quick {
			time.Sleep(drainWait + time.Second)
		}
		n, _ := io.Copy(io.Discard, c)
		if whole := n+1024 > size; whole != quick {
			t.Errorf("%s: %d of %d bytes came", what, n+1024, size)
		}
	}
}
