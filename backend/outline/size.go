package outline

import (
	"strings"
	"sync"
)

var builders = sync.Pool{New: func() any { return new(strings.Builder) }}

func sizes(nodes []Node, depth int) int {
	n := 0
	for i := range nodes {
		n += sizeOf(&nodes[i], depth)
	}
	return n
}

func sizeOf(n *Node, depth int) int {
	return lineSize(n, depth) + sizes(n.Kids, depth+1)
}

// lineSize is the exact length of one node's line.
func lineSize(n *Node, depth int) int {
	b := builders.Get().(*strings.Builder)
	defer builders.Put(b)
	b.Reset()
	line(b, n, 0)
	return Length(b.String()) + 2*depth
}
