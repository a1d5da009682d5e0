package agenttools

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"baton/backend/fault"
)

// pdf makes a PDF of pages, each with its content stream; filter packs them.
func pdf(pages []string, packed bool) string {
	var b bytes.Buffer
	var at []int
	object := func(body string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), body)
	}
	b.WriteString("%PDF-1.7\n")
	kids := ""
	for i := range pages {
		kids += fmt.Sprintf("%d 0 R ", 4+2*i)
	}
	object("<</Type/Catalog/Pages 2 0 R>>")
	object(fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(pages), kids))
	object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
	for i, content := range pages {
		object(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R>>", 5+2*i))
		filter := ""
		if packed {
			var z bytes.Buffer
			w := zlib.NewWriter(&z)
			_, _ = w.Write([]byte(content))
			_ = w.Close()
			content, filter = z.String(), "/Filter/FlateDecode"
		}
		object(fmt.Sprintf("<</Length %d%s>>stream\n%s\nendstream", len(content), filter, content))
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF", len(at)+1, start)
	return b.String()
}

func line(words string) string { return "BT /F 24 Tf 20 150 Td (" + words + ") Tj ET" }

func TestAPDFIsShownAndRead(t *testing.T) {
	d := sit(t)
	file := pdf([]string{line("First words"), line("Second words"), line("An orange tree")}, true)
	withFiles(d, map[string]string{"a.pdf": file, "empty.pdf": pdf([]string{"0 0 10 10 re f"}, false), "in.html": "<title>Around</title><iframe src=a.pdf></iframe>"})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		if r.URL.Path == "/closed.pdf" {
			w.Header().Set("Content-Security-Policy", "default-src 'none'")
			w.Header().Set("Cache-Control", "max-age=60")
		}
		fmt.Fprint(w, file)
	}))
	t.Cleanup(web.Close)
	for _, open := range []string{`{"path":"a.pdf"}`, `{"url":` + quote(web.URL+"/x.pdf") + `}`, `{"url":` + quote(web.URL+"/closed.pdf") + `}`} {
		r := d.must("browser_open", open)
		if !strings.Contains(r.Text, "This is a PDF") || !strings.Contains(r.Text, "browser_read") {
			t.Errorf("%s: %s", open, r.Text)
		}
		d.until("browser_snapshot", `{}`, "a PDF with 3 pages") // counted where that takes no longer than a look may
		r = d.must("browser_read", `{}`)
		for _, want := range []string{"pages: 3", "## Page 1 of 3\n\nFirst words", "## Page 2 of 3\n\nSecond words", "## Page 3 of 3\n\nAn orange tree"} {
			if !strings.Contains(r.Text, want) {
				t.Errorf("%s does not read %q: %s", open, want, r.Text)
			}
		}
		if strings.Contains(r.Text, ".localhost") {
			t.Errorf("%s shows the preview's address: %s", open, r.Text)
		}
		if r = d.must("browser_read", `{"query":"ORANGE"}`); !strings.Contains(r.Text, "Page 3 of 3") || strings.Contains(r.Text, "First") {
			t.Errorf("%s: a query finds %s", open, r.Text)
		}
		if r = d.must("browser_read", `{"max_chars":40}`); told[int](t, r, "end") > 40 || !strings.Contains(r.Text, "more") && !strings.Contains(r.Text, "go on with offset") {
			t.Errorf("%s: a part: %s", open, r.Text)
		}
		d.must("browser_screenshot", `{}`)
	}
	if r := d.must("browser_open", `{"path":"in.html","assets":["a.pdf"]}`); strings.Contains(r.Text, "blocked") {
		t.Errorf("a framed PDF: %s", r.Text)
	}
	d.until("browser_evaluate", `{"expression":"document.querySelector('iframe').contentDocument.contentType"}`, "application/pdf")
	for range 3 { // while the viewer comes, too
		d.must("browser_screenshot", `{}`)
	}
	d.must("browser_open", `{"path":"empty.pdf"}`)
	if r := d.must("browser_read", `{}`); !strings.Contains(r.Text, "browser_screenshot") {
		t.Errorf("a PDF without text: %s", r.Text)
	}
}

// Whatever a PDF holds, the call ends in its time, the tab can be used
// afterwards, and Baton lives.
func TestHostilePDFs(t *testing.T) {
	d := sit(t)
	bomb := strings.Repeat(" ", 160<<20)
	loop := pdf([]string{line("x")}, false)
	withFiles(d, map[string]string{
		"bomb.pdf":    pdf([]string{bomb, line("after the bomb")}, true),
		"rubbish.pdf": "%PDF-1.7\n" + strings.Repeat("\x00\xffobj<<>>", 5000),
		"nothing.pdf": "",
		"cut.pdf":     loop[:len(loop)/2],
		"cycle.pdf":   strings.Replace(loop, "/Kids[4 0 R ]", "/Kids[2 0 R ]", 1),
		"count.pdf":   strings.Replace(loop, "/Count 1", "/Count 2000000000", 1),
		"many.pdf":    pdf([]string{strings.Repeat(line("word word word")+"\n", 300_000)}, true),
		"locked.pdf":  strings.Replace(loop, "trailer<<", "trailer<</Encrypt<</Filter/Standard/V 1/R 2/O<"+strings.Repeat("00", 32)+">/U<"+strings.Repeat("11", 32)+">/P -4>>/ID[<00><00>]", 1),
		"fine.pdf":    pdf([]string{line("fine words")}, false),
	})
	bomb = ""
	d.must("browser_open", `{"path":"fine.pdf"}`)
	for _, name := range []string{"bomb", "rubbish", "nothing", "cut", "cycle", "count", "many", "locked"} {
		begun := time.Now()
		_, err := d.call("browser_navigate", `{"path":"`+name+`.pdf"}`)
		r, err2 := d.call("browser_read", `{}`)
		t.Logf("%s: %v, open %v, read %v %.120q", name, time.Since(begun).Round(time.Millisecond), err, err2, r.Text)
		for _, e := range []error{err, err2} {
			if fault.Is(e, fault.Internal) {
				t.Errorf("%s: %v", name, e)
			}
		}
		if r, err := d.call("browser_navigate", `{"path":"fine.pdf"}`); err != nil {
			t.Errorf("after %s: %s %v", name, r.Text, err)
		}
		if r := d.must("browser_read", `{}`); !strings.Contains(r.Text, "fine words") {
			t.Errorf("after %s: %s", name, r.Text)
		}
	}
	if _, err := d.call("browser_navigate", `{"path":"locked.pdf"}`); err != nil {
		t.Fatal(err)
	}
	if _, err := d.call("browser_read", `{}`); !fault.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "password") {
		t.Errorf("a locked PDF: %v", err)
	}
}
