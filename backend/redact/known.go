package redact

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

const (
	// shortest is how many characters a value has at least to be known: shorter
	// ones stand in too many texts by chance.
	shortest = 4
	// longestKept bounds a value in characters; of a longer one the start is kept.
	longestKept = 4 << 10
	// mostOfSite and mostValues bound how many values are kept of one site and in
	// all: a site that enters very many pushes out its own first.
	mostOfSite = 500
	mostValues = 20_000
	// mostSaid bounds the texts of Say in bytes.
	mostSaid = 256 << 10
)

// Known holds the values that secret fields were seen to hold, in memory only,
// and takes them out of texts: as they are, in simple encodings, spelled with
// separators, backwards, and the longer part of their beginning. The zero value
// knows nothing and costs nothing. It is safe for concurrent use.
type Known struct {
	mu      sync.Mutex
	entries map[string]*entry
	order   []*entry // oldest first
	sites   map[string]int
	said    []string // what agents wrote, by letters and digits, oldest first
	size    int      // of said, in bytes
	some    atomic.Bool
	built   *trie // nil when it is to be built anew
	changed func()
}

// Seen says where a value was seen.
type Seen struct {
	Group string // the tab and its popups: beginnings of the value count there
	Site  string
	Own   bool   // the agent entered it itself
	Was   string // what the same field held just before; a part of the same typing is replaced
}

type entry struct {
	value  string
	site   string
	own    bool
	groups map[string]bool
}

// Changed sets what is told, without waiting, when a value was added. Call it
// before the first Add.
func (k *Known) Changed(f func()) { k.changed = f }

// Add makes a value known. Values under four characters are not kept.
func (k *Known) Add(value string, s Seen) {
	if utf8.RuneCountInString(value) > longestKept {
		value = string([]rune(value)[:longestKept])
	}
	k.mu.Lock()
	fresh := k.add(value, s)
	k.mu.Unlock()
	if fresh && k.changed != nil {
		k.changed()
	}
}

func (k *Known) add(value string, s Seen) bool {
	if k.entries == nil {
		k.entries, k.sites = map[string]*entry{}, map[string]int{}
	}
	// Of one run of typing the whole counts: what it began with is a beginning.
	if e := k.entries[s.Was]; e != nil && s.Was != value && strings.HasPrefix(value, s.Was) && len(e.groups) == 1 && e.groups[s.Group] && e.site == s.Site {
		k.drop(e)
	}
	if utf8.RuneCountInString(value) < shortest || strings.TrimSpace(value) == "" {
		return false
	}
	e := k.entries[value]
	if e == nil {
		e = &entry{value: value, site: s.Site, own: s.Own, groups: map[string]bool{}}
		k.entries[value] = e
		k.order = append(k.order, e)
		k.sites[s.Site]++
		k.bound(s.Site)
	} else if e.groups[s.Group] && (!e.own || s.Own) {
		return false
	}
	e.own = e.own && s.Own
	e.groups[s.Group] = true
	k.built = nil
	k.some.Store(true)
	return true
}

// bound lets a site's oldest value go when it has too many.
func (k *Known) bound(site string) {
	if k.sites[site] <= mostOfSite && len(k.order) <= mostValues {
		return
	}
	if len(k.order) > mostValues {
		for s, n := range k.sites {
			if n > k.sites[site] {
				site = s
			}
		}
	}
	if i := slices.IndexFunc(k.order, func(e *entry) bool { return e.site == site }); i >= 0 {
		k.drop(k.order[i])
	}
}

func (k *Known) drop(e *entry) {
	delete(k.entries, e.value)
	k.sites[e.site]--
	k.order = slices.DeleteFunc(k.order, func(x *entry) bool { return x == e })
	k.built = nil
}

// Say notes a text that an agent wrote itself. Where it comes back, that it is
// the beginning of a value is not told: else an agent could guess a value
// character by character.
func (k *Known) Say(text string) {
	bare := string(tightOf(text))
	if len(bare) > mostSaid {
		bare = bare[:mostSaid]
	}
	if len(bare) < shortest {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if slices.Contains(k.said, bare) {
		return
	}
	k.said = append(k.said, bare)
	for k.size += len(bare); k.size > mostSaid && len(k.said) > 1; k.said = k.said[1:] {
		k.size -= len(k.said[0])
	}
}

// Some tells whether any value is known.
func (k *Known) Some() bool { return k != nil && k.some.Load() }

// Wipe forgets everything.
func (k *Known) Wipe() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.entries, k.order, k.sites, k.said, k.size, k.built = nil, nil, nil, nil, 0, nil
	k.some.Store(false)
}

// Text gives s without known values. Beginnings of values count where they were
// seen in the group; an empty group is none.
func (k *Known) Text(s, group string) string {
	if !k.Some() || len(s) < shortest {
		return s
	}
	k.Pieces([]*string{&s}, group)
	return s
}

// Pieces cleans texts that stand one behind another, so that a value that is
// spread over them is found too. any says that something was taken out, foreign
// that it was no agent's own.
func (k *Known) Pieces(texts []*string, group string) (any, foreign bool) {
	if !k.Some() {
		return false, false
	}
	k.mu.Lock()
	if k.built == nil {
		k.built = build(k.order)
	}
	m := matcher{trie: k.built, group: group, said: k.said[:len(k.said):len(k.said)]}
	k.mu.Unlock()
	m.find(texts)
	for i, cut := range m.cuts {
		*texts[i] = replace(*texts[i], cut)
	}
	return len(m.cuts) > 0, m.foreign
}

// replace puts dots in place of parts of s.
func replace(s string, cut []span) string {
	slices.SortFunc(cut, func(a, b span) int { return int(a.from - b.from) })
	var b strings.Builder
	at := int32(0)
	for i := 0; i < len(cut); {
		from, to := cut[i].from, cut[i].to
		for i++; i < len(cut) && cut[i].from <= to; i++ {
			to = max(to, cut[i].to)
		}
		b.WriteString(s[at:from])
		b.WriteString(dots)
		at = to
	}
	b.WriteString(s[at:])
	return b.String()
}
