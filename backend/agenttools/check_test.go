package agenttools

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"baton/backend/challenge"
)

func TestResultsTellOfABotCheck(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/start":
			fmt.Fprint(w, `<title>Start</title><a href="/check?pass=3000">Shop</a>`)
		case "/check":
			pass := ""
			if ms := r.URL.Query().Get("pass"); ms != "" {
				pass = `setTimeout(() => location.replace("/shop"), ` + ms + `)`
			}
			fmt.Fprint(w, `<title>Just a moment...</title><p>Verifying you are human. This may take a few seconds.</p><form id="challenge-form"></form><script>`+pass+`</script>`)
		default:
			fmt.Fprint(w, `<title>Shop</title><h1>Behind the check</h1><button>Buy</button>`)
		}
	}))
	t.Cleanup(s.Close)
	d := sit(t)
	d.deps.Checks = challenge.New(challenge.Limits{Wait: 8 * time.Second, Token: time.Second, Click: time.Second})

	r, err := d.call("browser_open", `{"url":"`+s.URL+`/check?pass=3000"}`)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Text, "Bot check (Cloudflare): cleared.") || !strings.Contains(r.Text, "Behind the check") {
		t.Errorf("opening says:\n%s", r.Text)
	}
	if c, _ := r.Data["challenge"].(map[string]any); c["status"] != "cleared" || c["vendor"] != "Cloudflare" {
		t.Errorf("the data says %v", r.Data["challenge"])
	}

	r, err = d.call("browser_navigate", `{"url":"`+s.URL+`/check"}`)
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := r.Data["challenge"].(map[string]any); c["status"] != "needs-user" || !strings.Contains(r.Text, "request_takeover; do not solve, reload or retry") {
		t.Errorf("a check that stays: %v\n%s", r.Data["challenge"], r.Text)
	}
	if r, err = d.call("browser_snapshot", `{}`); err != nil || !strings.Contains(r.Text, "needs the person") {
		t.Errorf("the next snapshot: %v\n%s", err, r.Text)
	}

	if _, err = d.call("browser_navigate", `{"url":"`+s.URL+`/start"}`); err != nil {
		t.Fatal(err)
	}
	if r, err = d.call("browser_click", `{"target":{"role":"link","name":"Shop"}}`); err != nil || !strings.Contains(r.Text, "cleared") || !strings.Contains(r.Text, "Behind the check") {
		t.Errorf("a click that leads to a check: %v\n%s", err, r.Text)
	}
}
