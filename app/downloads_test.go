package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// fileSite serves files to be saved: /slow grows until it is let go, and /once
// breaks off until then.
func fileSite(t *testing.T) (address string, finish func()) {
	t.Helper()
	gate := make(chan struct{})
	save := func(w http.ResponseWriter, name string) {
		w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><title>Files</title>`)
	})
	mux.HandleFunc("/note.txt", func(w http.ResponseWriter, _ *http.Request) { save(w, "note.txt"); fmt.Fprint(w, "hello") })
	mux.HandleFunc("/run.sh", func(w http.ResponseWriter, _ *http.Request) { save(w, "run.sh"); fmt.Fprint(w, "echo hello") })
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		save(w, "slow.bin")
		w.Header().Set("Content-Length", "3000000")
		_, _ = w.Write(make([]byte, 1_000_000))
		w.(http.Flusher).Flush()
		select {
		case <-gate:
		case <-r.Context().Done():
			return
		}
		_, _ = w.Write(make([]byte, 2_000_000))
	})
	mux.HandleFunc("/once", func(w http.ResponseWriter, _ *http.Request) {
		save(w, "once.txt")
		select {
		case <-gate:
			fmt.Fprint(w, "whole")
			return
		default:
		}
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte("half"))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	var done atomic.Bool
	finish = func() {
		if done.CompareAndSwap(false, true) {
			close(gate)
		}
	}
	t.Cleanup(finish)
	return web.URL, finish
}

// saves waits until the list of downloads fits.
func (c *client) saves(fits func([]Download) bool) (got []Download) {
	c.t.Helper()
	end := time.Now().Add(patience)
	for time.Now().Before(end) {
		c.mu.Lock()
		for i := len(c.events) - 1; i >= 0; i-- {
			if c.events[i].Event == EventDownloads {
				got = nil
				_ = json.Unmarshal(c.events[i].Data, &got)
				break
			}
		}
		c.mu.Unlock()
		if fits(got) {
			return got
		}
		time.Sleep(20 * time.Millisecond)
	}
	c.t.Fatalf("the downloads are %+v", got)
	return nil
}

// begin has a page of a tab ask for a file.
func (h *host) begin(tab, address string) {
	h.t.Helper()
	var ok bool
	h.js(tab, fmt.Sprintf(`(() => { const a = document.createElement("a"); a.href = %q; document.body.append(a); a.click(); a.remove(); return true })()`, address), &ok)
}

func TestDownloadsAreListedOpenedAndForgotten(t *testing.T) {
	h := newHost(t)
	site, finish := fileSite(t)
	c := h.connect()
	id := c.open(site)
	c.watch(id, 800, 600)
	h.eventuallyTitle(id, "Files")

	h.begin(id, site+"/slow")
	going := c.saves(func(l []Download) bool {
		return len(l) == 1 && l[0].State == "going on" && l[0].Received >= 1_000_000 && l[0].Total == 3_000_000
	})[0]
	if going.Name != "slow.bin" || going.URL != site+"/slow" {
		t.Errorf("it is listed as %+v", going)
	}
	if err := c.call("downloads.open", DownloadArgs{ID: going.ID}, nil); err == nil {
		t.Error("a file that is not whole was opened")
	}
	if err := c.call("downloads.forget", DownloadArgs{ID: going.ID}, nil); err == nil {
		t.Error("a download under way was forgotten")
	}
	finish()
	c.saves(func(l []Download) bool { return l[0].State == "finished" && l[0].Received == 3_000_000 })
	var file FileResult
	if err := c.call("downloads.open", DownloadArgs{ID: going.ID}, nil); err == nil {
		t.Error("a program was opened unasked")
	}
	c.must("downloads.show", DownloadArgs{ID: going.ID}, &file)
	if file.Path != filepath.Join(h.folder, "slow.bin") || file.URL != "" {
		t.Errorf("it lies at %+v", file)
	}

	h.begin(id, site+"/note.txt")
	note := c.saves(func(l []Download) bool { return len(l) == 2 && l[0].State == "finished" })[0]
	c.must("downloads.open", DownloadArgs{ID: note.ID}, &file)
	if b, err := os.ReadFile(file.Path); err != nil || string(b) != "hello" || note.Risky {
		t.Errorf("%s holds %q (%v), listed as %+v", file.Path, b, err, note)
	}
	h.begin(id, site+"/run.sh")
	script := c.saves(func(l []Download) bool { return len(l) == 3 && l[0].State == "finished" })[0]
	if err := c.call("downloads.open", DownloadArgs{ID: script.ID}, nil); err == nil || !script.Risky {
		t.Errorf("a script was opened unasked, listed as %+v", script)
	}
	c.must("downloads.open", DownloadArgs{ID: script.ID, Sure: true}, &file)
	if st, err := os.Stat(file.Path); err != nil || st.Mode()&0o111 != 0 {
		t.Errorf("the script can run: %v, %v", st, err)
	}

	c.must("downloads.forget", DownloadArgs{ID: note.ID}, nil)
	c.saves(func(l []Download) bool { return len(l) == 2 })
	c.must("downloads.clear", nil, nil)
	c.saves(func(l []Download) bool { return len(l) == 0 })
	if _, err := os.Stat(filepath.Join(h.folder, "note.txt")); err != nil {
		t.Errorf("clearing the list took the file: %v", err)
	}
}

func TestDownloadsAreCancelledAndAskedForAgain(t *testing.T) {
	h := newHost(t)
	site, finish := fileSite(t)
	c := h.connect()
	id := c.open(site)
	c.watch(id, 800, 600)
	h.eventuallyTitle(id, "Files")
	h.begin(id, site+"/slow")
	going := c.saves(func(l []Download) bool { return len(l) == 1 && l[0].Received > 0 })[0]
	c.must("downloads.cancel", DownloadArgs{ID: going.ID}, nil)
	c.saves(func(l []Download) bool { return l[0].State == "cancelled" && l[0].Again })
	if left, _ := os.ReadDir(h.folder); len(left) != 1 { // the folder for what grows
		t.Errorf("cancelling left %v", left)
	}

	h.begin(id, site+"/once")
	broken := c.saves(func(l []Download) bool { return len(l) == 2 && l[0].State == "failed" && l[0].Again })[0]
	finish()
	c.must("downloads.retry", DownloadArgs{ID: broken.ID}, nil)
	c.saves(func(l []Download) bool {
		return len(l) == 2 && l[0].Name == "once.txt" && l[0].State == "finished" && l[0].ID != broken.ID
	})
	if b, _ := os.ReadFile(filepath.Join(h.folder, "once.txt")); string(b) != "whole" {
		t.Errorf("the file holds %q", b)
	}
	if n := len(h.tabs.List(person)); n != 1 {
		t.Errorf("asking again left %d tabs", n)
	}
}

func TestABrowserGetsADownloadOnce(t *testing.T) {
	h := newHost(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "näme \"1\".html")
	if err := os.WriteFile(path, []byte("<script>1</script>"), 0o600); err != nil {
		t.Fatal(err)
	}
	session := h.signIn()
	get := func(address string, session http.Header, site string) (*http.Response, string) {
		t.Helper()
		r, _ := http.NewRequest(http.MethodGet, "http://"+h.address+address, nil)
		for k, v := range session {
			r.Header[k] = v
		}
		if site != "" {
			r.Header.Set("Sec-Fetch-Site", site)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		return resp, string(b)
	}
	address := handoutPath + h.server.files.add(path, time.Now())
	for _, who := range []struct {
		session http.Header
		site    string
	}{{}, {session: http.Header{"Cookie": {"baton=wrong"}}}, {session, "cross-site"}} {
		if resp, body := get(address, who.session, who.site); resp.StatusCode != http.StatusForbidden || strings.Contains(body, "script>1") {
			t.Errorf("%v got %d", who, resp.StatusCode)
		}
	}
	resp, body := get(address, session, "same-origin")
	if resp.StatusCode != http.StatusOK || body != "<script>1</script>" {
		t.Fatalf("the browser got %d %q", resp.StatusCode, body)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff",
		"Content-Disposition": "attachment; filename*=utf-8''n%C3%A4me%20%221%22.html", "Content-Security-Policy": "default-src 'none'; sandbox",
	} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if resp, _ := get(address, session, ""); resp.StatusCode != http.StatusGone {
		t.Errorf("the second time gave %d", resp.StatusCode)
	}
	late := h.server.files.add(path, time.Now().Add(-2*handoutLife))
	if resp, _ := get(handoutPath+late, session, ""); resp.StatusCode != http.StatusGone {
		t.Errorf("an old link gave %d", resp.StatusCode)
	}
}
