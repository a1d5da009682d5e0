package input

import "math"

// Point is a place in a viewport, in CSS pixels.
type Point struct{ X, Y float64 }

// Path gives the places that a pointer passes on its way, the end among them and the start not. It speeds up and slows
// down like a hand, and takes more steps over a longer way; steps of 0 lets the distance decide.
func Path(from, to Point, steps int) []Point {
	if steps <= 0 {
		d := math.Hypot(to.X-from.X, to.Y-from.Y)
		steps = min(max(int(d/60), 4), 16)
	}
	out := make([]Point, steps)
	for i := range out {
		t := float64(i+1) / float64(steps)
		t = t * t * (3 - 2*t)
		out[i] = Point{from.X + (to.X-from.X)*t, from.Y + (to.Y-from.Y)*t}
	}
	out[steps-1] = to
	return out
}
