package agenttools

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// earlier are the calls that an example stands behind, on a fresh tab of
// testdata/example.html.
var earlier = map[string][][2]string{
	"browser_dialog":  {{"browser_click", `{"target":{"role":"button","name":"Empty"}}`}},
	"browser_console": {{"browser_click", `{"target":{"role":"button","name":"Pay"}}`}},
	"browser_wait":    {{"browser_evaluate", `{"expression":"setTimeout(() => { out.textContent = 'Thank you' }, 200); 0"}`}},
}

// Every tool has an example, which its schema takes as it stands, and which
// comes out as it says.
func TestExamples(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/example.html") }))
	t.Cleanup(web.Close)
	d := scripting(t)
	defer shared.cards.Attend()()
	go person(t.Context())
	withFiles(d, map[string]string{"letter.txt": "Dear"})
	local := strings.NewReplacer("https://shop.example", web.URL)
	tabs := regexp.MustCompile(`\bt\d+\b`)
	for _, x := range append(Tools(), Gateway()) {
		if x.Example.Call == "" || x.Example.Result == "" {
			t.Errorf("%s has no example", x.Name)
			continue
		}
		if err := x.Check(json.RawMessage(x.Example.Call)); err != nil {
			t.Errorf("the schema of %s does not take its example: %v", x.Name, err)
		}
		if fixed, err := repair(x.Name, x.Args)(json.RawMessage(x.Example.Call)); err != nil || !same(string(fixed), x.Example.Call) {
			t.Errorf("the example of %s is repaired to %s (%v)", x.Name, fixed, err)
		}
		if x.Name == "browser" {
			continue // its answer is the guidance
		}
		d.must("browser_open", local.Replace(`{"url":"https://shop.example/"}`))
		d.must("browser_snapshot", `{}`)
		for _, call := range earlier[x.Name] {
			d.must(call[0], call[1])
		}
		call := x.Example.Call
		if strings.Contains(call, `"tab"`) {
			call = tabs.ReplaceAllString(call, d.current)
		}
		r, err := d.call(x.Name, local.Replace(call))
		if err != nil {
			t.Errorf("the example of %s: %v", x.Name, err)
			continue
		}
		got := tabs.ReplaceAllString(strings.ReplaceAll(r.Text, web.URL, "https://shop.example"), "t1")
		if !fits(x.Example.Result, got) {
			t.Errorf("the example of %s says\n%s\nand it is\n%s", x.Name, x.Example.Result, got)
		}
	}
}

// person does what cards ask for.
func person(ctx context.Context) {
	changed, stop := shared.cards.State.Watch()
	defer stop()
	for {
		select {
		case <-changed:
			list, _ := shared.cards.State.Get()
			for _, c := range list {
				if _, err := shared.handover.Open(c.ID); err == nil {
					_ = shared.handover.Done(c.ID, "solved")
				}
			}
		case <-ctx.Done():
			return
		}
	}
}

// same compares two JSON values.
func same(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

// fits compares a result with an example, in which "…" stands for anything.
func fits(example, got string) bool {
	parts := strings.Split(example, "…")
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, ".*") + `$`).MatchString(strings.TrimRight(got, "\n"))
}
