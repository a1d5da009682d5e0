package redact

import (
	"fmt"
	"strings"
	"testing"
)

func TestURLDropsWhatOpensDoors(t *testing.T) {
	for in, want := range map[string]string{
		"https://a.example/x":                                    "https://a.example/x",
		"https://user:pw@a.example/x":                            "https://a.example/x",
		"https://a.example/cb?code=SECRET&state=SECRET&page=2":   "https://a.example/cb?code=…&state=…&page=2",
		"https://a.example/#access_token=SECRET&expires_in=3600": "https://a.example/#access_token=…&expires_in=3600",
		"https://a.example/#/route?token=SECRET":                 "https://a.example/#/route?token=…",
		"https://a.example/?q=code":                              "https://a.example/?q=code",
		"https://a.example/?token=":                              "https://a.example/?token=",
		"https://a.example/%zz?token=SECRET":                     "https://a.example/%zz",
		"about:blank":                                            "about:blank",
		"":                                                       "",
	} {
		if got := URL(in); got != want {
			t.Errorf("URL(%q) = %q, want %q", in, got, want)
		}
	}
	if got := URL("data:text/html," + strings.Repeat("x", 500)); len(got) > 130 {
		t.Errorf("a data: address of %d characters is shown", len(got))
	}
}

func TestTextCleansAddressesAndHeaders(t *testing.T) {
	in := `failed GET https://u:p@a.example/?api_key=SECRET "Authorization: Bearer SECRETSECRET" <https://b.example/?sig=SECRET>`
	got := Text(in)
	if strings.Contains(got, "SECRET") || strings.Contains(got, "u:p") {
		t.Errorf("Text: %q", got)
	}
	if !strings.Contains(got, "https://a.example/?api_key=…") {
		t.Errorf("the address is gone: %q", got)
	}
}

func TestASecretPrintsDots(t *testing.T) {
	s := NewSecret([]byte("hunter2"))
	j, err := s.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf("%v %+v %#v %s %q %s %v", s, s, s, s, s, j, s.LogValue())
	if strings.Contains(all, "hunter2") {
		t.Errorf("printed: %s", all)
	}
	b := s.Reveal()
	s.Wipe()
	if strings.Contains(string(b), "hunter") {
		t.Error("the value is still there after Wipe")
	}
}

func FuzzURLNeverKeepsUserInfo(f *testing.F) {
	f.Add("https://user:pw@host/?token=x#access_token=y")
	f.Fuzz(func(t *testing.T, s string) {
		if got := URL(s); strings.HasPrefix(s, "https://u:p@") && strings.HasPrefix(got, "https://u:p@") {
			t.Errorf("URL(%q) = %q", s, got)
		}
	})
}
