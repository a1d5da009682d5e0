package page

import (
	"regexp"
	"strings"
	"unicode/utf16"
)

const (
	// mostRest bounds how much of a text's rest is looked through.
	mostRest = 400_000
	// mostMarks and markChars bound what is told of it.
	mostMarks = 24
	markChars = 120
)

// Mark is a landmark in the part of a text that was left out: a heading, or a
// sentence with a figure, and where to read on for it.
type Mark struct {
	Offset int // UTF-16 units from the text's beginning
	Text   string
}

var (
	heading  = regexp.MustCompile(`^#{1,6} \S`)
	sentence = regexp.MustCompile(`[^.!?\n]+(?:[.!?]+(?:\d[^.!?\n]*[.!?]*)*|$)`)
	// figure is an amount, a share, a date or a long number, not a count of hours or a list's number.
	figure = regexp.MustCompile(`(?i)\d[\d.,]*\s*(?:%|percent|million|billion|thousand)|[$€£¥]\s*\d|\b\d{1,3}(?:[.,]\d{3})+\b|\b(?:19|20)\d\d\b`)
	link   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// landmarks tells what stands in a Markdown text that begins at an offset:
// headings first of all, then sentences with figures, in the text's order. A
// reader who is given the beginning alone knows by them where to read on.
func landmarks(text string, from int) []Mark {
	var heads, facts []Mark
	at := from
	for line := range strings.Lines(text) {
		plain := strings.TrimSpace(line)
		switch {
		case heading.MatchString(plain):
			heads = append(heads, Mark{at, short(plain)})
		case figure.MatchString(plain) && !strings.HasPrefix(plain, "|"):
			before := 0
			for _, loc := range sentence.FindAllStringIndex(line, -1) {
				s := link.ReplaceAllString(strings.TrimSpace(line[loc[0]:loc[1]]), "$1")
				if figure.MatchString(s) {
					before = units(line[:loc[0]])
					facts = append(facts, Mark{at + before, short(s)})
				}
			}
		}
		at += units(line)
	}
	if len(heads) > mostMarks/2 {
		heads = heads[:mostMarks/2]
	}
	if room := mostMarks - len(heads); len(facts) > room {
		facts = facts[:room]
	}
	return merge(heads, facts)
}

func merge(a, b []Mark) []Mark {
	out := make([]Mark, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].Offset <= b[0].Offset {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}

func units(s string) int { return len(utf16.Encode([]rune(s))) }

func short(s string) string {
	if r := []rune(s); len(r) > markChars {
		return string(r[:markChars]) + "…"
	}
	return s
}
