package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/backend/tab"
)

func (c *client) recents(fits func([]Place) bool) {
	c.t.Helper()
	c.event(EventRecents, 5*time.Second, func(raw json.RawMessage) bool {
		var l []Place
		return json.Unmarshal(raw, &l) == nil && fits(l)
	})
}

func TestTheHistoryHoldsWhatThePersonVisited(t *testing.T) {
	h := newHost(t)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Page %s</title>`, strings.Trim(r.URL.Path, "/"))
	}))
	t.Cleanup(web.Close)
	c := h.connect()
	id := c.open(web.URL + "/one?q=word")
	c.watch(id, 800, 600)
	has := func(url, title string) func([]Place) bool {
		return func(l []Place) bool { return len(l) > 0 && l[0].URL == url && l[0].Title == title }
	}
	c.recents(has(web.URL+"/one?q=word", "Page one"))
	visit := func(path string) {
		t.Helper()
		c.must("tabs.navigate", NavigateArgs{Tab: id, URL: web.URL + path}, nil)
		name, _, _ := strings.Cut(path, "?")
		top := has(web.URL+name, "Page "+strings.Trim(name, "/"))
		for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
			if got, _ := h.past.Recents.Get(); top(wirePlaces(got)) {
				return
			} else if time.Now().After(end) {
				t.Fatalf("%s is not the newest of %+v", path, got)
			}
		}
	}
	for range 3 {
		visit("/often")
		visit("/seldom")
	}
	visit("/reset?token=s3cret-word-1")
	visit("/last")
	c.recents(has(web.URL+"/last", "Page last"))

	// Neither private tabs nor agents' enter.
	hidden := c.open("about:blank")
	c.must("tabs.private", PrivateArgs{Tab: hidden, Private: true}, nil)
	c.must("tabs.navigate", NavigateArgs{Tab: hidden, URL: web.URL + "/hidden"}, nil)
	h.eventuallyTitle(hidden, "Page hidden")
	theirs, err := h.tabs.Open(t.Context(), tab.New{Actor: tab.Actor{Agent: "ada"}, URL: web.URL + "/theirs"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.tabs.Page(t.Context(), theirs.ID); err != nil {
		t.Fatal(err)
	}
	visit("/end")
	c.recents(has(web.URL+"/end", "Page end"))

	var list []Place
	c.must("history.list", PlacesArgs{}, &list)
	var urls []string
	for _, p := range list {
		urls = append(urls, strings.TrimPrefix(p.URL, web.URL))
	}
	if want := []string{"/end", "/last", "/reset", "/seldom", "/often", "/one?q=word"}; !slices.Equal(urls, want) {
		t.Errorf("the history is %q, want %q", urls, want)
	}
	if strings.Contains(fmt.Sprint(list), "s3cret") {
		t.Error("the history holds a token")
	}
	c.must("history.list", PlacesArgs{Text: "PAGE seld"}, &list)
	if len(list) != 1 || list[0].Title != "Page seldom" {
		t.Errorf("searching gave %+v", list)
	}
	c.must("history.list", PlacesArgs{Before: list[0].Last}, &list)
	if len(list) != 2 {
		t.Errorf("before it are %+v", list)
	}
	c.must("history.suggest", PlacesArgs{Text: "page"}, &list)
	if len(list) != 6 || list[0].Title != "Page seldom" && list[0].Title != "Page often" {
		t.Errorf("suggested are %+v", list)
	}
	c.must("history.suggest", PlacesArgs{Text: "100%"}, &list)
	if len(list) != 0 {
		t.Errorf("a word that nothing holds gave %+v", list)
	}

	c.must("history.list", PlacesArgs{Text: "often"}, &list)
	c.must("history.forget", ForgetArgs{IDs: []int64{list[0].ID}}, nil)
	c.must("history.list", PlacesArgs{}, &list)
	if len(list) != 5 {
		t.Errorf("after forgetting one: %+v", list)
	}
	c.must("history.clear", ClearArgs{Since: time.Now().Add(time.Hour).UnixMilli()}, nil)
	c.must("history.list", PlacesArgs{}, &list)
	if len(list) != 5 {
		t.Errorf("clearing what is to come took %+v", list)
	}
	c.must("history.clear", ClearArgs{}, nil)
	c.must("history.list", PlacesArgs{}, &list)
	if len(list) != 0 {
		t.Errorf("after clearing: %+v", list)
	}
	c.recents(func(l []Place) bool { return len(l) == 0 })
	if got, _ := h.past.Recents.Get(); len(got) != 0 {
		t.Errorf("the start page still shows %+v", got)
	}
}

// eventuallyTitle waits until a tab has loaded a page of a title.
func (h *host) eventuallyTitle(id, want string) {
	h.t.Helper()
	var got tab.Info
	for range 1000 {
		got, _ = h.tabs.Get(id, person)
		if got.Title == want && got.State == tab.Ready {
			return
		}
		if got.State == tab.Asleep {
			_, _ = h.tabs.Page(h.t.Context(), id)
		}
		time.Sleep(20 * time.Millisecond)
	}
	h.t.Fatalf("tab %s is %s with title %q, want %q", id, got.State, got.Title, want)
}
