package app

import "testing"

func TestAddressBarTakesAddressesAndWords(t *testing.T) {
	const search = "https://search.example/?q=%s"
	find := func(words string) string { return "https://search.example/?q=" + words }
	for typed, want := range map[string]string{
		"example.com":              "https://example.com",
		" Example.com/a b ":        "https://Example.com/a%20b",
		"example.com is down":      find("example.com+is+down"),
		"1.1.1.1":                  "http://1.1.1.1",
		"1.1.1.1/help":             "http://1.1.1.1/help",
		"node.js":                  find("node.js"),
		"node.js tutorial":         find("node.js+tutorial"),
		"README.md":                "https://README.md",
		"main.go":                  find("main.go"),
		"and/or":                   find("and%2For"),
		"24/7":                     find("24%2F7"),
		"router.local":             "http://router.local",
		"nas.home":                 "http://nas.home",
		"1.1.168.192.in-addr.arpa": "http://1.1.168.192.in-addr.arpa",
		"яндекс.рф":                "https://яндекс.рф",
		"example.com.":             "https://example.com.",
		"ann:pw@example.com/x":     "https://ann:pw@example.com/x",
		"build.internal:8443/a":    "http://build.internal:8443/a",
		"https:// example.com":     "https://example.com",
		"view-source:example.com":  "view-source:https://example.com",
		"View-Source:http://a.b/c": "view-source:http://a.b/c",
		"view-source:localhost:1":  "view-source:http://localhost:1",
		"example.com/path?q=1#x":   "https://example.com/path?q=1#x",
		"sub.example.co.uk":        "https://sub.example.co.uk",
		"https://example.com":      "https://example.com",
		"HTTP://Example.com/A":     "http://Example.com/A",
		"http:example.com":         "http://example.com",
		"https:///example.com/x y": "https://example.com/x%20y",
		"localhost":                "http://localhost",
		"localhost:3000":           "http://localhost:3000",
		"localhost:3000/a?b":       "http://localhost:3000/a?b",
		"app.localhost:8080":       "http://app.localhost:8080",
		"127.0.0.1":                "http://127.0.0.1",
		"192.168.1.1:8080/admin":   "http://192.168.1.1:8080/admin",
		"[::1]:3000":               "http://[::1]:3000",
		"example.com:8443":         "http://example.com:8443",
		"printer/":                 "http://printer/",
		"printer:631":              "http://printer:631",
		"bücher.example":           "https://bücher.example",
		"xn--bcher-kva.example":    "https://xn--bcher-kva.example",
		"about:blank":              "about:blank",
		"data:text/html,<p>x":      "data:text/html,<p>x",
		"printer":                  find("printer"),
		"how to tie a knot":        find("how+to+tie+a+knot"),
		"?localhost":               find("localhost"),
		"define: word":             find("define%3A+word"),
		"site:example.com cats":    find("site%3Aexample.com+cats"),
		"me@example.com":           find("me%40example.com"),
		"1.5":                      find("1.5"),
		"3.14159":                  find("3.14159"),
		"a+b=c":                    find("a%2Bb%3Dc"),
		"main.go is here":          find("main.go+is+here"),
		"c++":                      find("c%2B%2B"),
		"example.c":                find("example.c"),
		"-x.example":               find("-x.example"),
	} {
		if got, err := resolve(typed, search); err != nil || got != want {
			t.Errorf("%q gives %q (%v), want %q", typed, got, err, want)
		}
	}
	for _, typed := range []string{"", "  ", "file:///etc/passwd", "javascript:alert(1)", "chrome://version", "view-source:", "view-source:data:text/html,x", "view-source:javascript:alert(1)", "view-source:how to", "vbscript:x", " JavaScript:alert(1)", "about:version", "wails://wails/", "http://", "http://%zz/"} {
		if got, err := resolve(typed, search); err == nil {
			t.Errorf("%q gives %q", typed, got)
		}
	}
}
