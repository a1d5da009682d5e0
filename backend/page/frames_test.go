package page_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"baton/backend/page"
)

// framed is a page of n frames, every second one of another site, each with a
// frame of its own inside.
func framed(n int) map[string]string {
	pages := map[string]string{"/deep": `<button onclick="this.textContent='Deep pressed'">Deep</button>`}
	body := `<!doctype html><title>Frames</title><h1>Frames</h1>`
	for i := range n {
		host := []string{"127.0.0.1", "localhost"}[i%2]
		body += fmt.Sprintf(`<iframe title="Part %d" src="http://%s:{port}/part%d"></iframe>`, i, host, i)
		pages[fmt.Sprintf("/part%d", i)] = fmt.Sprintf(`<button onclick="this.textContent='Pressed %d'">Press %d</button><label>Field %d <input></label><iframe title="Inner %d" src="/deep"></iframe>`, i, i, i, i)
	}
	pages["/"] = body
	return pages
}

var refMark = regexp.MustCompile(`\[e(\d+)\]`)

// refsOf gives the refs of an outline, in its order.
func refsOf(outline string) []int {
	var out []int
	for _, m := range refMark.FindAllStringSubmatch(outline, -1) {
		n, _ := strconv.Atoi(m[1])
		out = append(out, n)
	}
	return out
}

// Frames that are read side by side stand in the page's order, every element
// has a ref of its own that stays, and none is left out between.
func TestFramesReadSideBySideShareOneNumbering(t *testing.T) {
	const n = 8
	p := goTo(t, site(t, framed(n))+"/")
	var first string
	for end := time.Now().Add(20 * time.Second); strings.Count(first, `button "Deep"`) < n && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		first = look(t, p)
	}
	at := 0
	for i := range n {
		for _, part := range []string{fmt.Sprintf(`iframe "Part %d"`, i), fmt.Sprintf(`button "Press %d"`, i), fmt.Sprintf(`textbox "Field %d"`, i), fmt.Sprintf(`iframe "Inner %d"`, i), `button "Deep"`} {
			next := strings.Index(first[at:], part)
			if next < 0 {
				t.Fatalf("%s does not follow in\n%s", part, first)
			}
			at += next
		}
	}
	refs := refsOf(first)
	seen := map[int]bool{}
	for _, r := range refs {
		if seen[r] {
			t.Errorf("e%d names two elements in\n%s", r, first)
		}
		seen[r] = true
	}
	if again := look(t, p); again != first {
		t.Errorf("read again it is\n%s\nand was\n%s", again, first)
	}
	if len(refs) != 5*n {
		t.Errorf("%d refs in\n%s", len(refs), first)
	}
	for _, i := range []int{n - 1, 0, n / 2} {
		if _, err := p.Click(within(t, 20*time.Second), page.ClickArgs{Target: ref(t, first, fmt.Sprintf(`button "Press %d"`, i))}); err != nil {
			t.Fatal(err)
		}
		if now := look(t, p); strings.Count(now, `"Pressed `) == 0 || !strings.Contains(now, fmt.Sprintf(`"Pressed %d"`, i)) {
			t.Errorf("the ref of button %d pressed another:\n%s", i, now)
		}
	}
	found, err := p.Snapshot(within(t, 20*time.Second), page.SnapshotArgs{Query: "Field 5"})
	if err != nil || found.Matches != 1 || ref(t, found.Text, `"Field 5"`) != ref(t, first, `"Field 5"`) {
		t.Errorf("a query finds %d: %s %v", found.Matches, found.Text, err)
	}
}

// Frames that do not answer cost the time of one.
func TestBusyFramesAreWaitedForTogether(t *testing.T) {
	pages := framed(4)
	for i := range 4 {
		if i%2 == 1 {
			pages[fmt.Sprintf("/part%d", i)] += `<script>setTimeout(() => { for (const from = performance.now(); performance.now() - from < 8000;); }, 300)</script>`
		}
	}
	// Of a site, and so of a process, that no other test has.
	pages["/"] = strings.ReplaceAll(pages["/"], "http://localhost:", "http://busy.localhost:")
	p := goTo(t, site(t, pages)+"/")
	text := ""
	for end := time.Now().Add(20 * time.Second); strings.Count(text, "did not answer") < 2 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		s, err := p.Snapshot(within(t, 20*time.Second), page.SnapshotArgs{})
		if err != nil {
			t.Fatal(err)
		}
		text = s.Text + strings.Join(s.Notes, "\n")
	}
	if !strings.Contains(text, `button "Press 2"`) || strings.Count(text, "did not answer") != 2 {
		t.Errorf("beside busy frames it reads\n%s", text)
	}
}

// Documents of one renderer are looked through side by side, and none lets go of
// what another still needs.
func TestFramesReadSideBySideKeepWhatScriptsCannotSee(t *testing.T) {
	const n = 6
	pages := map[string]string{}
	body := `<!doctype html><title>Closed</title>`
	for i := range n {
		body += fmt.Sprintf(`<iframe src="/part%d"></iframe>`, i)
		pages[fmt.Sprintf("/part%d", i)] = fmt.Sprintf(`<closed-part></closed-part>%s<div id=d>Listens %d</div><script>
			document.querySelector('closed-part').attachShadow({mode: 'closed'}).innerHTML = '<button>Closed %d</button>'
			d.addEventListener('click', () => {})</script>`, strings.Repeat("<section></section>", i*40), i, i)
	}
	pages["/"] = body
	base := site(t, pages)
	for range 8 {
		p := goTo(t, base+"/")
		js(t, p, `new Promise(done => { const look = () => [...document.querySelectorAll('iframe')].every(f => f.contentDocument.querySelector('#d') && f.contentDocument.readyState === 'complete') ? done() : setTimeout(look, 5); look() })`)
		got := look(t, p)
		for i := range n {
			if !strings.Contains(got, fmt.Sprintf(`button "Closed %d" [e`, i)) {
				t.Fatalf("the closed part of frame %d is missing in\n%s", i, got)
			}
			if !regexp.MustCompile(fmt.Sprintf(`"Listens %d" \[e`, i)).MatchString(got) {
				t.Fatalf("the listener of frame %d has no ref in\n%s", i, got)
			}
		}
	}
}
