package agenttools

import (
	"fmt"
	"strings"
	"testing"

	"baton/backend/fault"
	"baton/backend/tab"
)

// What an agent can try to come to the person's developer tools: none of it
// leads there.
func TestAgentsHaveNoDeveloperTools(t *testing.T) {
	d := sit(t)
	base, _ := d.open(map[string]string{"/": `<title>Page</title><button onclick="this.textContent='Pressed'">Press</button>`})
	own, err := d.Thread.tab("")
	if err != nil {
		t.Fatal(err)
	}
	info, err := shared.tabs.Inspect(t.Context(), own, tab.Inspection{})
	if err != nil {
		t.Fatal(err)
	}
	shared.tabs.Show(info.ID)
	defer shared.tabs.Show("")

	if list := d.must("browser_tabs", `{}`).Text; strings.Contains(list, info.ID+" ") || strings.Contains(strings.ToLower(list), "devtools") {
		t.Errorf("the list names them:\n%s", list)
	}
	for name, args := range map[string]string{
		"browser_snapshot": ``, "browser_read": ``, "browser_screenshot": ``, "browser_click": `"target":{"x":5,"y":5},`,
		"browser_type": `"text":"x",`, "browser_press": `"keys":"Enter",`, "browser_evaluate": `"expression":"1",`, "browser_console": ``,
		"browser_navigate": `"url":"` + base + `",`, "browser_wait": `"ms":1,`, "browser_scroll": `"dy":1,`, "browser_environment": `"reset":true,`,
		"browser_dialog": `"accept":true,`, "browser_hover": `"target":{"x":5,"y":5},`, "browser_drag": `"from":{"x":5,"y":5},"to":{"x":9,"y":9},`,
		"browser_select": `"target":{"x":5,"y":5},"values":["x"],`, "browser_check": `"target":{"x":5,"y":5},"checked":true,`, "browser_fill": `"fields":[{"target":{"x":5,"y":5},"text":"x"}],`,
		"browser_close": ``, "request_takeover": `"reason":"x",`,
	} {
		if _, err := d.call(name, fmt.Sprintf(`{%s"tab":%q}`, args, info.ID)); !fault.Is(err, fault.NoSuchTab) {
			t.Errorf("%s on the tools gives %v", name, err)
		}
	}
	const address = "devtools://devtools/bundled/devtools_app.html"
	for _, call := range [][2]string{{"browser_open", `{"url":%q}`}, {"browser_navigate", `{"url":%q}`}, {"browser_open", `{"url":"view-source:%[1]s"}`}} {
		if r, err := d.call(call[0], fmt.Sprintf(call[1], address)); !fault.Is(err, fault.SchemeNotAllowed) {
			t.Errorf("%s %s gives %q, %v", call[0], address, r.Text, err)
		}
	}
	// Nor by a page's own script.
	for _, script := range []string{
		`(location.href = "` + address + `", 1)`,
		`(() => { const w = open("` + address + `"); return String(w && w.location.href) })()`,
		`(() => { const f = document.createElement("iframe"); f.src = "` + address + `"; document.body.append(f); return 1 })()`,
		`fetch("` + address + `").then(r => r.text(), e => "refused")`,
	} {
		r, err := d.call("browser_evaluate", fmt.Sprintf(`{"tab":%q,"expression":%q}`, own, script))
		if err == nil && strings.Contains(r.Text, "devtools") {
			t.Errorf("%s gives %s", script, r.Text)
		}
	}
	for _, i := range shared.tabs.List(tab.Actor{Agent: t.Name()}) {
		if strings.HasPrefix(i.URL, "devtools") {
			t.Errorf("tab %s shows %s", i.ID, i.URL)
		}
	}
	// Its own work goes on beside them.
	if r := d.must("browser_click", fmt.Sprintf(`{"tab":%q,"target":{"role":"button","name":"Press"}}`, own)); !strings.Contains(r.Text, "Pressed") {
		t.Errorf("the click says %s", r.Text)
	}
	// An agent without a tab of its own is not given what the person looks at.
	other := NewThread(d.Thread.deps, t.Name()+"-other")
	if id, err := other.tab(""); !fault.Is(err, fault.NoSuchTab) {
		t.Errorf("the current tab of another agent is %q, %v", id, err)
	}
}
