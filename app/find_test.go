package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// foxes is a page where "fox" stands in all the places that a search looks in,
// and in some that it does not.
const foxes = `<!doctype html><title>Foxes</title><style>body{margin:0;font:16px/20px monospace} .far{height:3000px}</style>
<p id=one>A fox, and a FO<b>X</b> in two pieces.</p>
<p>fo</p><p>x</p>
<div id=open></div><div id=shut></div>
<input value="fox in a field"><input type=password value="fox-secret"><textarea>foxtrot</textarea>
<p style="display:none">fox</p><p style="visibility:hidden">fox</p><script>var fox = "fox"</script>
<div class=far></div><p id=last>The last
   fóx   lives here</p>
<iframe id=same srcdoc="<p>fox in a frame</p>" style="width:300px;height:60px"></iframe>
<iframe id=cross src="CROSS" style="width:300px;height:60px"></iframe>
<script>open.innerHTML = "";
document.querySelector("#open").attachShadow({mode: "open"}).innerHTML = "<i>fox in the open</i>";
document.querySelector("#shut").attachShadow({mode: "closed"}).innerHTML = "<i>fox behind doors</i>";
</script>`

func foxSite(t *testing.T) string {
	t.Helper()
	var address string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/cross":
			fmt.Fprint(w, `<body style="height:900px"><p style="margin-top:400px">fox of another site</p>`)
		case "/many":
			fmt.Fprint(w, `<!doctype html><title>Many</title>`, strings.Repeat(`<div><span>word</span> <b>fox</b></div>`, 7000))
		default:
			_, port, _ := strings.Cut(strings.TrimPrefix(address, "http://"), ":")
			fmt.Fprint(w, strings.Replace(foxes, "CROSS", "http://localhost:"+port+"/cross", 1))
		}
	}))
	t.Cleanup(web.Close)
	address = web.URL
	return address
}

// finding waits for a search to stand as it should.
func (c *client) finding(tab string, fits func(Find) bool) (got Find) {
	c.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		c.mu.Lock()
		for i := len(c.events) - 1; i >= 0; i-- {
			if c.events[i].Event != EventFind {
				continue
			}
			got = Find{}
			if json.Unmarshal(c.events[i].Data, &got) == nil && got.Tab == tab {
				break
			}
		}
		c.mu.Unlock()
		if got.Tab == tab && fits(got) {
			return got
		}
	}
	c.t.Fatalf("the search stands at %+v", got)
	return got
}

func TestFindInPage(t *testing.T) {
	h := newHost(t)
	site := foxSite(t)
	c := h.connect()
	id := c.open(site)
	c.watch(id, 800, 600)
	h.eventuallyTitle(id, "Foxes")
	h.eventually(id, "same.contentDocument.readyState", "complete")
	const page = "[document.documentElement.outerHTML, document.adoptedStyleSheets.length, CSS.highlights.size, getSelection().toString()].join('|')"
	var before, after string
	h.js(id, page, &before)

	c.must("find.start", FindArgs{Tab: id, Text: "fox"}, nil)
	// one, FOX in two pieces, both shadow roots, field, textarea, last, two frames
	f := c.finding(id, func(f Find) bool { return f.Count == 9 && f.Active == 1 && len(f.Marks) > 0 && f.Marks[0].On })
	if m := f.Marks[0]; m.Left < 10 || m.Left > 40 || m.Top < 0 || m.Height < 10 {
		t.Errorf("the first match is marked at %+v", m)
	}
	for _, want := range []int{2, 3, 4, 5, 6, 7} {
		c.must("find.step", FindStepArgs{Tab: id, By: 1}, nil)
		c.finding(id, func(f Find) bool { return f.Active == want })
	}
	h.eventually(id, "scrollY > 2000", "true")
	h.eventually(id, "(r => r.top >= 0 && r.bottom <= innerHeight)(last.getBoundingClientRect())", "true")
	on := func(f Find) (m FindMark) {
		for _, x := range f.Marks {
			if x.On {
				return x
			}
		}
		return m
	}
	for _, want := range []int{8, 9} { // in the frames, the other site's scrolled too
		c.must("find.step", FindStepArgs{Tab: id, By: 1}, nil)
		inside := false
		c.finding(id, func(f Find) bool {
			if f.Active != want || on(f).Width == 0 {
				return false
			}
			h.js(id, fmt.Sprintf(`[same, cross].some(e => (r => %g >= r.left && %g >= r.top && %g <= r.bottom)(e.getBoundingClientRect()))`, on(f).Left, on(f).Top, on(f).Top+on(f).Height), &inside)
			return inside
		})
	}
	c.must("find.step", FindStepArgs{Tab: id, By: 1}, nil)
	c.finding(id, func(f Find) bool { return f.Active == 1 })
	c.must("find.step", FindStepArgs{Tab: id, By: -1}, nil)
	c.finding(id, func(f Find) bool { return f.Active == 9 })

	h.js(id, page, &after)
	if before != after {
		t.Errorf("the page was touched: %q became %q", before, after)
	}

	c.must("find.start", FindArgs{Tab: id, Text: "FOX", MatchCase: true}, nil)
	c.finding(id, func(f Find) bool { return f.Count == 1 && f.MatchCase })
	c.must("find.start", FindArgs{Tab: id, Text: "last fox lives"}, nil)
	c.finding(id, func(f Find) bool { return f.Count == 1 && f.Active == 1 })
	c.must("find.start", FindArgs{Tab: id, Text: "secret"}, nil)
	c.finding(id, func(f Find) bool { return f.Text == "secret" && f.Count == 0 && f.Active == 0 })

	// It follows the page.
	c.must("find.start", FindArgs{Tab: id, Text: "badger"}, nil)
	c.finding(id, func(f Find) bool { return f.Text == "badger" && f.Count == 0 })
	h.eventually(id, "(one.append(' badger badger'), 1)", "1")
	c.finding(id, func(f Find) bool { return f.Count == 2 })
	h.eventually(id, "(same.contentDocument.body.innerHTML = 'badger', 1)", "1")
	c.finding(id, func(f Find) bool { return f.Count == 3 })
	c.must("find.step", FindStepArgs{Tab: id, By: 1}, nil)
	c.finding(id, func(f Find) bool { return f.Active == 1 })
	var y, still float64
	h.js(id, "scrollY", &y)
	c.must("find.stop", TabArgs{Tab: id}, nil)
	c.finding(id, func(f Find) bool { return f.Text == "" })
	h.eventually(id, "getSelection().toString()", "badger")
	if h.js(id, "scrollY", &still); still != y {
		t.Errorf("ending the search moved the page from %g to %g", y, still)
	}
}

// A search that the next letter overtakes has not failed.
func TestASearchThatIsOvertakenDoesNotFail(t *testing.T) {
	h := newHost(t)
	c := h.connect()
	id := c.open(foxSite(t))
	c.watch(id, 800, 600)
	h.eventuallyTitle(id, "Foxes")
	for range 10 {
		var typed sync.WaitGroup
		for _, text := range []string{"f", "fo", "fox", "fox l"} {
			typed.Go(func() {
				if err := c.call("find.start", FindArgs{Tab: id, Text: text}, nil); err != nil {
					t.Errorf("searching for %q: %v", text, err)
				}
			})
		}
		typed.Wait()
	}
	c.must("find.start", FindArgs{Tab: id, Text: "last fox lives"}, nil)
	c.finding(id, func(f Find) bool { return f.Count == 1 && f.Active == 1 })
}

func TestFindIsQuickOnALargePage(t *testing.T) {
	h := newHost(t)
	site := foxSite(t)
	c := h.connect()
	id := c.open(site + "/many")
	c.watch(id, 800, 600)
	h.eventuallyTitle(id, "Many")
	began := time.Now()
	c.must("find.start", FindArgs{Tab: id, Text: "fox"}, nil)
	c.finding(id, func(f Find) bool { return f.Count == 7000 && f.Active == 1 && len(f.Marks) > 10 })
	t.Logf("28,000 nodes: found after %v", time.Since(began))
	began = time.Now()
	c.must("find.step", FindStepArgs{Tab: id, By: -1}, nil)
	c.finding(id, func(f Find) bool { return f.Active == 7000 && len(f.Marks) > 0 })
	t.Logf("the last one after %v", time.Since(began))
}
