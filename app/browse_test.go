package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/backend/page"
	"baton/backend/tab"
)

// echoSite answers any path with a page that notes where it was clicked.
func echoSite(t *testing.T) string {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".svg") {
			w.Header().Set("Content-Type", "image/svg+xml")
			fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10" fill="red"/></svg>`)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Page %s</title><style>body{margin:0}#spot{position:absolute;left:200px;top:120px;width:40px;height:20px;background:#0a0}</style>
<div id=spot onclick="got.push('spot')"></div><div id=stage style="position:absolute;left:0;top:200px;width:100px;height:50px" onclick="this.requestFullscreen()">stage</div>
<img id=pic src="/pic.svg" style="position:absolute;left:0;top:300px"><script>var got = []; addEventListener("click", e => got.push(Math.round(e.clientX) + "," + Math.round(e.clientY)))</script>`,
			strings.Trim(r.URL.Path, "/"))
	}))
	t.Cleanup(web.Close)
	return web.URL
}

// shown waits until a tab is told as it should be.
func (c *client) shown(id string, fits func(Tab) bool) {
	c.t.Helper()
	c.event(EventTabs, 5*time.Second, func(raw json.RawMessage) bool {
		var list []Tab
		_ = json.Unmarshal(raw, &list)
		for _, t := range list {
			if t.ID == id && fits(t) {
				return true
			}
		}
		return false
	})
}

func TestZoomIsKeptForTheSiteAndInputLandsRight(t *testing.T) {
	h := newHost(t)
	site, other := echoSite(t), echoSite(t)
	c := h.connect()
	id := c.open(site + "/a")
	c.watch(id, 800, 600)
	h.eventuallyTitle(id, "Page a")
	for _, factor := range []float64{0.67, 1.25, 2} {
		c.must("tabs.zoom", ZoomArgs{Tab: id, Factor: factor}, nil)
		c.shown(id, func(t Tab) bool { return t.Zoom == factor })
		wide := math.Round(800 / factor)
		h.eventually(id, "innerWidth", fmt.Sprint(wide))
		f := c.until(0, 5*time.Second, "of the zoom", func(f frame) bool { return math.Abs(float64(f.Width)-wide) < 1 && f.Kind == 1 })
		if got := float64(f.Zoom) / 50; got < factor || got > factor+0.02 || math.Abs(float64(f.PixelW)-800) > 2 {
			t.Errorf("at %g the frame says %g and has %d pixels a row", factor, got, f.PixelW)
		}
		h.js(id, "got.length = 0", new(int))
		c.click(220, 130)
		h.eventually(id, "got.join(' ')", "spot 220,130")
	}
	// Another page of the site has it, another site has not, and back.
	c.must("tabs.navigate", NavigateArgs{Tab: id, URL: site + "/b"}, nil)
	h.eventuallyTitle(id, "Page b")
	h.eventually(id, "innerWidth", "400")
	c.must("tabs.navigate", NavigateArgs{Tab: id, URL: other + "/c"}, nil)
	h.eventuallyTitle(id, "Page c")
	h.eventually(id, "innerWidth", "800")
	second := c.open(site + "/d")
	h.eventuallyTitle(second, "Page d")
	h.eventually(second, "devicePixelRatio", "2")

	// An agent's page has its own, which the person's sites do not change.
	theirs, err := h.tabs.Open(t.Context(), tab.New{Actor: tab.Actor{Agent: "ada"}, URL: site + "/e"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := h.tabs.Page(t.Context(), theirs.ID)
	if err != nil {
		t.Fatal(err)
	}
	h.eventually(theirs.ID, "devicePixelRatio", "1")
	if _, err := p.SetEnvironment(t.Context(), page.Environment{Zoom: 1.5}); err != nil {
		t.Fatal(err)
	}
	c.must("tabs.zoom", ZoomArgs{Tab: second, Factor: 1}, nil)
	h.eventually(second, "devicePixelRatio", "1")
	h.eventually(theirs.ID, "devicePixelRatio", "1.5")
	for _, bad := range []float64{0, -1, 0.1, 9, math.MaxFloat64} {
		if c.call("tabs.zoom", ZoomArgs{Tab: second, Factor: bad}, nil) == nil {
			t.Errorf("a zoom of %g was taken", bad)
		}
	}
}

func TestThePersonGoesToAnyEntryOfAList(t *testing.T) {
	h := newHost(t)
	site := echoSite(t)
	c := h.connect()
	id := c.open(site + "/1")
	c.watch(id, 800, 600)
	for i := 1; i <= 5; i++ {
		if i > 1 {
			c.must("tabs.navigate", NavigateArgs{Tab: id, URL: fmt.Sprintf("%s/%d", site, i)}, nil)
		}
		h.eventuallyTitle(id, fmt.Sprintf("Page %d", i))
	}
	steps := func(back, forward string) {
		t.Helper()
		var got [2]string
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			var s Steps
			c.must("tabs.steps", TabArgs{Tab: id}, &s)
			got = [2]string{}
			for i, list := range [][]Step{s.Back, s.Forward} {
				for _, e := range list {
					got[i] += fmt.Sprint(e.Delta, strings.TrimPrefix(e.Title, "Page"), ";")
				}
			}
			if got == [2]string{back, forward} {
				return
			}
		}
		t.Fatalf("the lists are %q, want %q and %q", got, back, forward)
	}
	steps("-1 4;-2 3;-3 2;-4 1;", "")
	c.must("tabs.history", HistoryArgs{Tab: id, Delta: -3}, nil)
	h.eventuallyTitle(id, "Page 2")
	steps("-1 1;", "1 3;2 4;3 5;")
	c.must("tabs.history", HistoryArgs{Tab: id, Delta: 2}, nil)
	h.eventuallyTitle(id, "Page 4")
	steps("-1 3;-2 2;-3 1;", "1 5;")

	// A tab that came back goes by what was restored.
	c.must("tabs.close", TabArgs{Tab: id}, nil)
	var again TabResult
	c.must("tabs.reopen", nil, &again)
	id = again.Tab
	c.watch(id, 800, 600)
	h.eventuallyTitle(id, "Page 4")
	steps("-1 3;-2 2;-3 1;", "1 5;")
	c.must("tabs.history", HistoryArgs{Tab: id, Delta: -2}, nil)
	h.eventuallyTitle(id, "Page 2")
	steps("-1 1;", "1 3;2 4;3 5;")
	c.must("tabs.navigate", NavigateArgs{Tab: id, URL: site + "/6"}, nil)
	h.eventuallyTitle(id, "Page 6")
	steps("-1 2;-2 1;", "")
	c.must("tabs.history", HistoryArgs{Tab: id, Delta: -2}, nil) // past its own entries
	h.eventuallyTitle(id, "Page 1")
	steps("", "1 2;2 6;")
	c.must("tabs.history", HistoryArgs{Tab: id, Delta: 2}, nil)
	h.eventuallyTitle(id, "Page 6")
}

func TestSourcePrintAndImages(t *testing.T) {
	h := newHost(t)
	site := echoSite(t)
	c := h.connect()
	id := c.open(site + "/a")
	c.watch(id, 800, 600)
	h.eventuallyTitle(id, "Page a")
	h.eventually(id, "pic.complete", "true")

	var saved SavedResult
	c.must("page.print", TabArgs{Tab: id}, &saved)
	if b, err := os.ReadFile(filepath.Join(h.folder, saved.Name)); err != nil || saved.Name != "Page a.pdf" || !bytes.HasPrefix(b, []byte("%PDF-")) {
		t.Errorf("printing gave %q (%v)", saved.Name, err)
	}
	c.must("image.save", ImageArgs{Tab: id, URL: site + "/pic.svg"}, &saved)
	if b, err := os.ReadFile(filepath.Join(h.folder, saved.Name)); err != nil || saved.Name != "pic.svg" || !bytes.Contains(b, []byte("<rect")) {
		t.Errorf("saving the image gave %q %q (%v)", saved.Name, b, err)
	}
	c.saves(func(l []Download) bool {
		return len(l) == 2 && l[0].Name == "pic.svg" && l[1].Name == "Page a.pdf" && l[1].State == "finished"
	})
	var img ImageResult
	c.must("image.copy", ImageArgs{Tab: id, URL: "data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="}, &img)
	if !strings.HasPrefix(img.Data, "data:image/png;base64,") {
		t.Errorf("an image is copied as %.40s", img.Data)
	}
	if c.call("image.save", ImageArgs{Tab: id, URL: site + "/page"}, nil) == nil {
		t.Error("a page was saved as an image")
	}

	var source TabResult
	c.must("tabs.source", TabArgs{Tab: id}, &source)
	c.watch(source.Tab, 800, 600)
	c.shown(source.Tab, func(t Tab) bool { return t.URL == "view-source:"+site+"/a" && t.Private })
	h.eventually(source.Tab, "document.body.innerText.includes('requestFullscreen')", "true")
	if i, err := h.tabs.Get(source.Tab, tab.Actor{Agent: "ada"}); err != nil || i.URL != "" {
		t.Errorf("an agent sees the source at %q (%v)", i.URL, err)
	}
	if c.call("tabs.source", TabArgs(source), nil) == nil {
		t.Error("the source of a source was opened")
	}
}

func TestAnElementFillsTheScreen(t *testing.T) {
	h := newHost(t)
	site := echoSite(t)
	c := h.connect()
	id := c.open(site + "/a")
	c.watch(id, 800, 600)
	h.eventuallyTitle(id, "Page a")
	c.click(50, 220)
	c.shown(id, func(t Tab) bool { return t.Full })
	c.watch(id, 1000, 700) // the window gives it all its room
	h.eventually(id, "[stage.offsetWidth, stage.offsetHeight]", "1000,700")
	c.until(0, 5*time.Second, "of that size", func(f frame) bool { return f.Width == 1000 && f.Height == 700 })
	c.must("tabs.unfull", TabArgs{Tab: id}, nil)
	h.eventually(id, "document.fullscreenElement", "null")
	full := func() bool { i, _ := h.tabs.Get(id, person); return i.Full }
	for end := time.Now().Add(patience); full(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the tab still says that it fills the screen")
		}
	}
	c.click(50, 220)
	for end := time.Now().Add(patience); !full(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not fill the screen again")
		}
	}
	c.must("tabs.navigate", NavigateArgs{Tab: id, URL: site + "/b"}, nil)
	h.eventuallyTitle(id, "Page b")
	if full() {
		t.Error("a new page fills the screen")
	}
}
