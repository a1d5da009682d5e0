package consent

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"
	"time"

	"baton/backend/page"
)

//go:embed all:dist aside.js
var files embed.FS

// ErrNotBuilt says that the rule library was not generated before this program
// was built.
var ErrNotBuilt = errors.New("consent: the rules are missing from this build; run `go tool task gen` and build again")

// world is the isolated world that the rule library lives in. It holds none of
// Baton's own functions.
const world = "baton-consent"

// A rule of the library, in its own compact form.
type rule struct {
	Pattern string          `json:"pattern"` // of addresses; empty is any
	Rule    json.RawMessage `json:"rule"`
	matches *regexp.Regexp  // nil when Pattern is not for Go: the library decides
}

// library is the kept rule library, read on first use.
type library struct {
	Strings  json.RawMessage `json:"strings"`
	Generic  []rule          `json:"generic"`
	Specific []rule          `json:"specific"`
	scripts  string
}

var kept = sync.OnceValues(func() (*library, error) {
	var l library
	raw, err := read("dist/rules.json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(raw), &l); err != nil {
		return nil, fmt.Errorf("consent: read the rules: %w", err)
	}
	for i := range l.Specific {
		l.Specific[i].matches, _ = regexp.Compile(l.Specific[i].Pattern)
	}
	aside, err := read("aside.js")
	if err != nil {
		return nil, err
	}
	own, err := read("dist/autoconsent.js")
	if err != nil {
		return nil, err
	}
	l.scripts = aside + "\n;" + own + "\n;0"
	return &l, nil
})

func read(name string) (string, error) {
	b, err := files.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w (no %s)", ErrNotBuilt, name)
	}
	return string(b), err
}

// specific gives the rules made for an address.
func (l *library) specific(url string) []rule {
	var out []rule
	for _, r := range l.Specific {
		if r.matches == nil || r.matches.MatchString(url) {
			out = append(out, r)
		}
	}
	return out
}

// has tells whether a rule was made for an address.
func (l *library) has(url string) bool {
	for _, r := range l.Specific {
		if r.matches != nil && r.matches.MatchString(url) {
			return true
		}
	}
	return false
}

// bundle gives the rules that can apply at an address, as the library reads
// them.
func (l *library) bundle(url string) string {
	var b strings.Builder
	b.WriteString(`{"v":1,"s":`)
	b.Write(l.Strings)
	b.WriteString(`,"r":[`)
	n := 0
	for _, list := range [][]rule{l.Generic, l.specific(url)} {
		for _, r := range list {
			if n > 0 {
				b.WriteByte(',')
			}
			b.Write(r.Rule)
			n++
		}
	}
	b.WriteString("]}")
	return b.String()
}

// platform is a consent platform's popup that a rule knows how to refuse.
type platform struct {
	aside page.Aside
	rule  string
}

// find loads the rules into a document and waits up to ms for a platform's
// popup. ok is false when there is none.
func find(ctx context.Context, d page.Document, ms int) (p platform, ok bool, err error) {
	l, err := kept()
	if err != nil {
		return p, false, err
	}
	if p.aside, err = d.Aside(ctx, world); err != nil {
		return p, false, err
	}
	if err = p.aside.Evaluate(ctx, l.scripts, nil); err != nil {
		return p, false, err
	}
	err = p.aside.Evaluate(ctx, fmt.Sprintf("__batonRules.find(%s,%d)", l.bundle(d.URL()), ms), &p.rule)
	return p, err == nil && p.rule != "", err
}

// refuse has the rule press its way to the refusal. When ctx ends, nothing more
// is pressed.
func (p platform) refuse(ctx context.Context) (done, pressed bool, err error) {
	stop := context.AfterFunc(ctx, func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = p.aside.Evaluate(ctx, "__batonRules.stop()", nil)
	})
	defer stop()
	var r struct {
		Result  bool `json:"result"`
		Final   bool `json:"final"`
		Pressed int  `json:"pressed"`
		Kept    int  `json:"kept"`
	}
	err = p.aside.Evaluate(ctx, fmt.Sprintf("__batonRules.refuse(%d)", ruleWait.Milliseconds()), &r)
	return r.Result && r.Final && r.Kept == 0 && r.Pressed > 0, r.Pressed > 0, err
}
