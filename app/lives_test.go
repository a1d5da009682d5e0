package app

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// other is yellow all over.
func isOther(t *testing.T) func(frame) bool {
	return func(f frame) bool { return near(f.pixel(t, 100, 100), yellow) }
}

func TestViewFollowsThePageToAnotherProcess(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/still.html")
	c.watch(id, 800, 500)
	c.until(0, 10*time.Second, "of the page", func(f frame) bool { return shows(t, f) })
	n := c.count()
	c.must("tabs.navigate", NavigateArgs{Tab: id, URL: strings.Replace(h.pages, "127.0.0.1", "localhost", 1) + "/other.html"}, nil)
	c.until(n, 5*time.Second, "of another site", isOther(t))
	n = c.count()
	c.must("tabs.history", HistoryArgs{Tab: id, Delta: -1}, nil)
	c.until(n, 5*time.Second, "of the first site", func(f frame) bool { return shows(t, f) })
}

func TestViewComesBackAfterACrash(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/still.html")
	c.watch(id, 800, 500)
	c.until(0, 10*time.Second, "of the page", func(f frame) bool { return shows(t, f) })
	p := h.tabs.Live(id)
	_, _ = p.Session().Send(t.Context(), "Page.crash", nil)
	c.tabs(5*time.Second, func(l []Tab) bool { return len(l) == 1 && l[0].State == "crashed" })
	n := c.count()
	c.must("tabs.reload", ReloadArgs{Tab: id}, nil)
	c.until(n, 10*time.Second, "of the page loaded again", func(f frame) bool { return shows(t, f) })
	// Until the new document is painted Chromium shows the old one, and loses input.
	var effect string
	for end := time.Now().Add(patience); effect == "" && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		c.click(300, 100)
		h.js(id, "window.right ? right.style.background : ''", &effect)
	}
	c.until(n, 3*time.Second, "of the click's effect", func(f frame) bool { return near(f.pixel(t, 300, 100), green) })
}

func TestViewComesBackAfterChromiumDied(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/still.html")
	c.watch(id, 800, 500)
	c.until(0, 10*time.Second, "of the page", func(f frame) bool { return shows(t, f) })
	pid, ok := h.engine.Running()
	if !ok {
		t.Fatal("no Chromium runs")
	}
	n := c.count()
	proc, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := proc.Kill(); err != nil {
		t.Fatal(err)
	}
	c.until(n, 15*time.Second, "by a new Chromium", func(f frame) bool { return shows(t, f) })
}

func TestDialogWhileLoadingKeepsNothingWaiting(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/asks.html")
	c.watch(id, 800, 500)
	c.event(EventDialog, 10*time.Second, func(raw json.RawMessage) bool {
		var d Dialog
		return json.Unmarshal(raw, &d) == nil && d.Open && d.Kind == "alert" && d.For == "person"
	})
	c.must("dialog.answer", DialogArgs{Tab: id, Accept: true}, nil)
	c.until(0, 3*time.Second, "after the answer", isOther(t))
}

func TestBlinkingCaretCostsNoNewStills(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(h.pages + "/caret.html")
	c.watch(id, 800, 500)
	c.until(0, 10*time.Second, "at rest", func(f frame) bool { return f.Kind == 1 })
	time.Sleep(3 * time.Second)
	from := c.count()
	time.Sleep(3 * time.Second)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.frames[from:] {
		if f.Kind == 0 {
			t.Error("a blink sent a picture of less than full quality")
		}
	}
	if n := len(c.frames) - from; n > 8 {
		t.Errorf("%d frames came of a blinking caret in 3 s", n)
	}
}
