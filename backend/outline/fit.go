package outline

import "sort"

// Join puts the walked contents of frames under their iframe nodes. A frame without contents stays an empty line.
func Join(nodes []Node, frames map[int][]Node) []Node {
	out := make([]Node, len(nodes))
	for i, n := range nodes {
		if inner, ok := frames[n.Ref]; ok && n.Role == "iframe" && n.Ref > 0 {
			n.Kids = append(append([]Node(nil), n.Kids...), inner...)
		} else if len(n.Kids) > 0 {
			n.Kids = Join(n.Kids, frames)
		}
		out[i] = n
	}
	return out
}

// Size is the length of an outline in UTF-16 units.
func Size(nodes []Node) int { return sizes(nodes, 0) }

// Lines counts the lines that nodes stand for: shown ones, and those counted as left out.
func Lines(nodes []Node) int {
	n := 0
	for i := range nodes {
		if nodes[i].Role == "" {
			n += nodes[i].Gap
			continue
		}
		n += 1 + nodes[i].Hidden + Lines(nodes[i].Kids)
	}
	return n
}

// Fit returns the outline within budget (UTF-16 units of the rendered text). Small parts stay whole, large ones share
// what is left and collapse in place: contents as `(+N hidden)`, the middle of a long list as `(+N more)`, with first
// and last kept. A budget too small for one line gives nothing.
func Fit(nodes []Node, budget int) []Node {
	if Size(nodes) <= budget {
		return nodes
	}
	return fit(nodes, 0, budget)
}

// Room for ` (+N hidden)` on a line, and for a line `- (+N more like this)` without its indent.
const (
	hiddenRoom = 20
	gapRoom    = 32
)

func fit(nodes []Node, depth, budget int) []Node {
	whole := make([]int, len(nodes))
	least := make([]int, len(nodes))
	sum, all := 0, 0
	for i := range nodes {
		whole[i] = sizeOf(&nodes[i], depth)
		least[i] = min(whole[i], lineSize(&nodes[i], depth)+hiddenRoom)
		sum += least[i]
		all += whole[i]
	}
	if all <= budget {
		return nodes
	}
	if sum > budget {
		nodes, whole, least = middle(nodes, whole, least, depth, budget)
		sum = 0
		for _, l := range least {
			sum += l
		}
	}
	if len(nodes) == 0 || sum > budget {
		return nil
	}
	rest := budget - sum
	var order []int
	for i := range nodes {
		if whole[i] > least[i] {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool {
		return whole[order[a]]-least[order[a]] < whole[order[b]]-least[order[b]]
	})
	for k, i := range order {
		give := min(whole[i]-least[i], rest/(len(order)-k))
		least[i] += give
		rest -= give
	}
	out := make([]Node, len(nodes))
	for i, n := range nodes {
		if whole[i] > least[i] {
			lines := Lines(n.Kids) + n.Hidden
			n.Hidden = 0
			inner := fit(n.Kids, depth+1, least[i]-lineSize(&n, depth)-hiddenRoom)
			if len(inner) == 0 || len(inner) == 1 && inner[0].Role == "" {
				n.Kids, n.Hidden = nil, lines
			} else {
				n.Kids, n.Hidden = inner, lines-Lines(inner)
			}
		}
		out[i] = n
	}
	return out
}

// middle keeps as many first nodes as there is room for, and the last one; what is between becomes a gap.
func middle(nodes []Node, whole, least []int, depth, budget int) ([]Node, []int, []int) {
	gapSize := depth*2 + gapRoom
	last := len(nodes) - 1
	room := budget - gapSize - least[last]
	keepLast := room >= 0 && last > 0
	if !keepLast {
		room = budget - gapSize
		last = len(nodes)
	}
	if room < 0 {
		return nil, nil, nil
	}
	h, used := 0, 0
	for h < last && used+least[h] <= room {
		used += least[h]
		h++
	}
	left := nodes[h:last]
	keep := append([]Node(nil), nodes[:h]...)
	w := append([]int(nil), whole[:h]...)
	l := append([]int(nil), least[:h]...)
	if len(left) > 0 {
		count := 0
		for i := range left {
			if left[i].Role == "" {
				count += left[i].Gap
			} else {
				count++
			}
		}
		keep, w, l = append(keep, Node{Gap: count}), append(w, gapSize), append(l, gapSize)
	}
	if keepLast {
		keep, w, l = append(keep, nodes[last]), append(w, whole[last]), append(l, least[last])
	}
	return keep, w, l
}
