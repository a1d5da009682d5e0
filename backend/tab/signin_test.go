package tab

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestASignInIsAskedAgainAfterARestart(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, p, _ := r.BasicAuth(); p != "word" {
			w.Header().Set("WWW-Authenticate", `Basic realm="Staff"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, "<title>Staff</title>")
	}))
	defer site.Close()
	w := newWorld(t)
	id := w.add(me, site.URL+"/desk").ID
	asks := func() bool {
		i, err := w.Get(id, me)
		return err == nil && i.Asks.SignIn != nil
	}
	show := func() {
		go func() { _, _ = w.Page(t.Context(), id) }() // it waits for the person
		eventually(t, "the site to ask", asks)
	}
	show()
	w.stop()
	w.open()
	if i, err := w.Get(id, me); err != nil || i.State != Asleep || i.URL != site.URL+"/desk" || i.Asks.SignIn != nil {
		t.Fatalf("after the restart the tab is %+v, %v", i, err)
	}
	show()
	i, _ := w.Get(id, me)
	if err := w.Sign(t.Context(), id, i.Asks.SignIn.ID, "ann", "word"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the page", func() bool {
		i, _ := w.Get(id, me)
		return i.Title == "Staff" && i.State == Ready && i.Asks.SignIn == nil
	})
}
