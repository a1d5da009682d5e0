package redact

import (
	"encoding/base64"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// anchor is how many characters of a form are looked for; as many as a longer
// one has are taken out from there.
const anchor = 256

// kinds of forms.
const (
	spelled = iota // the value itself, forwards or backwards
	symbols        // a value of few letters and digits, with its other characters
	coded          // bytes or characters as numbers
	base64s        // base64, where case counts
)

// form is one way in which a value may stand in a text.
type form struct {
	e     *entry
	kind  int
	runes []rune // as looked for
	rest  int    // how many characters follow the anchor
	raw   []rune // with its case, which counts in base64 and for what agents entered themselves
	lead  []rune // what stands before and behind the letters and digits, in lower case
	trail []rune
	gaps  map[int]bool // after which characters the value itself has others
	least int          // how many characters make a beginning; 0 when none counts
}

// formsOf gives what to look for in letters and digits, and in all characters.
func formsOf(e *entry) (tights, dense []*form) {
	value := []rune(e.value)
	f := spell(e, value)
	if n := len(f.runes); n >= shortest {
		f.least = max(shortest, (n+1)/2)
		back := slices.Clone(value)
		slices.Reverse(back)
		tights = append(tights, f.cut(), spell(e, back).cut())
		// A value that looks like an escape itself is read as one where others are.
		if read := unescaped(e.value); read != e.value {
			if x := spell(e, []rune(read)); len(x.runes) >= shortest {
				tights = append(tights, x.cut())
			}
		}
	} else {
		d := &form{e: e, kind: symbols}
		for _, r := range value {
			if !unicode.IsSpace(r) {
				d.runes = append(d.runes, lower(r))
			}
		}
		if len(d.runes) > 1 {
			back := &form{e: e, kind: symbols, runes: slices.Clone(d.runes)}
			slices.Reverse(back.runes)
			dense = append(dense, d.cut(), back.cut())
		}
	}
	bytes := []byte(e.value)
	codes := []string{hex.EncodeToString(bytes), decimals(value), joined(value, "0x", 16, 0), joined(value, "u", 16, 4), joined(value, "x", 16, 0)}
	if len(bytes) > len(value) {
		codes = append(codes, joined(value, "", 16, 0))
	}
	for _, s := range codes {
		tights = append(tights, (&form{e: e, kind: coded, runes: []rune(s)}).cut())
	}
	for offset := range 3 {
		if f := base64Of(e, bytes, offset); f != nil {
			tights = append(tights, f.cut())
		}
	}
	return tights, dense
}

// spell gives the form of a value by its letters and digits.
func spell(e *entry, value []rune) *form {
	f := &form{e: e, kind: spelled, gaps: map[int]bool{}}
	gap := false
	for _, r := range value {
		raw := wide(r)
		r = lower(r)
		switch {
		case tight(r):
			if gap && len(f.runes) > 0 {
				f.gaps[len(f.runes)-1] = true
			}
			f.runes, f.raw, f.trail, gap = append(f.runes, r), append(f.raw, raw), nil, false
		case len(f.runes) == 0:
			f.lead = append(f.lead, r)
		default:
			f.trail, gap = append(f.trail, r), true
		}
	}
	return f
}

func (f *form) cut() *form {
	if len(f.runes) > anchor {
		f.rest = len(f.runes) - anchor
		f.runes, f.raw = f.runes[:anchor], f.raw[:min(len(f.raw), anchor)]
	}
	return f
}

func joined(v []rune, before string, base, width int) string {
	var b strings.Builder
	for _, r := range v {
		b.WriteString(before)
		n := strconv.FormatInt(int64(r), base)
		if len(n) < width {
			n = strings.Repeat("0", width-len(n)) + n
		}
		b.WriteString(n)
	}
	return b.String()
}

// base64Of gives the characters of base64 that do not depend on what stands
// around the value, which begins offset bytes into a group of three.
func base64Of(e *entry, value []byte, offset int) *form {
	padded := append(make([]byte, offset), value...)
	s := base64.StdEncoding.EncodeToString(padded)
	s = s[[]int{0, 2, 3}[offset] : len(padded)*8/6]
	f := &form{e: e, kind: base64s}
	for _, r := range s {
		if tight(r) {
			f.raw, f.runes = append(f.raw, r), append(f.runes, lower(r))
		}
	}
	if len(f.runes) < shortest {
		return nil
	}
	return f
}

// trie finds all forms in one pass over a text (Aho and Corasick's automaton).
type trie struct {
	tights, dense *automaton
}

func build(entries []*entry) *trie {
	t := &trie{tights: newAutomaton(), dense: newAutomaton()}
	for _, e := range entries {
		now := *e // a text may be looked at while more becomes known
		now.groups = maps.Clone(e.groups)
		tights, dense := formsOf(&now)
		for _, f := range tights {
			t.tights.add(f)
		}
		for _, f := range dense {
			t.dense.add(f)
		}
	}
	t.tights.link()
	t.dense.link()
	return t
}

type automaton struct {
	nodes []node
	next  map[step]int32
	first [128]int32 // the steps from the start by ASCII characters
}

type step struct {
	from int32
	r    rune
}

type node struct {
	depth, fail int32
	out         int32 // the nearest node with ends: this one or one of its endings; 0 is none
	parent      int32
	r           rune
	ends        []end
	inner       bool // only beginnings end here: they say nothing new inside a part that is taken out already
}

// end is a form that ends at a node, or begins so.
type end struct {
	f     *form
	whole bool
}

func newAutomaton() *automaton {
	return &automaton{nodes: make([]node, 1), next: map[step]int32{}}
}

func (a *automaton) step(from int32, r rune) int32 {
	if from == 0 && r < 128 {
		return a.first[r]
	}
	return a.next[step{from, r}]
}

func (a *automaton) add(f *form) {
	at := int32(0)
	for i, r := range f.runes {
		to := a.step(at, r)
		if to == 0 {
			to = int32(len(a.nodes))
			a.nodes = append(a.nodes, node{depth: a.nodes[at].depth + 1, parent: at, r: r})
			if at == 0 && r < 128 {
				a.first[r] = to
			} else {
				a.next[step{at, r}] = to
			}
		}
		at = to
		if f.least > 0 && i+1 >= f.least && i+1 < len(f.runes) {
			a.nodes[at].ends = append(a.nodes[at].ends, end{f, false})
		}
	}
	if at != 0 {
		a.nodes[at].ends = append(a.nodes[at].ends, end{f, true})
	}
}

// link sets where to go on when a step is missing, shallow nodes first.
func (a *automaton) link() {
	order := make([]int32, 0, len(a.nodes))
	for i := 1; i < len(a.nodes); i++ {
		order = append(order, int32(i))
	}
	slices.SortStableFunc(order, func(x, y int32) int { return int(a.nodes[x].depth - a.nodes[y].depth) })
	for _, i := range order {
		n := &a.nodes[i]
		if n.parent != 0 {
			n.fail = a.go_(a.nodes[n.parent].fail, n.r)
		}
		n.out = a.nodes[n.fail].out
		if len(n.ends) > 0 {
			n.out = i
			n.inner = !slices.ContainsFunc(n.ends, func(e end) bool { return e.whole })
		}
	}
}

// go_ takes a character.
func (a *automaton) go_(at int32, r rune) int32 {
	for {
		if to := a.step(at, r); to != 0 {
			return to
		}
		if at == 0 {
			return 0
		}
		at = a.nodes[at].fail
	}
}
