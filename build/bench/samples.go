package main

import (
	"slices"
	"time"
)

// limit is the name under which a bare Chromium's figures stand.
const limit = "limit"

// samples are figures by measure, then by peer.
type samples map[string]map[string][]float64

func (s samples) add(measure, who string, v float64) {
	if s[measure] == nil {
		s[measure] = map[string][]float64{}
	}
	s[measure][who] = append(s[measure][who], v)
}

func (s samples) took(measure, who string, d time.Duration) {
	s.add(measure, who, float64(d.Microseconds())/1000)
}

// median gives the middle of what was measured; false when nothing was.
func (s samples) median(measure, who string) (float64, bool) {
	list := slices.Sorted(slices.Values(s[measure][who]))
	if len(list) == 0 {
		return 0, false
	}
	n := len(list)
	return (list[(n-1)/2] + list[n/2]) / 2, true
}
