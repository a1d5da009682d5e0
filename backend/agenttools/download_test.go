package agenttools

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// filesSite serves files to download: /file?name=…, /slow, /broken.
func filesSite(t *testing.T, page string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Query().Get("name")
		switch r.URL.Path {
		case "/file":
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
			fmt.Fprint(w, "the file", r.FormValue("who"))
		case "/slow":
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Disposition", "attachment; filename=slow.bin")
			w.Header().Set("Content-Length", "2000")
			fmt.Fprint(w, strings.Repeat("x", 1000))
			w.(http.Flusher).Flush()
			select {
			case <-time.After(3 * time.Second):
			case <-r.Context().Done():
			}
			fmt.Fprint(w, strings.Repeat("x", 1000))
		case "/broken":
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Disposition", "attachment; filename=broken.bin")
			w.Header().Set("Content-Length", "2000")
			fmt.Fprint(w, strings.Repeat("x", 1000))
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		case "/inner":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<a href="/file?name=framed.txt">Framed</a>`)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><title>Store</title>", page)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func (d *desk) openStore(page string) (base, snapshot string) {
	d.t.Helper()
	old, _ := filepath.Glob(filepath.Join(shared.downloads, "*.*"))
	for _, f := range old {
		if filepath.Base(f) != ".incoming" {
			_ = os.Remove(f)
		}
	}
	base = filesSite(d.t, page)
	return base, d.must("browser_open", fmt.Sprintf(`{"url":%q}`, base+"/")).Text
}

func TestADownloadIsToldByTheActionThatBeganIt(t *testing.T) {
	for _, c := range []struct{ name, page, press, file, text string }{
		{"a link to an attachment", `<a href="/file?name=told.txt">Get</a>`, "Get", "told.txt", "the file"},
		{"a link that says download", `<a href="/page" download="page.txt">Get</a>`, "Get", "page.txt", ""},
		{"a file made by a script", `<button onclick="const a=document.createElement('a');a.href=window.URL.createObjectURL(new Blob(['made here']));a.download='made.csv';a.click()">Get</button>`, "Get", "made.csv", "made here"},
		{"a form that posts", `<form method=post action="/file?name=posted.txt"><input type=hidden name=who value=" for Ana"><button>Get</button></form>`, "Get", "posted.txt", "the file for Ana"},
		{"a script that moves the page", `<button onclick="location='/file?name=moved.txt'">Get</button>`, "Get", "moved.txt", "the file"},
		{"a new window", `<a target=_blank href="/file?name=window.txt">Get</a>`, "Get", "window.txt", "the file"},
		{"a frame", `<iframe src="/inner" title=In></iframe>`, "Framed", "framed.txt", "the file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sit(t)
			_, s := d.openStore(c.page)
			r := d.must("browser_click", fmt.Sprintf(`{"target":%q}`, d.ref(s, c.press)))
			path := filepath.Join(shared.downloads, c.file)
			if !strings.Contains(r.Text, fmt.Sprintf("Downloaded %q, ", c.file)) || !strings.Contains(r.Text, fmt.Sprintf("%q", path)) {
				time.Sleep(time.Second)
				t.Fatalf("%s\nlater: %s", r.Text, d.must("browser_snapshot", `{}`).Text)
			}
			got, err := os.ReadFile(path)
			if err != nil || c.text != "" && string(got) != c.text {
				t.Errorf("%q %v", got, err)
			}
			if rows := told[[]saved](t, r, "downloads"); len(rows) != 1 || rows[0].State != "finished" || rows[0].Bytes != len(got) {
				t.Errorf("%v", r.Data["downloads"])
			}
			if again := d.must("browser_snapshot", `{}`); strings.Contains(again.Text, "Downloaded") {
				t.Errorf("it is told twice: %s", again.Text)
			}
			if tabs := d.must("browser_tabs", `{}`); !strings.HasPrefix(tabs.Text, "1 tab\n") || r.Data["opened"] != nil {
				t.Errorf("a window was left: %s\n%s", r.Text, tabs.Text)
			}
		})
	}
}

func TestAnAddressThatIsADownload(t *testing.T) {
	d := sit(t)
	base, _ := d.openStore(`<h1>Store</h1>`)
	r := d.must("browser_navigate", fmt.Sprintf(`{"url":%q}`, base+"/file?name=address.txt"))
	if !strings.HasPrefix(r.Text, "The address is a download; the page stayed.\nDownloaded \"address.txt\", 8 bytes, to ") {
		t.Error(r.Text)
	}
	r = d.must("browser_open", fmt.Sprintf(`{"url":%q}`, base+"/file?name=opened.txt"))
	if !strings.Contains(r.Text, `Downloaded "opened.txt"`) {
		t.Error(r.Text)
	}
}

func TestADownloadNeverReplacesAFile(t *testing.T) {
	d := sit(t)
	_, s := d.openStore(`<a href="/file?name=same.tar.gz">Get</a>`)
	if err := os.MkdirAll(shared.downloads, 0o700); err != nil {
		t.Fatal(err)
	}
	first := filepath.Join(shared.downloads, "same.tar.gz")
	if err := os.WriteFile(first, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 2; n++ {
		r := d.must("browser_click", fmt.Sprintf(`{"target":%q}`, d.ref(s, "Get")))
		if !strings.Contains(r.Text, fmt.Sprintf(`Downloaded "same (%d).tar.gz"`, n)) {
			t.Error(r.Text)
		}
	}
	if got, err := os.ReadFile(first); err != nil || string(got) != "mine" {
		t.Errorf("%q %v", got, err)
	}
}

func TestADownloadStaysInItsFolder(t *testing.T) {
	d := sit(t)
	base, _ := d.openStore(`x`)
	for _, name := range []string{`../../up.txt`, `..\..\up.txt`, `/etc/up.txt`, `.hidden`, `a%00b.txt`, "b\tc.txt", "..", "CON"} {
		r := d.must("browser_navigate", fmt.Sprintf(`{"url":%q}`, base+"/file?name="+strings.NewReplacer("\t", "%09", `\`, "%5C").Replace(name)))
		rows := told[[]saved](t, r, "downloads")
		if len(rows) != 1 {
			t.Errorf("%q: %s", name, r.Text)
			continue
		}
		path := rows[0].Path
		if _, err := os.Stat(path); err != nil || filepath.Dir(path) != shared.downloads || strings.HasPrefix(filepath.Base(path), ".") {
			t.Errorf("%q went to %q: %v", name, path, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(shared.downloads, ".incoming", "*", "*")); len(left) > 0 {
		t.Errorf("%d files were left behind", len(left))
	}
}

func TestALongDownloadIsToldTwice(t *testing.T) {
	d := sit(t)
	_, s := d.openStore(`<a href="/slow">Get</a>`)
	r := d.must("browser_click", fmt.Sprintf(`{"target":%q,"timeout_ms":1500}`, d.ref(s, "Get")))
	if !strings.Contains(r.Text, `The download of "slow.bin" is going on, `) || !strings.Contains(r.Text, "of 2000 bytes") {
		t.Error(r.Text)
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		r := d.must("browser_snapshot", `{}`)
		if strings.Contains(r.Text, `Downloaded "slow.bin", 2000 bytes`) {
			break
		}
		if time.Now().After(end) {
			t.Fatal(r.Text)
		}
	}
}

func TestABrokenDownloadLeavesNothing(t *testing.T) {
	d := sit(t)
	_, s := d.openStore(`<a href="/broken">Get</a>`)
	r := d.must("browser_click", fmt.Sprintf(`{"target":%q}`, d.ref(s, "Get")))
	if !strings.Contains(r.Text, `The download of "broken.bin" was broken off`) {
		t.Error(r.Text)
	}
	if _, err := os.Stat(filepath.Join(shared.downloads, "broken.bin")); err == nil {
		t.Error("a part of the file was kept as the file")
	}
}

func TestAnAnswerWithoutAPageIsNoDownload(t *testing.T) {
	d := sit(t)
	_, s := d.openStore(`<a href="/empty">Get</a>`)
	r := d.must("browser_click", fmt.Sprintf(`{"target":%q}`, d.ref(s, "Get")))
	if !strings.Contains(r.Text, "the answer had no page") || r.Data["downloads"] != nil {
		t.Error(r.Text)
	}
}
