package outline

import (
	"strconv"
	"strings"
)

// Render writes an outline: one node a line, each line ended by a line feed.
func Render(nodes []Node) string {
	var b strings.Builder
	for i := range nodes {
		render(&b, &nodes[i], 0)
	}
	return b.String()
}

// RenderChange writes what changed: the outline of new and changed nodes, then what is gone and where focus is. It is
// empty when nothing changed.
func RenderChange(c Change) string {
	var b strings.Builder
	for i := range c.Nodes {
		render(&b, &c.Nodes[i], 0)
	}
	if len(c.Gone) > 0 || c.GoneMore > 0 {
		b.WriteString("gone: ")
		for i, g := range c.Gone {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(word(g.Role))
			if g.Name != "" {
				b.WriteByte(' ')
				quote(&b, g.Name)
			}
			if g.Ref > 0 {
				b.WriteString(" [e" + strconv.Itoa(g.Ref) + "]")
			}
		}
		if c.GoneMore > 0 {
			if len(c.Gone) > 0 {
				b.WriteByte(' ')
			}
			b.WriteString("(+" + strconv.Itoa(c.GoneMore) + " more)")
		}
		b.WriteByte('\n')
	}
	if c.Focus != "" {
		b.WriteString("focus: " + Plain(c.Focus) + "\n")
	}
	return b.String()
}

func render(b *strings.Builder, n *Node, depth int) {
	line(b, n, depth)
	for i := range n.Kids {
		render(b, &n.Kids[i], depth+1)
	}
}

// line writes one node without its kids.
func line(b *strings.Builder, n *Node, depth int) {
	for range depth {
		b.WriteString("  ")
	}
	b.WriteString("- ")
	if n.Role == "" {
		b.WriteString("(+" + strconv.Itoa(n.Gap))
		if n.Like {
			b.WriteString(" more like this)\n")
		} else {
			b.WriteString(" more)\n")
		}
		return
	}
	b.WriteString(word(n.Role))
	if n.Name != "" {
		b.WriteByte(' ')
		quote(b, n.Name)
		if n.Chars > 0 {
			b.WriteString("… (+" + strconv.Itoa(n.Chars) + " chars)")
		}
	}
	if n.Ref > 0 {
		b.WriteString(" [e" + strconv.Itoa(n.Ref) + "]")
	}
	if n.Value != nil {
		b.WriteString(" value=")
		quote(b, *n.Value)
	}
	for _, s := range n.State {
		b.WriteByte(' ')
		b.WriteString(word(s))
	}
	for _, x := range n.Text {
		b.WriteString(" " + word(x.Key) + "=")
		quote(b, x.Text)
	}
	if len(n.Options) > 0 {
		b.WriteString(" options:")
		for i, o := range n.Options {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte(' ')
			quote(b, o.Label)
			if o.Selected {
				b.WriteString(" selected")
			}
			if o.Disabled {
				b.WriteString(" disabled")
			}
		}
		if n.OptionsMore > 0 {
			b.WriteString(" (+" + strconv.Itoa(n.OptionsMore) + " more)")
		}
	}
	if n.URL != "" {
		b.WriteString(" /url=")
		quote(b, n.URL)
	}
	if n.Mark != "" {
		b.WriteString(" " + word(n.Mark))
	}
	if n.Hidden > 0 {
		b.WriteString(" (+" + strconv.Itoa(n.Hidden) + " hidden)")
	}
	b.WriteByte('\n')
}

// word lets through what roles and states are made of; a page cannot smuggle a line in through them.
func word(s string) string {
	ok := s != ""
	for i := 0; ok && i < len(s); i++ {
		c := s[i]
		ok = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("=-_.:+", c) >= 0
	}
	if ok {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("=-_.:+", r) {
			return r
		}
		return -1
	}, s)
	if s == "" {
		return "generic"
	}
	return s
}

// Plain makes a text of one line safe to print without quotes: what Quote escapes is escaped, quotes stay.
func Plain(s string) string {
	q := Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}
