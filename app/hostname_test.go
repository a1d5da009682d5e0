package app

import "testing"

func TestAHostIsShownInLettersUnlessTheyDeceive(t *testing.T) {
	for url, want := range map[string]string{
		"https://example.com/":                  "", // has no other letters
		"https://xn--bcher-kva.example/a?b":     "bücher.example",
		"https://xn--mnchen-3ya.de:8443/":       "münchen.de",
		"https://www.xn--rksmrgs-5wao1o.se/":    "www.räksmörgås.se",
		"https://xn--ble-xla.dk/":               "æble.dk",
		"https://xn--d1acpjx3f.xn--p1ai/":       "яндекс.рф",
		"https://xn--80ak6aa92e.com/":           "", // аррӏе in Cyrillic
		"https://xn--80aa0cbo65f.xn--p1ai/":     "раураӏ.рф",
		"https://xn--e1asfc.com/":               "", // серо, all letters of which look Latin
		"https://xn--wikiedia-leg.org/":         "", // one Greek letter in a Latin word
		"https://xn--ggle-55da.com/":            "", // Cyrillic о in Latin
		"https://xn--githb-1tc.com/":            "", // an IPA letter
		"https://xn--fiq228c.com/":              "中文.com",
		"https://hello.xn--wgv71a119e.jp/":      "hello.日本語.jp",
		"https://xn--eckwd4c7cu47r2wf.jp/":      "ドメイン名例.jp",
		"https://xn--hxajbheg2az3al.gr/":        "παράδειγμα.gr",
		"https://xn--zz-zz--zz.com/":            "", // no name at all
		"file:///tmp/x.html":                    "",
		"https://user:pw@xn--bcher-kva.example": "bücher.example",
	} {
		if got := shownHost(url); got != want {
			t.Errorf("%s shows %q, want %q", url, got, want)
		}
	}
}
