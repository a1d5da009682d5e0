package tab

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"baton/backend/redact"
)

// account is what the person did during a hold, for the agent that gets the tab
// back (O1b). Downloads are told by the next result as any other.
type account struct {
	mu    sync.Mutex
	pages []string // addresses, without secrets
	deeds []string
	more  int // that were left out
}

const (
	accountMost = 20  // entries of a kind
	accountLong = 900 // characters in all, some 250 tokens
)

func (a *account) add(list *[]string, s string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case s == "" || slices.Contains(*list, s):
	case len(*list) >= accountMost:
		a.more++
	default:
		*list = append(*list, s)
	}
}

// visited notes an address that the page shows.
func (a *account) visited(url string) {
	if url = redact.URL(url); url != "about:blank" {
		a.add(&a.pages, url)
	}
}

// words tells it all in one sentence; "" when there is nothing to tell.
func (a *account) words() string {
	if a == nil {
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	var parts []string
	if len(a.pages) > 0 {
		parts = append(parts, "went to "+strings.Join(a.pages, ", "))
	}
	parts = append(parts, a.deeds...)
	if len(parts) == 0 {
		return ""
	}
	said := "They " + strings.Join(parts, "; ")
	if r := []rune(said); len(r) > accountLong {
		said = string(r[:accountLong]) + "…"
	}
	if a.more > 0 {
		said += fmt.Sprintf(" (+%d more)", a.more)
	}
	return said + "."
}

// did adds what the person did to the account of the hold, when there is one.
func (t *Tab) did(f func(a *account)) {
	if a := t.account.Load(); a != nil {
		f(a)
	}
}
