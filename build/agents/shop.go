package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
)

// What the site has to receive, and what it answers.
const (
	wanted = "Ana Ruiz, ana@example.com, large, terms"
	number = "BX-4711"
)

// shop is the site that the order is made on.
type shop struct {
	*httptest.Server

	mu  sync.Mutex
	got string
}

const orderPage = `<!doctype html><title>Tea shop</title><h1>Order tea</h1>
<form method=post action=/order>
<label>Name <input name=name required></label>
<label>Email <input name=email type=email required></label>
<label>Size <select name=size><option value="">Choose…<option>small<option>large</select></label>
<label><input type=checkbox name=terms value=terms> I accept the terms</label>
<button>Order</button></form>`

func newShop() *shop {
	s := &shop{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, orderPage)
	})
	mux.HandleFunc("POST /order", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.got = fmt.Sprintf("%s, %s, %s, %s", r.PostFormValue("name"), r.PostFormValue("email"), r.PostFormValue("size"), r.PostFormValue("terms"))
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>Thanks</title><h1>Thank you</h1><p>Your order is %s.</p>", number)
	})
	s.Server = httptest.NewServer(mux)
	return s
}

func (s *shop) received() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got
}
