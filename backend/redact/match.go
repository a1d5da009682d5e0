package redact

import (
	"strings"
	"unicode"
)

// span is a part of a text, in bytes.
type span struct{ from, to int32 }

// certain is from how many characters on a beginning counts inside a longer
// word, and characters may be spread in any way.
const certain = 8

// matcher finds values in texts.
type matcher struct {
	trie    *trie
	group   string
	said    []string
	cuts    map[int][]span // by text
	lo, hi  int            // the last cut of this scan, in characters
	foreign bool
}

func (m *matcher) find(texts []*string) {
	seq, escapes := plain(texts)
	m.look(seq)
	for range 3 { // escapes of escapes
		if !escapes {
			return
		}
		if seq, escapes = undo(seq); escapes {
			m.look(seq)
		}
	}
}

func (m *matcher) look(seq []unit) {
	m.scan(m.trie.tights, seq, func(u unit, _ int) bool { return tight(u.r) })
	if len(m.trie.dense.nodes) > 1 {
		m.scan(m.trie.dense, seq, func(u unit, _ int) bool { return !unicode.IsSpace(u.r) })
	}
	if heads := numbered(seq); heads != nil {
		m.scan(m.trie.tights, seq, func(u unit, i int) bool { return tight(u.r) && !heads[int32(i)] })
	}
}

// scan runs an automaton over the characters that pick chooses.
func (m *matcher) scan(a *automaton, seq []unit, pick func(unit, int) bool) {
	m.lo, m.hi = 0, -1
	at := int32(0)
	view := make([]int32, 0, len(seq))
	for i, u := range seq {
		if pick(u, i) {
			view = append(view, int32(i))
		}
	}
	for i, s := range view {
		at = a.go_(at, seq[s].r)
		for n := a.nodes[at].out; n != 0; n = a.nodes[a.nodes[n].fail].out {
			first := i + 1 - int(a.nodes[n].depth)
			if f, l := int(view[first]), int(s); f >= m.lo && l <= m.hi && a.nodes[n].inner {
				continue
			}
			for _, e := range a.nodes[n].ends {
				m.take(seq, view, first, i, e)
			}
		}
	}
}

// take notes a match of the characters view[first..last] if it counts.
func (m *matcher) take(seq []unit, view []int32, first, last int, e end) {
	f := e.f
	// An agent that tries a sign-in form with its own "test" still reads of tests.
	if f.kind == base64s || f.kind == spelled && f.e.own {
		for i, r := range f.raw[:min(last+1-first, len(f.raw))] {
			if seq[view[first+i]].raw != r {
				return
			}
		}
	}
	switch f.kind {
	case spelled:
		if !e.whole && !m.begins(seq, view, first, last, f) || !spread(seq, view[first:last+1], f.gaps) {
			return
		}
	case coded:
	case base64s:
		if len(f.raw) < certain && int(view[last]-view[first]) != last-first {
			return
		}
	}
	from, to := int(view[first]), int(view[last])
	if e.whole {
		to = int(view[min(last+f.rest, len(view)-1)])
		for i := len(f.lead) - 1; i >= 0 && from > 0 && seq[from-1].r == f.lead[i]; i-- {
			from--
		}
		for i := 0; i < len(f.trail) && to+1 < len(seq) && seq[to+1].r == f.trail[i]; i++ {
			to++
		}
	}
	if f.kind == base64s && (from < m.lo || to > m.hi) {
		for from > 0 && in64(seq[from-1]) {
			from--
		}
		for to+1 < len(seq) && in64(seq[to+1]) {
			to++
		}
	}
	m.foreign = m.foreign || !f.e.own
	if from >= m.lo && to <= m.hi {
		return
	}
	if m.cuts == nil {
		m.cuts = map[int][]span{}
	}
	begin := from
	if from >= m.lo && from <= m.hi { // it goes on from the last cut
		from, begin = m.lo, m.hi+1
	}
	m.lo, m.hi = from, to
	for i := begin; i <= to; i++ {
		p := int(seq[i].piece)
		if n := len(m.cuts[p]); i > from && seq[i-1].piece == seq[i].piece {
			m.cuts[p][n-1].to = max(m.cuts[p][n-1].to, seq[i].to)
		} else {
			m.cuts[p] = append(m.cuts[p], span{seq[i].from, seq[i].to})
		}
	}
}

func in64(u unit) bool {
	return u.raw < 128 && (tight(u.raw) || strings.ContainsRune("+/=-_", u.raw))
}

// spread tells whether characters stand as a value might be written: together,
// one by one, or a longer one in any groups. Words of a sentence that happen to
// make up a short value do not count.
func spread(seq []unit, at []int32, gaps map[int]bool) bool {
	chunk, longest, chunks := 1, 1, 1
	for i := 1; i < len(at); i++ {
		if gaps[i-1] || at[i] == at[i-1]+1 && seq[at[i]].piece == seq[at[i-1]].piece {
			chunk++
		} else {
			chunk = 1
			chunks++
		}
		longest = max(longest, chunk)
	}
	switch {
	case chunks == 1, len(at) >= certain, longest == 1:
		return true
	}
	return longest == 2 && len(at) >= 6
}

// begins tells whether a beginning of a value counts: where the value was
// seen, as a word, and unless an agent wrote it itself.
func (m *matcher) begins(seq []unit, view []int32, first, last int, f *form) bool {
	if m.group == "" || !f.e.groups[m.group] {
		return false
	}
	if n := last + 1 - first; n < certain {
		if s := int(view[first]); s > 0 && seq[s-1].piece == seq[s].piece && tight(seq[s-1].r) {
			return false
		}
		if s := int(view[last]); s+1 < len(seq) && seq[s+1].piece == seq[s].piece && tight(seq[s+1].r) {
			return false
		}
	}
	part := string(f.runes[:last+1-first])
	for _, s := range m.said {
		if strings.Contains(s, part) {
			return false
		}
	}
	return true
}
